# SPDX-License-Identifier: BSD-3-Clause
"""Runs of spsolve as a user has them, and what must hold for every report."""

import json
import os
import subprocess
import sys

from scratch import Scratch

# The path of the program is the first argument of the test that imports this.
SPSOLVE = os.path.abspath(sys.argv.pop(1))
SOLVERS = ["cg", "minres", "bicgstab", "gmres"]
PRECONDS = ["none", "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev", "fsai", "equilibrate"]

NUMBER = (int, float)
MAYBE_NUMBER = (int, float, type(None))
REPORT = {
    "matrix": str, "rows": int, "nnz": int, "solver": str, "precond": str, "format": str, "type": str, "backend": str,
    "threads": int, "profile": (str, type(None)), "outcome": str, "iterations": int, "residual": NUMBER, "relative_residual": MAYBE_NUMBER,
    "estimate": NUMBER, "norm_b": NUMBER, "setup_seconds": NUMBER, "solve_seconds": NUMBER,
    "seconds_per_iteration": MAYBE_NUMBER, "error": MAYBE_NUMBER, "shift": MAYBE_NUMBER, "history": (list, type(None)),
    "attempts": list,
}
ATTEMPT = {
    "solver": str, "precond": str, "outcome": str, "iterations": int, "residual": NUMBER, "setup_seconds": NUMBER,
    "solve_seconds": NUMBER, "reason": (str, type(None)),
}

HEADER = "%%MatrixMarket matrix coordinate real"
SYMMETRIC = f"{HEADER} symmetric\n4 4 5\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n4 1 -1\n"
INDEFINITE = f"{HEADER} symmetric\n3 3 4\n1 1 2\n2 2 -3\n3 3 4\n2 1 1\n"
WITHOUT_DIAGONAL = f"{HEADER} symmetric\n2 2 1\n2 1 3\n"
# Its diagonal is positive, it is not: the eigenvalues are 4 and -2.
HIDDEN = f"{HEADER} symmetric\n2 2 3\n1 1 1\n2 2 1\n2 1 3\n"
# x = (1, 1, 1) solves it for b = (2, 2, 2), and so do others: rows 1 and 3 are equal, and not symmetric.
SINGULAR = f"{HEADER} general\n3 3 4\n1 2 2\n2 1 1\n2 3 1\n3 2 2\n"
WIDE = f"{HEADER} general\n1 2 1\n1 1 1\n"
EMPTY = f"{HEADER} general\n5 5 0\n"
# A ring, one way, with a diagonal of zeros: GMRES needs all vectors of the space before the residual falls at all.
RING = f"{HEADER} general\n200 200 200\n" + "".join(f"{i + 1} {(i + 1) % 200 + 1} 1\n" for i in range(200))
COMPLEX = "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 2 1\n2 2 4 -1\n"


def run(*arguments, **environment):
    return subprocess.run([SPSOLVE, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=300,
                          env={**os.environ, "LC_ALL": "C", "COLUMNS": "100", **environment})


class Spsolve(Scratch):
    def reports(self, *arguments, status=0):
        done = run("--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (status, ""), arguments)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        for report in found:
            self.check_report(report)
        return found

    def check_report(self, report):
        self.assertEqual(list(report), list(REPORT))
        for name, kind in REPORT.items():
            self.assertIsInstance(report[name], kind, name)
        self.check_attempts(report["attempts"])
        last = report["attempts"][-1]
        self.assertEqual([last[name] for name in ("solver", "precond", "outcome")],
                         [report[name] for name in ("solver", "precond", "outcome")])
        self.assertEqual(sum(attempt["iterations"] for attempt in report["attempts"]), report["iterations"])
        if report["iterations"] > 0:
            self.assertAlmostEqual(report["seconds_per_iteration"] * report["iterations"], report["solve_seconds"],
                                   delta=1e-4 * report["solve_seconds"])
        if report["norm_b"] > 0:
            self.assertAlmostEqual(report["relative_residual"] * report["norm_b"], report["residual"],
                                   delta=1e-4 * report["residual"])


    def check_attempts(self, attempts):
        self.assertGreater(len(attempts), 0)
        for attempt in attempts:
            self.assertEqual(list(attempt), list(ATTEMPT))
            for name, kind in ATTEMPT.items():
                self.assertIsInstance(attempt[name], kind, name)
            self.assertEqual(attempt["outcome"] == "not-built", attempt["reason"] is not None)
