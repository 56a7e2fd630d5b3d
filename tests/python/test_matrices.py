#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Matrices from SciPy and files, their storages, new values, and what is refused: test_matrices.py SOURCE-FOLDER
LIBRARY"""

import gzip
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import support

if __name__ == "__main__":
    support.begin()

import numpy
import scipy.io
import scipy.sparse as sparse

import spry
from spry import _arrays

FORMATS = ["coo", "csr", "csc", "ell", "hyb", "jds", "sell", "stencil", "shape", "bsr", "dia"]


def same(a, source):
    """The same entries, place by place."""
    difference = a.to_scipy() - source
    return a.shape == source.shape and (difference.nnz == 0 or abs(difference).max() == 0)


def laid_otherwise(values):
    """The same values, as the library cannot take them."""
    yield numpy.repeat(values, 2)[::2]
    yield values[::-1].copy()[::-1]
    yield numpy.frombuffer(bytearray(b"\0" + values.tobytes()), values.dtype, len(values), offset=1)


class Tensor:
    """PyTorch's, of arrays in host memory and of COO matrices of them."""

    requires_grad = is_cuda = False

    def __init__(self, array=None, **coo):
        self.array, self.layout = array, "coo" if coo else "strided"
        self.__dict__.update(coo)

    def dim(self):
        return len(self.shape) if self.array is None else self.array.ndim

    def numpy(self):
        return self.array

    def _indices(self):
        return map(Tensor, self.indices)

    def _values(self):
        return Tensor(self.values)


