#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench says of more and more threads: test_spbench_scaling.py PATH-TO-SPBENCH"""

import json
import os
import resource
import subprocess
import unittest

from spbench_run import MATRIX, MAYBE_NUMBER, MAYBE_TEXT, MAYBE_TRUTH, QUICK, SPBENCH, TIME, Spbench, reports, run

REPORT = {
    "matrix": MATRIX,
    "machine": {"cpu": str, "processors": int},
    "read": {"seconds": MAYBE_NUMBER, "mb_per_s": MAYBE_NUMBER},
    "most_threads": int, "pick": MAYBE_TEXT, "strong": list, "weak": list, "weak_stopped": MAYBE_TEXT, "interrupted": bool,
}
ROW = {
    "threads": int, "copies": int, "format": str, "storage": str, "kernel": MAYBE_TEXT, "type": str, "index": str, "op": str,
    "bytes": MAYBE_NUMBER, "time_us": (dict, type(None)), "noisy": MAYBE_TRUTH, "speed_up": MAYBE_NUMBER,
    "speed_up_certain": MAYBE_TRUTH, "efficiency": MAYBE_NUMBER, "gbs": MAYBE_NUMBER, "read_gbs": MAYBE_NUMBER,
    "read_speed_up": MAYBE_NUMBER, "vs_reads": MAYBE_NUMBER, "error": MAYBE_NUMBER, "status": str, "message": str,
}


def of(rows, storage):
    return [row for row in rows if row["storage"] == storage]


