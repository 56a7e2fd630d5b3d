#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What Python adds to a product: A @ x and A.dot(x, out) beside spry_spmv itself, and SciPy.

overhead.py: medians of 31 rounds in which all of them take turns, and of as many of SciPy's product alone, since it
reads other arrays. The time of spry_spmv is that of the call from Python with all arguments ready, less the same call
with a null context, which returns at once."""

import ctypes
import statistics
import time

import numpy
import scipy.sparse

import spry
from spry import _context
from spry._library import lib

ROUNDS, ROUND_SECONDS = 31, 2e-3


def laplacian(side, dimensions):
    """Of a grid: 2 on the diagonal for each dimension, -1 for each neighbour."""
    one, same = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(side, side)), scipy.sparse.identity(side)
    total = one
    for _ in range(dimensions - 1):
        total = scipy.sparse.kron(total, same) + scipy.sparse.kron(scipy.sparse.identity(total.shape[0]), one)
    return total.tocsr()


def scattered(rows, length):
    """Rows of one length, with columns anywhere."""
    random = numpy.random.default_rng(1)
    columns = numpy.sort(random.integers(0, rows, (rows, length)), axis=1).ravel().astype(numpy.int32)
    pointers = numpy.arange(0, rows * length + 1, length, dtype=numpy.int32)
    return scipy.sparse.csr_matrix((random.random(rows * length), columns, pointers), shape=(rows, rows))


def seconds(function, times):
    begin = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - begin) / times


def medians(functions):
    times = max(3, int(ROUND_SECONDS / seconds([*functions.values()][-1], 20)))
    rounds = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            rounds[name].append(1e6 * seconds(function, times))
    return {name: statistics.median(of) for name, of in rounds.items()}


def measure(name, source, format):
    a = spry.matrix(source, format)
    x, y = numpy.ones(a.shape[1]), numpy.empty(a.shape[0])
    pointers = [_context.default().handle().pointer, a._pointer, x.ctypes.data, y.ctypes.data]
    context, matrix, from_x, to_y = map(ctypes.c_void_p, pointers)
    op, one, zero, null = ctypes.c_int(0), ctypes.c_double(1), ctypes.c_double(0), ctypes.c_void_p()
    spmv = lib.spry_spmv
    found = medians({
        "null": lambda: spmv(null, op, one, matrix, from_x, zero, to_y),
        "spmv": lambda: spmv(context, op, one, matrix, from_x, zero, to_y),
        "A @ x": lambda: a @ x,
        "dot": lambda: a.dot(x, y),
    }) | medians({"SciPy": lambda: source @ x})
    alone = found["spmv"] - found["null"]
    print(f"{name:16} {source.nnz:10,} {a.storage:12} {alone:10.2f}", end="")
    for way in ("A @ x", "dot"):
        print(f" {found[way]:10.2f} {100 * (found[way] / alone - 1):5.1f} %", end="")
    print(f" {found['SciPy']:10.1f}")


def main():
    print(f"{spry._context.default().threads} threads; times in us")
    print(f"{'matrix':16} {'nonzeros':>10} {'storage':12} {'spry_spmv':>10}", end="")
    print(f" {'A @ x':>10} {'':7} {'dot, out':>10} {'':7} {'SciPy':>10}")
    for name, source in {
        "poisson2d:50": laplacian(50, 2),
        "poisson2d:145": laplacian(145, 2),
        "poisson3d:60": laplacian(60, 3),
        "10 a row, 10^3": scattered(1000, 10),
        "10 a row, 10^4": scattered(10000, 10),
        "10 a row, 10^5": scattered(100000, 10),
    }.items():
        for format in ("csr", "auto"):
            measure(name, source, format)


if __name__ == "__main__":
    main()
