#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spsolve solves, by every method and for every right-hand side: test_spsolve_methods.py PATH-TO-SPSOLVE"""

import json
import os
import unittest

from formats import FORMATS
from spsolve_run import HEADER, PRECONDS, SOLVERS, SYMMETRIC, Spsolve, run


class Solves(Spsolve):
    def test_every_solver_with_every_preconditioner(self):
        for solver in SOLVERS:
            for precond in PRECONDS:
                with self.subTest(solver=solver, precond=precond):
                    (report,) = self.reports("--solver", solver, "--precond", precond, "gen:poisson2d:15")
                    self.assertEqual((report["solver"], report["precond"]), (solver, precond))
                    self.assertEqual((report["outcome"], report["rows"]), ("converged", 225))
                    self.assertLess(report["relative_residual"], 1e-7)
                    self.assertLess(report["error"], 1e-5)
                    self.assertEqual(report["shift"] is None, precond in ("none", "equilibrate"))

    def test_not_symmetric(self):
        for solver in ("bicgstab", "gmres"):
            for precond in ("none", "jacobi", "block-jacobi", "ilu0"):
                (report,) = self.reports("-s", solver, "-p", precond, "gen:convection2d:12:50")
                self.assertEqual(report["outcome"], "converged")
                self.assertLess(report["error"], 1e-5)

    def test_formats_and_types(self):
        for form in FORMATS:
            (report,) = self.reports("--format", form, "gen:poisson2d:9")
            self.assertEqual(report["format"], form)
        for kind, bound in (("f32", 1e-3), ("f64", 1e-6)):
            (report,) = self.reports("--type", kind, "gen:poisson2d:9")
            self.assertEqual(report["type"], kind)
            self.assertLess(report["error"], bound)

    def test_threads(self):
        for threads in (1, 3):
            (report,) = self.reports("--threads", str(threads), "gen:poisson2d:9")
            self.assertEqual((report["threads"], report["backend"]), (threads, "cpu"))

    def test_tolerances(self):
        (loose,) = self.reports("--tol", "1e-2", "gen:poisson2d:20")
        (tight,) = self.reports("--tol", "1e-10", "gen:poisson2d:20")
        self.assertLess(loose["iterations"], tight["iterations"])
        self.assertLessEqual(tight["relative_residual"], 1e-10)
        (absolute,) = self.reports("--abs", "0.5", "gen:poisson2d:20")
        self.assertTrue(1e-4 < absolute["residual"] <= 0.5)

    def test_options_of_methods(self):
        few, more = (self.reports("--solver", "gmres", "--restart", m, "gen:convection2d:15")[0]["iterations"]
                     for m in ("2", "40"))
        self.assertGreater(few, more)
        for precond, option, values in (("block-jacobi", "--block", ("1", "15")), ("ssor", "--omega", ("0.1", "1.5")),
                                        ("chebyshev", "--degree", ("1", "9")), ("fsai", "--power", ("1", "2")),
                                        ("fsai", "--entries", ("1", "4"))):
            slow, fast = (self.reports("-p", precond, option, value, "gen:poisson2d:15")[0]["iterations"]
                          for value in values)
            self.assertGreater(slow, fast, precond)
        exact, swept, over, single = (
            self.reports("-s", "cg", *options, "gen:poisson2d:15")[0]["iterations"]
            for options in (("-p", "ssor"), ("-p", "ssor", "--sweeps", "1"), ("-p", "chebyshev", "--inner", "ssor"),
                            ("-p", "ssor", "--single")))
        self.assertLess(over, exact)
        self.assertLess(exact, swept)
        self.assertLessEqual(abs(exact - single), 1)
        coloured, swept = (self.reports("-s", "cg", "-p", "ssor", "--colours", *options, "gen:poisson2d:15")[0]["iterations"]
                           for options in ((), ("--sweeps", "1")))
        self.assertGreater(coloured, exact)
        self.assertLessEqual(abs(coloured - swept), 1)  # two colours
        (fsai,) = self.reports("-s", "cg", "-p", "chebyshev", "--inner", "fsai", "gen:poisson2d:15")
        self.assertNotEqual(fsai["iterations"], over)
        for precond in "chebyshev", "jacobi":
            refused = run("-s", "cg", "-p", precond, "--inner", "chebyshev", "gen:poisson2d:15")
            self.assertEqual((refused.returncode, refused.stdout), (64, ""))
            self.assertIn("--inner: invalid value 'chebyshev', expected jacobi, block-jacobi, ssor, ilu0, ic0 or fsai\n",
                          refused.stderr)
        for shift in "0.5", "0":
            (report,) = self.reports("-p", "ic0", "--shift", shift, "gen:poisson2d:15")
            self.assertEqual(report["shift"], float(shift))

    def test_equilibration(self):
        # Symmetric, indefinite, and rows of many sizes from 1 to 10^6.
        size = [10.0 ** (i * 7 % 13 / 4) for i in range(60)]
        lines = [f"{i + 1} {i + 1} {(3 if i % 2 else -3) * size[i] ** 2}" for i in range(60)]
        lines += [f"{i + 1} {i} {size[i] * size[i - 1]}" for i in range(1, 60)]
        matrix = self.file("a.mtx", f"{HEADER} symmetric\n60 60 {len(lines)}\n" + "\n".join(lines) + "\n")
        for solver in ("minres", "normal"):
            plain, alike = (json.loads(run("--json", "-s", solver, "-p", precond, matrix).stdout)
                            for precond in ("none", "equilibrate"))
            self.assertEqual(alike["outcome"], "converged")
            self.assertLess(2 * alike["iterations"], plain["iterations"])

    def test_history(self):
        (report,) = self.reports("--history", "gen:poisson2d:15")
        self.assertEqual(len(report["history"]), report["iterations"] + 1)
        self.assertAlmostEqual(report["history"][0], report["norm_b"], delta=1e-4 * report["norm_b"])
        self.assertLess(report["history"][-1], 1e-7 * report["norm_b"])
        self.assertIsNone(self.reports("gen:poisson2d:15")[0]["history"])

    def test_sizes_of_nothing_and_one(self):
        empty = self.file("empty.mtx", f"{HEADER} general\n0 0 0\n")
        one = self.file("one.mtx", f"{HEADER} general\n1 1 1\n1 1 5\n")
        for report in self.reports(empty, one):
            self.assertEqual(report["outcome"], "converged")


