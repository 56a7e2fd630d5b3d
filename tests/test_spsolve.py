#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run spsolve as a user does and check what it prints: test_spsolve.py PATH-TO-SPSOLVE"""

import gzip
import json
import os
import pty
import signal
import subprocess
import sys
import unittest

from scratch import Scratch

SPSOLVE = None
FORMATS = ["coo", "csr", "csc", "ell", "hyb", "jds"]
SOLVERS = ["cg", "minres", "bicgstab", "gmres"]
PRECONDS = ["none", "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev", "equilibrate"]

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
# A ring, one way, with a diagonal of zeros: GMRES needs all vectors of the space before the residual falls at all.
RING = f"{HEADER} general\n200 200 200\n" + "".join(f"{i + 1} {(i + 1) % 200 + 1} 1\n" for i in range(200))
COMPLEX = "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 2 1\n2 2 4 -1\n"


def run(*arguments, **environment):
    return subprocess.run([SPSOLVE, *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "LC_ALL": "C", **environment})


def read_terminal(master):
    """All that was written to a pseudo-terminal whose other side is closed; it comes in pieces."""
    shown = b""
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            piece = b""
        if not piece:
            return shown.decode()
        shown += piece


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
        for form in ("coo", "csr", "csc", "ell", "hyb", "jds"):
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
                                        ("chebyshev", "--degree", ("1", "9"))):
            slow, fast = (self.reports("-p", precond, option, value, "gen:poisson2d:15")[0]["iterations"]
                          for value in values)
            self.assertGreater(slow, fast, precond)
        (report,) = self.reports("-p", "ic0", "--shift", "0.5", "gen:poisson2d:15")
        self.assertEqual(report["shift"], 0.5)

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
                (["-n", "3", "gen:poisson2d:20"], "try a direct solver"),
                (["--tol", "1e-12", "--type", "f32", "gen:poisson2d:20"], "try --type f64"),
                (["--tol", "1e-18", "gen:poisson2d:20"], "try --tol ")):
            self.assertIn(words, self.advice(*arguments), arguments)

    def test_of_an_error_that_is_large(self):
        self.assertIn("note A x is b to ", self.advice(self.file("a.mtx", SINGULAR)))
        self.assertNotIn("note", self.advice("gen:poisson2d:20"))


class Output(Spsolve):
    def test_the_solution(self):
        matrix, b = self.file("a.mtx", SYMMETRIC), self.file("b.mtx", f"{HEADER} general\n4 1 4\n1 1 1\n2 1 2\n3 1 2\n4 1 1\n")
        for kind, near in (("f64", 1e-7), ("f32", 1e-4)):
            path = os.path.join(self.folder, kind + ".mtx")
            self.assertEqual(run("--type", kind, "--rhs", b, "--output", path, matrix).returncode, 0)
            with open(path, encoding="utf-8") as file:
                lines = [line.split() for line in file if not line.startswith("%")]
            self.assertEqual(lines[0], ["4", "1", "4"])
            self.assertEqual([line[:2] for line in lines[1:]], [[str(i), "1"] for i in range(1, 5)])
            for value in lines[1:]:
                self.assertAlmostEqual(float(value[2]), 1.0, delta=near)

    def test_also_when_it_did_not_converge(self):
        path = os.path.join(self.folder, "x.mtx")
        self.reports("-n", "3", "--solver", "cg", "--precond", "none", "--output", path, "gen:poisson2d:20", status=2)
        self.assertTrue(os.path.exists(path))

    def test_that_cannot_be(self):
        matrix = self.file("a.mtx", SYMMETRIC)
        path = os.path.join(self.folder, "no-such-folder", "x.mtx")
        done = run("--no-plot", "--output", path, matrix)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertIn("no-such-folder", done.stderr)
        for arguments in ((matrix, matrix), ("--compare", matrix)):
            done = run("--output", "x.mtx", *arguments)
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn("--output", done.stderr.splitlines()[0])


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


