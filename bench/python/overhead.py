#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What Python adds to a product: A @ x and A.dot(x, out) beside spry_spmv itself, and SciPy.

overhead.py: medians of 101 rounds in which all of them take turns, and of as many of SciPy's product alone, since it
reads other arrays. The time of spry_spmv is that of the call from Python with all arguments ready, less the same call
with a null context, which returns at once. What is added to it is the median of what was added in each round.
Before the table it prints what the steps of a call take, one after the other, with all of it in the first cache."""

import ctypes
import time
from statistics import median

import numpy
import scipy.sparse

import spry
from spry import _arrays, _context
from spry._library import lib

ROUNDS, ROUND_SECONDS = 101, 1e-3


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


def take_turns(functions):
    """{name: microseconds of a call in each round}"""
    times = max(3, int(ROUND_SECONDS / seconds([*functions.values()][-1], 20)))
    rounds = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            rounds[name].append(1e6 * seconds(function, times))
    return {name: numpy.array(of) for name, of in rounds.items()}


def measure(name, source, format):
    a = spry.matrix(source, format)
    x, y = numpy.ones(a.shape[1]), numpy.empty(a.shape[0])
    context, matrix, from_x, to_y, null = map(
        ctypes.c_void_p.from_param,
        [_context.default().handle().pointer, a._pointer, x.ctypes.data, y.ctypes.data, None],
    )
    op, one, zero = ctypes.c_int.from_param(0), *map(ctypes.c_double.from_param, [1.0, 0.0])
    spmv = lib["spry_spmv"]
    found = take_turns({
        "null": lambda: spmv(null, op, one, matrix, from_x, zero, to_y),
        "spmv": lambda: spmv(context, op, one, matrix, from_x, zero, to_y),
        "A @ x": lambda: a @ x,
        "dot": lambda: a.dot(x, y),
    })
    alone = found["spmv"] - found["null"]
    print(f"{name:16} {source.nnz:10,} {a.storage:12} {median(alone):10.2f}", end="")
    for way in ("A @ x", "dot"):
        added = median(found[way] - alone)
        print(f" {median(found[way]):10.2f} {added:6.2f} {100 * added / median(alone):6.1f} %", end="")
    print(f" {median(take_turns({'SciPy': lambda: source @ x})['SciPy']):10.1f}")


def print_steps():
    x, shape, dtype = numpy.ones(1000), (1000,), numpy.dtype(float)
    address, header = ctypes.c_void_p.from_address, _arrays.HEADER
    function, nulls = lib["spry_precond_apply"], 4 * [ctypes.c_void_p.from_param(None)]
    for name, step in {
        "no step": lambda: None,
        "is x as it should be": lambda: x.dtype is dtype and x.shape == shape and x.flags.carray,
        "a new array": lambda: numpy.empty(1000, dtype),
        "where an array is": lambda: address(id(x) + header),
        "a call by ctypes with four arguments": lambda: function(*nulls),
        "where x is, by x.ctypes.data": lambda: x.ctypes.data,
    }.items():
        print(f"{name:40} {1e9 * min(seconds(step, 10000) for _ in range(ROUNDS)):6.0f} ns")


def main():
    print_steps()
    print(f"{spry._context.default().threads} threads; times in us")
    print(f"{'matrix':16} {'nonzeros':>10} {'storage':12} {'spry_spmv':>10}", end="")
    print(f" {'A @ x':>10} {'added':>6} {'':8} {'dot, out':>10} {'added':>6} {'':8} {'SciPy':>10}")
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
