# SPDX-License-Identifier: BSD-3-Clause
"""Matrices: made, multiplied by, given new values."""

import ctypes
import functools
import os
import threading

import numpy

from . import _arrays, _context, _sparse
from ._context import Context, InMemory
from ._library import (FORMAT, INDEX_TYPE, OP, STORAGE_TEXT, VALUE_TYPE, ConvertOptions, Csr, KernelInfo, Operator,
                       ReadOptions, Storage, lib)

_spmv, _address_of = lib.spry_spmv, _arrays.address_of
# Once more, without the types of its arguments: they come ready, as ctypes hands them on, which halves a call's cost.
_spmv_ready = lib["spry_spmv"]
_void, _double = ctypes.c_void_p.from_param, ctypes.c_double.from_param
_OPS = {op: ctypes.c_int.from_param(op) for op in OP.values()}
ONE, ZERO = 1.0, 0.0
_ONE, _ZERO = _double(ONE), _double(ZERO)
_plain, _empty, _place, _HEADER = _arrays.plain_type(), numpy.empty, ctypes.c_void_p.from_address, _arrays.HEADER
_by_type = _arrays.by_type
_DTYPES = {number: dtype for dtype, number in _sparse.TYPES.items()}
_INDEX_DTYPES = {
    INDEX_TYPE["I32"]: (_sparse.I32, _sparse.I32), INDEX_TYPE["I32P64"]: (_sparse.I64, _sparse.I32),
    INDEX_TYPE["I64"]: (_sparse.I64, _sparse.I64),
}


@functools.lru_cache
def _function_at(address):
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)


def _multiply_by(pointer, op, is_square):
    """y = A x or y = Aᵀ x, as a function of a context, the matrix, x and y, all of them ready. For A the library has
    one with just these arguments, as an operator: fewer arguments cost less."""
    if op == OP["N"] and is_square:
        operator = Operator()
        lib.spry_operator_set_matrix(pointer, ctypes.addressof(operator), ctypes.sizeof(operator))
        return _function_at(operator.apply)
    ready = _OPS[op]
    return lambda context, matrix, x, y: _spmv_ready(context, ready, _ONE, matrix, x, _ZERO, y)


class _Here(threading.local):
    """What products on the CPU take: the calling thread's handle of the default context."""

    def __init__(self):
        self.handle = _context.default().handle().ready


_here = _Here()


def _storage(text):
    storage = Storage()
    if lib.spry_storage_parse(text.encode(), ctypes.addressof(storage), None):
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


