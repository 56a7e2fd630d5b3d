# SPDX-License-Identifier: BSD-3-Clause
"""Matrices: made, described, given new values. What multiplies by them is in _multiply.py."""

import ctypes
import os

import numpy

from . import _arrays, _context, _sparse
from ._context import Context
from ._library import (FORMAT, INDEX_TYPE, OP, STORAGE_TEXT, VALUE_TYPE, ConvertOptions, Csr, KernelInfo, ReadOptions,
                       Storage, lib)
from ._multiply import Multiplies

_DTYPES = {number: dtype for dtype, number in _sparse.TYPES.items()}
_INDEX_DTYPES = {
    INDEX_TYPE["I32"]: (_sparse.I32, _sparse.I32), INDEX_TYPE["I32P64"]: (_sparse.I64, _sparse.I32),
    INDEX_TYPE["I64"]: (_sparse.I64, _sparse.I64),
}


def _storage(text):
    storage = Storage()
    if not isinstance(text, str) or lib.spry_storage_parse(text.encode(), ctypes.addressof(storage), None):
        raise ValueError(f"{text!r} is no storage format: 'auto', or a name such as 'csr', 'sell:32:1024', 'csr+dict8'")
    return storage


def _not_none(**options):
    return {name: value for name, value in options.items() if value is not None}


def _context_of(context, device):
    """The context that was named, or the default one where the arrays lie."""
    if context is None:
        return _context.default("cpu" if device is None else "cuda", device)
    if not isinstance(context, Context):
        raise TypeError(f"context is a spry.Context, not a {type(context).__name__}")
    return context