class Interrupts(Spsolve):
    ENDLESS = ["--solver", "cg", "--precond", "none", "--format", "csr", "--threads", "1", "--tol", "1e-300",
               "-n", "1000000000", "--rhs", "ones", "gen:poisson2d:200"]

    def interrupt(self, number, *arguments):
        """Send a signal once the heading is out, which is after the program began to catch it."""
        with subprocess.Popen([SPSOLVE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "LC_ALL": "C"}) as program:
            shown = program.stdout.readline()
            program.send_signal(number)
            rest, errors = program.communicate(timeout=300)
        return program.returncode, shown + rest, errors

    def test_a_solve(self):
        path = os.path.join(self.folder, "x.mtx")
        status, shown, errors = self.interrupt(signal.SIGINT, "--output", path, *self.ENDLESS)
        self.assertEqual((status, errors), (130, ""))
        self.assertIn("outcome     interrupted, ", shown)
        self.assertIn("residual", shown)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(self.interrupt(signal.SIGTERM, *self.ENDLESS)[0], 143)

    def test_several_files(self):
        status, shown, errors = self.interrupt(signal.SIGINT, *self.ENDLESS, "gen:poisson2d:4", "gen:poisson2d:5")
        self.assertEqual(status, 130)
        self.assertNotIn("gen:poisson2d:4\n", shown)
        self.assertIn("2 of 3 matrices were not begun", errors)

    def test_a_comparison(self):
        status, shown, _ = self.interrupt(signal.SIGINT, "--compare", "--time-limit", "1000", *self.ENDLESS)
        self.assertEqual(status, 130)
        self.assertIn("interrupted", shown)


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
        for path, words in ((short, ["short.mtx: 3 x 1", "4 x 1"]), (wide, ["wide.mtx: 4 x 2", "4 x 1"]),
                            (os.path.join(self.folder, "none.mtx"), ["none.mtx"])):
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


