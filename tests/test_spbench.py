#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run spbench as a user does and check what it prints: test_spbench.py PATH-TO-SPBENCH"""

import csv
import fcntl
import gzip
import io
import json
import os
import pty
import resource
import signal
import struct
import subprocess
import sys
import termios
import unittest

from scratch import Scratch

SPBENCH = None
QUICK = ["--min-time", "0.001"]
FORMATS = ["coo", "csr", "csc", "ell", "hyb", "jds"]

NUMBER = (int, float)
MAYBE_NUMBER = (int, float, type(None))
MAYBE_TEXT = (str, type(None))
MAYBE_TRUTH = (bool, type(None))

LENGTHS = {"min": int, "q1": int, "median": int, "q3": int, "max": int, "mean": NUMBER, "std": NUMBER}
MATRIX = {
    "name": str, "file": str, "rows": int, "cols": int, "nnz": int, "nan": int, "infinite": int, "field": str, "symmetry": str,
    "row_length": LENGTHS,
}
RESULT = {
    "format": str, "backend": str, "peer": MAYBE_TEXT, "kernel": MAYBE_TEXT, "type": str, "index": str, "op": str,
    "threads": int, "bytes": MAYBE_NUMBER, "fill": MAYBE_NUMBER, "convert_us": MAYBE_NUMBER,
    "time_us": (dict, type(None)), "noisy": MAYBE_TRUTH, "cold_us": (dict, type(None)), "predicted_us": MAYBE_NUMBER,
    "gflops": MAYBE_NUMBER, "gbs": MAYBE_NUMBER, "roof_gbs": MAYBE_NUMBER, "roofline": MAYBE_NUMBER,
    "vs_csr": MAYBE_NUMBER, "vs_csr_certain": MAYBE_TRUTH, "pays_back_after": (int, type(None)), "error": MAYBE_NUMBER, "status": str, "message": str,
}
REPORT = {
    "matrix": MATRIX,
    "machine": {"cpu": str, "threads": int, "read_gbs": NUMBER, "profile": MAYBE_TEXT, "gpu": type(None)},
    "read": {"seconds": MAYBE_NUMBER, "mb_per_s": MAYBE_NUMBER},
    "copy": type(None),
    "results": list,
    "fastest": (dict, type(None)),
    "pick": (dict, list, type(None)),
    "interrupted": bool,
}
PICK = {
    "backend": str, "format": str, "kernel": str, "predicted_us": MAYBE_NUMBER, "reason": str, "regret": MAYBE_NUMBER,
    "tie": MAYBE_TRUTH,
}
TIME = {"median": NUMBER, "min": NUMBER, "max": NUMBER, "batches": int, "disturbed": int}

SYMMETRIC = """%%MatrixMarket matrix coordinate real symmetric
4 4 5
1 1 2
2 2 2
3 3 2
4 4 2
4 1 -1
"""


def run(*arguments, input=None, stdin=None, preexec_fn=None, **environment):
    """Run the program; of `input` (text or bytes) and `stdin` one may be given."""
    if isinstance(input, str):
        input = input.encode()
    source = {"stdin": stdin} if input is None else {"input": input}
    done = subprocess.run([SPBENCH, *arguments], capture_output=True, timeout=300, preexec_fn=preexec_fn, **source,
                          env={**os.environ, "LC_ALL": "C", "COLUMNS": "100", **environment})
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def reports(*arguments, **source):
    done = run("--json", *QUICK, *arguments, **source)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def read_terminal(master):
    """All that was written to a pseudo-terminal whose other side is closed; it comes in pieces."""
    shown = b""
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            piece = b""
        if not piece:
            return shown.decode()
        shown += piece


