# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of the caller, of NumPy, CuPy and PyTorch and of whatever speaks their protocols: where they lie, what new
ones are made like them, and which stream their owner works in."""

import ctypes
import sys

import numpy

from . import _driver
from ._library import View

address_of, buffer = ctypes.addressof, ctypes.c_char.from_buffer
LEGACY_STREAM = 1  # cudaStreamLegacy, which is the default stream
NOWHERE = 64  # stands for the address of an array without values, which some libraries keep nowhere
SEARCH = 10000  # steps to find out whether two arrays share a value
HEADER = object.__basicsize__  # where NumPy's arrays have the address of their values, behind what all objects have


def address(array):
    """Where the values of a NumPy array begin."""
    try:
        return address_of(buffer(array))
    except (TypeError, ValueError):  # it cannot be written to, is empty, or has gaps
        return array.ctypes.data


def plain_type():
    """numpy.ndarray, where the address of an array's values can be read at id(array) + HEADER; else None.

    There it has to be for all that is compiled for NumPy (PyArrayObject_fields in its ndarraytypes.h), and in CPython
    id() says where an object lies. To read it there takes a ninth of what array.ctypes does."""
    if sys.implementation.name != "cpython":
        return None
    tried = numpy.empty(3), numpy.empty(5)[1:]
    there = [ctypes.c_void_p.from_address(id(array) + HEADER).value for array in tried]
    return numpy.ndarray if there == [array.ctypes.data for array in tried] else None


class Stream:
    """A CUDA stream of the caller's: its number, and an object that keeps it alive."""

    __slots__ = ("number", "owner")

    def __init__(self, number, owner=None):
        self.number, self.owner = 0 if number == LEGACY_STREAM else number, owner


class Strided:
    """An array where it lies: address, shape, strides in values, and the device, None for the host."""

    __slots__ = ("pointer", "shape", "strides", "device", "array")

    def __init__(self, array, pointer, shape, strides, device):
        self.array, self.pointer, self.shape = array, pointer or NOWHERE, tuple(shape)
        self.strides, self.device = tuple(strides), device

    def is_vector(self):
        """Values of a vector are one after the other."""
        return len(self.shape) == 1 and (self.strides[0] == 1 or self.shape[0] <= 1)

    def view(self):
        """As rows and columns; a vector is one column."""
        cols, col_stride = (self.shape[1], self.strides[1]) if len(self.shape) == 2 else (1, 1)
        return View(data=self.pointer, rows=self.shape[0], cols=cols, row_stride=self.strides[0], col_stride=col_stride)

    def transposed(self):
        return Strided(self.array, self.pointer, self.shape[::-1], self.strides[::-1], self.device)

    def by_columns(self):
        return len(self.shape) == 2 and self.strides[0] == 1 and self.strides[1] != 1

    def range(self, size):
        """The first byte, and the first one behind, of values that have `size` bytes."""
        if 0 in self.shape:
            return 0, 0
        steps = [(n - 1) * s * size for n, s in zip(self.shape, self.strides)]
        return self.pointer + sum(s for s in steps if s < 0), self.pointer + sum(s for s in steps if s > 0) + size

    def place(self):
        return "in host memory" if self.device is None else f"on CUDA device {self.device}"


