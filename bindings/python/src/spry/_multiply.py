# SPDX-License-Identifier: BSD-3-Clause
"""Products with a matrix: most of them by a short way, all others with what there is to be said of them."""

import ctypes
import functools
import threading

import numpy

from . import _arrays, _context, _sparse
from ._context import InMemory
from ._library import OP, Operator, lib

_spmv, _address_of = lib.spry_spmv, _arrays.address_of
# Once more, without the types of its arguments: they come ready, as ctypes hands them on, which halves a call's cost.
_spmv_ready = lib["spry_spmv"]
_void, _double = ctypes.c_void_p.from_param, ctypes.c_double.from_param
_OPS = {op: ctypes.c_int.from_param(op) for op in OP.values()}
ONE, ZERO = 1.0, 0.0
_ONE, _ZERO = _double(ONE), _double(ZERO)
_plain, _empty, _place, _HEADER = _arrays.plain_type(), numpy.empty, ctypes.c_void_p.from_address, _arrays.HEADER
_by_type = _arrays.by_type


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


class Multiplies(InMemory):
    """What a matrix has for being multiplied by."""

    __array_ufunc__ = None  # x @ A is asked of A, not of x
    __array_priority__ = 20.0

    def _make_ready(self):
        """What a product takes: the type, shape and place of x, the length of y, what is called, and with which
        matrix."""
        rows, cols = self.shape
        multiply = _multiply_by(self._pointer, self._op, rows == cols)
        self._ready = (self.dtype, (cols,), self._context.device, rows, multiply, _void(self._pointer))

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
        if alpha is not ONE or beta is not ZERO:
            alpha, beta = ctypes.c_double(alpha).value, ctypes.c_double(beta).value  # a TypeError where they are no numbers
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
        if isinstance(x, Multiplies) or _sparse.is_sparse(x):
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