class Matrix(InMemory):
    """A sparse matrix in the storage that multiplies fastest; immutable but for `update`. Made by `spry.matrix`,
    `spry.read`, or another matrix. Any number of threads may multiply by it at once.

    shape, dtype  as in SciPy; dtype is float32 or float64, and vectors have the same
    T             its transpose: another view of the same matrix
    """

    __array_ufunc__ = None  # x @ A is asked of A, not of x
    __array_priority__ = 20.0
    ndim = 2

    def __init__(self, owned, context, op="N", parts=None):
        self._owned, self._context, self._op, self._parts = owned, context, OP[op], parts
        self._pointer = pointer = owned.pointer
        shape = (lib.spry_matrix_rows(pointer), lib.spry_matrix_cols(pointer))
        self.shape = shape if op == "N" else shape[::-1]
        self.dtype = _DTYPES[lib.spry_matrix_type(pointer)]
        self._on_host = context.backend == "cpu"
        # What a product takes: the type, shape and place of x, the length of y, what is called, and with which matrix.
        multiply = _multiply_by(pointer, self._op, shape[0] == shape[1])
        self._ready = (self.dtype, (self.shape[1],), context.device, self.shape[0], multiply, _void(pointer))

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
                       between products
        dtype          float32 or float64, to convert values first; without it, they have to be one of these
        products       "auto": how many products will follow, so that a conversion that does not pay is not made; None:
                       many
        measure        "auto": how many storages to build and time, besides CSR; 0: none, the prediction decides
        values_change  True: values will be replaced (`update`). They are kept plain, and the pattern of `source` is
                       kept alive
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
        device = parts.device()
        target = _context_of(context, device)
        if device is not None and (target.backend, target.device) != ("cuda", device):
            raise ValueError(f"the matrix is on CUDA device {device}, and the context is {target!r}")
        there = _context.default() if device is None and target.backend == "cuda" else target
        wrapped = cls(_sparse.wrap(_handle_for(there, parts.family(), device), parts, dtype), there, parts=parts)
        if there is not target:
            wrapped = wrapped.to(target)
        if format is None:
            return wrapped
        made = wrapped.convert(
            format, products=products, measure=measure, values_change=values_change, fill_limit=fill_limit
        )
        made._parts = parts.pattern() if values_change else None
        return made

    def _made(self, function, *arguments):
        """The matrix that a function of the library makes in this one's context."""
        return Matrix(self._handle().make(function, lib.spry_matrix_destroy, *arguments), self._context)

    def _handle(self, family=None):
        """What this thread calls with; in the stream that the arrays of a family are used in."""
        if self._on_host:
            return _context.default().handle() if family else self._context.handle()
        return _handle_for(self._context, family, self._context.device)

    def convert(
        self, format="auto", *, products=None, measure=0, values_change=False, fill_limit=None, hyb_quantile=None
    ):
        """A copy in another storage; arguments as of `spry.matrix`."""
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
        return self._made(lib.spry_cast, self._pointer, kind, lib.spry_matrix_index(self._pointer))

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
        handle = there.handle()
        run = self._handle().run if there.backend == "cpu" else handle.run
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

    # ---- products ----

    def __matmul__(self, x):
        # The way of most products, without a look that can be spared: all else goes by dot.
        dtype, takes, device, gives, multiply, pointer = self._ready
        if (type(x) is _plain and x.dtype is dtype and x.shape == takes and device is None
                and ((flags := x.flags).carray or flags.c_contiguous and flags.aligned)):
            y = _empty(gives, dtype)
            if not multiply(_here.handle, pointer, _place(id(x) + _HEADER), _place(id(y) + _HEADER)):
                return y
        elif device is not None and (y := self._in_stream(x)) is not None:
            return y
        return self._product(x, None, 1.0, 0.0)

    def _in_stream(self, x, out=None, alpha=ONE, beta=ZERO):
        """As dot, on a GPU, where x and out are just as a product takes them and the matrix's device is the current
        one; else None."""
        dtype, takes, device, gives, multiply, pointer = self._ready
        family = _by_type.get(type(x))
        here = family and family.plain(x, dtype, takes, device)
        handle = here and gives and self._context.known(family.number(family.current(device)))
        if not handle or not handle.is_current():
            return None
        if out is None:
            out, there = family.vector(x, gives)
        else:
            there = family.plain(out, dtype, (gives,), device) if type(out) is type(x) else None
            size = dtype.itemsize
            if not there or here < there + gives * size and there < here + takes[0] * size:
                return None
        if alpha is ONE and beta is ZERO:
            failed = multiply(handle.ready, pointer, _void(here), _void(there))
        else:
            failed = _spmv(handle.ready, self._op, alpha, pointer, here, beta, there)
        return None if failed else out

    def dot(self, x, out=None, *, alpha=ONE, beta=ZERO):
        """alpha A x + beta out, for a vector, or for several as the columns of a two-dimensional array.

        x      of NumPy, CuPy, PyTorch or with their protocols, where the matrix is, of its type. On the CPU, whole
               numbers, lists and smaller types are converted
        out    where the result goes, as `x`; without it, a new array like `x`. It shares no value with x
        """
        dtype, takes, device, gives, multiply, pointer = self._ready
        if (type(x) is _plain and type(out) is _plain and x.dtype is dtype and out.dtype is dtype and x.shape == takes
                and out.shape == (gives,) and device is None and out.flags.carray
                and ((flags := x.flags).carray or flags.c_contiguous and flags.aligned)):
            from_x, to_out = _place(id(x) + _HEADER), _place(id(out) + _HEADER)
            here, there = from_x.value or 0, to_out.value or 0
            if here + x.nbytes <= there or there + out.nbytes <= here:
                if alpha is ONE and beta is ZERO:
                    failed = multiply(_here.handle, pointer, from_x, to_out)
                else:
                    failed = _spmv(_here.handle, self._op, alpha, pointer, from_x, beta, to_out)
                if not failed:
                    return out
        elif device is not None and (out is not None or beta == 0):
            done = self._in_stream(x, out, alpha, beta)
            if done is not None:
                return done
        return self._product(x, out, alpha, beta)

    def _product(self, x, out, alpha, beta):
        if isinstance(x, Matrix) or _sparse.is_sparse(x):
            raise TypeError("x is a sparse matrix: there are products with dense vectors and matrices only")
        x = _arrays.imported(x)
        family = _arrays.family(x)
        given = self._read(family, x, "x", self.shape[1])
        if out is None:
            if beta != 0:
                raise ValueError("beta is a factor of out, and there is no out")
            new = family.empty((self.shape[0], *given.shape[1:]), self.dtype, given.by_columns(), self._context.device)
            result = self._result(family if not self._on_host else _arrays.NUMPY, new)
            back = family.given_back(new)
        else:
            result, back = self._result(_arrays.family(out), out), out
            if result.shape != (self.shape[0], *given.shape[1:]):
                raise ValueError(
                    f"out has the shape {result.shape}, and the result {(self.shape[0], *given.shape[1:])}"
                )
            self._check_apart(family, given, result)
        if 0 not in result.shape:
            self._multiply(self._handle(family), given, result, alpha, beta)
        return back

    def _read(self, family, x, what, length):
        given = family.read(x, self.dtype, what)
        self._check_place(given, what)
        if len(given.shape) not in (1, 2):
            raise ValueError(f"{what} has {len(given.shape)} dimensions: it is a vector, or several as columns")
        if given.shape[0] != length:
            raise ValueError(
                f"{what} has the shape {given.shape}, and the matrix {self.shape}: {length} rows are expected"
            )
        return given

    def _result(self, family, out):
        result = family.written(out, self.dtype, "out")
        self._check_place(result, "out")
        return result

    def _check_place(self, given, what):
        if given.device != self._context.device:
            raise TypeError(
                f"{what} is {given.place()}, and the matrix on {self.device}: copy one of them, as by A.to()"
            )

    def _check_apart(self, family, x, out):
        (a, b), (c, d) = x.range(self.dtype.itemsize), out.range(self.dtype.itemsize)
        if a < d and c < b and family.overlap(x, out):
            raise ValueError("out shares memory with x, which is still read when out is written")

    def _multiply(self, handle, x, y, alpha, beta):
        if x.is_vector() and y.is_vector():
            handle.call(_spmv, self._op, alpha, self._pointer, x.pointer, beta, y.pointer)
        else:
            x_view, y_view = x.view(), y.view()
            handle.call(lib.spry_spmm, self._op, alpha, self._pointer, _address_of(x_view), beta, _address_of(y_view))

    def __rmatmul__(self, x):
        """x A, of rows: the transpose of Aᵀ xᵀ."""
        if not hasattr(x, "ndim"):
            x = numpy.asarray(x, self.dtype)
        return self.T @ x if x.ndim != 2 else (self.T @ x.T).T

    def matvec(self, x):
        """A x, as SciPy's linear operators call it."""
        return self @ x

    def rmatvec(self, x):
        """Aᵀ x"""
        return self.T @ x

    matmat, rmatmat = matvec, rmatvec

    # ---- values ----

    def update(self, values):
        """Replace the values; the pattern stays. No product may run meanwhile.

        values  a sparse matrix with the same pattern, or, where the matrix was made with values_change=True or
                format=None, an array of the values alone, in the order of the matrix that it was made of
        """
        self._not_transposed("update")
        if isinstance(values, Matrix):
            new = values
        else:
            if _sparse.is_sparse(values):
                parts = _sparse.parts_of(values)
            elif self._parts is None:
                raise ValueError(
                    "update takes values alone where the matrix was made with values_change=True or format=None"
                )
            else:
                parts = self._parts.with_values(
                    values if hasattr(values, "dtype") else numpy.asarray(values, self.dtype)
                )
            new = self._wrapped(parts)
        if new._op:
            new = new.T.transposed(None)
        if new.device != self.device:
            new = new.to(self._context)
        if new.format != "csr":
            new = new.convert("csr")
        _arrays.settle(self._context.device)
        self._handle().call(lib.spry_update_values, self._pointer, new._pointer)

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
        pointer, index = _INDEX_DTYPES[lib.spry_matrix_index(csr._pointer)]
        return kind((_copied(arrays.val, csr.nnz, csr.dtype), _copied(arrays.idx, csr.nnz, index),
                     _copied(arrays.ptr, csr.shape[0] + 1, pointer)), shape=csr.shape)

    def write(self, path):
        """Write a Matrix Market file."""
        self._not_transposed("write")
        self._handle().call(lib.spry_write, os.fsencode(path), self._pointer)


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
    unpack_limit  most bytes that a compressed file may unpack to; 0: 256 MiB, or 100 times its own size
    format, context, and other options, as of `spry.matrix`; format None: as coordinates, as they stand in the file
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