class Sources(unittest.TestCase):
    def test_formats_of_scipy(self):
        for name, source in support.awkward().items():
            if 0 in source.shape:
                continue
            for kind in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok"):
                given = source.asformat(kind)
                for format in ("csr", None):
                    with self.subTest(name=name, kind=kind, format=format):
                        self.assertTrue(same(spry.matrix(given, format), source))

    def test_arrays_and_matrices(self):
        source = support.awkward()["wide"]
        self.assertTrue(same(spry.matrix(sparse.csr_array(source)), source))

    def test_blocks(self):
        source = sparse.random(48, 36, 0.1, format="csr", random_state=2)
        for size in ((2, 3), (4, 4), (8, 6), (12, 12)):
            given = source.tobsr(size)
            wrapped = spry.matrix(given, None)
            self.assertEqual(wrapped.format, "bsr" if max(size) <= 8 else "csr")
            self.assertTrue(same(wrapped, source))

    def test_types_of_indices(self):
        source = support.awkward()["tall"]
        for pointers in ("int32", "int64"):
            for indices in ("int32", "int64", "uint16"):
                given = source.copy()
                given.indptr, given.indices = given.indptr.astype(pointers), given.indices.astype(indices)
                with self.subTest(pointers=pointers, indices=indices):
                    self.assertTrue(same(spry.matrix(given, None), source))
                    self.assertTrue(same(spry.matrix(given), source))

    def test_duplicates(self):
        rows, cols, values = [0, 1, 0, 0], [1, 1, 1, 0], [1.0, 2.0, 3.0, 4.0]
        given = sparse.coo_matrix((values, (rows, cols)), shape=(2, 2))
        self.assertEqual(spry.matrix(given).nnz, 3)  # added up
        self.assertEqual(spry.matrix(given, None).nnz, 4)
        self.assertEqual(spry.matrix(support.awkward()["duplicates"]).nnz, 4)  # CSR keeps them
        self.assertTrue(same(spry.matrix(given), given.tocsr()))

    def test_wrapped_without_a_copy(self):
        source = support.awkward()["unsorted"]
        wrapped, made = spry.matrix(source, None), spry.matrix(source)
        source.data *= 2
        x = numpy.ones(3)
        numpy.testing.assert_array_equal(wrapped @ x, source @ x)
        numpy.testing.assert_array_equal(2 * (made @ x), source @ x)

    def test_wrapped_values_are_copied_when_a_type_is_given_only(self):
        source = support.awkward()["wide"]
        for values in laid_otherwise(source.data):
            given = source.copy()
            given.data = values
            with self.subTest(strides=values.strides):
                with self.assertRaisesRegex(ValueError, "dtype=.* has them copied"):
                    spry.matrix(given, None)
                self.assertTrue(same(spry.matrix(given, None, dtype=float), source))
                self.assertTrue(same(spry.matrix(given, "csr"), source))
                self.assertTrue(spry.select(given))

    def test_tensors_lie_as_they_are(self):
        indices, values = numpy.array([[1, 0, 1, 0], [1, 1, 0, 1]]), numpy.array([1.0, 2.0, 3.0, 4.0])
        tensor = Tensor(indices=indices, values=values, shape=(2, 2))
        dense = numpy.array([[0.0, 6.0], [3.0, 1.0]])
        torch = types.SimpleNamespace(Tensor=Tensor, strided="strided", sparse_coo="coo")
        with mock.patch.dict(sys.modules, torch=torch):
            wrapped, changing = spry.matrix(tensor, None), spry.matrix(tensor, values_change=True)
            tensor.requires_grad = True
            with self.assertRaisesRegex(TypeError, "gradient"):
                spry.matrix(tensor)
        for a in (wrapped, changing):
            self.assertTrue(same(a, sparse.csr_matrix(dense)))
            a.update(numpy.array([5.0, 1.0, 2.0, 1.0]))
            self.assertTrue(same(a, sparse.csr_matrix([[0.0, 2.0], [2.0, 5.0]])))
        self.assertEqual(values.tolist(), [5, 1, 2, 1])

    def test_other_values_than_floats(self):
        source = support.awkward()["wide"]
        for dtype in ("int64", "bool", "complex128", "longdouble"):
            with self.assertRaisesRegex(TypeError, "float32 or float64"):
                spry.matrix(source.astype(dtype))
        whole = (10 * source).astype("int64")
        self.assertTrue(same(spry.matrix(whole, dtype=float), whole.astype(float)))
        self.assertEqual(spry.matrix(source, dtype=numpy.float32).dtype, numpy.float32)
        with self.assertRaises(TypeError):
            spry.matrix(source.astype("complex128"), dtype=float)

    def test_what_is_no_matrix(self):
        for given in (numpy.eye(3), [[1.0]], None, "matrix.mtx"):
            with self.assertRaises(TypeError):
                spry.matrix(given)

    def broken(self, **arrays):
        """SciPy's matrix with other arrays, which it does not look at again."""
        made = sparse.csr_matrix(([1.0, 2.0, 3.0], [0, 1, 2], [0, 1, 2, 3]), shape=(3, 3))
        for name, array in arrays.items():
            setattr(made, name, numpy.array(array, getattr(made, name).dtype))
        return made

    def test_arrays_that_contradict_themselves(self):
        for arrays in (
            {"indices": [0, 1, 3]},
            {"indices": [0, -1, 2]},
            {"indptr": [0, 2, 1, 3]},
            {"indptr": [1, 1, 2, 3]},
            {"indptr": [0, 1, 2, 4]},
            {"indptr": [0, 1, 3]},
            {"indptr": [0, 1, 2, -3]},
            {"indptr": []},
            {"indptr": [0, 1, 2, 2**31 - 1]},
            {"data": [1.0]},
            {"indices": [0]},
        ):
            for format in (None, "auto"):
                with self.subTest(arrays=arrays), self.assertRaises(ValueError):
                    spry.matrix(self.broken(**arrays), format)
        for kind in ("csc", "coo", "bsr"):
            given = self.broken().asformat(kind)
            setattr(given, "row" if kind == "coo" else "indices", numpy.array([0, 1, 3], "int32"))
            with self.subTest(kind=kind), self.assertRaises(spry.InvalidError):
                spry.matrix(given)
        longer = self.broken(indices=[0, 1, 2, 77], data=[1, 2, 3, 4])  # more room than entries, as SciPy allows
        self.assertEqual(spry.matrix(longer).nnz, 3)


