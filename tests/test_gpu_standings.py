#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What gpu_standings.py makes of reports: test_gpu_standings.py PATH-TO-GPU_STANDINGS"""

import json
import subprocess
import sys
import unittest


def row(kernel, median, peer_version=None, **more):
    return {"format": "csr", "storage": "csr", "backend": "cuda", "peer": "cusparse" if peer_version else None,
            "peer_version": peer_version, "kernel": kernel, "type": "f64", "status": "ok", "message": "",
            "time_us": {"median": median}, "cold_us": {"median": 2 * median}, **more}


def report(name, *rows):
    return {"matrix": {"name": name, "nnz": 30000}, "results": list(rows)}


class Standings(unittest.TestCase):
    def standings(self, *reports, options=()):
        text = "".join(json.dumps(report) + "\n" for report in reports)
        done = subprocess.run([sys.executable, SCRIPT, *options], input=text, capture_output=True, text=True, encoding="utf-8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_versions_are_kept_apart(self):
        printed = self.standings(report("a", row("csr_scalar", 2), row("csr", 4, "12.6.3"), row("coo_alg1", 3, "12.6.3")),
                                 report("a", row("csr_scalar", 2), row("csr", 4, "12.9.4"), row("spmvop_alg1", 1, "12.9.4")))
        first, second = printed.split("cuSPARSE 12.9.4\n")
        self.assertTrue(first.startswith("cuSPARSE 12.6.3\n"))
        self.assertIn("best of each: geometric mean 1.500 over 1", first)
        self.assertIn("best of each: geometric mean 0.500 over 1", second)
        self.assertIn("fastest of cuSPARSE: spmvop_alg1 1", second)

    def test_rows_that_are_lacking(self):
        """They have no times, and say which library lacks them."""
        lacking = row("spmvop_alg1", 0, "12.6.3", status="not supported", message="cuSPARSE 12.6.3 has no cusparseSpMVOp",
                      time_us=None, cold_us=None)
        printed = self.standings(report("a", row("csr_scalar", 2), row("csr", 4, "12.6.3"), lacking), options=["--cold"])
        self.assertIn("best of each: geometric mean 2.000 over 1", printed)

    def test_reports_that_name_no_version(self):
        old = report("a", row("csr_scalar", 2), row("csr", 4, "12.6.3"))
        for result in old["results"]:
            del result["peer_version"]
        self.assertTrue(self.standings(old).startswith("cuSPARSE of an unknown version\n"))


if __name__ == "__main__":
    SCRIPT = sys.argv.pop()
    unittest.main()
