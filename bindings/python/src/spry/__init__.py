# SPDX-License-Identifier: BSD-3-Clause
"""Spry: sparse matrices in the storage format that multiplies fastest, on CPUs and NVIDIA GPUs.

    A = spry.matrix(S)                                  # of SciPy, CuPy, PyTorch
    y = A @ x
    x, info = spry.cg(A, b, preconditioner="ic0")
    print(spry.select(S))                               # what each storage would take, and why
"""

from ._context import Context, cuda_devices
from ._errors import (
    ArgumentError,
    DeviceError,
    DuplicateError,
    FileError,
    FileSyntaxError,
    InvalidError,
    OutOfMemoryError,
    PatternError,
    SizeError,
    SpryError,
    TooLargeError,
    UnsupportedError,
)
from ._matrix import Matrix, matrix, read
from ._scipy import aslinearoperator
from ._select import Place, Ranking, select
from ._solve import Preconditioner, Solution, Solver, bicgstab, cg, gmres, minres, solve

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Context",
    "DeviceError",
    "DuplicateError",
    "FileError",
    "FileSyntaxError",
    "InvalidError",
    "Matrix",
    "OutOfMemoryError",
    "PatternError",
    "Place",
    "Preconditioner",
    "Ranking",
    "SizeError",
    "Solution",
    "Solver",
    "SpryError",
    "TooLargeError",
    "UnsupportedError",
    "aslinearoperator",
    "bicgstab",
    "cg",
    "cuda_devices",
    "gmres",
    "matrix",
    "minres",
    "read",
    "select",
    "solve",
]