class Matrix(Multiplies):
    """A sparse matrix in the storage that multiplies fastest; immutable but for `update`. Made by `spry.matrix`,
    `spry.read`, or another matrix. Any number of threads may multiply by it at once.

    shape, dtype  as in SciPy; dtype is float32 or float64, and vectors have the same
    T             its transpose: another view of the same matrix
    """

    ndim = 2

    def __init__(self, owned, context, op="N", parts=None):
        self._owned, self._context, self._op, self._parts = owned, context, OP[op], parts
        self._pointer = pointer = owned.pointer
        shape = (lib.spry_matrix_rows(pointer), lib.spry_matrix_cols(pointer))
        self.shape = shape if op == "N" else shape[::-1]
        self.dtype = _DTYPES[self._types()[0]]
        self._on_host = context.backend == "cpu"
        self._make_ready()

    # ---- making one ----

    @classmethod
    def from_scipy(
        cls,
        source,
        format="auto",
        *,
        dtype=None,
        products=None,
        measure=0,
        values_change=False,
        fill_limit=None,
        context=None,
    ):
        """A matrix of the entries of `source`: a matrix of SciPy's, of cupyx.scipy.sparse, a sparse tensor of
        PyTorch's, or a Matrix.

        format         "auto": the storage that should be fastest; a storage by name ("csr", "sell:32:1024"); None: the
                       arrays of `source` as they are, without a copy. They are kept alive, and their pattern must stay
                       as it is (no sort_indices(), sum_duplicates(), eliminate_zeros()); their values may change
                       between products. Values that cannot be taken as they lie (strided, not aligned) are a
                       ValueError. What has a format that is not wrapped is copied into CSR first
        dtype          float32 or float64, to convert values first, a copy of them with format=None too where one is
                       needed; without it, they have to be one of these
        products       "auto": how many products will follow, so that a conversion that does not pay is not made; None:
                       many
        measure        "auto": how many storages to build and time, besides CSR; 0: none, the prediction decides
        values_change  True: values will be replaced (`update`). They are kept plain, not as stencils, and the pattern of
                       `source` is kept alive, for values alone in its order; not that of a Matrix, which takes sparse
                       matrices
        fill_limit     largest size of ELL, HYB, SELL, shapes, BSR and DIA as a multiple of CSR's; None: 10
        context        a spry.Context; None: the CPU, or the GPU that the arrays are on

        Entries at the same place are added up where `source` is COO, and kept as they are in other formats; indices
        need not be sorted.
        """
        if isinstance(source, Matrix):
            if dtype is not None and numpy.dtype(dtype) != source.dtype:
                source = source.astype(dtype)
            if context is not None and context is not source._context:
                source = source.to(context)
            return source if format is None else source.convert(
                format, products=products, measure=measure, values_change=values_change, fill_limit=fill_limit)
        parts = _sparse.parts_of(source)
        wrapped = cls._wrapping(parts, dtype, context)
        if format is None:
            if dtype is None and _sparse.has_copied(wrapped._owned, parts):
                raise ValueError("format=None multiplies by the values as they lie, and these are strided or not "
                                 "aligned: dtype=… has them copied")
            return wrapped
        made = wrapped.convert(
            format, products=products, measure=measure, values_change=values_change, fill_limit=fill_limit
        )
        made._parts = parts.pattern() if values_change else None
        return made

    @classmethod
    def _wrapping(cls, parts, dtype, context):
        """Arrays as they are, or copies of those that the library cannot take so; a copy of all in a context that works
        elsewhere."""
        device = parts.device()
        target = _context_of(context, device)
        if device is not None and (target.backend, target.device) != ("cuda", device):
            raise ValueError(f"the matrix is on CUDA device {device}, and the context is {target!r}")
        there = _context.default() if device is None and target.backend == "cuda" else target
        wrapped = cls(_sparse.wrap(_handle_for(there, parts.family(), device), parts, dtype), there, parts=parts)
        return wrapped if there is target else wrapped.to(target)

    def _made(self, function, *arguments):
        """The matrix that a function of the library makes in this one's context."""
        return Matrix(self._settled().make(function, lib.spry_matrix_destroy, *arguments), self._context)

    def _handle(self, family=None):
        """What this thread calls with; in the stream that the arrays of a family are used in."""
        return _handle_for(self._context, family, self._context.device)

    def _settled(self):
        """What this thread calls with outside of the caller's streams, which have ended what they have to do with the
        caller's arrays."""
        _arrays.settle(self._context.device)
        return self._handle()

    def _types(self):
        """Of the values and the indices, as the library has them."""
        return lib.spry_matrix_type(self._pointer), lib.spry_matrix_index(self._pointer)

    def _cast(self, types):
        """A copy with other types; the matrix itself where it has these."""
        return self if self._types() == types else self._made(lib.spry_cast, self._pointer, *types)

    def convert(
        self, format="auto", *, products=None, measure=0, values_change=False, fill_limit=None, hyb_quantile=None
    ):
        """A copy in another storage; arguments as of `spry.matrix`. It is updated by sparse matrices, not by values
        alone."""
        self._not_transposed("convert")
        options = ConvertOptions(measure=measure, values_change=bool(values_change),
                                 **_not_none(products=products, fill_limit=fill_limit, hyb_quantile=hyb_quantile))
        if format == "auto":
            return self._made(lib.spry_convert, self._pointer, FORMAT["AUTO"], ctypes.addressof(options))
        storage = _storage(format)
        return self._made(lib.spry_convert_to, self._pointer, ctypes.addressof(storage), ctypes.addressof(options))

    def astype(self, dtype):
        """A copy with values of float32 or float64."""
        self._not_transposed("astype")
        kind = _sparse.TYPES[_sparse.value_type(dtype)]
        return self._made(lib.spry_cast, self._pointer, kind, self._types()[1])

    def transposed(self, format="auto", **options):
        """The transpose as a matrix of its own, in its own storage: for many products with it, faster than A.T."""
        made = self.T if self._op else self._made(lib.spry_transpose, self._pointer)
        return made if format is None else made.convert(format, **options)

    def to(self, context):
        """A copy where another context works: a spry.Context, "cpu" or "cuda"."""
        if isinstance(context, str):
            context = _context.default(context)
        self._not_transposed("to")
        there = _context_of(context, None)
        # The side that is a device copies, and has to be the current one.
        handle, here = there.handle(), self._settled()
        run = here.run if there.backend == "cpu" else handle.run
        made = ctypes.c_void_p()
        status = run(lib.spry_matrix_copy, handle.pointer, self._pointer, ctypes.addressof(made))
        if status:
            raise handle.error(status)
        return Matrix(_context.Owned(made.value, lib.spry_matrix_destroy, (), handle.run), there)

    def _not_transposed(self, what):
        if self._op:
            raise ValueError(f"{what}: not for the view A.T; A.transposed() is a matrix of its own")

    @property
    def T(self):
        return Matrix(self._owned, self._context, "N" if self._op else "T", self._parts)

    def transpose(self):
        """A.T"""
        return self.T

    def __copy__(self):
        return self.T.T

    # ---- what it is ----

    @property
    def nnz(self):
        """Entries, explicit zeros and duplicates among them."""
        return lib.spry_matrix_nnz(self._pointer)

    @property
    def nbytes(self):
        """Bytes of its arrays, whoever owns them."""
        return lib.spry_matrix_bytes(self._pointer)

    @property
    def format(self):
        """The name of its layout: "csr", "sell", …"""
        return lib.spry_format_name(lib.spry_matrix_format(self._pointer)).decode()

    @property
    def storage(self):
        """How it is stored, with all parameters and codes, as `format` takes it: "sell:32:1024+f32"."""
        storage, text = Storage(), ctypes.create_string_buffer(STORAGE_TEXT)
        lib.spry_matrix_storage(self._pointer, ctypes.addressof(storage))
        lib.spry_storage_text(ctypes.addressof(storage), ctypes.addressof(text), len(text))
        return text.value.decode()

    @property
    def kernel(self):
        """The name of the kernel that multiplies by it."""
        return kernel_name(lib.spry_kernel_for(self._pointer, self._op))

    @property
    def context(self):
        return self._context

    @property
    def device(self):
        """"cpu", or "cuda:0" and so on."""
        return "cpu" if self._on_host else f"cuda:{self._context.device}"

    def __repr__(self):
        rows, cols = self.shape
        return (
            f"<{rows} x {cols} {'transpose of a ' if self._op else ''}spry.Matrix of {self.dtype}, {self.nnz} entries "
            f"in {self.storage}, on {self.device}>"
        )

    def explain(self, **options):
        """How it is stored, and the ranking of all storages, in text; options as of `spry.select`."""
        from ._select import select
        return (
            f"stored as {self.storage}, {self.nbytes} bytes, multiplied by {self.kernel}\n\n{select(self, **options)}"
        )

    # ---- values ----

    def update(self, values):
        """Replace the values; the pattern stays. No product may run meanwhile.

        values  a sparse matrix with the same pattern, or, where the matrix was made by spry.matrix of the caller's arrays
                with values_change=True or format=None, an array of the values alone, in the order of these arrays

        A matrix made with format=None has the caller's own values, which are written to; those that cannot be are a
        ValueError.
        """
        self._not_transposed("update")
        own = self._owned.values
        if isinstance(own, numpy.ndarray) and not own.flags.writeable:
            raise ValueError("update: the values are those of the source, and cannot be written to")
        if isinstance(values, Matrix):
            self._take_values_of(values)
        elif _sparse.is_sparse(values):
            self._take_values_of(self._wrapped(_sparse.parts_of(values)))
        elif self._parts is None:
            raise ValueError("update takes values alone where spry.matrix made the matrix of the caller's arrays with "
                             "values_change=True, or with format=None; not where read or convert made it")
        else:
            parts = self._parts.with_values(values if hasattr(values, "dtype") else numpy.asarray(values, self.dtype))
            self._take_values(parts)

    def _take_values(self, parts):
        """Those of parts with the very pattern that the matrix was made of. An array of the caller's gets them as they
        lie: the library would look for their places, and COO in any order, with duplicates, has none to be found."""
        parts.device()
        parts = parts.with_values(_sparse.values_of(parts, self.dtype))
        own, family = self._owned.values, parts.family()
        if own is None or _arrays.family(own) is not family:
            self._take_values_of(self._wrapped(parts))
            return
        _arrays.settle(self._context.device)
        family.assign(own, parts.values)
        _arrays.settle(self._context.device)

    def _take_values_of(self, new):
        if new._op:
            new = new.T.transposed(None)
        if new.device != self.device:
            new = new.to(self._context)
        if new.format != "csr":
            new = new.convert("csr")
        new = new._cast(self._types())
        self._settled().call(lib.spry_update_values, self._pointer, new._pointer)

    def _wrapped(self, parts):
        device = parts.device()
        there = self._context if device == self._context.device else _context_of(None, device)
        return Matrix(_sparse.wrap(_handle_for(there, parts.family(), device), parts, self.dtype), there)

    def to_scipy(self):
        """A scipy.sparse.csr_array with the same entries, in host memory. (csr_matrix, where SciPy is older than
        1.8.)"""
        import scipy.sparse
        kind = getattr(scipy.sparse, "csr_array", scipy.sparse.csr_matrix)
        if self._op:
            return self.T.transposed(None).to_scipy()
        if not self._on_host:
            return self.to("cpu").to_scipy()
        csr = self.convert("csr")
        arrays = Csr.from_address(lib.spry_matrix_csr(csr._pointer))
        pointer, index = _INDEX_DTYPES[csr._types()[1]]
        return kind((_copied(arrays.val, csr.nnz, csr.dtype), _copied(arrays.idx, csr.nnz, index),
                     _copied(arrays.ptr, csr.shape[0] + 1, pointer)), shape=csr.shape)

    def write(self, path):
        """Write a Matrix Market file."""
        self._not_transposed("write")
        self._settled().call(lib.spry_write, os.fsencode(path), self._pointer)