class Spbench(Scratch):
    def check_fields(self, value, fields):
        self.assertEqual(list(value), list(fields))
        for name, kind in fields.items():
            if isinstance(kind, dict):
                self.check_fields(value[name], kind)
            else:
                self.assertIsInstance(value[name], kind, name)

    def check_pick(self, pick, report):
        """Of a report that has all formats as the library would multiply by them, and some nonzeros."""
        self.check_fields(pick, PICK)
        rows = [r for r in report["results"] if (r["backend"], r["peer"], r["status"]) == (pick["backend"], None, "ok")]
        (row,) = [r for r in rows if r["format"] == pick["format"]]
        self.assertGreaterEqual(pick["predicted_us"], 0)
        if row["kernel"] == pick["kernel"]:
            self.assertEqual(row["predicted_us"], pick["predicted_us"])
        best = min(r["time_us"]["median"] for r in rows)
        self.assertGreaterEqual(pick["regret"], 1)
        self.assertAlmostEqual(pick["regret"], row["time_us"]["median"] / best, delta=1e-3 * pick["regret"])
        self.assertIn(pick["format"], pick["reason"])

    def check_report(self, report):
        self.check_fields(report, REPORT)
        for result in report["results"]:
            self.check_fields(result, RESULT)
            self.assertEqual((result["backend"], result["peer"], result["cold_us"]), ("cpu", None, None))
            if result["status"] == "ok":
                self.check_fields(result["time_us"], TIME)
                self.assertLessEqual(result["time_us"]["min"], result["time_us"]["median"])
                self.assertLessEqual(result["time_us"]["median"], result["time_us"]["max"])
                self.assertLessEqual(result["time_us"]["disturbed"], result["time_us"]["batches"])
                self.check_certainty(result, report)
                self.assertGreaterEqual(result["gbs"], 0)
                self.assertLess(result["error"], 1e-3)
                self.assertEqual(result["message"], "")
            else:
                self.assertNotEqual(result["message"], "")
                self.assertIsNone(result["time_us"])
        # Products of nothing take times that are the same in as many digits as are printed.
        good = [r for r in report["results"] if r["status"] == "ok"]
        least = min(r["time_us"]["median"] for r in good)
        self.assertIn({**report["fastest"], "tie": None},
                      [{"format": r["format"], "backend": "cpu", "kernel": r["kernel"], "tie": None}
                       for r in good if r["time_us"]["median"] == least])
        (fastest,) = [r for r in good if r["kernel"] == report["fastest"]["kernel"]]
        rivals = [r for r in good if r["format"] != fastest["format"]]
        self.check_tie(report["fastest"]["tie"], fastest, rivals)
        self.assertFalse(report["interrupted"])

    def check_tie(self, tie, row, rivals):
        """A tie is told where a rival is no further away than the batches of either lie apart; what is printed is rounded."""
        apart = [abs(row["time_us"]["median"] - r["time_us"]["median"]) for r in rivals]
        spread = [max(r["time_us"]["max"] - r["time_us"]["min"] for r in (row, rival)) for rival in rivals]
        slack = 1e-3 * row["time_us"]["max"]
        if any(a < s - slack for a, s in zip(apart, spread)):
            self.assertTrue(tie)
        elif all(a > s + slack for a, s in zip(apart, spread)):
            self.assertFalse(tie)

    def check_certainty(self, result, report):
        time = result["time_us"]
        spread = (time["max"] - time["min"]) / time["median"]
        if abs(spread - 0.2) > 1e-3:
            self.assertEqual(result["noisy"], spread > 0.2)
        (csr,) = [r for r in report["results"] if r["format"] == "csr"][:1] or [None]
        self.assertEqual(result["vs_csr"] is None, result["vs_csr_certain"] is None)
        if csr and csr["status"] == "ok" and result["format"] != "csr":
            self.check_tie(not result["vs_csr_certain"], result, [csr])


