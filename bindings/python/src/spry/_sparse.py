# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices of the caller, of SciPy, CuPy and PyTorch, as the library wraps them: without a copy."""

import ctypes
import sys

import numpy

from . import _arrays
from ._library import INDEX_TYPE, VALUE_TYPE, Bsr, Coo, Csc, Csr, lib

F32, F64 = numpy.dtype(numpy.float32), numpy.dtype(numpy.float64)
I32, I64 = numpy.dtype(numpy.int32), numpy.dtype(numpy.int64)
TYPES = {F32: VALUE_TYPE["F32"], F64: VALUE_TYPE["F64"]}
LARGEST_BLOCK = 8


def value_type(dtype, hint=""):
    """float32 or float64, as a dtype."""
    found = numpy.dtype(dtype)
    if found not in TYPES:
        raise TypeError(f"values are of float32 or float64, not {found}{hint}")
    return found.newbyteorder("=")


def _device(array):
    if isinstance(array, numpy.ndarray):
        return None
    return array.device.index if hasattr(array, "data_ptr") else array.data.device_id


class Parts:
    """The arrays of a sparse matrix: of its pattern, `first` being pointers or rows, and of its values."""

    def __init__(self, kind, shape, first, second, values, block=None):
        self.kind, self.shape, self.first, self.second, self.values = (
            kind,
            tuple(map(int, shape)),
            first,
            second,
            values,
        )
        self.block = block

    def pattern(self):
        """Without the values, but for how many there are."""
        count = numpy.broadcast_to(numpy.int8(0), self.values.shape)
        return Parts(self.kind, self.shape, self.first, self.second, count, self.block)

    def with_values(self, values):
        """The same pattern with other values, as many."""
        if tuple(values.shape) != tuple(self.values.shape):
            raise ValueError(f"{tuple(values.shape)} values, where the matrix was made with {tuple(self.values.shape)}")
        return Parts(self.kind, self.shape, self.first, self.second, values, self.block)

    def family(self):
        return _arrays.family(self.values)

    def device(self):
        """Number of the GPU, or None for host memory. All arrays have to be in one place."""
        places = {_device(array) for array in (self.first, self.second, self.values)}
        if len(places) > 1:
            raise TypeError("the arrays of a matrix are in one place, and these are some on a GPU and some elsewhere")
        return places.pop()


def is_sparse(source):
    return hasattr(source, "tocsr") or _is_sparse_tensor(source)


def _is_sparse_tensor(source):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(source, torch.Tensor) and source.layout != torch.strided


def parts_of(source):
    """The arrays of a matrix of SciPy's, of cupyx.scipy.sparse or of PyTorch. What has a format that the library does
    not wrap becomes CSR first."""
    if _is_sparse_tensor(source):
        return _parts_of_tensor(source)
    if not hasattr(source, "tocsr"):
        raise TypeError(
            f"a {type(source).__name__} is no sparse matrix: scipy.sparse.csr_array(…) makes one of a dense one"
        )
    if len(source.shape) != 2:
        raise ValueError(f"a matrix has two dimensions, not {len(source.shape)}")
    kind = source.format
    if kind == "bsr" and max(source.blocksize) > LARGEST_BLOCK or kind not in ("csr", "csc", "coo", "bsr"):
        source, kind = source.tocsr(), "csr"
    if kind == "coo":
        return Parts(kind, source.shape, source.row, source.col, source.data)
    block = source.blocksize if kind == "bsr" else None
    return Parts(kind, source.shape, source.indptr, source.indices, source.data, block)


def _parts_of_tensor(tensor):
    torch = sys.modules["torch"]
    if tensor.layout == torch.sparse_coo:
        # As they lie, in any order and with duplicates: coalesce() copies them into another order.
        (row, col), values, kind = tensor._indices(), tensor._values(), "coo"
    elif tensor.layout == torch.sparse_csr:
        row, col, values, kind = tensor.crow_indices(), tensor.col_indices(), tensor.values(), "csr"
    elif tensor.layout == torch.sparse_csc:
        row, col, values, kind = tensor.ccol_indices(), tensor.row_indices(), tensor.values(), "csc"
    else:
        raise TypeError(f"a tensor with layout {tensor.layout}: to_sparse_csr() makes one that can be taken")
    if tensor.dim() != 2 or values.dim() != 1:
        raise ValueError("a sparse tensor has two dimensions, and its values have none")
    if tensor.requires_grad:
        raise TypeError("the values require a gradient, and Spry computes none: detach()")
    parts = [row, col, values]
    if not values.is_cuda:
        parts = [part.numpy() for part in parts]
    return Parts(kind, tensor.shape, *parts)


