#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench --compare says of two runs, measured and made up: test_spbench_compare.py PATH-TO-SPBENCH"""

import json
import os
import unittest

from spbench_page import matrices, read_page, words
from spbench_run import QUICK, Spbench, run


def row(storage, median, spread=0.01, kernel=None, status="ok", disturbed=0, **more):
    """A result whose batches lie around its median by half a spread on either side."""
    least, most = median * (1 - spread / 2), median * (1 + spread / 2)
    time = {"median": median, "min": least, "q1": least, "q3": most, "max": most, "batches": 9, "disturbed": disturbed}
    return {"format": storage.split(":")[0], "storage": storage, "backend": "cpu", "peer": None, "kernel": kernel or storage,
            "default": True, "type": "f64", "index": "i32", "op": "N", "time_us": time if status == "ok" else None,
            "status": status, "message": "" if status == "ok" else "it was too large", "vs_csr": 1.0, **more}


def record(rows, name="a", pick="csr", rows_of_it=10, **machine):
    return {"matrix": {"name": name, "rows": rows_of_it, "cols": 10, "nnz": 20}, "results": rows,
            "machine": {"cpu": "a processor", "threads": 2, **machine}, "fastest": None,
            "pick": {"backend": "cpu", "storage": pick}, "version": "0.1.0"}