class Storages(unittest.TestCase):
    def test_each_by_name_and_back(self):
        for name, source in support.awkward().items():
            for format in FORMATS:
                a = spry.matrix(source, format)
                with self.subTest(name=name, format=format):
                    self.assertEqual(a.format, format)
                    self.assertTrue(same(a, source))
                    self.assertTrue(same(a.T, source.T))
                    self.assertTrue(same(a.transposed(), source.T))
                    self.assertTrue(same(a.convert(a.storage), source))

    def test_names(self):
        a = spry.matrix(support.awkward()["stencil"], "sell:16:64+dict8")
        self.assertEqual((a.format, a.storage), ("sell", "sell:16:64+dict8"))
        self.assertIn("sell", a.kernel)
        self.assertIn("200 x 200", repr(a))
        self.assertGreater(spry.matrix(support.awkward()["stencil"], "csr").nbytes, a.nbytes)
        for name in ("banana", "", "csr:", "sell:banana"):
            with self.assertRaisesRegex(ValueError, "storage"):
                spry.matrix(support.awkward()["stencil"], name)
        with self.assertRaises(spry.UnsupportedError):
            spry.matrix(support.awkward()["wide"], "csr+constant")

    def test_astype(self):
        source = support.awkward()["wide"]
        self.assertTrue(same(spry.matrix(source).astype("float32"), source.astype("float32")))

    def test_ranking(self):
        source = support.awkward()["stencil"]
        ranking = spry.select(source, products=1)
        self.assertEqual(ranking[0].storage, "csr")
        self.assertGreaterEqual({place.storage.partition(":")[0] for place in ranking}, {"csr", "coo", "sell"})
        self.assertIn("1. ", str(ranking))
        self.assertTrue(all(place.seconds > 0 for place in ranking if place.possible))
        self.assertEqual([place.storage for place in spry.select(spry.matrix(source, "ell"))],
                         [place.storage for place in spry.select(source)])
        measured = spry.select(source, measure=1)
        self.assertTrue(any(place.measured_seconds for place in measured))
        self.assertIn("stored as", spry.matrix(source).explain())
        self.assertEqual(spry.matrix(source, products=1).format, "csr")

    def test_too_large(self):
        wide = sparse.vstack([sparse.csr_matrix(numpy.ones((1, 20000))), sparse.identity(20000)]).tocsr()
        with self.assertRaises(spry.TooLargeError):
            spry.matrix(wide, "ell")


class Values(unittest.TestCase):
    def test_new_values_in_all_storages(self):
        for name, source in support.awkward().items():
            for format in FORMATS:
                a = spry.matrix(source, format, values_change=True)
                new = source.copy()
                new.data = numpy.random.default_rng(3).random(source.nnz)
                with self.subTest(name=name, format=format):
                    a.update(new.data)
                    self.assertTrue(same(a, new))
                    a.update(source)
                    self.assertTrue(same(a, source))
                    a.update(spry.matrix(new, "csr"))
                    self.assertTrue(same(a, new))

    def test_values_in_the_order_of_the_source(self):
        source = support.awkward()["wide"]
        for kind in ("csc", "coo", "bsr"):
            given = source.asformat(kind)
            a = spry.matrix(given, values_change=True)
            new = given.copy()
            new.data = new.data * 3
            a.update(new.data)
            self.assertTrue(same(a, new))

    def test_wrapped_values_are_the_callers(self):
        source = support.awkward()["wide"]
        a = spry.matrix(source, None)
        a.update(numpy.ones(source.nnz))
        self.assertTrue((source.data == 1).all())

    def test_wrapped_values_in_whatever_order(self):
        triplets = (numpy.array([1.0, 2.0, 3.0, 4.0, 5.0]), ([2, 0, 2, 1, 0], [0, 2, 0, 1, 1]))
        unsorted = sparse.csc_matrix(([1.0, 2.0, 3.0, 4.0], [2, 0, 1, 1], [0, 2, 3, 4]), shape=(3, 3))
        blocks = sparse.bsr_matrix((numpy.ones((2, 3, 3)), [1, 0], [0, 2]), shape=(3, 6))
        for given in (sparse.coo_matrix(triplets, shape=(3, 3)), unsorted, blocks):
            a, new = spry.matrix(given, None), given.copy()
            new.data = numpy.random.default_rng(5).random(given.data.shape)
            for values in (new.data, new.data.astype("float32"), new.data.tolist()):
                with self.subTest(kind=given.format, values=type(values)):
                    a.update(values)
                    numpy.testing.assert_array_equal(given.data, numpy.asarray(values, float))
                    numpy.testing.assert_allclose(a @ numpy.ones(a.shape[1]), new @ numpy.ones(a.shape[1]), 1e-6)
            with self.assertRaises(ValueError):
                a.update(new.data[1:])
            with self.assertRaises(TypeError):
                a.update(1j * new.data)
            numpy.testing.assert_allclose(given.data, new.data)
        copied = spry.matrix(unsorted, None, dtype="float32")
        copied.update(3 * unsorted.data)
        self.assertTrue(same(copied, (3 * unsorted).astype("float32")))

    def test_the_same_pattern_with_indices_of_another_width(self):
        source = support.awkward()["wide"]
        widths = (("int32", "int32"), ("int64", "int32"), ("int64", "int64"))

        def made(factor, pointers, indices):
            given = factor * source
            given.indptr, given.indices = given.indptr.astype(pointers), given.indices.astype(indices)
            return given

        for first in widths:
            for second in widths:
                new = made(3, *second)
                for format in ("csr", "sell", None):
                    a = spry.matrix(made(1, *first), format, values_change=True)
                    with self.subTest(first=first, second=second, format=format):
                        a.update(new)
                        self.assertTrue(same(a, 3 * source))
                        a.update(spry.matrix(made(2, *second)))
                        self.assertTrue(same(a, 2 * source))
                        a.update(spry.matrix(new, dtype="float32"))
                        self.assertTrue(same(a, (3 * source).astype("float32")))

    def test_conversions_wait_for_what_is_under_way(self):
        """On a GPU, that is: all that read the caller's arrays ask whether there is something to wait for."""
        square = support.awkward()["stencil"]
        a, m = spry.matrix(square, None), spry.Preconditioner(square)
        for call in (
            lambda: a.convert("sell"),
            lambda: a.astype("float32"),
            lambda: a.transposed(None),
            lambda: a.to("cpu"),
            lambda: a.update(square),
            lambda: a.update(square.data),
            lambda: m.update(a),
            lambda: spry.Preconditioner(a),
            lambda: spry.select(a),
        ):
            with mock.patch.object(_arrays, "settle") as settle:
                call()
            settle.assert_called_with(a.context.device)

    def test_wrapped_values_that_cannot_be_written_to(self):
        source = support.awkward()["wide"].copy()
        source.data.flags.writeable = False
        values = source.data.copy()
        for a in (spry.matrix(source, None), spry.matrix(source, None).T.T):
            for new in (2 * values, 2 * source):
                with self.assertRaisesRegex(ValueError, "cannot be written to"):
                    a.update(new)
        self.assertTrue((source.data == values).all())
        for a in (spry.matrix(source, values_change=True), spry.matrix(source, None, dtype=numpy.float32)):
            a.update(2 * values.astype(a.dtype))
            self.assertTrue(same(a, (2 * source).astype(a.dtype)))

    def test_refusals(self):
        source = support.awkward()["wide"]
        a = spry.matrix(source)
        for other in (a, spry.matrix(source).convert(values_change=True),
                      spry.matrix(a, "csr", values_change=True)):
            with self.assertRaisesRegex(ValueError, "of the caller's arrays with values_change=True"):
                other.update(source.data)
            other.update(2 * source)
            self.assertTrue(same(other, 2 * source))
            other.update(source)
        with self.assertRaises(spry.PatternError):
            a.update(sparse.random(30, 300, 0.1, format="csr", random_state=9))
        changing = spry.matrix(source, values_change=True)
        for values in (source.data[1:], numpy.zeros((1, source.nnz))):
            with self.assertRaises(ValueError):
                changing.update(values)
        with self.assertRaisesRegex(ValueError, "A.T"):
            changing.T.update(source.data)
        with self.assertRaises(spry.PatternError):
            changing.update(source.T.tocsr())
        self.assertTrue(same(changing, source))