class Reports(Spbench):
    def test_every_generator(self):
        specs = ["poisson2d:12", "poisson2d:7:30", "poisson3d:6", "27pt:5", "convection2d:5", "rmat:7", "rmat:6:3", "random:50:20:3",
                 "banded:40:5", "uneven:90:2:9", "spiked:60:3:2", "hollow:70:5:4"]
        shapes = [(144, 144), (210, 210), (216, 216), (125, 125), (25, 25), (128, 128), (64, 64), (50, 20), (40, 40), (90, 90), (60, 60), (70, 70)]
        found = reports(*("gen:" + spec for spec in specs))
        self.assertEqual([r["matrix"]["name"] for r in found], specs)
        self.assertEqual([(r["matrix"]["rows"], r["matrix"]["cols"]) for r in found], shapes)
        for report in found:
            self.check_report(report)
            self.assertEqual([r["format"] for r in report["results"]], FORMATS)
            self.assertIsNone(report["read"]["seconds"])

    def test_stencil_sizes(self):
        nnz = [r["matrix"]["nnz"] for r in reports("gen:poisson2d:10", "gen:poisson3d:4", "gen:27pt:4", "gen:banded:9:2")]
        self.assertEqual(nnz, [5 * 100 - 40, 7 * 64 - 6 * 16, (3 * 4 - 2) ** 3, 5 * 9 - 6])

    def test_a_file(self):
        path = self.file("small one.mtx", SYMMETRIC)
        (report,) = reports(path)
        self.check_report(report)
        self.assertEqual(report["matrix"]["name"], "small one")
        self.assertEqual(report["matrix"]["file"], path)
        self.assertEqual((report["matrix"]["nnz"], report["matrix"]["symmetry"]), (6, "symmetric"))
        self.assertEqual(report["matrix"]["row_length"]["max"], 2)
        self.assertGreater(report["read"]["mb_per_s"], 0)

    def test_empty_matrices(self):
        for header in ("0 0 0", "3 0 0", "0 3 0", "5 4 0"):
            path = self.file("empty.mtx", f"%%MatrixMarket matrix coordinate real general\n{header}\n")
            for more in ([], ["--transpose"]):
                (report,) = reports(path, *more)
                self.check_report(report)
                self.assertTrue(all(r["error"] == 0 for r in report["results"]))
                self.assertTrue(all(r["predicted_us"] is None for r in report["results"]))
                if not more:
                    self.assertEqual((report["pick"]["predicted_us"], report["pick"]["regret"]), (None, None))

    def test_values_that_are_not_finite(self):
        lines = ["4 4 5", "1 1 2", "2 2 nan", "3 3 inf", "4 4 -inf", "4 1 -1", ""]
        path = self.file("values.mtx", "\n".join(["%%MatrixMarket matrix coordinate real general", *lines]))
        for kind in ("f32", "f64"):
            (report,) = reports("--type", kind, path)
            self.check_report(report)
            self.assertEqual((report["matrix"]["nan"], report["matrix"]["infinite"]), (1, 2))
        said = " ".join(run(*QUICK, path).stdout.split())
        self.assertIn("values 1 value is NaN, 2 values are infinite: entries of y that they reach are not checked", said)
        self.assertNotIn("values ", run(*QUICK, self.file("small.mtx", SYMMETRIC)).stdout)

    def test_a_format_that_explodes_has_its_row(self):
        rows = 3000
        lines = [f"1 {col} 1" for col in range(1, rows + 1)] + [f"{row} 1 1" for row in range(2, rows + 1)]
        text = "\n".join(["%%MatrixMarket matrix coordinate real general", f"{rows} {rows} {len(lines)}", *lines, ""])
        (report,) = reports(self.file("arrow.mtx", text))
        self.check_report(report)
        ell = report["results"][FORMATS.index("ell")]
        self.assertNotEqual(ell["status"], "ok")
        self.assertIsNone(ell["kernel"])
        self.assertRegex(ell["message"], r"^ell would take [0-9.]+ MB \(3000 rows of width 3000\) where CSR takes [0-9.]+ kB: ")
        self.assertNotEqual(report["fastest"]["format"], "ell")


class Options(Spbench):
    def test_formats(self):
        (report,) = reports("--formats", "jds,CSR", "gen:poisson2d:9")
        self.assertEqual([r["format"] for r in report["results"]], ["csr", "jds"])
        (report,) = reports("-f", "ell", "gen:poisson2d:9")
        self.assertIsNotNone(report["results"][0]["vs_csr"])

    def test_types(self):
        for kind, bound in (("f32", 1e-5), ("f64", 1e-14)):
            (report,) = reports("--type", kind, "gen:rmat:6")
            self.check_report(report)
            self.assertEqual({r["type"] for r in report["results"]}, {kind})
            self.assertLess(max(r["error"] for r in report["results"]), bound)

    def test_indices(self):
        path = self.file("small.mtx", SYMMETRIC)
        for index in ("i32", "i32p64", "i64"):
            for report in reports("--index", index, "gen:rmat:6", path):
                self.check_report(report)
                self.assertEqual({r["index"] for r in report["results"]}, {index})

    def test_transpose(self):
        (report,) = reports("--transpose", "gen:random:30:70:4")
        self.check_report(report)
        self.assertEqual({r["op"] for r in report["results"]}, {"T"})
        self.assertEqual((report["matrix"]["rows"], report["matrix"]["cols"]), (30, 70))

    def test_threads(self):
        for threads in (1, 2, 3):
            (report,) = reports("--threads", str(threads), "gen:poisson2d:40")
            self.assertEqual(report["machine"]["threads"], threads)
            self.assertEqual({r["threads"] for r in report["results"]}, {threads})

    def test_kernels(self):
        (report,) = reports("--kernels", "gen:poisson2d:9")
        self.check_report(report)
        names = [r["kernel"] for r in report["results"]]
        self.assertEqual(len(names), len(set(names)))
        (default,) = reports("gen:poisson2d:9")
        self.assertLessEqual({r["kernel"] for r in default["results"]}, set(names))

    def test_where(self):
        (report,) = reports("--backend", "cpu", "gen:poisson2d:9")
        self.check_report(report)

    def test_list(self):
        done = run("--list", COLUMNS="60")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 60)
        self.assertTrue(lines[0].startswith("kernel"))
        self.assertTrue(all(line.split()[-1] in ("yes", "no") for line in lines[1:]))
        for name in FORMATS:
            self.assertTrue(any(line.startswith(name) and line.endswith("yes") for line in lines), name)

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--formats", "--backend", "--peers", "--type", "--index", "--threads", "--transpose", "--min-time", "--list", "--csv",
                     "--json", "--kernels", "--products", "--profile", "gen:poisson2d", "gen:banded"):
            self.assertIn(word, done.stdout)

    def test_csv(self):
        done = run("--csv", *QUICK, "gen:poisson2d:9", "gen:random:20:10:2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = list(csv.DictReader(io.StringIO(done.stdout), strict=True))
        self.assertEqual([row["format"] for row in rows], FORMATS * 2)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))
        self.assertEqual(sum(row["fastest"] == "1" for row in rows), 2)
        self.assertEqual(sum(row["pick"] == "1" for row in rows), 2)
        self.assertTrue(all(float(row["predicted_us"]) >= 0 for row in rows if row["pick"] == "1"))
        self.assertTrue(all(float(row["time_us_median"]) > 0 for row in rows))