class Endings(Spsolve):
    def test_not_converged(self):
        (report,) = self.reports("--max-iterations", "3", "-s", "cg", "-p", "none", "gen:poisson2d:20", status=2)
        self.assertEqual((report["outcome"], report["iterations"]), ("limit", 3))
        done = run("--max-iterations", "3", "gen:poisson2d:20")
        self.assertEqual(done.returncode, 2)
        self.assertIn("iteration limit", done.stdout)

    def test_indefinite(self):
        (report,) = self.reports("--solver", "cg", "--precond", "none", self.file("a.mtx", INDEFINITE), status=2)
        self.assertEqual(report["outcome"], "indefinite")

    def test_the_worst_counts(self):
        (limit, good) = self.reports("-n", "3", "gen:poisson2d:20", "gen:poisson2d:1", status=2)
        self.assertEqual((limit["outcome"], good["outcome"]), ("limit", "converged"))
        done = run("--json", "-n", "3", "gen:poisson2d:20", os.path.join(self.folder, "none.mtx"), "gen:poisson2d:1")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        limit, failed, good = (json.loads(line) for line in done.stdout.splitlines())
        self.check_report(limit)
        self.check_report(good)
        self.assertEqual(list(failed), ["matrix", "error_message"])
        self.assertIn("none.mtx", failed["matrix"])
        self.assertIn("none.mtx", failed["error_message"])

    def check_failure(self, *arguments, words):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
        (line,) = done.stderr.splitlines()
        for word in words:
            self.assertIn(word, line)

    def test_wrong_matrices(self):
        self.check_failure("gen:random:3:4:2", words=["gen:random:3:4:2: 3 x 4", "square"])
        self.check_failure("gen:nothing:3", words=["gen:nothing", "'nothing'"])
        self.check_failure(os.path.join(self.folder, "none.mtx"), words=["none.mtx"])
        self.check_failure(self.file("c.mtx", COMPLEX), words=["c.mtx"])
        self.assertEqual(run("--real-part", self.file("c.mtx", COMPLEX)).returncode, 0)
        broken = self.file("broken.mtx", f"{HEADER} general\n2 2 1\n1 3 5\n")
        self.check_failure(broken, words=["broken.mtx:3:"])
        done = run("--precond", "ilu0", self.file("a.mtx", WITHOUT_DIAGONAL))
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertRegex(done.stderr, "a.mtx: row 1 .* --precond")

    def test_complex_values(self):
        for path in (self.file("c.mtx", COMPLEX), "-"):
            done = subprocess.run([SPSOLVE, path], input=COMPLEX, capture_output=True, text=True, timeout=300)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
            self.assertIn("--real-part", done.stderr)

    def test_unpack_limit(self):
        packed = gzip.compress(SYMMETRIC.encode())
        for limit, code in (("50", 1), ("500", 0)):
            done = subprocess.run([SPSOLVE, "--unpack-limit", limit, "-"], input=packed, capture_output=True, timeout=300)
            self.assertEqual((done.returncode, b"--unpack-limit" in done.stderr), (code, code == 1))

    def test_standard_input(self):
        for text in (SYMMETRIC.encode(), gzip.compress(SYMMETRIC.encode())):
            done = subprocess.run([SPSOLVE, "--json", "-"], input=text, capture_output=True, timeout=300)
            self.assertEqual((done.returncode, json.loads(done.stdout)["rows"]), (0, 4))
        done = subprocess.run([SPSOLVE, "--rhs", "-", "gen:poisson2d:2"], capture_output=True, text=True, timeout=300,
                              input="%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n")
        self.assertEqual(done.returncode, 0)

    def test_wrong_usage(self):
        for arguments, word in (([], "no FILE"), (["--solver", "qmr", "x"], "'qmr'"), (["--precond", "amg", "x"], "'amg'"),
                                (["--tol", "0", "x"], "'0'"), (["--tol", "nan", "x"], "'nan'"), (["--abs", "-1", "x"], "'-1'"),
                                (["--max-iterations", "0", "x"], "'0'"), (["--restart", "65", "x"], "'65'"),
                                (["--block", "33", "x"], "'33'"), (["--omega", "2", "x"], "'2'"),
                                (["--degree", "x", "x"], "'x'"), (["--shift", "-1", "x"], "'-1'"),
                                (["--format", "dia", "x"], "'dia'"), (["--type", "f16", "x"], "'f16'"),
                                (["--backend", "all", "x"], "'all'"), (["--threads", "0", "x"], "'0'"),
                                (["--time-limit", "0", "x"], "'0'"), (["-s", "normal", "-p", "ilu0", "x"], "'ilu0'"),
                                (["--no-such-option"], "no-such-option")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (64, ""), arguments)
            self.assertIn(word, done.stderr.splitlines()[0])

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--solver", "--precond", "--rhs", "--history", "--no-plot", "gen:poisson2d", "gen:convection2d"):
            self.assertIn(word, done.stdout)

    def profile(self, favourite):
        """A file with prices by which one format costs a thousandth of what the others do."""
        kernels = {name: dict.fromkeys(("steps", "units", "entries"), 1.0 if name == favourite else 1e3)
                   for name in FORMATS}
        return self.file("profile.json", json.dumps({
            "machine": "a machine of the test", "backend": "cpu", "processors": 1, "memory_gbs": 1.0,
            "kernels": {"f32": kernels, "f64": kernels}, "conversions": {}}))

    def test_the_profile_chooses(self):
        for favourite in FORMATS:
            options = ["--threads", "1", "--profile", self.profile(favourite)]
            (report,) = self.reports(*options, "gen:poisson2d:40")
            self.assertEqual((report["format"], report["profile"]), (favourite, "a machine of the test"))
            done = run(*options, "gen:poisson2d:40")
            self.assertIn("profile     a machine of the test\n", done.stdout)
        (report,) = self.reports(*options, "--format", "csr", "gen:poisson2d:40")
        self.assertEqual((report["format"], report["profile"]), ("csr", None))
        self.assertNotIn("profile", run(*options, "--format", "csr", "gen:poisson2d:9").stdout)

    def test_a_profile_that_is_none(self):
        broken = self.file("broken.json", "{")
        for path in broken, os.path.join(self.folder, "none.json"):
            self.check_failure("--profile", path, "gen:poisson2d:9", words=["spsolve: ", path])

    def test_a_calibrated_profile_that_is_none(self):
        os.mkdir(os.path.join(self.folder, "spry"))
        broken = self.file("spry/cpu.json", "{")
        done = run("--json", "gen:poisson2d:9", XDG_CONFIG_HOME=self.folder)
        self.assertEqual(done.returncode, 0)
        self.check_report(json.loads(done.stdout))
        (line,) = done.stderr.splitlines()
        self.assertTrue(line.startswith(f"spsolve: {broken}:1:"), line)
        self.assertTrue(line.endswith("; going on with the library's own profile"), line)
        # What is not needed is not looked at.
        done = run("--json", "--format", "csr", "gen:poisson2d:9", XDG_CONFIG_HOME=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_without_a_gpu(self):
        done = run("--backend", "cuda", "gen:poisson2d:9", CUDA_VISIBLE_DEVICES="-1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("CUDA", done.stderr)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([SPSOLVE, "gen:poisson2d:9"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


class Text(Spsolve):
    def test_lines(self):
        for locale in ("C", "C.UTF-8"):
            done = run("--history", "gen:poisson2d:20", LC_ALL=locale)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(locale != "C" or done.stdout.isascii())
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
            for word in ("matrix", "solver", "precond", "1e+00", "outcome", "residual", "error", "setup", "solve", "iteration"):
                self.assertIn(word, done.stdout)

    def test_widths(self):
        for width in (60, 80, 100):
            for matrix in (self.file("hidden.mtx", HIDDEN), self.file("ring.mtx", RING), "gen:poisson2d:20"):
                lines = run("--tol", "1e-10", "--precond", "none", matrix, COLUMNS=str(width)).stdout.splitlines()
                # A name without spaces is not broken.
                self.assertLessEqual(max(len(line) for line in lines if matrix not in line), width)

    def test_plots(self):
        self.assertNotIn("1e+00", run("--no-plot", "gen:poisson2d:20").stdout)
        self.assertIn("1e+00", run("--no-plot", "--plot", "gen:poisson2d:20").stdout)

    def test_a_curve_that_rises(self):
        shown = run("--solver", "cg", "--precond", "none", "gen:rmat:7").stdout
        self.assertIn("1e", shown)

    def on_terminal(self, *arguments):
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        with subprocess.Popen([SPSOLVE, *arguments], stdout=slave, stderr=subprocess.PIPE,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}) as program:
            os.close(slave)
            shown = read_terminal(master)
        os.close(master)
        self.assertEqual(program.returncode, 2)
        return shown

    def test_a_curve_grows_on_a_terminal(self):
        # Enough iterations to last for some drawings, and a tolerance that is not reached.
        shown = self.on_terminal("--solver", "gmres", "--precond", "none", "--format", "csr", "--rhs", "ones", "--tol", "1e-14",
                                 "--threads", "1", "--max-iterations", "1000", "gen:poisson2d:300")
        before, *drawings = shown.split("\033[14A\033[J")
        self.assertIn("matrix", before)
        self.assertGreater(len(drawings), 0)
        for drawing in drawings:
            self.assertRegex(drawing.split("\r\n")[13], r"iteration [0-9,]+$")
        self.assertIn("outcome", drawings[-1])


class OnGpu(Spsolve):
    """The same on a GPU, where there is one."""

    def setUp(self):
        super().setUp()
        if run("--backend", "cuda", "--no-plot", "gen:poisson2d:4").returncode != 0:
            self.skipTest("no GPU")

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

    def test_text(self):
        done = run("-b", "cuda", "gen:poisson2d:20")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1e+00", done.stdout)


if __name__ == "__main__":
    SPSOLVE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
