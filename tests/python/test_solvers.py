#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Solvers and preconditioners from Python: test_solvers.py SOURCE-FOLDER LIBRARY"""

import os
import signal
import threading
import unittest

import support

if __name__ == "__main__":
    support.begin()

import numpy
import scipy.sparse as sparse
import scipy.sparse.linalg

import spry

METHODS = ["cg", "minres", "bicgstab", "gmres"]
PRECONDITIONERS = ["jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev", "fsai"]


def laplacian(side=12, dtype="float64"):
    one, same = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(side, side)), sparse.identity(side)
    return (sparse.kron(one, same) + sparse.kron(same, one)).tocsr().astype(dtype)


class Solves(unittest.TestCase):
    def solved(self, source, solution, tolerance=1e-6):
        x, info = solution
        self.assertEqual(info, 0, solution)
        self.assertTrue(solution.converged)
        left = numpy.linalg.norm(self.b - source @ x)
        self.assertLessEqual(left, tolerance * numpy.linalg.norm(self.b))
        self.assertAlmostEqual(left, solution.residual, delta=1e-9 + 0.01 * tolerance)

    def setUp(self):
        self.source = laplacian()
        self.a, self.b = spry.matrix(self.source), numpy.random.default_rng(1).random(144)

    def test_all_methods_and_preconditioners(self):
        for method in METHODS:
            plain = spry.solve(self.a, self.b, method)
            self.solved(self.source, plain)
            for name in PRECONDITIONERS:
                with self.subTest(method=method, preconditioner=name):
                    solution = spry.solve(self.source, self.b, method, preconditioner=name, history=True)
                    self.solved(self.source, solution)
                    self.assertEqual(len(solution.history), solution.iterations + 1)
                    if name != "jacobi":  # which changes nothing where the diagonal is constant
                        self.assertLess(solution.iterations, plain.iterations)
        for function in (spry.cg, spry.minres, spry.bicgstab, spry.gmres):
            self.solved(self.source, function(self.a, self.b))

    def test_what_stands_for_another_preconditioner(self):
        def iterations(kind, **options):
            m = spry.Preconditioner(self.a, kind, **options)
            solution = spry.solve(self.a, self.b, "cg", preconditioner=m)
            self.solved(self.source, solution)
            return solution.iterations

        exact = iterations("ic0")
        self.assertGreater(iterations("ic0", sweeps=1), exact)
        self.assertLess(iterations("chebyshev", inner="ic0", degree=2), exact)
        self.assertLessEqual(abs(iterations("ic0", single=True) - exact), 1)
        with self.assertRaisesRegex(ValueError, "sweeps is 101"):
            spry.Preconditioner(self.a, "ic0", sweeps=101)
        with self.assertRaisesRegex(ValueError, "a preconditioner"):
            spry.Preconditioner(self.a, "chebyshev", inner="ic1")

    def test_f32(self):
        solution = spry.cg(laplacian(dtype="float32"), self.b.astype("float32"), preconditioner="ic0")
        self.assertEqual((solution.info, solution.x.dtype), (0, numpy.float32))

    def test_limits_and_tolerances(self):
        solution = spry.cg(self.a, self.b, maxiter=3)
        self.assertEqual((solution.info, solution.iterations, solution.converged), (3, 3, False))
        loose, tight = spry.cg(self.a, self.b, rtol=1e-2), spry.cg(self.a, self.b, rtol=1e-12)
        self.assertLess(loose.iterations, tight.iterations)
        self.assertLessEqual(spry.cg(self.a, self.b, rtol=0, atol=1e-3).residual, 1e-3)
        for kind in ("float32", "float64"):
            a, b = laplacian(dtype=kind), self.b.astype(kind)
            usual = spry.cg(a, b).iterations
            self.assertGreater(usual, 0)
            for atol in (None, 1e-30):
                self.assertEqual(spry.cg(a, b, atol=atol).iterations, usual)
            self.assertLess(spry.cg(a, b, atol=1.0).iterations, usual)
        self.assertGreater(spry.gmres(self.a, self.b, restart=2).iterations, spry.gmres(self.a, self.b).iterations)
        indefinite = spry.cg(-self.source, self.b)
        self.assertLess(indefinite.info, 0)
        self.assertIn("definite", indefinite.outcome)

    def test_first_guess(self):
        first = spry.cg(self.a, self.b)
        guess = first.x.copy()
        again = spry.cg(self.a, self.b, guess)
        self.assertLess(again.iterations, 3)
        numpy.testing.assert_array_equal(guess, first.x)
        solver = spry.Solver(self.a)
        self.assertEqual(solver.solve(self.b, x0=first.x).iterations, again.iterations)
        self.assertEqual(solver.solve(self.b).iterations, first.iterations)

    def test_callback(self):
        seen = []
        solution = spry.cg(self.a, self.b, callback=lambda k, residual: seen.append((k, residual)), history=True)
        numpy.testing.assert_array_equal([residual for _, residual in seen], solution.history[-len(seen):])
        stopped = spry.cg(self.a, self.b, callback=lambda k, residual: k >= 4)
        self.assertEqual((stopped.outcome, stopped.iterations), ("cancelled", 4))
        self.assertLess(stopped.info, 0)
        solver = spry.Solver(self.a, callback=lambda k, residual: 1 / 0)
        for _ in range(2):
            with self.assertRaises(ZeroDivisionError):
                solver.solve(self.b)

    def test_calls_from_a_callback(self):
        m = spry.Preconditioner(self.a, "ssor")
        solver = spry.Solver(self.a, preconditioner=m, callback=lambda k, residual: solver.solve(self.b))
        with self.assertRaisesRegex(RuntimeError, "callback"):
            solver.solve(self.b)
        other = spry.Solver(
            self.a, preconditioner=m, callback=lambda k, residual: (m @ self.b, self.a @ self.b) is None
        )
        self.solved(self.source, other.solve(self.b))

    def test_operators_and_functions(self):
        operator = scipy.sparse.linalg.aslinearoperator(self.source)
        self.solved(self.source, spry.cg(operator, self.b))
        self.solved(self.source, spry.gmres(self.a, self.b, preconditioner=lambda r: r / 4))
        self.solved(
    self.source,
    spry.cg(
        self.a,
        self.b,
        preconditioner=spry.aslinearoperator(
            spry.matrix(
                sparse.identity(144)))))
        for wrong in (lambda x: x[1:], lambda x: 1 / 0, lambda x: "none"):
            with self.assertRaises((ValueError, ZeroDivisionError)):
                spry.cg(self.a, self.b, preconditioner=wrong)
        with self.assertRaises(ValueError):  # what is asked for cannot be written to
            spry.cg(self.a, self.b, preconditioner=lambda r: r.__setitem__(0, 1))

    def test_transpose(self):
        source = (self.source + sparse.random(144, 144, 0.02, random_state=1)).tocsr()
        self.solved(source.T, spry.gmres(spry.matrix(source).T, self.b))

    def test_preconditioner_alone(self):
        m = spry.Preconditioner(self.a, "ilu0")
        numpy.testing.assert_allclose(spry.Preconditioner(self.a) @ self.b, self.b / 4)
        x, info = scipy.sparse.linalg.cg(self.source, self.b, M=m, atol=1e-8)
        self.assertEqual(info, 0)
        wide = numpy.zeros((144, 2))
        wide[:, 1] = self.b
        numpy.testing.assert_array_equal(m @ wide[:, 1], m @ self.b)
        before = m @ self.b
        m.update(2 * self.source)
        numpy.testing.assert_allclose(m @ self.b, before / 2)
        wide = (4 * self.source).astype("float32")
        wide.indptr, wide.indices = wide.indptr.astype("int64"), wide.indices.astype("int64")
        for other in (wide, spry.matrix(wide)):
            m.update(self.source)
            m.update(other)
            numpy.testing.assert_allclose(m @ self.b, before / 4)
        with self.assertRaises(spry.PatternError):
            m.update(sparse.identity(144))
        self.assertGreater(spry.Preconditioner(self.a, "ic0", shift=0.5).shift, 0.4)
        few, more = (
            spry.cg(self.a, self.b, preconditioner=spry.Preconditioner(self.a, "fsai", power=power, entries=entries))
            for power, entries in ((2, 16), (1, 2))
        )
        self.assertLess(few.iterations, more.iterations)
        m = spry.Preconditioner(self.a, "fsai", values_change=True)
        before = m @ self.b
        m.update(2 * self.source)
        numpy.testing.assert_allclose(m @ self.b, before / 2)
        with self.assertRaisesRegex(spry.InvalidError, "diagonal"):
            spry.Preconditioner(sparse.csr_matrix((3, 3)))

    def test_new_values(self):
        a = spry.matrix(self.source, values_change=True)
        solver = spry.Solver(a, "cg", preconditioner="ic0")
        self.solved(self.source, solver.solve(self.b))
        a.update(3 * self.source.data)
        self.solved(3 * self.source, solver.solve(self.b))

    def test_strided_b_and_none(self):
        wide = numpy.zeros((144, 3))
        wide[:, 1] = self.b
        numpy.testing.assert_array_equal(spry.cg(self.a, wide[:, 1]).x, spry.cg(self.a, self.b).x)
        zero = spry.cg(self.a, numpy.zeros(144))
        self.assertEqual((zero.info, abs(zero.x).max()), (0, 0))

    def test_no_rows(self):
        """What was asked for is there as for any other system whose b is zero."""
        empty = sparse.csr_matrix((0, 0))
        for a in (empty, sparse.linalg.aslinearoperator(empty)):
            for method in METHODS:
                for name in (None, "jacobi") if a is empty else (None,):
                    for x0 in (None, numpy.empty(0)):
                        seen = []
                        solution = spry.solve(a, numpy.empty(0), method, x0, preconditioner=name, history=True,
                                              callback=lambda k, residual: seen.append((k, residual)))
                        self.assertEqual((solution.info, solution.x.shape, seen), (0, (0,), [(0, 0.0)]))
                        numpy.testing.assert_array_equal(solution.history, [0.0])

    def test_wrong_arguments(self):
        for error, call in (
            (ValueError, lambda: spry.solve(self.a, self.b, "banana")),
            (ValueError, lambda: spry.solve(self.a, self.b, 3)),
            (ValueError, lambda: spry.cg(self.a, self.b, preconditioner="banana")),
            (TypeError, lambda: spry.cg(self.a, self.b, preconditioner=3)),
            (ValueError, lambda: spry.cg(self.a, self.b[1:])),
            (ValueError, lambda: spry.cg(self.a, self.b.reshape(12, 12))),
            (TypeError, lambda: spry.cg(self.a, 1j * self.b)),
            (TypeError, lambda: spry.cg(numpy.eye(144), self.b)),
            (TypeError, lambda: spry.cg(lambda x: x, self.b)),
            (ValueError, lambda: spry.cg(self.a, self.b, self.b[1:])),
            (ValueError, lambda: spry.cg(self.a, self.b, rtol=0)),
            (ValueError, lambda: spry.cg(self.a, self.b, rtol=-1)),
            (ValueError, lambda: spry.cg(self.a, self.b, rtol=float("nan"))),
            (ValueError, lambda: spry.cg(self.a, self.b, maxiter=0)),
            (ValueError, lambda: spry.gmres(self.a, self.b, restart=1000)),
            (ValueError, lambda: spry.cg(sparse.random(3, 4, 1.0), numpy.ones(3))),
            (ValueError, lambda: spry.Preconditioner(sparse.random(3, 4, 1.0))),
            (ValueError, lambda: spry.Preconditioner(self.a, "block-jacobi", block=1000)),
            (TypeError, lambda: spry.Preconditioner(scipy.sparse.linalg.aslinearoperator(self.source))),
            (ValueError, lambda: spry.cg(self.a, self.b, preconditioner=spry.Preconditioner(laplacian(5)))),
            (spry.ArgumentError, lambda: spry.cg(self.a, 1e300 * self.b)),
        ):
            with self.subTest(error=error), self.assertRaises(error):
                call()

    def test_ctrl_c_ends_a_solve(self):
        """The signal comes while the library works, and once it has ended, the handler is the one that was there."""
        reached = []

        def interrupt(k, residual):
            reached.append(k)
            if k == 5:
                os.kill(os.getpid(), signal.SIGINT)

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with self.assertRaises(KeyboardInterrupt):
                spry.cg(self.a, self.b, callback=interrupt)
            self.assertLess(reached[-1], 8)
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
            # Restarted, GMRES never comes nearer to the solution with a cyclic shift: it would go on for hours.
            shift, first = sparse.identity(1000).tocsr()[numpy.arange(-1, 999)], numpy.eye(1, 1000)[0]
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                spry.gmres(shift, first, maxiter=10**9)
            timer.join()
        finally:
            signal.signal(signal.SIGINT, before)
        self.solved(self.source, spry.cg(self.a, self.b))


if __name__ == "__main__":
    support.run()