class Picks(Spbench):
    """What the selector predicts and picks, beside what is measured."""

    def test_pick(self):
        for report in reports("gen:poisson2d:20", "gen:rmat:8"):
            self.check_report(report)
            self.check_pick(report["pick"], report)
            self.assertIsInstance(report["machine"]["profile"], str)

    def test_regret_is_of_what_is_measured(self):
        (report,) = reports("gen:poisson2d:20")
        picked = report["pick"]["format"]
        (alone,) = reports("--formats", picked, "gen:poisson2d:20")
        self.assertEqual((alone["pick"]["format"], alone["pick"]["regret"]), (picked, 1))
        (without,) = reports("--formats", ",".join(set(FORMATS) - {picked}), "gen:poisson2d:20")
        self.assertEqual((without["pick"]["format"], without["pick"]["regret"]), (picked, None))

    def test_kernels_that_are_not_predicted(self):
        (report,) = reports("--kernels", "gen:poisson2d:20")
        for name in FORMATS:
            predicted = [r for r in report["results"] if r["format"] == name and r["predicted_us"] is not None]
            self.assertLessEqual(len(predicted), 1)
        self.assertGreaterEqual(report["pick"]["regret"], 1)

    def test_few_products(self):
        """What is compared is the conversion and that one product; CSR is there already."""
        (report,) = reports("--products", "1", "gen:poisson2d:20")
        rows = {r["format"]: r for r in report["results"]}
        total = {name: r["time_us"]["median"] + (name != "csr") * r["convert_us"] for name, r in rows.items()}
        regret = total[report["pick"]["format"]] / min(total.values())
        self.assertAlmostEqual(report["pick"]["regret"], regret, delta=1e-3 * regret)

    def test_no_pick(self):
        (report,) = reports("--transpose", "gen:poisson2d:9")
        self.assertEqual({r["predicted_us"] for r in report["results"]}, {None})
        self.assertIsNone(report["pick"])
        names = {line.split()[0] for line in run("--list").stdout.splitlines()[1:]}
        done = run("--json", *QUICK, "gen:poisson2d:9", SPRY_DISABLE=",".join(names))
        self.assertEqual(done.returncode, 0)
        self.assertIsNone(json.loads(done.stdout)["pick"])

    def test_in_the_table(self):
        for more in ([], ["--products", "1e6"], ["--kernels"], ["--transpose"]):
            for locale, width in (("C", 60), ("C.UTF-8", 80)):
                done = run(*QUICK, *more, "gen:poisson2d:30", "gen:rmat:8", "gen:banded:200:3", LC_ALL=locale,
                           COLUMNS=str(width))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                lines, text = done.stdout.splitlines(), " ".join(done.stdout.split())
                self.assertLessEqual(max(map(len, lines)), width)
                self.assertTrue(locale != "C" or done.stdout.isascii())
                self.assertEqual(sum(line.startswith("pick ") for line in lines), 3)
                self.assertEqual(sum(line.startswith("summary ") for line in lines), more != ["--transpose"])
                self.assertEqual("predicted with the profile of" in text, more != ["--transpose"])
                self.assertEqual("for 1000000 products" in text, more[:1] == ["--products"])

    def test_summary(self):
        one = run(*QUICK, "gen:poisson2d:30")
        self.assertNotIn("summary", one.stdout)
        two = run(*QUICK, "gen:poisson2d:30", "gen:rmat:8")
        last = two.stdout[two.stdout.index("summary "):]
        for words in ("cpu: 2 picks", "% of them within 5 % of the best", "geometric mean", "at worst (gen:"):
            self.assertIn(words, " ".join(last.split()))

    def predict(self, scale):
        """Where JDS costs a thousandth of what the others cost: the report, and the predictions by format."""
        terms = ("steps", "units", "entries")
        kernels = {name: dict.fromkeys(terms, scale if name == "jds" else 1000 * scale) for name in FORMATS}
        profile = {"machine": "a machine of the test", "backend": "cpu", "processors": 1, "memory_gbs": 1.0,
                   "kernels": {"f32": kernels, "f64": kernels}, "conversions": {}}
        (report,) = reports("--threads", "1", "--profile", self.file("profile.json", json.dumps(profile)),
                            "gen:poisson2d:40")
        self.check_pick(report["pick"], report)
        self.assertEqual(report["machine"]["profile"], profile["machine"])
        return report, {r["format"]: r["predicted_us"] for r in report["results"]}

    def test_a_profile(self):
        report, once = self.predict(1.0)
        self.assertEqual(report["pick"]["format"], "jds")
        self.assertTrue(all(once[name] > once["jds"] > 0 for name in FORMATS if name != "jds"))
        _, twice = self.predict(2.0)
        for name in FORMATS:
            self.assertAlmostEqual(twice[name] / once[name], 2, delta=1e-4)


