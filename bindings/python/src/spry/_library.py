# SPDX-License-Identifier: BSD-3-Clause
"""The shared library: where it is found, and what its headers declare, as far as this package calls it.

tests/python/test_layout.py compares all of this with the headers."""

import ctypes
import os
import pathlib
from ctypes import c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p

SONAME = "libspry.so.0"

# ---- enumerations ----

STATUS = {
    "OK": 0, "ERROR_ARGUMENT": 1, "ERROR_MEMORY": 2, "ERROR_OVERFLOW": 3, "ERROR_TOO_LARGE": 4, "ERROR_UNSUPPORTED": 5,
    "ERROR_INVALID": 6, "ERROR_DUPLICATE": 7, "ERROR_PATTERN": 8, "ERROR_IO": 9, "ERROR_SYNTAX": 10, "ERROR_DEVICE": 11,
}
FORMAT = {
    "COO": 0,
    "CSR": 1,
    "CSC": 2,
    "ELL": 3,
    "HYB": 4,
    "JDS": 5,
    "SELL": 6,
    "STENCIL": 7,
    "SHAPE": 8,
    "BSR": 9,
    "DIA": 10,
    "AUTO": -1,
    "NO_FORMAT": -2,
}
VALUE_TYPE = {"F32": 0, "F64": 1}
INDEX_TYPE = {"I32": 0, "I32P64": 1, "I64": 2}
OP = {"N": 0, "T": 1}
BACKEND = {"CPU": 0, "CUDA": 1}
METHOD = {"CG": 0, "MINRES": 1, "BICGSTAB": 2, "GMRES": 3, "NO_METHOD": -1}
OUTCOME = {
    "RUNNING": 0, "CONVERGED": 1, "LIMIT": 2, "BREAKDOWN": 3, "INDEFINITE": 4, "DIVERGED": 5, "NOT_FINITE": 6,
    "STAGNATED": 7, "CANCELLED": 8,
}
PRECOND_KIND = {
    "JACOBI": 0, "BLOCK_JACOBI": 1, "SSOR": 2, "ILU0": 3, "IC0": 4, "CHEBYSHEV": 5, "FSAI": 6, "NO_PRECOND": -1,
}
ENUMERATIONS = (STATUS, FORMAT, VALUE_TYPE, INDEX_TYPE, OP, BACKEND, METHOD, OUTCOME, PRECOND_KIND)

STORAGE_TEXT = 128
TERM_MOST = 16

# ---- structs ----


class Sized(ctypes.Structure):
    """A struct that begins with its size, which fills itself in."""

    def __init__(self, **members):
        super().__init__(size=ctypes.sizeof(self), **members)


class Coo(ctypes.Structure):
    c_name = "spry_coo"
    _fields_ = [("row", c_void_p), ("col", c_void_p), ("val", c_void_p), ("base", c_int)]


class Csr(ctypes.Structure):
    c_name = "spry_csr"
    _fields_ = [("ptr", c_void_p), ("idx", c_void_p), ("val", c_void_p), ("base", c_int)]


class Csc(ctypes.Structure):
    c_name = "spry_csc"
    _fields_ = [("ptr", c_void_p), ("idx", c_void_p), ("val", c_void_p), ("base", c_int)]


class Bsr(ctypes.Structure):
    c_name = "spry_bsr"
    _fields_ = [
        ("height", c_int64), ("width", c_int64), ("blocks", c_int64), ("mask_bytes", c_int64),
        ("ptr", c_void_p), ("idx", c_void_p), ("val", c_void_p), ("mask", c_void_p),
    ]


class View(ctypes.Structure):
    c_name = "spry_view"
    _fields_ = [
        ("data", c_void_p), ("offset", c_int64), ("rows", c_int64), ("cols", c_int64), ("row_stride", c_int64),
        ("col_stride", c_int64),
    ]


