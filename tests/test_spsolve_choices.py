#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spsolve chooses, tries next, advises and compares: test_spsolve_choices.py PATH-TO-SPSOLVE"""

import json
import unittest

from spsolve_run import COMPLEX, EMPTY, HEADER, HIDDEN, INDEFINITE, RING, SINGULAR, SOLVERS, SYMMETRIC, Spsolve, WITHOUT_DIAGONAL, run


class Choices(Spsolve):
    def check(self, text, solver, precond, *arguments):
        (report,) = self.reports("-n", "50", *arguments, self.file("a.mtx", text))
        self.assertEqual((report["solver"], report["precond"]), (solver, precond))

    def test_by_the_matrix(self):
        self.check(SYMMETRIC, "cg", "jacobi")
        self.check(SYMMETRIC.replace("symmetric", "general"), "gmres", "jacobi")
        self.check(f"{HEADER} general\n2 2 4\n1 1 2\n2 2 2\n1 2 1\n2 1 1\n", "cg", "jacobi")
        self.check(f"{HEADER} general\n2 2 5\n1 1 2\n2 2 2\n1 2 0.5\n1 2 0.5\n2 1 1\n", "cg", "jacobi")
        self.check(INDEFINITE, "minres", "equilibrate")
        self.check(WITHOUT_DIAGONAL, "minres", "equilibrate")

    def test_beside_what_was_asked_for(self):
        self.check(SYMMETRIC, "gmres", "jacobi", "--solver", "gmres")
        self.check(SYMMETRIC, "cg", "none", "--precond", "none")
        self.check(INDEFINITE, "minres", "none", "--solver", "minres", "--precond", "none")
        self.check(INDEFINITE, "gmres", "jacobi", "--solver", "gmres")
        self.check(SYMMETRIC, "normal", "equilibrate", "--solver", "normal")

    def test_said(self):
        shown = run("gen:poisson2d:9").stdout
        self.assertIn("cg, as the matrix equals its transpose", shown)
        self.assertIn("jacobi, as the diagonal has no zeros", shown)
        shown = run("--solver", "cg", "--precond", "ic0", "gen:poisson2d:9").stdout
        self.assertNotIn(", as ", shown)


class GoesOn(Spsolve):
    """What is tried after a method that does not converge."""

    def tried(self, text, *arguments, status=0):
        (report,) = self.reports("--format", "csr", *arguments, self.file("a.mtx", text), status=status)
        return [(attempt["solver"], attempt["outcome"]) for attempt in report["attempts"]], report

    def test_from_cg_to_minres(self):
        tried, report = self.tried(HIDDEN)
        self.assertEqual(tried, [("cg", "indefinite"), ("minres", "converged")])
        self.assertLess(report["error"], 1e-6)

    def test_to_the_normal_equations(self):
        tried, report = self.tried(RING, "--restart", "5")
        self.assertEqual(tried[0], ("gmres", "no-progress"))
        self.assertIn(("bicgstab", "not-built"), tried)
        self.assertEqual(tried[-1], ("normal", "converged"))
        self.assertLess(report["error"], 1e-6)

    def test_singular(self):
        _, report = self.tried(SINGULAR)
        self.assertLess(report["relative_residual"], 1e-8)
        _, report = self.tried(SINGULAR, "--solver", "normal")
        self.assertEqual(report["outcome"], "converged")

    def test_what_is_named_stays(self):
        tried, _ = self.tried(HIDDEN, "--solver", "cg", status=2)
        self.assertEqual({solver for solver, _ in tried}, {"cg"})
        tried, report = self.tried(HIDDEN, "--precond", "none")
        self.assertEqual(tried, [("cg", "indefinite"), ("minres", "converged")])
        self.assertEqual({attempt["precond"] for attempt in report["attempts"]}, {"none"})
        tried, _ = self.tried(HIDDEN, "--solver", "cg", "--precond", "jacobi", status=2)
        self.assertEqual(tried, [("cg", "indefinite")])

    def test_history_goes_through_all_attempts(self):
        _, report = self.tried(RING, "--restart", "5", "--history")
        self.assertEqual(len(report["history"]), report["iterations"] + 1)

    def test_one_matrix_is_repeated_from_where_it_began(self):
        _, once = self.tried(HIDDEN)
        _, often = self.tried(HIDDEN, "--repeat", "3")
        self.assertEqual((once["iterations"], once["residual"]), (often["iterations"], often["residual"]))

    def test_said(self):
        shown = run("--no-plot", "--format", "csr", self.file("a.mtx", HIDDEN)).stdout
        self.assertIn("tried       cg with jacobi: not positive definite after ", shown)
        self.assertIn("at last     minres with equilibrate: converged after ", shown)
        self.assertNotIn("tried ", run("--no-plot", "gen:poisson2d:9").stdout)


