# SPDX-License-Identifier: BSD-3-Clause
"""What products and iterations take on a GPU, beside CuPy and PyTorch."""

import statistics
import time

import numpy
import spry

from gpu_libraries import laplacian

ROUNDS = 7
GRIDS = (("poisson2d:100", 100, 2), ("poisson3d:100", 100, 3), ("poisson3d:160", 160, 3))


def seconds(lib, function):
    function()
    lib.wait()
    found = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        function()
        lib.wait()
        found.append(time.perf_counter() - begin)
    return statistics.median(found)


def iteration(lib, make, fewer=100, more=300):
    """Of a solve, without what it takes to begin."""
    return (seconds(lib, make(more)) - seconds(lib, make(fewer))) / (more - fewer)


def print_times_of(lib, name, source):
    own, b = type(lib).__name__, lib.put(numpy.ones(source.shape[0]))
    a = spry.matrix(lib.sparse(source))
    theirs = lib.sparse(source)

    def products(matrix, times=100):
        def run():
            for _ in range(times):
                matrix @ b
        return seconds(lib, run) / times

    csr, out = spry.matrix(lib.sparse(source), "csr"), lib.put(numpy.ones(source.shape[0]))
    begin = seconds(lib, lambda: [csr.dot(b, out) for _ in range(100)]) / 100
    print(f"{name}, a product, us: {own} {1e6 * products(theirs):.1f}, Spry in csr {1e6 * products(csr):.1f} "
          f"(out= {1e6 * begin:.1f}), Spry in {a.storage} {1e6 * products(a):.1f}")

    def solve(iterations):
        solver = spry.Solver(a, "cg", preconditioner="jacobi", rtol=1e-300, atol=1e-300, maxiter=iterations)
        return lambda: solver.solve(b)

    try:
        other = f"{1e6 * iteration(lib, lambda k: lib.conjugate_gradients(source, b, k)):.1f}"
    except Exception as error:  # their interface may be another one than it was written for
        other = f"failed ({error})"
    print(f"{name}, CG with Jacobi, us an iteration: {own} {other}, Spry {1e6 * iteration(lib, solve):.1f}", flush=True)


def print_times(lib):
    for name, side, dimensions in GRIDS:
        print_times_of(lib, name, laplacian(side, dimensions))