class Files(unittest.TestCase):
    def test_read_and_write(self):
        source = support.awkward()["wide"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gr\u00fc\u00dfe.mtx")
            spry.matrix(source).write(path)
            self.assertTrue(same(spry.read(path), source))
            self.assertTrue(same(sparse_of(path), source))
            self.assertEqual(spry.read(str(path), None).format, "coo")
            self.assertEqual(spry.read(path, "csr", dtype="float32").dtype, numpy.float32)
            packed = pathlib.Path(folder, "a.mtx.gz")
            packed.write_bytes(gzip.compress(path.read_bytes()))
            self.assertTrue(same(spry.read(packed), source))

    def test_files_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(FileNotFoundError):
                spry.read(pathlib.Path(folder, "none.mtx"))
            wrong = pathlib.Path(folder, "wrong.mtx")
            wrong.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n")
            with self.assertRaisesRegex(spry.FileSyntaxError, "wrong.mtx:3") as caught:
                spry.read(wrong)
            self.assertIsInstance(caught.exception, ValueError)
            self.assertIsInstance(caught.exception, spry.SpryError)
            with self.assertRaises(OSError):
                spry.read(folder)
            with self.assertRaises(OSError):
                spry.matrix(support.awkward()["wide"]).write(pathlib.Path(folder, "no", "where.mtx"))
            with self.assertRaises(ValueError):
                spry.read("a\0b.mtx")


def sparse_of(path):
    return spry.matrix(scipy.io.mmread(str(path)).tocsr())


if __name__ == "__main__":
    sys.exit(support.run())