def _as_numpy_type(dtype):
    """That of an array of PyTorch's, by its name; others have NumPy's already."""
    return dtype if isinstance(dtype, numpy.dtype) else numpy.dtype(str(dtype).rpartition(".")[2])


def values_of(parts, dtype):
    """The values, of a type and lying as the library takes them: the same array where it is so, else a copy."""
    found = _as_numpy_type(parts.values.dtype)
    if dtype is None:
        dtype = value_type(found, ": dtype=numpy.float64 converts them")
    elif found.kind == "c":
        raise TypeError(f"values are {found}, and there are no complex products")
    return parts.family().contiguous(parts.values, value_type(dtype))


def _wide(*arrays):
    return any(_as_numpy_type(array.dtype) != I32 for array in arrays)


def _indices(parts):
    """Both arrays of the pattern, and the library's name for their types."""
    contiguous = parts.family().contiguous
    if parts.kind == "coo":
        index = I64 if _wide(parts.first, parts.second) else I32
        name = "I64" if index == I64 else "I32" if len(parts.values) < 2**31 else "I32P64"
        return contiguous(parts.first, index), contiguous(parts.second, index), name
    index = I64 if _wide(parts.second) else I32
    pointer = I64 if _wide(parts.first) else index
    name = "I64" if index == I64 else "I32" if pointer == I32 else "I32P64"
    return contiguous(parts.first, pointer), contiguous(parts.second, index), name


def _check_lengths(parts, first, second, values):
    """That no array is shorter than the library will take it to be."""
    entries = values.shape[0]
    if parts.kind == "coo":
        if not len(first) == len(second) == entries:
            raise ValueError(f"{len(first)} rows, {len(second)} columns and {entries} values")
        return
    major = parts.shape[1] if parts.kind == "csc" else parts.shape[0]
    if parts.kind == "bsr":
        height, width = parts.block
        if parts.shape[0] % height or parts.shape[1] % width or tuple(values.shape[1:]) != (height, width):
            raise ValueError(
                f"a matrix of {parts.shape} is not made of blocks of {parts.block} from {tuple(values.shape)} values"
            )
        major //= height
    if len(first) != major + 1:
        raise ValueError(f"{len(first)} pointers, where {major + 1} belong to a matrix of {parts.shape}")
    last = int(first[-1])
    if not 0 <= last <= min(len(second), entries):
        raise ValueError(f"the last pointer is {last}, and there are {len(second)} indices and {entries} values")


def _address(array):
    if isinstance(array, numpy.ndarray):
        return _arrays.address(array)
    return (array.data_ptr() if hasattr(array, "data_ptr") else array.data.ptr) or _arrays.NOWHERE


_WRAP = {
    "csr": (Csr, "spry_wrap_csr"),
    "csc": (Csc, "spry_wrap_csc"),
    "bsr": (Bsr, "spry_wrap_bsr"),
    "coo": (Coo, "spry_wrap_coo"),
}


def has_copied(owned, parts):
    """Whether a matrix that was wrapped has a copy of the values where it could have them themselves."""
    return owned.values is not None and _address(owned.values) != _address(parts.values)


def wrap(handle, parts, dtype=None):
    """The library's matrix on these arrays, which it keeps; on copies of those that it cannot take as they lie."""
    values = values_of(parts, dtype)
    first, second, index = _indices(parts)
    _check_lengths(parts, first, second, values)
    struct, name = _WRAP[parts.kind]
    addresses = {"val": _address(values)}
    addresses.update(zip(("row", "col") if parts.kind == "coo" else ("ptr", "idx"), map(_address, (first, second))))
    if parts.kind == "bsr":
        addresses.update(height=parts.block[0], width=parts.block[1])
    arrays = struct(**addresses)
    sizes = [*parts.shape, len(values)] if parts.kind == "coo" else parts.shape
    owned = handle.make(
        getattr(lib, name),
        lib.spry_matrix_destroy,
        TYPES[_as_numpy_type(values.dtype)],
        INDEX_TYPE[index],
        *sizes,
        ctypes.addressof(arrays),
        needs=(first, second, values),
    )
    owned.values = values
    return owned
