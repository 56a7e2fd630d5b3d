#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the options of spbench change: test_spbench_options.py PATH-TO-SPBENCH"""

import csv
import io
import json
import unittest

from formats import FORMATS
from spbench_run import QUICK, SYMMETRIC, Spbench, reports, run


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

    def test_kernels_of_named_storages(self):
        """Where a storage was named, it and the kernel tell all rows apart; without one, the kernel does."""
        arguments = ("--kernels", "--formats", "csr,csr+f32,sell:3:9", "gen:poisson2d:9")
        (report,) = reports(*arguments)
        expected = [(r["kernel"], r["storage"]) for r in report["results"]]
        self.assertGreater(len(expected), 3)
        lines = run(*QUICK, *arguments, COLUMNS="80").stdout.splitlines()
        (start,) = [i for i, line in enumerate(lines) if line.split()[:2] == ["kernel", "storage"]]
        rows = [tuple(line.split()[:2]) for line in lines[start + 2:start + 2 + len(expected)]]
        self.assertEqual(rows, expected)
        self.assertEqual(len(rows), len(set(rows)))
        self.assertNotIn("storage", run(*QUICK, "--kernels", "--formats", "csr,sell", "gen:poisson2d:9").stdout)

    def test_where(self):
        (report,) = reports("--backend", "cpu", "gen:poisson2d:9")
        self.check_report(report)

    def test_storages(self):
        """A layout with parameters and codes has a row of its own, under its own name."""
        (report,) = reports("--formats", "sell:3:9,csr+f32,sell,csr", "gen:poisson2d:9")
        self.check_report(report)
        *storages, default = [r["storage"] for r in report["results"]]
        self.assertEqual(storages, ["csr+f32", "csr", "sell:3:9"])
        self.assertRegex(default, r"^sell:\d+:\d+$")
        self.assertIn("\nsell:3:9 ", run(*QUICK, "--formats", "sell:3:9", "gen:poisson2d:9").stdout)
        refused = json.loads(run("--json", *QUICK, "--formats", "csr+f32", "gen:poisson2d:9", "--type", "f32").stdout)
        self.assertEqual(refused["results"][0]["message"], "csr does not keep f32 values as f32")
        for text, said in (("sell:x", "'sell:x' is not understood from ':x' on"), ("sell:3:4:5", "from ':5' on"),
                           ("csr+f16", "from '+f16' on"), ("selly", "invalid format 'selly'"),
                           ("csr,bsr:9:9", "invalid storage bsr:9:9: the height and the width of a block are from 1 to 8"),
                           ("sell:8:12", "invalid storage sell:8:12: "), ("dia+narrow", "dia does not keep columns as narrow"),
                           ("coo+dict8", "coo does not keep")):
            done = run("--formats", text, "no-such-file")
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn(said, done.stderr)

    def test_list(self):
        done = run("--list", COLUMNS="80")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertTrue(lines[0].startswith("kernel"))
        self.assertTrue(all(line.split()[-1] in ("yes", "no") for line in lines[1:]))
        for name in FORMATS:
            self.assertTrue(any(line.startswith(name) and line.endswith("yes") for line in lines), name)
        for more in (["gen:poisson2d:3"], ["--json"], ["-b", "cuda"], ["-j", "2"], ["-f", "csr"], ["--type", "f32"]):
            done = run("--list", *more)
            self.assertEqual((done.returncode, done.stdout), (64, ""), more)
            self.assertTrue(done.stderr.startswith("spbench: --list: "), done.stderr)

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--formats", "--backend", "--peers", "--type", "--index", "--threads", "--transpose", "--min-time", "--list", "--csv",
                     "--json", "--kernels", "--products", "--profile", "--scaling", "gen:poisson2d", "gen:banded"):
            self.assertIn(word, done.stdout)

    def test_csv(self):
        done = run("--csv", *QUICK, "gen:poisson2d:9", "gen:random:20:10:2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = list(csv.DictReader(io.StringIO(done.stdout), strict=True))
        self.assertEqual([row["format"] for row in rows], FORMATS * 2)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))
        self.assertEqual(sum(row["fastest"] == "1" for row in rows), 2)
        self.assertEqual(sum(row["pick"] == "1" for row in rows), 2)
        self.assertEqual({row["interrupted"] for row in rows}, {"0"})
        self.assertTrue(all(float(row["predicted_us"]) >= 0 for row in rows if row["pick"] == "1"))
        self.assertTrue(all(float(row["time_us_median"]) > 0 for row in rows))


if __name__ == "__main__":
    unittest.main()