class Compare(Spbench):
    def save(self, name, *records):
        return self.file(name, "".join(json.dumps(r) + "\n" for r in records))

    def compare(self, before, after, *more, **environment):
        """Standard output, as one line."""
        done = run("--compare", self.save("before.json", *before), self.save("after.json", *after), *more, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def verdicts(self, printed):
        """{storage: (speed, words)} of the table."""
        lines = [line.split(maxsplit=4) for line in printed.splitlines()]
        ends = ("faster", "slower", "clear change", "fails now", "works now", "disturbed")
        return {line[0]: (line[3], line[4]) for line in lines if len(line) == 5 and line[4].startswith(("no",) + ends)}

    def test_beyond_the_spread(self):
        before = [record([row("csr", 100), row("ell", 100, 0.5), row("coo", 100), row("jds", 100, disturbed=6)])]
        after = [record([row("csr", 50), row("ell", 80), row("coo", 125), row("jds", 10)])]
        self.assertEqual(self.verdicts(self.compare(before, after)), {"csr": ("2.00", "faster"), "coo": ("0.800", "slower")})
        printed = self.compare(before, after, "--wide")
        self.assertEqual(self.verdicts(printed), {"csr": ("2.00", "faster"), "coo": ("0.800", "slower"),
                                                  "ell": ("1.25", "no clear change"), "jds": ("10.0", "disturbed")})
        said = " ".join(printed.split())
        self.assertIn("4 rows of 1 matrix: 1 faster, 1 slower, 1 without a clear change, 1 disturbed", said)
        self.assertIn("the speed is 1.26x that before", said)

    def test_batches_that_do_not_overlap(self):
        """However far apart those of one run lie, each of them was slower than all of the other."""
        printed = self.compare([record([row("csr", 100, 1.8), row("ell", 100, 1.8)])], [record([row("csr", 5), row("ell", 20)])])
        self.assertEqual(self.verdicts(printed), {"csr": ("20.0", "faster")})

    def test_rows_that_fail_or_work_now(self):
        bad = row("ell", 1, kernel=None, status="too large")
        printed = self.compare([record([row("ell", 5), row("csr", 5)])], [record([bad, row("csr", 5)])])
        self.assertIn("fails now", printed)
        self.assertIn("it was too large", " ".join(printed.split()))
        self.assertIn("works now", self.compare([record([bad])], [record([row("ell", 5)])]))

    def test_kernels_and_parameters_may_change(self):
        """A storage is compared though another kernel multiplies, a format though the library takes other parameters."""
        printed = self.compare([record([row("csr", 9, kernel="csr_old"), row("sell:8:1", 9)])],
                               [record([row("csr", 3, kernel="csr_new"), row("sell:32:1", 3)])])
        self.assertEqual(set(self.verdicts(printed)), {"csr", "sell:32:1"})
        kernels = [row("csr", 9, kernel=name) for name in ("csr", "csr_a", "csr_b")]
        printed = self.compare([record(kernels)], [record([row("csr", 3, kernel="csr_a"), row("csr", 3, kernel="csr_c")])])
        self.assertIn("1 row of 1 matrix: 1 faster", " ".join(printed.split()))
        self.assertIn("rows of one file alone: 2 before, 1 after", " ".join(printed.split()))

    def test_matrices_are_told_apart(self):
        """By name, size, type and product; those measured twice are compared in order."""
        f32 = [row("csr", 1, type="f32")]
        before = [record([row("csr", 8)]), record([row("csr", 4)]), record([row("csr", 9)], name="b"), record(f32, name="c")]
        after = [record([row("csr", 2)]), record([row("csr", 2)]), record([row("csr", 9)], name="b", rows_of_it=11),
                 record([row("csr", 1)], name="c")]
        printed = self.compare(before, after)
        self.assertIn("2 rows of 2 matrices", " ".join(printed.split()))
        self.assertIn("matrices of one file alone: 2 before, 2 after", " ".join(printed.split()))
        self.assertIn("4.00", printed)
        self.assertIn("2.00", printed)

    def test_picks(self):
        printed = self.compare([record([row("csr", 1)])], [record([row("csr", 1)], pick="ell")])
        self.assertIn("pick        csr before, ell now", printed)

    def test_cautions(self):
        plain = [record([row("csr", 1)])]
        self.assertNotIn("caution", self.compare(plain, plain))
        for other, said in (({"cpu": "another"}, "other machines, a processor and then another"),
                            ({"threads": 4}, "2 threads and then 4"), ({"gpu": {"name": "one"}}, "other GPUs")):
            self.assertIn(said, " ".join(self.compare(plain, [record([row("csr", 1)], **other)]).split()))

    def test_older_files(self):
        """Without what later versions added."""
        old = record([row("csr", 8)])
        del old["version"], old["results"][0]["default"]
        for name in ("q1", "q3", "disturbed"):
            del old["results"][0]["time_us"][name]
        printed = self.compare([old], [record([row("csr", 2)])], "--html", os.path.join(self.folder, "r.html"))
        self.assertEqual(self.verdicts(printed), {"csr": ("4.00", "faster")})
        self.assertIn("a version that does not say which", " ".join(printed.split()))

    def test_table_fits_the_page(self):
        long = record([row("sell:32:1024+narrow+dict16", 1e7), row("csr", 2e6)], name="a-matrix-with-a-name-of-its-own", cpu=60 * "x ")
        printed = self.compare([long], [record([row("sell:32:1024+narrow+dict16", 1e3), row("csr", 1)], name=long["matrix"]["name"])],
                               COLUMNS="80")
        lines = [line for line in printed.splitlines() if self.folder not in line]
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_measured(self):
        done = run("--json", *QUICK, "gen:poisson2d:9", "gen:rmat:5")
        path = self.file("a.json", done.stdout)
        page = os.path.join(self.folder, "r.html")
        compared = run("--compare", path, path, "--html", page, "--wide")
        self.assertEqual((compared.returncode, compared.stderr), (0, ""))
        self.assertIn("0 faster, 0 slower", " ".join(compared.stdout.split()))
        self.assertEqual([words(s.find("h2")) for s in matrices(read_page(page))], ["poisson2d:9", "rmat:5"])

    def test_page(self):
        path = os.path.join(self.folder, "r.html")
        name = "</title><script>x"
        before = [record([row("csr", 100.5), row("ell", 7), row("coo", 5)], name)]
        after = [record([row("csr", 50.25), row("ell", 7), row("coo", 9)], name)]
        self.compare(before, after, "--html", path)
        section = read_page(path).find(".//section[@aria-labelledby='compared']")
        changed, same = section.findall(".//tbody")
        found = [[words(row[0]), words(row[1]), *(float(d.get("value")) for d in row.iter("data")), words(row[5])] for row in changed]
        self.assertEqual(found, [[name, "coo", 5, 9, 0.555556, "▼ slower"], [name, "csr", 100.5, 50.25, 2, "▲ faster"]])
        self.assertEqual([words(row[5]) for row in same], ["no clear change"])
        self.assertIn("3 rows of 1 matrix: 1 faster, 1 slower", words(section))
        self.assertNotIn("GPU", words(read_page(path)))
        self.assertNotIn("cold", words(matrices(read_page(path))[0]))

    def test_page_of_several_backends(self):
        """Rows say where they ran, and there is a pick for each place."""
        path = os.path.join(self.folder, "r.html")
        several = record([row("csr", 9), row("csr", 3, kernel="csr_cuda", backend="cuda"),
                          {**row("csr", 4, kernel="csr_alg1", backend="cuda", peer="cusparse", peer_version="12.9.4"),
                           "storage": None}],
                         gpu={"name": "a GPU", "copy_gbs": 2000.0})
        several["results"][1]["cold_us"] = {"median": 5.5}
        several["copy"] = {"us": 10400, "bytes": 111040000, "gbs": 10.66}
        several["fastest"] = {"backend": "cuda", "storage": "csr", "kernel": "csr_cuda"}
        several["pick"] = [{"backend": "cpu", "storage": "csr"}, {"backend": "cuda", "storage": "csr"}]
        self.compare([several], [several], "--html", path)
        section = words(matrices(read_page(path))[0])
        for text in ("csr on cuda (fastest) (picked)", "csr on cpu (picked)", "cusparse 12.9.4 on cuda", "by the kernel csr_cuda on the GPU",
                     ".backend = SPRY_CUDA", "SPRY_AUTO picks csr on the GPU", "copied to the GPU in 10.4 ms: 111 MB, 10.7 GB/s"):
            self.assertIn(text, section)
        table = matrices(read_page(path))[0].find("div[@role='region']/table")
        self.assertEqual([words(cell) for cell in table.findall("thead/tr/th")][2:6], ["productµs", "least–mostµs", "predictedµs", "coldµs"])
        self.assertEqual([words(line[5]) for line in table.find("tbody")], ["5.50", "–", "–"])
        self.assertIn("what the GPU moves when it copies", words(read_page(path).find(".//footer")))
        self.assertIn("a GPU", words(read_page(path).find(".//section[@aria-labelledby='machine']")))

    def test_terminals_obey_nothing_of_a_file(self):
        evil = record([row("csr\x1b[2J", 9)], name="m\x1b]0;x\x07\x9b2J\n")
        printed = self.compare([evil], [record([row("csr\x1b[2J", 1)], name="m\x1b]0;x\x07\x9b2J\n")], LC_ALL="C.UTF-8")
        self.assertFalse(set(printed) & {"\x1b", "\x07", "\x9b"})
        self.assertIn("m?]0;x??2J?", printed)

    def test_numbers_that_are_none(self):
        """A page is made of whatever a file says."""
        path = os.path.join(self.folder, "r.html")
        odd = [row("csr", 1e300), row("ell", 1e-300), row("coo", -1), row("jds", 0), row("csc", 5, gflops=-1, gbs=0, predicted_us=-3),
               row("hyb", 5, gflops=1e308, gbs=1e-308, roof_gbs=1e308, pays_back_after=9223372036854775807, convert_us=1e308)]
        weird = record(odd, threads="two", read_gbs=-1)
        weird["matrix"]["row_length"] = {"histogram": [-5, "x", 9223372036854775807] * 20, "max": -9}
        weird["fastest"] = {"backend": "cpu", "storage": "csr", "kernel": "csr"}
        weird["pick"] = [None, 5, {"backend": "cpu", "storage": "ell", "regret": -1}]
        self.compare([weird], [weird], "--html", path)
        self.assertEqual(len(matrices(read_page(path))), 1)


class Failures(Spbench):
    def check(self, words, *arguments, status=1):
        done = run("--compare", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""))
        self.assertIn(words, done.stderr)
        if status == 1:
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_files(self):
        good = self.file("good.json", json.dumps(record([row("csr", 1)])) + "\n")
        scaling = json.dumps({"matrix": {"name": "a"}, "strong": [], "weak": []})
        for text, said in (("", "there is nothing in it"), ("\n \n", "there is nothing in it"), ("kernel,format\n", ":1: this is nothing"),
                           (json.dumps(record([])) + "\n{}\n", ":2: this is nothing"), ("[" * 100000, ":1: this is nothing"),
                           (json.dumps(record([row("csr", 1)]))[:-5], ":1: this is nothing"), (scaling, ":1: this is of --scaling"),
                           (json.dumps(record([{}] * 5000)), "more rows than"), ('{"a":"\\ud800"}', ":1: this is nothing")):
            path = self.file("x.json", text)
            self.check(path + (said if said.startswith(":") else ""), path, good)
            self.check(said, good, path)
        self.check("No such file", good, os.path.join(self.folder, "none"))
        self.check("Is a directory", self.folder, good)
        self.check("is longer than any", "/dev/zero", good)

    def test_nothing_in_common(self):
        before = self.file("b.json", json.dumps(record([row("csr", 1)])))
        for other in (record([row("csr", 1)], name="b"), record([row("csr", 1, type="f32")]), record([row("ell", 1)]), record([])):
            self.check("have nothing to compare", before, self.file("a.json", json.dumps(other)))

    def test_usage(self):
        for more, said in ((["a"], "takes two files of --json, the one before and the one after, not 1"), (["a", "b", "c"], "not 3"),
                           (["a", "b", "--json"], "not together with --json"), (["a", "b", "-j", "2"], "--threads"),
                           (["a", "b", "--scaling"], "--scaling"), (["a", "b", "--formats", "csr"], "--formats"),
                           (["a", "b", "-t", "f64"], "not together with --type"), (["a", "b", "-i", "i64"], "--index"),
                           (["a", "b", "--min-time", "0.2"], "--min-time"), (["a", "b", "--real-part"], "--real-part"),
                           (["a", "b", "--unpack-limit", "9"], "--unpack-limit")):
            self.check(said, *more, status=64)


if __name__ == "__main__":
    unittest.main()
