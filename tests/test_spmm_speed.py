#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run spmm_speed and check what it prints: test_spmm_speed.py PATH-TO-SPMM-SPEED"""

import os
import re
import subprocess
import sys
import unittest

from scratch import Scratch

SPMM_SPEED = None
# A matrix, its nonzeros, columns, a storage, and Spry's times by rows and by columns; those of another library may follow.
ROW = re.compile(r"^(\S+) +([\d,]+) +(\d+) +([a-z]\S*) +([\d.,]+) +([\d.,]+)(?: |$)")
WIDE = "%%MatrixMarket matrix coordinate real general\n2 70 3\n1 1 0.1\n2 70 -3\n2 1 1e-3\n"


class SpmmSpeed(Scratch):
    def run_it(self, *arguments):
        return subprocess.run([SPMM_SPEED, "--threads", "1", "--rounds", "1", *arguments], capture_output=True, text=True,
                              timeout=300, env={**os.environ, "LC_ALL": "C"})

    def rows(self, *arguments):
        """Each is printed after its product was held against the exact one."""
        done = self.run_it(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [found.groups() for found in map(ROW.match, done.stdout.splitlines()) if found]
        for row in rows:
            self.assertTrue(all(float(time.replace(",", "")) > 0 for time in row[4:]), row)
        return rows, done.stdout

    def test_counts_of_columns(self):
        rows, page = self.rows("gen:poisson2d:10")
        self.assertEqual([row[:3] for row in rows], [("poisson2d:10", "460", n) for n in ("1", "2", "4", "8", "32")])
        self.assertRegex(page, r"Time of one column over that of spry_spmv, csr, geometric mean: \d+\.\d+ by rows")

    def test_what_is_asked_for(self):
        storages = ("coo", "csr", "csc", "ell", "hyb", "jds", "sell", "stencil", "shape", "bsr", "dia", "sell:8:512", "sell:4:1")
        rows, page = self.rows("--formats", ",".join(storages), "--columns", "3,40", self.file("wide.mtx", WIDE), "gen:rmat:5")
        self.assertEqual([(row[0], row[2], row[3]) for row in rows],
                         [(name, columns, storage) for name in ("wide", "rmat:5") for columns in ("3", "40") for storage in storages])
        self.assertNotIn("spry_spmv", page)

    def test_a_storage_that_is_refused(self):
        """0.1 is not exact in f32."""
        done = self.run_it("--formats", "csr+f32,csr", "--columns", "2", self.file("wide.mtx", WIDE))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^spmm_speed: wide: csr\+f32: .* is not exact")
        self.assertEqual([found[4] for found in map(ROW.match, done.stdout.splitlines()) if found], ["csr"])

    def test_failures(self):
        for arguments, words in (([], "no FILE was given"), (["--columns", "0", "x"], "'0'"), (["--columns", ",", "x"], "empty"),
                                 (["--columns", "1,x", "x"], "'x'"), (["--formats", "no", "x"], "'no'"), (["--formats", ",", "x"], "empty"),
                                 (["--formats", ",".join(f"sell:{height}:1" for height in range(1, 18)), "x"], "more than 16 storages"),
                                 (["--backend", "all", "x"], "'all'"), (["none.mtx"], "none.mtx"), (["gen:no"], "'no'")):
            done = self.run_it(*arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(words, done.stderr.splitlines()[0])
            self.assertEqual([line for line in done.stdout.splitlines() if ROW.match(line)], [])


if __name__ == "__main__":
    SPMM_SPEED = os.path.abspath(sys.argv.pop(1))
    unittest.main()