def _handle_for(context, family, device):
    return context.handle(family.stream(device) if family and context.backend == "cuda" else None)


def _copied(address, count, dtype):
    """An array of its own with what lies at an address."""
    if count == 0:
        return numpy.empty(0, dtype)
    return numpy.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(address), dtype).copy()


def kernel_name(kernel):
    if not kernel:
        return None
    info = KernelInfo()
    lib.spry_kernel_get_info(kernel, ctypes.addressof(info), ctypes.sizeof(info))
    return info.name.decode()


def matrix(source, format="auto", **options):
    """Matrix.from_scipy"""
    return Matrix.from_scipy(source, format, **options)


matrix.__doc__ = Matrix.from_scipy.__doc__


def read(path, format="auto", *, dtype=numpy.float64, real_part=False, unpack_limit=0, context=None, **options):
    """Read a Matrix Market file: plain, gzipped, or a .tar.gz of the SuiteSparse collection.

    dtype         float32 or float64
    real_part     True: of complex values keep the real part, which are refused otherwise
    unpack_limit  most bytes that a compressed file, an archive or a pipe may come to; 0: 256 MiB, or 100 times its own size
    format, context, and other options, as of `spry.matrix`; format None: as coordinates, as they stand in the file.
    What was read is updated by sparse matrices, not by values alone
    """
    os.stat(path)  # a file that is not there is the FileNotFoundError that Python has for it
    target = _context_of(context, None)
    dtype = _sparse.value_type(dtype)
    how = ReadOptions(
        as_f32=VALUE_TYPE["F32"] == _sparse.TYPES[dtype], real_part=bool(real_part), unpack_limit=unpack_limit
    )
    stored = _read(target.handle(), os.fsencode(path), how, target)
    return stored if format is None else stored.convert(format, **options)


def _read(handle, path, how, context):
    made = ctypes.c_void_p()
    handle.call(lib.spry_read, path, ctypes.addressof(how), ctypes.addressof(made), None)
    return Matrix(_context.Owned(made.value, lib.spry_matrix_destroy, (), handle.run), context)