class Output(Spbench):
    def test_table_fits_the_page(self):
        path = self.file("small.mtx", SYMMETRIC)
        for locale, width in (("C", 60), ("C", 100), ("C.UTF-8", 80)):
            done = run(*QUICK, "--threads", "1", "gen:rmat:9", path, LC_ALL=locale, COLUMNS=str(width))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = [line for line in done.stdout.splitlines() if path not in line]
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertTrue(locale != "C" or done.stdout.isascii())
            for word in ("quartiles", "reads", "pays back", "fastest", *FORMATS):
                self.assertIn(word, done.stdout)

    def open_terminal(self):
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")

    def test_the_terminal_says_how_wide(self):
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        for width in (60, 72, 110):
            master, slave = self.open_terminal()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
            done = subprocess.run([SPBENCH, *QUICK, "gen:rmat:9"], stdout=slave, stderr=subprocess.PIPE, timeout=300,
                                  env={**environment, "LC_ALL": "C"})
            os.close(slave)
            shown = read_terminal(master).replace("\r\n", "\n")
            os.close(master)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertLessEqual(max(map(len, shown.splitlines())), width)
            self.assertEqual(f"the page is {width} columns wide" in " ".join(shown.split()), width < 100)

    def test_wide_shows_what_the_page_has_no_room_for(self):
        for more, width, there in (([], 60, False), (["--wide"], 60, True), ([], 132, True)):
            done = run(*QUICK, *more, "gen:rmat:9", COLUMNS=str(width))
            (heading,) = [line for line in done.stdout.splitlines() if line.startswith("kernel")]
            for name in ("fill", "spread", "GB/s", "error"):
                self.assertEqual(name in heading, there)

    def test_progress_only_on_a_terminal(self):
        self.assertEqual(run(*QUICK, "gen:poisson2d:9").stderr, "")
        master, slave = self.open_terminal()
        done = subprocess.run([SPBENCH, *QUICK, "gen:poisson2d:9"], stdout=subprocess.PIPE, stderr=slave, timeout=300)
        os.close(slave)
        shown = read_terminal(master)
        os.close(master)
        self.assertEqual(done.returncode, 0)
        self.assertIn("timing csr", shown)
        self.assertTrue(shown.endswith("\r\033[K"))
        self.assertNotIn(b"timing", done.stdout)


