#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run spcompare and check what it writes: test_spcompare.py PATH-TO-SPCOMPARE"""

import json
import os
import subprocess
import sys
import unittest

from scratch import Scratch

SPCOMPARE = None
SMALL = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 5\n3 1 2\n"


class Spcompare(Scratch):
    def run_it(self, *arguments):
        return subprocess.run([SPCOMPARE, "--threads", "1", "--rounds", "1", "--block", "0", *arguments], capture_output=True,
                              timeout=300, env={**os.environ, "LC_ALL": "C"})

    def test_names_that_are_no_text(self):
        """JSON is UTF-8, names of files are bytes."""
        path = os.path.join(self.folder, "r.json")
        names = [os.fsencode(self.file(name, SMALL)) for name in ("a.mtx", os.fsdecode(b"\xe9.mtx"))]
        done = self.run_it("--min-nnz", "0", "--json", path, *names)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual([matrix["matrix"] for matrix in report["matrices"]], ["a", "?"])
        for matrix in report["matrices"]:
            self.assertEqual((matrix["rows"], matrix["nnz"], matrix["counted"]), (3, 3, True))
            self.assertEqual({result["status"] for result in matrix["results"] if result["name"] in ("csr", "sell", "narrow", "auto")}, {"ok"})
        self.assertEqual(set(report["standings"][0]), {"against", "csr", "best", "choice"})

    def test_failures(self):
        for arguments, words in ((["--rounds", "0", "x"], "--rounds: '0'"), (["--block", "x", "x"], "--block: 'x'"),
                                 (["--threads", "0", "x"], "--threads: '0'"), (["--min-nnz", "-1", "x"], "--min-nnz: '-1'"),
                                 (["no\x1b.mtx"], "spcompare: no?.mtx: No such file")):
            done = self.run_it(*arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(words, done.stderr.decode().splitlines()[0])


if __name__ == "__main__":
    SPCOMPARE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
