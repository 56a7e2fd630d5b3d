#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The same as spsolve does on the CPU, on a GPU: test_spsolve_gpu.py PATH-TO-SPSOLVE

Exit status 77 where there is no GPU."""

import sys
import unittest

from spsolve_run import PRECONDS, SOLVERS, SYMMETRIC, Spsolve, run

SKIPPED = 77


class OnGpu(Spsolve):
    def test_every_solver_with_every_preconditioner(self):
        for solver in SOLVERS:
            for precond in PRECONDS:
                with self.subTest(solver=solver, precond=precond):
                    (report,) = self.reports("-b", "cuda", "-s", solver, "-p", precond, "--history", "gen:poisson2d:15")
                    self.assertEqual((report["outcome"], report["backend"]), ("converged", "cuda"))
                    self.assertLess(report["error"], 1e-5)
                    self.assertEqual(len(report["history"]), report["iterations"] + 1)

    def test_choices_and_right_hand_sides(self):
        (report,) = self.reports("-b", "cuda", self.file("a.mtx", SYMMETRIC))
        self.assertEqual((report["solver"], report["precond"]), ("cg", "jacobi"))
        array = self.file("array.mtx", "%%MatrixMarket matrix array real general\n4 1\n0\n3\n0\n4\n")
        for rhs in ("ones", "random", array):
            (report,) = self.reports("-b", "cuda", "--rhs", rhs, self.file("a.mtx", SYMMETRIC))
            self.assertEqual(report["outcome"], "converged")

    def test_large_matrices_begin_with_a_polynomial(self):
        (report,) = self.reports("-b", "cuda", "gen:poisson2d:512")  # 2^18 rows
        self.assertEqual((report["solver"], report["precond"], report["outcome"]), ("cg", "chebyshev", "converged"))
        (named,) = self.reports("-b", "cuda", "-p", "jacobi", "gen:poisson2d:512")
        self.assertEqual(named["precond"], "jacobi")
        self.assertLess(report["iterations"], named["iterations"] / 4)

    def test_text(self):
        done = run("-b", "cuda", "gen:poisson2d:20")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1e+00", done.stdout)


if __name__ == "__main__":
    probe = run("--backend", "cuda", "--no-plot", "gen:poisson2d:4")
    if probe.returncode != 0:
        print("skipped:", probe.stderr.strip())
        sys.exit(SKIPPED)
    unittest.main()