class Failures(Spbench):
    def check_failure(self, *arguments, words=()):
        done = run(*QUICK, *arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        first = done.stderr.splitlines()[0]
        for word in words:
            self.assertIn(word, first)
        return done

    def test_wrong_usage(self):
        for arguments, word in (([], "no FILE"), (["--formats", "dia", "x"], "'dia'"), (["--formats", ",", "x"], "empty"),
                                (["--type", "f16", "x"], "'f16'"), (["--index", "i8", "x"], "'i8'"),
                                (["--threads", "0", "x"], "'0'"), (["--threads", "two", "x"], "'two'"),
                                (["--backend", "gpu", "x"], "'gpu'"), (["--peers", "x"], "--backend"),
                                (["--min-time", "-1", "x"], "'-1'"), (["--products", "0", "x"], "'0'"),
                                (["--products", "some", "x"], "'some'"),
                                (["--profile", "y", "--backend", "all", "x"], "--profile"),
                                (["--no-such-option"], "no-such-option")):
            self.check_failure(*arguments, words=[word])

    def test_wrong_generators(self):
        for spec, word in (("nothing:3", "'nothing'"), ("poisson2d", "too few"), ("poisson2d:", "''"),
                           ("poisson2d:x", "'x'"), ("poisson2d:-3", "'-3'"), ("poisson2d:3:4:5", "too many"),
                           ("poisson2d:0", "'0'"), ("poisson2d:2147483647", "at most"),
                           ("poisson3d:2147483647", "at most"), ("rmat:31", "range"), ("rmat:10:99999999", "at most"),
                           ("random:5:5:6", "range"), ("banded:5:5", "range"), ("banded:99999999999999999999:1", "'999")):
            done = self.check_failure("gen:" + spec, words=["gen:" + spec, word])
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_wrong_files(self):
        broken = self.file("broken.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 5\n")
        for path, words in ((os.path.join(self.folder, "none.mtx"), ["none.mtx"]), (self.folder, [self.folder]),
                            (broken, ["broken.mtx:3:", "3"]), (self.file("blank.mtx", ""), ["blank.mtx"])):
            done = self.check_failure(path, words=words)
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_complex_values(self):
        path = self.file("c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 1\n")
        done = self.check_failure(path, words=["spbench: " + path, "--real-part"])
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(run("--real-part", *QUICK, path).returncode, 0)

    def test_unpack_limit(self):
        packed = gzip.compress(SYMMETRIC.encode())
        done = run(*QUICK, "--unpack-limit=50", "-", input=packed)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertIn("--unpack-limit", done.stderr)
        (report,) = reports("--unpack-limit=500", "-", input=packed)
        self.assertEqual(report["matrix"]["rows"], 4)

    def test_standard_input(self):
        (report,) = reports("-", input=SYMMETRIC)
        self.assertEqual((report["matrix"]["name"], report["matrix"]["file"]), ("standard input", "-"))
        self.assertIn("matrix      standard input\n", run(*QUICK, "-f", "csr", "-", input=SYMMETRIC).stdout)
        self.assertEqual((report["matrix"]["rows"], report["matrix"]["symmetry"]), (4, "symmetric"))
        (report,) = reports("-", input=gzip.compress(SYMMETRIC.encode()))
        self.assertEqual(report["matrix"]["nnz"], 6)
        broken = run("-", input=SYMMETRIC + "5 5 1\n")
        self.assertEqual(broken.returncode, 1)
        self.assertIn("spbench: standard input:8:1: ", broken.stderr)

    def test_standard_input_that_is_a_file(self):
        """It is read from where it stands."""
        with open(self.file("two.mtx", "a line that somebody else read\n" + SYMMETRIC), "rb", buffering=0) as file:
            file.seek(len("a line that somebody else read\n"))
            (report,) = reports("-", stdin=file)
        self.assertEqual(report["matrix"]["rows"], 4)

    def test_no_standard_input(self):
        done = run("-", preexec_fn=lambda: os.close(0))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "spbench: standard input: Bad file descriptor\n")

    def test_wrong_profiles(self):
        broken = self.file("broken.json", '{"machine": "x",\n')
        for path, word in ((broken, "broken.json:"), (self.file("empty.json", "{}"), "no profile"),
                           (os.path.join(self.folder, "none.json"), "none.json")):
            inputs = ["gen:poisson2d:4", "gen:poisson2d:5"]
            done = self.check_failure("--profile", path, *inputs, words=["spbench: ", word])
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))

    def test_the_rest_is_still_done(self):
        done = run("--json", *QUICK, "gen:poisson2d:8", os.path.join(self.folder, "none.mtx"), "gen:no", "gen:banded:9:1")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 2)
        names = [json.loads(line)["matrix"]["name"] for line in done.stdout.splitlines()]
        self.assertEqual(names, ["poisson2d:8", "banded:9:1"])

    def test_no_memory_for_the_roof(self):
        """The machine's bandwidth is measured with 128 MB a thread; products need next to none."""
        def limited(*arguments):
            limit = 200 << 20
            return subprocess.run([SPBENCH, *arguments], capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "LC_ALL": "C"},
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

        if limited("--list").returncode != 0:
            self.skipTest("the program alone is over the limit, as with a sanitizer")
        done = limited(*QUICK, "--threads", "2", "gen:poisson2d:9")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 threads, no memory to measure", " ".join(done.stdout.split()))
        done = limited(*QUICK, "--json", "--threads", "2", "gen:poisson2d:9")
        report = json.loads(done.stdout)
        self.assertIsNone(report["machine"]["read_gbs"])
        for result in report["results"]:
            self.assertEqual((result["status"], result["roof_gbs"], result["roofline"]), ("ok", None, None))

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([SPBENCH, "--list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("standard output", done.stderr)


class Interrupts(Spbench):
    """Ctrl-C while it measures. What it is at shows on a terminal; measuring all would take minutes."""

    def start(self, *arguments):
        try:
            self.master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        self.addCleanup(os.close, self.master)
        process = subprocess.Popen([SPBENCH, "--threads", "1", *arguments], stdout=subprocess.PIPE, stderr=slave,
                                   env={**os.environ, "LC_ALL": "C", "COLUMNS": "100"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(slave)
        return process

    def wait_for(self, words):
        shown = ""
        while words not in shown:
            shown += os.read(self.master, 1 << 16).decode()

    def interrupt(self, words, number, *arguments):
        """Send a signal once these words have shown: exit status, standard output, the last line on the terminal."""
        process = self.start(*arguments)
        self.wait_for(words)
        process.send_signal(number)
        printed = process.communicate(timeout=300)[0].decode()
        shown = read_terminal(self.master)
        self.assertIn("spbench: stopping after what is under way", shown)
        return process.returncode, printed, shown.splitlines()[-1]

    def test_rows_that_are_done_are_printed(self):
        inputs = ["gen:poisson2d:20"] + ["gen:poisson2d:9"] * 2
        long = ["--min-time", "0.5", "--kernels"]
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            code, printed, said = self.interrupt("timing csr", number, *long, "--formats", "coo,csr,csc,ell,jds", *inputs)
            self.assertEqual(code, status)
            self.assertIn("interrupted during 'poisson2d:", said)
            self.assertIn("not begun", said)
        code, printed, said = self.interrupt("timing csc", signal.SIGINT, *long, "--json", *inputs)
        self.assertEqual(code, 130)
        found = [json.loads(line) for line in printed.splitlines()]
        self.assertEqual([report["interrupted"] for report in found], [False] * (len(found) - 1) + [True])
        self.assertGreater(len(found[-1]["results"]), 0)
        self.assertIn(f"{len(found[-1]['results'])} of its rows", said)
        self.assertEqual({r["status"] for r in found[-1]["results"]}, {"ok"})
        code, printed, said = self.interrupt("timing csc", signal.SIGINT, *long, "--csv", *inputs)
        rows = list(csv.DictReader(io.StringIO(printed), strict=True))
        self.assertGreater(len(rows), 0)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))

    def test_summary_of_what_is_done(self):
        inputs = [f"gen:poisson2d:{n}" for n in range(10, 60)]
        code, printed, said = self.interrupt("poisson2d:12: timing", signal.SIGINT, "--min-time", "0.2", *inputs)
        self.assertEqual(code, 130)
        done = sum(line.startswith("matrix ") for line in printed.splitlines()) - printed.count("gen:" + said.split("'")[1].split(": ")[0])
        self.assertIn(f"cpu: {done} picks", printed)
        self.assertIn("more inputs were not begun", said)

    def test_calibration_writes_nothing(self):
        path = os.path.join(self.folder, "profile.json")
        code, printed, said = self.interrupt("calibrating: 2 of", signal.SIGINT, "--min-time", "0.5", "--calibrate=" + path)
        self.assertEqual((code, printed, os.listdir(self.folder)), (130, "", []))
        self.assertIn("no profile was written", said)

    def test_the_second_ends_it_at_once(self):
        path = os.path.join(self.folder, "endless.mtx")
        os.mkfifo(path)
        process = self.start(path)
        self.wait_for("reading")
        with open(path, "wb"):
            process.send_signal(signal.SIGINT)
            self.wait_for("once more ends it at once")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=300), -signal.SIGINT)
            process.stdout.close()


