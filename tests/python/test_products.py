#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Products from Python, beside SciPy's: test_products.py SOURCE-FOLDER LIBRARY"""

import sys
import types
import unittest
from unittest import mock

import support

if __name__ == "__main__":
    support.begin()

import numpy
import scipy.sparse as sparse
import scipy.sparse.linalg

import spry
from spry import _arrays, _multiply

TOLERANCE = {"float64": 1e-12, "float32": 1e-4}


def vector(n, dtype="float64", seed=0):
    return numpy.random.default_rng(seed).random(n).astype(dtype)


class Products(unittest.TestCase):
    def close(self, found, expected, message=None):
        self.assertEqual(found.shape, expected.shape, message)
        tolerance = TOLERANCE[str(found.dtype)]
        numpy.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=str(message))

    def test_vectors_in_all_ways(self):
        for dtype in ("float64", "float32"):
            for name, source in support.awkward(dtype).items():
                rows, cols = source.shape
                x, y = vector(cols, dtype), vector(rows, dtype, 1)
                for format in ("auto", None, "csr", "sell:8:64", "coo", "csc"):
                    a = spry.matrix(source, format)
                    with self.subTest(name=name, dtype=dtype, format=format):
                        self.assertEqual((a.shape, a.dtype, a.nnz), (source.shape, source.dtype, source.nnz))
                        self.close(a @ x, source @ x)
                        self.close(a.T @ y, source.T @ y)
                        self.close(y @ a, source.T @ y)
                        self.close(a.dot(x, y.copy(), alpha=2, beta=-1), 2 * (source @ x) - y)
                        self.assertEqual((a @ x).dtype, dtype)

    def test_several_columns_as_they_lie(self):
        for name, source in support.awkward().items():
            a, cols = spry.matrix(source), source.shape[1]
            wide = vector(cols * 12).reshape(cols, 12)
            for x in (
                wide[:, :3].copy(),
                numpy.asfortranarray(wide[:, :3]),
                wide[:, 1:9:2],
                wide[:, 5:2:-1],
                wide[:, :0],
                wide[:, :1],
                wide[::-1, :4],
            ):
                with self.subTest(name=name, strides=x.strides, shape=x.shape):
                    self.close(a @ x, source @ x)
                    self.close(x.T @ a.T, (source @ x).T)
                    out = numpy.ones((a.shape[0], 2 * x.shape[1]))
                    self.assertIs(None, out.base)
                    a.dot(x, out[:, ::2], beta=3)
                    self.close(out[:, ::2], source @ x + 3)
                    self.assertTrue((out[:, 1::2] == 1).all())

    def test_order_of_a_result_is_that_of_x(self):
        a, x = spry.matrix(sparse.identity(5, format="csr")), vector(15).reshape(5, 3)
        self.assertTrue((a @ x).flags.c_contiguous)
        self.assertTrue((a @ numpy.asfortranarray(x)).flags.f_contiguous)

    def test_strided_and_misplaced_vectors(self):
        source = support.awkward()["wide"]
        a, long = spry.matrix(source), vector(1200)
        misplaced = numpy.frombuffer(b"\0" + vector(300).tobytes(), "float64", 300, offset=1)
        swapped = vector(300).astype(">f8")
        read_only = vector(300)
        read_only.flags.writeable = False
        field = numpy.zeros(300, [("a", "i4"), ("x", "f8")])["x"]
        for x in (long[::4], long[900::-3][:300], long[:300][::-1], misplaced, swapped, read_only, field):
            with self.subTest(strides=x.strides):
                self.close(a @ x, source @ x)
        self.close(a @ list(range(300)), source @ numpy.arange(300))
        self.close(a @ numpy.arange(300), source @ numpy.arange(300))
        self.close(a @ numpy.ones(300, bool), source @ numpy.ones(300))
        self.close(a @ numpy.ones(300, "float32"), source @ numpy.ones(300))

    def test_out(self):
        source = support.awkward()["wide"]
        a, x = spry.matrix(source), vector(300)
        out = numpy.full(30, numpy.nan)
        self.assertIs(a.dot(x, out), out)
        self.close(out, source @ x)
        column = numpy.full((30, 3), 7.0)
        a.dot(x, column[:, 1])
        self.close(column[:, 1], source @ x)
        self.assertTrue((column[:, ::2] == 7).all())
        backwards = numpy.zeros(30)
        a.dot(x, backwards[::-1])
        self.close(backwards[::-1], source @ x)
        square = spry.matrix(sparse.identity(30, format="csr") * 3)
        both = vector(60)
        for given, taken in ((both[:30], both[:30]), (both[:30], both[29:59]),
                             (both[::2], both[:30]), (both[:30], both[29::-1])):
            with self.assertRaisesRegex(ValueError, "shares memory"):
                square.dot(given, taken)
        pairs = vector(60)
        self.close(square.dot(pairs[::2], pairs[1::2]), 3 * pairs[::2])

    def test_the_short_way_and_the_long_one(self):
        """Plain vectors go a short way, which reads where NumPy's header has their address: with the same bits."""
        for name, source in support.awkward().items():
            rows, cols = source.shape
            a, x, y = spry.matrix(source), vector(cols), vector(rows, seed=1)
            y.flags.writeable = False

            def products():
                outs = [numpy.ones(rows) for _ in range(3)]
                return [a @ x, a.T @ y, a.dot(x, outs[0]), a.dot(x, outs[1], alpha=2), a.dot(x, outs[2], beta=-1)]

            with self.subTest(name=name), mock.patch.object(spry.Matrix, "_product", side_effect=AssertionError):
                short = products()
            with self.subTest(name=name), mock.patch.object(_multiply, "_plain", None):
                for found, expected in zip(short, products()):
                    numpy.testing.assert_array_equal(found, expected)

    def test_addresses_are_read_where_that_is_known_to_do(self):
        self.assertIs(_arrays.plain_type(), numpy.ndarray)
        with mock.patch.object(sys, "implementation", types.SimpleNamespace(name="another")):
            self.assertIsNone(_arrays.plain_type())
        with mock.patch.object(_arrays, "HEADER", _arrays.HEADER + 8):
            self.assertIsNone(_arrays.plain_type())

    def test_wrong_arrays_are_refused(self):
        a = spry.matrix(support.awkward()["wide"])
        f32 = spry.matrix(support.awkward("float32")["wide"])
        for error, message, call in (
            (ValueError, "300 rows are expected", lambda: a @ vector(30)),
            (ValueError, "dimensions", lambda: a @ numpy.zeros((300, 1, 1))),
            (ValueError, "dimensions", lambda: a @ 1.0),
            (TypeError, "complex128", lambda: a @ (1j * vector(300))),
            (TypeError, "float64, and the matrix of float32", lambda: f32 @ vector(300)),
            (TypeError, "mask", lambda: a @ numpy.ma.masked_less(vector(300), 0.5)),
            (TypeError, "sparse", lambda: a @ sparse.identity(300)),
            (TypeError, "sparse", lambda: a @ a),
            (TypeError, "float32", lambda: a.dot(vector(300), vector(30, "float32"))),
            (TypeError, "out is a list", lambda: a.dot(vector(300), [0.0] * 30)),
            (ValueError, "shape", lambda: a.dot(vector(300), vector(31))),
            (ValueError, "shape", lambda: a.dot(vector(300), numpy.zeros((30, 1)))),
            (ValueError, "written", lambda: a.dot(vector(300), numpy.broadcast_to(0.0, 30))),
            (ValueError, "beta", lambda: a.dot(vector(300), beta=1)),
            (TypeError, "real number", lambda: a.dot(vector(300), alpha="2")),
            (TypeError, "real number", lambda: a.dot(vector(300), vector(30), beta=1j)),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                call()

    def test_scipy_takes_it_as_an_operator(self):
        source = support.awkward()["stencil"]
        a, b = spry.matrix(source), vector(200)
        expected = scipy.sparse.linalg.spsolve(source.tocsc(), b)
        for operator in (a, spry.aslinearoperator(a)):
            for method in (scipy.sparse.linalg.cg, scipy.sparse.linalg.gmres):
                x, info = method(operator, b, M=spry.Preconditioner(a, "ilu0"), atol=1e-12)
                self.assertEqual(info, 0)
                numpy.testing.assert_allclose(x, expected, 1e-4)
        wide = support.awkward()["wide"]
        operator = spry.aslinearoperator(spry.matrix(wide))
        x, y = vector(900).reshape(300, 3), vector(90).reshape(30, 3)
        self.close(operator @ x, wide @ x)
        self.close(operator.H @ y, wide.T @ y)
        self.close(operator.T @ y[:, 0], wide.T @ y[:, 0])
        self.close(operator.T.T @ x, wide @ x)
        largest = scipy.sparse.linalg.eigsh(a, 1, return_eigenvectors=False)
        numpy.testing.assert_allclose(largest, scipy.sparse.linalg.eigsh(source, 1, return_eigenvectors=False))


if __name__ == "__main__":
    support.run()