class Advice(Spsolve):
    def advice(self, *arguments):
        shown = " ".join(run("--no-plot", "--format", "csr", *arguments).stdout.split())
        return shown.partition(" an iteration ")[2] or shown

    def test_after_failures(self):
        hidden, ring = self.file("hidden.mtx", HIDDEN), self.file("ring.mtx", RING)
        for arguments, words in (
                (["--solver", "cg", hidden], "try --solver minres"),
                (["--solver", "cg", ring], "try --solver gmres"),
                (["-n", "3", "--solver", "gmres", "--precond", "none", "gen:convection2d:20"], "try --precond ilu0"),
                (["-n", "3", "--precond", "none", "gen:poisson2d:20"], "try --precond ic0"),
                (["-n", "3", "--precond", "ic0", "gen:poisson2d:20"], "try --shift 0.1"),
                (["-n", "3", "--precond", "ic0", "--shift", "0.1", "gen:poisson2d:20"], "try no --precond"),
                (["-n", "3", "--solver", "cg", "--precond", "jacobi", "gen:convection2d:20"], "try --solver gmres"),
                (["-n", "3", "gen:poisson2d:20"], "try --max-iterations 30: the limit of 3 ended"),
                (["--tol", "1e-12", "--type", "f32", "gen:poisson2d:20"], "try --type f64"),
                (["--tol", "1e-18", "gen:poisson2d:20"], "try --tol ")):
            self.assertIn(words, self.advice(*arguments), arguments)

    def test_comparison_says_what_could_not_be_built(self):
        shown = run("--compare", "--time-limit", "0.1", self.file("hidden.mtx", HIDDEN)).stdout
        lacking = {row.split()[1] for row in shown.splitlines() if row.endswith("not-built")}
        self.assertTrue(lacking)
        self.assertEqual(sorted(lacking), sorted(row.split()[2].rstrip(":") for row in shown.splitlines() if row.startswith("not built ")))

    def test_after_stagnation_far_away(self):
        """The method's own residual means nothing where the matrix is singular, and so does a tolerance made of that of x."""
        shift = self.file("a.mtx", f"{HEADER} general\n20 20 19\n" + "".join(f"{i} {i + 1} 1\n" for i in range(1, 20)))
        for kind in "f64", "f32":
            arguments = ["-t", kind, "-s", "gmres", "-p", "none", "--format", "csr", "--rhs", "ones", shift]
            (report,) = self.reports(*arguments, status=2)
            self.assertEqual(report["outcome"], "stagnated")
            self.assertGreater(report["relative_residual"], 0.1)
            self.assertIn("try no --solver: ", self.advice(*arguments))

    def test_after_values_that_are_not_finite(self):
        words = "note the matrix or the right-hand side has NaN or infinite values"
        for value in "nan", "inf":
            matrix = self.file("a.mtx", f"{HEADER} general\n3 3 4\n1 1 2\n2 2 {value}\n3 3 1\n3 2 2\n")
            for options in [], ["--rhs", "ones", "-p", "none"], ["-s", "gmres", "-p", "none"]:
                self.assertTrue(self.advice(*options, matrix).endswith(words), options)
        wide = self.file("b.mtx", f"{HEADER} general\n3 3 4\n1 1 2\n2 2 1e60\n3 3 1\n3 2 2\n")
        self.assertIn(words + ", in f32 also those beyond its range: try --type f64", self.advice("-t", "f32", wide))
        self.assertNotIn("NaN", self.advice(wide))

    def test_of_an_error_that_is_large(self):
        self.assertIn("note A x is b to ", self.advice(self.file("a.mtx", SINGULAR)))
        said = self.advice(self.file("empty.mtx", EMPTY))
        self.assertIn("note A x is b to 0, and x is not x* (see error): the matrix is singular, ", said)
        self.assertNotIn("condition number", said)
        for options in [], ["--rhs", self.file("zero.mtx", f"{HEADER} general\n400 1 0\n")]:
            self.assertNotIn("note", self.advice(*options, "gen:poisson2d:20"))


class Compare(Spsolve):
    def test_a_table(self):
        for matrix, rows in (("gen:poisson2d:15", ["cg", "minres", "normal"]),
                             ("gen:convection2d:15", ["bicgstab", "gmres", "normal"])):
            for width in (60, 80, 100):
                done = run("--compare", matrix, COLUMNS=str(width))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                lines = done.stdout.splitlines()
                self.assertLessEqual(max(map(len, lines)), width)
                head = next(i for i, line in enumerate(lines) if line.split()[:2] == ["method", "precond"])
                table = [line.replace("*", " ").split() for line in lines[head + 1:lines.index("", head)]]
                self.assertEqual(sorted({row[0] for row in table}), rows)
                self.assertEqual(sum(line.startswith("*") for line in lines[head:lines.index("", head)]), 1)
                self.assertIn("* fastest", done.stdout)

    def test_nothing_to_measure_residuals_by(self):
        zero = self.file("zero.mtx", f"{HEADER} general\n9 1 0\n")
        for arguments in [self.file("empty.mtx", EMPTY)], ["--rhs", zero, "gen:poisson2d:3"]:
            done = run("--compare", *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            rows = [line.split() for line in done.stdout.splitlines() if line.endswith("converged")]
            self.assertEqual({row[-2] for row in rows}, {"-"})

    def test_json(self):
        done = run("--compare", "--json", "gen:poisson2d:15")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertEqual(list(report), ["matrix", "rows", "nnz", "norm_b", "attempts"])
        self.check_attempts(report["attempts"])
        pairs = [(attempt["solver"], attempt["precond"]) for attempt in report["attempts"]]
        self.assertEqual(len(pairs), len(set(pairs)))
        self.assertIn(("cg", "ic0"), pairs)
        self.assertNotIn("gmres", {solver for solver, _ in pairs})

    def test_of_what_is_named(self):
        def attempts(*arguments):
            return json.loads(run("--compare", "--json", *arguments, "gen:poisson2d:9").stdout)["attempts"]
        self.assertEqual({attempt["solver"] for attempt in attempts("--solver", "gmres")}, {"gmres"})
        self.assertEqual([attempt["solver"] for attempt in attempts("--precond", "jacobi")], SOLVERS)

    def test_ends(self):
        self.assertEqual(run("--compare", "-n", "2", "gen:poisson2d:20").returncode, 2)
        done = run("--compare", self.file("a.mtx", COMPLEX))
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (1, "", 1))
        (failed,) = map(json.loads, run("--compare", "--json", "gen:nothing:3").stdout.splitlines())
        self.assertEqual(list(failed), ["matrix", "error_message"])


if __name__ == "__main__":
    unittest.main()