def _strides(array_strides, shape, size, what):
    """In values, from bytes."""
    if any(s % size for s, n in zip(array_strides, shape) if n > 1):
        raise ValueError(f"{what} has strides that are no multiple of its values' {size} bytes")
    return [s // size if n > 1 else s // size or 1 for s, n in zip(array_strides, shape)]


def _wrong_type(what, found, dtype):
    return TypeError(
        f"{what} has values of {found}, and the matrix of {dtype}, which it multiplies in: convert one of them"
    )


class NumPy:
    """NumPy's, and what becomes an array of it."""

    device = None

    def read(self, x, dtype, what):
        """To be read from: whole numbers become the matrix's type, and what is no array yet."""
        if not isinstance(x, numpy.ndarray):
            x = (
                numpy.asarray(x)
                if hasattr(x, "__array__") or hasattr(x, "__array_interface__")
                else numpy.asarray(x, dtype)
            )
        if isinstance(x, numpy.ma.MaskedArray):
            raise TypeError(f"{what} has a mask: {what}.filled(…) has values everywhere")
        if x.dtype != dtype:
            if x.dtype.kind not in "biu" and not numpy.can_cast(x.dtype, dtype, "safe"):
                raise _wrong_type(what, x.dtype, dtype)
            x = x.astype(dtype)
        if not x.flags.aligned or any(s % dtype.itemsize for s in x.strides):
            x = numpy.array(x)
        return self.strided(x, what)

    def written(self, x, dtype, what):
        """To be written to, as it is."""
        if not isinstance(x, numpy.ndarray):
            raise TypeError(f"{what} is a {type(x).__name__}, not an array that can be written to")
        if x.dtype != dtype or not x.dtype.isnative:
            raise _wrong_type(what, x.dtype, dtype)
        if not x.flags.writeable or not x.flags.aligned:
            raise ValueError(f"{what} cannot be written to" if not x.flags.writeable else f"{what} is not aligned")
        return self.strided(x, what)

    def strided(self, x, what):
        return Strided(x, address(x), x.shape, _strides(x.strides, x.shape, x.itemsize, what), None)

    def empty(self, shape, dtype, by_columns, device):
        return numpy.empty(shape, dtype, "F" if by_columns else "C")

    def contiguous(self, x, dtype):
        return numpy.require(x, dtype, ["C", "A"])

    def assign(self, x, values):
        x[...] = values

    def copy(self, x):
        return numpy.array(x, order="C")

    def given_back(self, x):
        return x

    def stream(self, device):
        return None

    def settle(self, device):
        """Wait for what has to do with arrays of the caller."""

    def overlap(self, x, y):
        try:
            return numpy.shares_memory(x.array, y.array, max_work=SEARCH)
        except RuntimeError:  # it could not be told in that many steps
            return True


class HostTorch(NumPy):
    """PyTorch's on the CPU: NumPy's view of the same memory."""

    def read(self, x, dtype, what):
        return super().read(self._view(x, what), dtype, what)

    def written(self, x, dtype, what):
        return super().written(self._view(x, what), dtype, what)

    def copy(self, x):
        return super().copy(self._view(x, "x0"))

    def _view(self, x, what):
        if getattr(x, "requires_grad", False):
            raise TypeError(f"{what} requires a gradient, and Spry computes none: {what}.detach()")
        return x.numpy() if hasattr(x, "numpy") else numpy.asarray(x)

    def given_back(self, x):
        return sys.modules["torch"].from_numpy(x)


class OnDevice:
    """What arrays on a GPU have in common. Their values are of the matrix's type: nothing is converted behind one's
    back."""

    def written(self, x, dtype, what):
        return self.read(x, dtype, what)

    def given_back(self, x):
        return x

    def assign(self, x, values):
        x[...] = values

    def settle(self, device):
        self.stream(device).owner.synchronize()

    def stream(self, device):
        stream = self.current(device)
        return Stream(self.number(stream), stream)

    def overlap(self, x, y):
        return True  # their ranges do, and more is not looked at


class CuPy(OnDevice):
    def __init__(self):
        self.module = sys.modules["cupy"]

    def read(self, x, dtype, what):
        if x.dtype != dtype:
            raise _wrong_type(what, x.dtype, dtype)
        return Strided(x, x.data.ptr, x.shape, _strides(x.strides, x.shape, x.itemsize, what), x.data.device_id)

    def empty(self, shape, dtype, by_columns, device):
        with self.module.cuda.Device(device):
            return self.module.empty(shape, dtype, "F" if by_columns else "C")

    def contiguous(self, x, dtype):
        with self.module.cuda.Device(x.data.device_id):
            return self.module.ascontiguousarray(x, dtype)

    def copy(self, x):
        with self.module.cuda.Device(x.data.device_id):
            return self.module.array(x, order="C")

    def assign(self, x, values):
        with self.module.cuda.Device(x.data.device_id):
            x[...] = values

    def current(self, device):
        return self.module.cuda.get_current_stream(device)

    def number(self, stream):
        return stream.ptr

    def plain(self, x, dtype, shape, device):
        """Where a vector lies that is just as a product takes it; None for all else."""
        here = x.data
        if x.dtype is dtype and x.shape == shape and x.strides == (dtype.itemsize,) and here.device_id == device:
            return here.ptr
        return None

    def vector(self, x, length):
        """A new one of x's type on the current device, and where it lies."""
        new = self.module.ndarray(length, x.dtype)  # as empty() has it, in half the time
        return new, new.data.ptr


class Torch(OnDevice):
    def __init__(self):
        self.module = sys.modules["torch"]
        self.types = {
            numpy.dtype(name): getattr(self.module, name) for name in ("float32", "float64", "int32", "int64")
        }

    def read(self, x, dtype, what):
        if x.dtype != self.types[dtype]:
            raise _wrong_type(what, x.dtype, dtype)
        if x.requires_grad:
            raise TypeError(f"{what} requires a gradient, and Spry computes none: {what}.detach()")
        if x.is_neg():
            raise TypeError(f"{what} is a view whose sign is still to be changed: {what}.resolve_neg()")
        strides = [s if n > 1 else s or 1 for s, n in zip(x.stride(), x.shape)]
        return Strided(x, x.data_ptr(), x.shape, strides, x.device.index)

    def empty(self, shape, dtype, by_columns, device):
        new = self.module.empty(shape[::-1] if by_columns else shape, dtype=self.types[dtype], device=f"cuda:{device}")
        return new.t() if by_columns else new

    def contiguous(self, x, dtype):
        return x.to(self.types[dtype]).contiguous()

    def copy(self, x):
        return x.clone(memory_format=self.module.contiguous_format)

    def current(self, device):
        return self.module.cuda.current_stream(device)

    def number(self, stream):
        return stream.cuda_stream

    def plain(self, x, dtype, shape, device):
        if (x.dtype is self.types[dtype] and x.shape == shape and x.stride() == (1,) and x.get_device() == device
                and not x.requires_grad and not x.is_neg()):
            return x.data_ptr()
        return None

    def vector(self, x, length):
        new = self.module.empty_like(x) if x.shape[0] == length else x.new_empty(length)
        return new, new.data_ptr()


class Interface(OnDevice):
    """Whatever has __cuda_array_interface__. How to make one like it nobody knows, so results need `out`."""

    def __init__(self, x):
        self.number = x.__cuda_array_interface__.get("stream")

    def read(self, x, dtype, what):
        said = x.__cuda_array_interface__
        found = numpy.dtype(said["typestr"])
        if found != dtype:
            raise _wrong_type(what, found, dtype)
        if said.get("mask") is not None:
            raise TypeError(f"{what} has a mask")
        shape, strides, pointer = said["shape"], said.get("strides"), said["data"][0]
        if strides is None:
            strides = [dtype.itemsize * int(numpy.prod(shape[k + 1:], dtype=numpy.int64)) for k in range(len(shape))]
        device = _driver.device_of(pointer) if pointer else None
        return Strided(x, pointer, shape, _strides(strides, shape, dtype.itemsize, what), device or 0)

    def written(self, x, dtype, what):
        if x.__cuda_array_interface__["data"][1]:
            raise ValueError(f"{what} cannot be written to")
        return self.read(x, dtype, what)

    def empty(self, shape, dtype, by_columns, device):
        raise TypeError(
            "a result like this array cannot be made: give one as out=, or give x as an array of CuPy or PyTorch"
        )

    copy = contiguous = empty

    def settle(self, device):
        """Its owner's stream is not known: products and solves are in order with the default one, which the library's
        keep to."""

    def stream(self, device):
        return Stream(self.number or 0)


NUMPY, HOST_TORCH = NumPy(), HostTorch()
_on_device = {}
by_type = {}  # the functions for arrays on a GPU, by the type of arrays that were seen


def _shared(kind):
    found = _on_device.get(kind)
    return found or _on_device.setdefault(kind, kind())


def settle(device):
    """Wait for what the libraries whose arrays were seen have put into their current streams."""
    if device is not None:
        for kind in list(_on_device.values()):
            kind.settle(device)


def family(x):
    """The functions for an array's library."""
    if isinstance(x, numpy.ndarray):
        return NUMPY
    name = type(x).__module__.partition(".")[0]
    if name == "cupy":
        return by_type.setdefault(type(x), _shared(CuPy))
    if "torch" in sys.modules and isinstance(x, sys.modules["torch"].Tensor):
        if x.device.type not in ("cpu", "cuda"):
            raise TypeError(f"an array on {x.device.type}: there are products on the CPU and with CUDA")
        return HOST_TORCH if x.device.type == "cpu" else by_type.setdefault(type(x), _shared(Torch))
    if hasattr(x, "__cuda_array_interface__"):
        return Interface(x)
    return NUMPY


def imported(x):
    """An array that only __dlpack__ leads to, as one of a library that is there; all else as it is."""
    if isinstance(x, (numpy.ndarray, list, tuple)) or hasattr(x, "__array__") or hasattr(x, "__cuda_array_interface__"):
        return x
    if not hasattr(x, "__dlpack__"):
        return x
    kind = int(x.__dlpack_device__()[0])
    if kind == 1:  # kDLCPU
        return numpy.from_dlpack(x)
    for name in ("cupy", "torch"):
        if kind == 2 and name in sys.modules:  # kDLCUDA
            return sys.modules[name].from_dlpack(x)
    raise TypeError("an array on a device that neither NumPy nor, if it was imported, CuPy or PyTorch has")