class Storage(ctypes.Structure):
    c_name = "spry_storage"
    _fields_ = [
        ("format", c_int), ("values", c_int), ("parameter", c_int64 * 4), ("columns", c_int), ("reserved_code", c_int),
        ("reserved", c_int64 * 3),
    ]


class ContextOptions(Sized):
    c_name = "spry_context_options"
    _fields_ = [
        ("size", c_size_t), ("threads", c_int), ("nondeterministic", c_int), ("disable", c_char_p),
        ("algorithms", c_char_p), ("grain", c_int64), ("allocator", c_void_p), ("backend", c_int), ("device", c_int),
        ("stream", c_void_p), ("device_allocator", c_void_p), ("trust_arrays", c_int64),
    ]


class ConvertOptions(Sized):
    c_name = "spry_convert_options"
    _fields_ = [
        ("size", c_size_t), ("duplicates", c_int), ("measure", c_int), ("fill_limit", c_double),
        ("hyb_quantile", c_double), ("products", c_double), ("values_change", c_int64),
    ]


class ReadOptions(Sized):
    c_name = "spry_read_options"
    _fields_ = [
        ("size", c_size_t), ("as_f32", c_int), ("index_set", c_int), ("index", c_int), ("real_part", c_int),
        ("unpack_limit", c_uint64),
    ]


class SelectOptions(Sized):
    c_name = "spry_select_options"
    _fields_ = [
        ("size", c_size_t), ("measure", c_int), ("products", c_double), ("memory_limit", c_size_t),
        ("values_change", c_int64),
    ]


class Choice(ctypes.Structure):
    """It may have more members in a later library, so it is read through the pointer to it."""
    c_name = "spry_choice"
    _fields_ = [
        ("format", c_int), ("kernel", c_void_p), ("possible", c_int), ("seconds", c_double),
        ("convert_seconds", c_double), ("bytes", c_double), ("slots", c_double), ("pays_back_after", c_double),
        ("measured_seconds", c_double), ("amount", c_double * TERM_MOST), ("cost", c_double * TERM_MOST),
        ("storage", Storage),
    ]


class KernelInfo(ctypes.Structure):
    c_name = "spry_kernel_info"
    _fields_ = [
        ("name", c_char_p), ("format", c_int), ("op", c_int), ("backend", c_int), ("type", c_int), ("index", c_int),
        ("needs", c_char_p), ("nondeterministic", c_int), ("many", c_int), ("values", c_int), ("columns", c_int),
    ]


class Operator(Sized):
    c_name = "spry_operator"
    _fields_ = [
        ("size", c_size_t), ("n", c_int64), ("type", c_int), ("apply", c_void_p), ("user", c_void_p),
        ("capturable", c_int), ("matrix", c_void_p), ("diagonal", c_void_p),
    ]


class SolverOptions(Sized):
    c_name = "spry_solver_options"
    _fields_ = [
        ("size", c_size_t), ("method", c_int), ("relative", c_double), ("absolute", c_double), ("divergence", c_double),
        ("iterations", c_int64), ("restart", c_int), ("use_guess", c_int), ("history", c_int),
        ("check_interval", c_int), ("monitor", c_void_p), ("user", c_void_p), ("sum", c_void_p), ("sum_user", c_void_p),
        ("sum_capturable", c_int64),
    ]


class SolveResult(Sized):
    c_name = "spry_solve_result"
    _fields_ = [
        ("size", c_size_t), ("outcome", c_int), ("iterations", c_int64), ("norm_b", c_double), ("residual", c_double),
        ("estimate", c_double), ("history", c_void_p),
    ]


class PrecondOptions(Sized):
    c_name = "spry_precond_options"
    _fields_ = [
        ("size", c_size_t), ("kind", c_int), ("block", c_int), ("omega", c_double), ("degree", c_int),
        ("smallest", c_double), ("largest", c_double), ("shift", c_double), ("inner", c_int), ("sweeps", c_int),
        ("single", c_int64), ("power", c_int), ("entries", c_int), ("values_change", c_int64),
        ("colours", c_int64),
    ]