class WithoutGpu(Spbench):
    """What is said where no GPU is; CUDA is made not to see any, so that it is tested everywhere."""

    BLIND = {"CUDA_VISIBLE_DEVICES": "-1"}

    def check_note(self, stderr):
        (note,) = stderr.splitlines()
        self.assertTrue(note.startswith("spbench: "), note)
        self.assertIn("CUDA", note)

    def test_the_gpu_alone_fails(self):
        for more in ([], ["--json"], ["--csv"], ["--peers"]):
            done = run("--backend", "cuda", *QUICK, *more, "gen:poisson2d:9", **self.BLIND)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.check_note(done.stderr)

    def test_all_shows_the_cpu(self):
        done = run("--backend", "all", "--json", *QUICK, "gen:poisson2d:9", "gen:banded:20:2", **self.BLIND)
        self.assertEqual(done.returncode, 0)
        self.check_note(done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([r["matrix"]["name"] for r in found], ["poisson2d:9", "banded:20:2"])
        for report in found:
            (pick,) = report["pick"]
            self.check_pick(pick, report)
            self.check_report(report)
            self.assertEqual([r["format"] for r in report["results"]], FORMATS)


class OnGpu(Spbench):
    """The same on a GPU, where there is one."""

    def setUp(self):
        super().setUp()
        if run("--backend", "cuda", *QUICK, "gen:poisson2d:4").returncode != 0:
            self.skipTest("no GPU")

    def check_gpu_report(self, report):
        self.assertGreater(report["machine"]["gpu"]["copy_gbs"], 0)
        self.assertGreaterEqual(report["copy"]["bytes"], 0)
        for result in report["results"]:
            self.assertEqual(list(result), list(RESULT))
            if result["backend"] == "cuda" and result["status"] == "ok":
                self.check_fields(result["cold_us"], TIME)
            elif not result["peer"]:
                self.assertEqual(result["status"], "ok", result["message"])

    def test_rows(self):
        for backend, formats in (("cuda", FORMATS), ("all", FORMATS * 2)):
            (report,) = reports("--backend", backend, "gen:poisson2d:30")
            self.check_gpu_report(report)
            self.assertEqual([r["format"] for r in report["results"]], formats)
            self.assertEqual(report["machine"]["read_gbs"] is None, backend == "cuda")
            picks = report["pick"] if backend == "all" else [report["pick"]]
            self.assertEqual([pick["backend"] for pick in picks], ["cpu", "cuda"] if backend == "all" else ["cuda"])
            for pick in picks:
                self.check_pick(pick, report)

    def test_kinds(self):
        for more in (["--transpose"], ["--kernels"], ["--type", "f32"], ["--index", "i64"], ["--index", "i32p64"]):
            (report,) = reports("--backend", "cuda", *more, "gen:random:300:700:4")
            self.check_gpu_report(report)

    def test_peers(self):
        done = run("--backend", "cuda", "--peers", "--json", *QUICK, "gen:poisson2d:30")
        self.assertEqual(done.returncode, 0)
        (report,) = [json.loads(line) for line in done.stdout.splitlines()]
        self.check_gpu_report(report)
        if done.stderr:
            self.skipTest(done.stderr.strip())
        peers = {r["kernel"]: r["status"] for r in report["results"] if r["peer"] == "cusparse"}
        self.assertEqual(list(peers), ["csr", "csr_alg1", "csr_alg2", "coo_alg1", "coo_alg2", "sell"])
        self.assertEqual(set(peers.values()), {"ok"})
        self.assertEqual(report["fastest"]["backend"], "cuda")

    def test_empty_matrices(self):
        for header in ("0 0 0", "3 0 0", "0 3 0", "5 4 0"):
            path = self.file("empty.mtx", f"%%MatrixMarket matrix coordinate real general\n{header}\n")
            for more in ([], ["--transpose"]):
                (report,) = reports("--backend", "cuda", "--peers", path, *more)
                self.check_gpu_report(report)

    def test_table_fits_the_page(self):
        done = run(*QUICK, "--backend", "all", "--peers", "gen:rmat:12")
        self.assertEqual(done.returncode, 0)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        for word in ("copies", "cold", "cuda", "cpu"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    SPBENCH = os.path.abspath(sys.argv.pop(1))
    unittest.main()