class Scaling(Spbench):
    def check_figures(self, row, first):
        """Speed-ups are in copies; what is printed is rounded."""
        self.check_fields(row["time_us"], TIME)
        self.assertLess(row["error"], 1e-5)
        speed_up = row["copies"] * first["time_us"]["median"] / row["time_us"]["median"]
        read_speed_up = row["read_gbs"] / first["read_gbs"]
        for found, expected in ((row["speed_up"], speed_up), (row["efficiency"], speed_up / row["threads"]),
                                (row["read_speed_up"], read_speed_up), (row["vs_reads"], speed_up / read_speed_up)):
            self.assertAlmostEqual(found, expected, delta=1e-3 * expected)
        self.assertEqual(row["speed_up_certain"], row is first or not (row["noisy"] or first["noisy"]))

    def check_scaling(self, report, threads, storages):
        """All storages were measured with these numbers of threads."""
        self.check_fields(report, REPORT)
        self.assertEqual((report["most_threads"], report["weak_stopped"], report["interrupted"]), (threads[-1], None, False))
        for kind in ("strong", "weak"):
            for row in report[kind]:
                self.check_fields(row, ROW)
                self.assertEqual((row["status"], row["message"]), ("ok", ""))
                self.assertEqual(row["copies"], row["threads"] if kind == "weak" else 1)
            self.assertEqual([(r["threads"], r["storage"]) for r in report[kind]], [(t, s) for t in threads for s in storages])
            for storage in storages:
                rows = of(report[kind], storage)
                for row in rows:
                    self.check_figures(row, rows[0])
        self.assertEqual([r["time_us"] for r in report["strong"] if r["threads"] == 1],
                         [r["time_us"] for r in report["weak"] if r["threads"] == 1])

    def test_numbers_of_threads(self):
        for most, threads in ((1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 4]), (6, [1, 2, 4, 6])):
            (report,) = reports(f"--scaling={most}", "-f", "csr,sell:3:9", "gen:poisson2d:20")
            self.check_scaling(report, threads, ["csr", "sell:3:9"])
            self.assertIsNone(report["pick"])

    def test_all_threads(self):
        (everything,) = reports("-f", "csr", "gen:poisson2d:9")
        (report,) = reports("--scaling", "-f", "csr", "gen:poisson2d:9")
        self.assertEqual(report["most_threads"], everything["machine"]["threads"])
        for environment in ({"OMP_NUM_THREADS": "1"}, {"OMP_THREAD_LIMIT": "1"}):
            (report,) = reports("--scaling", "-f", "csr", "gen:poisson2d:9", **environment)
            self.check_scaling(report, [1], ["csr"])

    def test_one_thread_is_said_to_be_alone(self):
        done = run(*QUICK, "--scaling", "-f", "csr", "gen:poisson2d:9", OMP_NUM_THREADS="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("nothing to compare", done.stdout)
        self.assertNotIn("weak", done.stdout)
        self.assertNotIn("nothing to compare", run(*QUICK, "--scaling=2", "-f", "csr", "gen:poisson2d:9").stdout)

    def test_storages(self):
        """CSR and the selector's, which is the same for all numbers of threads; the selector knows nothing of the transpose."""
        (report,) = reports("--scaling=2", "gen:poisson2d:60")
        storages = list(dict.fromkeys(["csr", report["pick"]]))
        self.check_scaling(report, [1, 2], storages)
        (report,) = reports("--scaling=2", "--transpose", "gen:random:30:70:4")
        self.check_scaling(report, [1, 2], ["csr"])
        self.assertIsNone(report["pick"])
        self.assertEqual({r["op"] for r in report["strong"] + report["weak"]}, {"T"})

    def test_copies(self):
        """Of matrices of all types, square or not: arrays are so many times as large, but for the last pointer."""
        for arguments, pointer in ((["--type", "f32"], 4), (["--index", "i32p64"], 8), (["--index", "i64"], 8)):
            (report,) = reports("--scaling=3", *arguments, "-f", "csr", "gen:random:30:70:4")
            self.check_scaling(report, [1, 2, 3], ["csr"])
            one = report["weak"][0]["bytes"]
            self.assertEqual([r["bytes"] for r in report["weak"]], [t * (one - pointer) + pointer for t in (1, 2, 3)])
            self.assertEqual([r["bytes"] for r in report["strong"]], [one] * 3)

    def test_a_storage_that_cannot_be_made(self):
        (report,) = reports("--scaling=2", "-f", "csr,csr+constant", "gen:poisson2d:9")
        (failed,) = [r for r in report["strong"] if r["status"] != "ok"]
        self.assertEqual((failed["storage"], failed["threads"], failed["time_us"]), ("csr+constant", 1, None))
        self.assertIn("csr+constant", failed["message"])
        self.assertEqual(of(report["weak"], "csr+constant"), [])
        self.assertEqual(len(report["weak"]), 2)

    def test_several_matrices(self):
        found = reports("--scaling=2", "-f", "csr", "gen:poisson2d:9", "gen:banded:20:2")
        self.assertEqual([report["matrix"]["name"] for report in found], ["poisson2d:9", "banded:20:2"])
        for report in found:
            self.check_scaling(report, [1, 2], ["csr"])

    def test_table(self):
        for width, gone in ((60, True), (80, False), (100, False)):
            done = run(*QUICK, "--scaling=3", "-f", "ell,sell:3:9", "gen:poisson2d:9", COLUMNS=str(width))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = done.stdout.splitlines()
            self.assertLessEqual(max(map(len, lines)), width)
            for label in ("strong", "weak", "reads", "efficiency", "vs reads"):
                self.assertTrue(any(line.startswith(label) for line in lines), label)
            for storage in ("ell", "sell:3:9"):
                self.assertEqual(lines.count(storage), 2)
            rows = [line.split()[:2] for line in lines if line.startswith(("  ell", "  sell"))]
            self.assertEqual([threads for _, threads in rows], ["1", "2", "3"] * 4)
            self.assertEqual("not shown" in done.stdout, gone)
        wide = run(*QUICK, "--scaling=3", "--wide", "-f", "csr", "gen:poisson2d:9", COLUMNS="60").stdout
        self.assertNotIn("not shown", wide)

    def test_what_does_not_go_together(self):
        for arguments, word in ((["--scaling=0", "x"], "'0'"), (["--scaling=257", "x"], "'257'"), (["--scaling=all", "x"], "'all'"),
                                (["--scaling"], "no FILE"), (["--scaling", "--list"], "--list"),
                                (["--scaling", "--calibrate"], "--calibrate"), (["--scaling", "--kernels", "x"], "--kernels"),
                                (["--scaling", "-j", "2", "x"], "--threads"), (["--scaling", "--csv", "x"], "--csv"),
                                (["--scaling", "--backend", "cuda", "x"], "--backend"),
                                (["--scaling", "--backend", "all", "x"], "--backend"), (["--scaling", "--peers", "x"], "--peers")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (64, ""), arguments)
            self.assertIn(word, done.stderr.splitlines()[0])
        done = run("--scaling=3", "gen:poisson2d:9", OMP_THREAD_LIMIT="2")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "spbench: --scaling=3: OMP_THREAD_LIMIT allows 2\n")

    def test_no_memory_for_copies(self):
        """What there is memory for is measured, and a line says where it ended."""
        def limited(megabytes, *arguments):
            limit = megabytes << 20
            return subprocess.run([SPBENCH, *arguments], capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "LC_ALL": "C", "COLUMNS": "100"},
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

        # Device code makes the program larger; under a sanitizer no limit is enough.
        alone = next((size for size in range(20, 400, 20) if limited(size, "--list").returncode == 0), None)
        if alone is None:
            self.skipTest("the program alone is over the limit, as with a sanitizer")
        limit = alone + 250
        arguments = [*QUICK, "--scaling=4", "-f", "csr", "gen:banded:200000:4"]
        done = limited(limit, "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertEqual([r["threads"] for r in report["strong"]], [1, 2, 4])
        self.assertIn(len(report["weak"]), (1, 2))
        self.assertRegex(report["weak_stopped"], "memory")
        shown = limited(limit, *arguments).stdout
        self.assertIn("\nstopped ", shown)
        self.assertNotIn("~-", shown)


if __name__ == "__main__":
    unittest.main()