STRUCTS = (Coo, Csr, Csc, Bsr, View, Storage, ContextOptions, ConvertOptions, ReadOptions, SelectOptions, Choice,
           KernelInfo, Operator, SolverOptions, SolveResult, PrecondOptions)

MONITOR = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_double)
APPLY = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)

# ---- functions: what they return, then what they take; P stands for every pointer but text ----

P, I, L, Z, D, S = c_void_p, c_int, c_int64, c_size_t, c_double, c_char_p

FUNCTIONS = {
    "spry_context_create": (I, P, P),
    "spry_context_destroy": (None, P),
    "spry_message": (S, P),
    "spry_context_threads": (I, P),
    "spry_cuda_devices": (I, P, Z),
    "spry_status_string": (S, I),
    "spry_wrap_coo": (I, P, I, I, L, L, L, P, P),
    "spry_wrap_csr": (I, P, I, I, L, L, P, P),
    "spry_wrap_csc": (I, P, I, I, L, L, P, P),
    "spry_wrap_bsr": (I, P, I, I, L, L, P, P),
    "spry_matrix_destroy": (None, P),
    "spry_matrix_copy": (I, P, P, P),
    "spry_matrix_format": (I, P),
    "spry_matrix_storage": (None, P, P),
    "spry_matrix_type": (I, P),
    "spry_matrix_index": (I, P),
    "spry_matrix_rows": (L, P),
    "spry_matrix_cols": (L, P),
    "spry_matrix_nnz": (L, P),
    "spry_matrix_bytes": (Z, P),
    "spry_matrix_csr": (P, P),
    "spry_update_values": (I, P, P, P),
    "spry_convert": (I, P, P, I, P, P),
    "spry_convert_to": (I, P, P, P, P, P),
    "spry_cast": (I, P, P, I, I, P),
    "spry_transpose": (I, P, P, P),
    "spry_storage_parse": (I, S, P, P),
    "spry_storage_text": (None, P, P, Z),
    "spry_format_name": (S, I),
    "spry_read": (I, P, S, P, P, P),
    "spry_write": (I, P, S, P),
    "spry_spmv": (I, P, I, D, P, P, D, P),
    "spry_spmm": (I, P, I, D, P, P, D, P),
    "spry_kernel_for": (P, P, I),
    "spry_kernel_get_info": (None, P, P, Z),
    "spry_select": (I, P, P, P, P),
    "spry_ranking_destroy": (None, P),
    "spry_ranking_count": (I, P),
    "spry_ranking_choice": (P, P, I),
    "spry_explain": (None, P, I, P, Z),
    "spry_load_profile": (I, P, S),
    "spry_profile_machine": (S, P),
    "spry_operator_set_matrix": (None, P, P, Z),
    "spry_operator_set_precond": (None, P, P, Z),
    "spry_solver_create": (I, P, P, P, P, P),
    "spry_solver_destroy": (None, P),
    "spry_solve": (I, P, P, P, P),
    "spry_method_by_name": (I, S),
    "spry_outcome_string": (S, I),
    "spry_precond_by_name": (I, S),
    "spry_precond_create": (I, P, P, P, P),
    "spry_precond_destroy": (None, P),
    "spry_precond_update": (I, P, P, P),
    "spry_precond_apply": (I, P, P, P, P),
    "spry_precond_shift": (D, P),
}


def _find():
    """SPRY_LIBRARY, or the library that a wheel brings along, or the one that the system finds."""
    named = os.environ.get("SPRY_LIBRARY")
    if named:
        return named
    brought = pathlib.Path(__file__).with_name(SONAME)
    return str(brought) if brought.exists() else SONAME


def _load():
    path = _find()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"spry needs the shared library of Spry, which could not be loaded: {error}. Install it, or set "
            "SPRY_LIBRARY to its path"
        ) from None
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path} is no library of Spry, or older than this package: it has no {name}") from None
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()