class RightHandSides(Spsolve):
    def test_kinds(self):
        (ones,) = self.reports("--rhs", "ones", "gen:poisson2d:10")
        self.assertEqual((ones["norm_b"], ones["error"]), (10.0, None))
        norms = {self.reports("--rhs", "random", "gen:poisson2d:10")[0]["norm_b"] for _ in range(2)}
        self.assertEqual(len(norms), 1)
        (exact,) = self.reports("--rhs", "exact", "gen:poisson2d:10")
        self.assertLess(exact["error"], 1e-6)

    def test_files(self):
        matrix = self.file("a.mtx", SYMMETRIC)
        array = self.file("array.mtx", "%%MatrixMarket matrix array real general\n4 1\n0\n3\n0\n4\n")
        sparse = self.file("sparse.mtx", f"{HEADER} general\n4 1 3\n4 1 4\n2 1 1\n2 1 2\n")
        for path in (array, sparse):
            for kind in ("f32", "f64"):
                (report,) = self.reports("--rhs", path, "--type", kind, matrix)
                self.assertEqual((report["norm_b"], report["error"], report["outcome"]), (5.0, None, "converged"))

    def test_wrong_files(self):
        matrix = self.file("a.mtx", SYMMETRIC)
        short = self.file("short.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n")
        wide = self.file("wide.mtx", "%%MatrixMarket matrix array real general\n4 2\n" + "1\n" * 8)
        for path, words in ((short, ["short.mtx: the right-hand side is 3 x 1", "4 x 1"]),
                            (wide, ["wide.mtx: the right-hand side is 4 x 2", "4 x 1"]),
                            ("one", ["--rhs: 'one' is neither exact, ones nor random, and there is no such file"]),
                            (os.path.join(self.folder, "none.mtx"), ["none.mtx' is neither "])):
            done = run("--rhs", path, matrix)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            (line,) = done.stderr.splitlines()
            for word in words:
                self.assertIn(word, line)

    def test_not_finite(self):
        for value in ("nan", "inf"):
            b = self.file("b.mtx", f"%%MatrixMarket matrix array real general\n4 1\n1\n1\n{value}\n1\n")
            for solver in ("cg", "normal"):
                (report,) = (json.loads(line) for line in
                             run("--json", "-s", solver, "--rhs", b, self.file("a.mtx", SYMMETRIC)).stdout.splitlines())
                self.assertEqual(report["outcome"], "not-finite")
        large = self.file("large.mtx", f"{HEADER} general\n2 2 2\n1 1 1e200\n2 2 1e200\n")
        self.assertIn("scale the system", run("--no-plot", large).stderr)

    def test_zero(self):
        zero = self.file("zero.mtx", "%%MatrixMarket matrix array real general\n4 1\n0\n0\n0\n0\n")
        matrix = self.file("a.mtx", SYMMETRIC)
        (report,) = self.reports("--rhs", zero, matrix)
        self.assertEqual((report["outcome"], report["iterations"], report["relative_residual"]), ("converged", 0, None))
        self.assertEqual(run("--rhs", zero, matrix).returncode, 0)


if __name__ == "__main__":
    unittest.main()
