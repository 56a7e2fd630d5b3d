#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package on a GPU, with arrays of CuPy and of PyTorch:
SPRY_LIBRARY=…/libspry.so.0 test_gpu.py [--no-times]

Says of each case whether it is OK, FAILED or SKIPPED, and then what products and iterations take, side by side. Exit
status 1 after a failure, 77 where there is no GPU, or neither CuPy nor PyTorch. Takes no SciPy."""

import gc
import inspect
import pathlib
import statistics
import sys
import threading
import time
import traceback
from unittest import mock

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings/python/src"))
import spry
import spry._arrays

SKIPPED = 77
ROUNDS = 7
CASES = []


class Skip(Exception):
    pass


class Csr:
    """SciPy's matrix, as far as the package asks for it."""
    format = "csr"

    def __init__(self, shape, indptr, indices, data):
        self.shape, self.indptr, self.indices, self.data = shape, indptr, indices, data

    def tocsr(self):
        return self

    def astype(self, dtype):
        return Csr(self.shape, self.indptr, self.indices, self.data.astype(dtype))

    def dense(self):
        made = numpy.zeros(self.shape)
        rows = numpy.repeat(numpy.arange(self.shape[0]), numpy.diff(self.indptr))
        numpy.add.at(made, (rows, self.indices), self.data)
        return made


def laplacian(side, dimensions, diagonal=None):
    """Of a grid with `side` points in each dimension, as `spgen poisson2d:side` has it."""
    n = side**dimensions
    here = numpy.arange(n, dtype=numpy.int32)
    strides = [side**d for d in range(dimensions)]
    places = [(here // s) % side for s in strides]
    steps = [(-s, p > 0) for s, p in reversed(list(zip(strides, places)))] + [(0, numpy.ones(n, bool))]
    steps += [(s, p < side - 1) for s, p in zip(strides, places)]
    there = numpy.stack([is_there for _, is_there in steps], axis=1)
    columns = numpy.stack([here + step for step, _ in steps], axis=1)
    values = numpy.where(numpy.array([step for step, _ in steps]) == 0, diagonal or 2.0 * dimensions, -1.0)
    pointers = numpy.zeros(n + 1, numpy.int32)
    numpy.cumsum(there.sum(axis=1), out=pointers[1:])
    return Csr(
        (n, n), pointers, columns[there].astype(numpy.int32), numpy.broadcast_to(values, there.shape)[there].copy()
    )


def rectangle():
    """40 × 60, with empty rows and unequal ones."""
    random = numpy.random.default_rng(1)
    lengths = random.integers(0, 9, 40) * (random.random(40) > 0.2)
    pointers = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int32)
    columns = numpy.concatenate([numpy.sort(random.choice(60, k, replace=False)) for k in lengths]).astype(numpy.int32)
    return Csr((40, 60), pointers, columns, random.random(len(columns)))


# ---- the two libraries, as far as the cases need them ----


class CuPy:
    def __init__(self):
        import cupy
        self.module = cupy

    def put(self, array):
        return self.module.asarray(array)

    def get(self, array):
        return self.module.asnumpy(array)

    def is_own(self, array):
        return isinstance(array, self.module.ndarray)

    def address(self, array):
        return array.data.ptr

    def sparse(self, source):
        try:
            import cupyx.scipy.sparse
        except ImportError as error:
            raise Skip(str(error)) from None
        return cupyx.scipy.sparse.csr_matrix((self.put(source.data), self.put(source.indices), self.put(source.indptr)),
                                             shape=source.shape)

    def stream(self):
        return self.module.cuda.Stream(non_blocking=True)

    def wait(self):
        self.module.cuda.Device().synchronize()

    def slow(self, array):
        """Fill with 1 after so much work that whoever does not wait for it sees something else."""
        for _ in range(200):
            array[:] = array * 1.0000001
        array.fill(1)

    def conjugate_gradients(self, source, b, iterations):
        import cupyx.scipy.sparse.linalg as linalg
        a, inverse = self.sparse(source), 1 / self.put(source.data.dtype.type(source.data.max()))
        m = linalg.LinearOperator(a.shape, matvec=lambda r: inverse * r, dtype=a.dtype)
        tolerance = "rtol" if "rtol" in inspect.signature(linalg.cg).parameters else "tol"  # "tol" up to CuPy 13
        return lambda: linalg.cg(a, b, maxiter=iterations, M=m, **{tolerance: 1e-300})


class Torch:
    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise ImportError("PyTorch sees no GPU")
        self.module = torch

    def put(self, array):
        return self.module.from_numpy(numpy.ascontiguousarray(array)).cuda()

    def get(self, array):
        return array.cpu().numpy()

    def is_own(self, array):
        return isinstance(array, self.module.Tensor) and array.is_cuda

    def address(self, array):
        return array.data_ptr()

    def sparse(self, source):
        return self.module.sparse_csr_tensor(
            self.put(source.indptr), self.put(source.indices), self.put(source.data), source.shape
        )

    def stream(self):
        return self.module.cuda.stream(self.module.cuda.Stream())

    def wait(self):
        self.module.cuda.synchronize()

    def slow(self, array):
        for _ in range(200):
            array.mul_(1.0000001)
        array.fill_(1)

    def conjugate_gradients(self, source, b, iterations):
        a, inverse, torch = self.sparse(source), 1 / float(source.data.max()), self.module

        def run():
            x, r = torch.zeros_like(b), b.clone()
            z = inverse * r
            p, rz = z.clone(), torch.dot(r, z)
            for _ in range(iterations):
                q = a @ p
                alpha = rz / torch.dot(p, q)
                x.add_(alpha * p)
                r.sub_(alpha * q)
                z = inverse * r
                before, rz = rz, torch.dot(r, z)
                p = z + (rz / before) * p
            return x

        return run


def libraries():
    for kind in (CuPy, Torch):
        try:
            yield kind()
        except ImportError as error:
            print(f"{kind.__name__}: left out, {error}")


# ---- cases ----


def case(function):
    CASES.append(function)
    return function


def close(found, expected, tolerance=1e-12):
    numpy.testing.assert_allclose(found, expected, tolerance, tolerance)


def refused(error, call, words):
    try:
        call()
    except error as caught:
        assert words in str(caught), f"{words!r} is not in {caught!s}"
        return
    raise AssertionError(f"{error.__name__} was expected, with {words!r}")


@case
def vectors_in_all_types(lib):
    source = rectangle()
    for dtype, tolerance in (("float64", 1e-12), ("float32", 1e-4)):
        for format in ("auto", None, "csr", "sell", "coo", "csc"):
            a = spry.matrix(lib.sparse(source.astype(dtype)), format)
            x, y = numpy.linspace(0, 1, 60).astype(dtype), numpy.linspace(1, 2, 40).astype(dtype)
            found = a @ lib.put(x)
            assert lib.is_own(found), type(found)
            close(lib.get(found), source.dense() @ x, tolerance)
            close(lib.get(a.T @ lib.put(y)), source.dense().T @ y, tolerance)
            out = lib.put(y)
            assert a.dot(lib.put(x), out, alpha=2, beta=-1) is out
            close(lib.get(out), 2 * (source.dense() @ x) - y, tolerance)


@case
def plain_vectors_go_a_short_way(lib):
    """With the same bits, once the stream is known."""
    for source in (rectangle(), laplacian(8, 2)):
        a = spry.matrix(lib.sparse(source))
        rows, cols = source.shape
        x, y = lib.put(numpy.linspace(0, 1, cols)), lib.put(numpy.linspace(1, 2, rows))

        def products():
            outs = [lib.put(numpy.ones(rows)) for _ in range(3)]
            return [
                a @ x, a.T @ y, a.dot(x), a.dot(x, outs[0]), a.dot(x, outs[1], alpha=2), a.dot(x, outs[2], beta=-1)
            ]

        with mock.patch.dict(spry._arrays.by_type, clear=True), mock.patch.object(spry._arrays, "by_type", {}):
            long = products()
        a @ x
        with mock.patch.object(spry.Matrix, "_product", side_effect=AssertionError):
            short = products()
        for found, expected in zip(short, long):
            assert lib.is_own(found) and found.dtype == x.dtype, found
            numpy.testing.assert_array_equal(lib.get(found), lib.get(expected))


@case
def several_columns_as_they_lie(lib):
    source = rectangle()
    a, wide = spry.matrix(lib.sparse(source)), numpy.random.default_rng(1).random((60, 12))
    there = lib.put(wide)
    for cut in (numpy.s_[:, :], numpy.s_[:, 1:9:2], numpy.s_[:, :1], numpy.s_[:, 3], numpy.s_[:, :0]):
        close(lib.get(a @ there[cut]), source.dense() @ wide[cut])
    close(lib.get(a @ lib.put(wide.T.copy()).T), source.dense() @ wide)
    out = lib.put(numpy.ones((40, 4)))
    a.dot(there[:, 2], out[:, 1])
    close(lib.get(out)[:, 1], source.dense() @ wide[:, 2])
    close(lib.get(out)[:, ::2], 1)


@case
def matrices_without_entries(lib):
    for shape in ((0, 0), (0, 5), (5, 0), (4, 3)):
        empty = Csr(shape, numpy.zeros(shape[0] + 1, numpy.int32), numpy.empty(0, numpy.int32), numpy.empty(0))
        a = spry.matrix(empty, context=spry.Context("cuda"))
        close(lib.get(a @ lib.put(numpy.ones(shape[1]))), numpy.zeros(shape[0]))
        close(lib.get(a.T @ lib.put(numpy.ones((shape[0], 2)))), numpy.zeros((shape[1], 2)))


@case
def a_wrapped_matrix_shares_its_arrays(lib):
    there = lib.sparse(laplacian(20, 2))
    a, ones = spry.matrix(there, None), lib.put(numpy.ones(400))
    before = lib.get(a @ ones)
    values = there.data if hasattr(there, "indptr") else there.values()
    values *= 2
    close(lib.get(a @ ones), 2 * before)
    del there, values
    gc.collect()
    close(lib.get(a @ ones), 2 * before)


@case
def from_the_host_and_back(lib):
    source = rectangle()
    a = spry.matrix(source, context=spry.Context("cuda"))
    assert a.device == "cuda:0" and a.kernel, a
    x = numpy.linspace(0, 1, 60)
    close(lib.get(a @ lib.put(x)), source.dense() @ x)
    close(a.to("cpu") @ x, source.dense() @ x)
    close(lib.get(spry.matrix(source).to("cuda") @ lib.put(x)), source.dense() @ x)
    assert "stored as" in a.explain()


@case
def new_values(lib):
    source = laplacian(20, 2)
    a, ones = spry.matrix(lib.sparse(source), values_change=True), lib.put(numpy.ones(400))
    before = lib.get(a @ ones)
    a.update(lib.put(3 * source.data))
    close(lib.get(a @ ones), 3 * before)
    a.update(lib.sparse(source))
    close(lib.get(a @ ones), before)
    host = spry.matrix(source, values_change=True)
    host.update(lib.sparse(Csr(source.shape, source.indptr, source.indices, 7 * source.data)))
    close(host @ numpy.ones(400), 7 * before)
    a.update(Csr(source.shape, source.indptr, source.indices, 5 * source.data))
    close(lib.get(a @ ones), 5 * before)


@case
def in_the_callers_stream(lib):
    """What was put into the stream before is waited for, and what comes behind sees the result; many streams too."""
    source = laplacian(100, 2)
    a, ones = spry.matrix(lib.sparse(source)), numpy.ones(10000)
    expected = source.dense() @ ones if source.shape[0] < 1000 else spry.matrix(source) @ ones
    x = lib.put(numpy.full(10000, 7.0))
    lib.wait()
    for _ in range(20):
        with lib.stream():
            lib.slow(x)
            y = a @ x
            doubled = y * 2
            close(lib.get(doubled), 2 * expected)
            x *= 7
            lib.wait()
    lib.slow(x)
    close(lib.get(a @ x), expected)
    with lib.stream():
        x *= 7
        lib.slow(x)
        close(lib.get(spry.cg(a, x).x), spry.cg(spry.matrix(source), ones).x, 1e-6)


@case
def solvers(lib):
    source = laplacian(40, 2)
    a, b = spry.matrix(lib.sparse(source)), numpy.random.default_rng(1).random(1600)
    for method in ("cg", "minres", "bicgstab", "gmres"):
        for name in (None, "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev", "fsai"):
            solution = spry.solve(a, lib.put(b), method, preconditioner=name, history=True)
            assert solution.converged and lib.is_own(solution.x), (method, name, solution)
            left = numpy.linalg.norm(b - spry.matrix(source) @ lib.get(solution.x))
            assert left <= 1e-6 * numpy.linalg.norm(b), (method, name, left)
    again = spry.cg(a, lib.put(b), solution.x)
    assert again.iterations <= 3, again
    seen = []
    spry.cg(a, lib.put(b), callback=lambda k, residual: seen.append(residual))
    assert len(seen) > 10
    m = spry.Preconditioner(a)
    close(lib.get(m @ lib.put(b)), b / 4)
    refused(TypeError, lambda: spry.cg(a, b), "host memory")


@case
def threads(lib):
    source = laplacian(50, 2)
    a, expected, failures = spry.matrix(lib.sparse(source)), spry.matrix(source) @ numpy.ones(2500), []

    def multiply():
        try:
            with lib.stream():
                for _ in range(20):
                    close(lib.get(a @ lib.put(numpy.ones(2500))), expected)
        except BaseException as error:
            failures.append(error)

    started = [threading.Thread(target=multiply) for _ in range(6)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if failures:
        raise failures[0]


@case
def what_is_refused(lib):
    source = rectangle()
    a, x = spry.matrix(lib.sparse(source)), numpy.ones(60)
    there, host = lib.put(x), spry.matrix(source)
    refused(TypeError, lambda: a @ x, "host memory")
    refused(TypeError, lambda: host @ there, "CUDA device 0")
    refused(TypeError, lambda: a.dot(there, numpy.empty(40)), "host memory")
    refused(TypeError, lambda: a @ lib.put(x.astype("float32")), "float32")
    refused(TypeError, lambda: a @ lib.put(x.astype("int64")), "int64")
    refused(ValueError, lambda: a @ lib.put(x[1:]), "60 rows")
    square = spry.matrix(lib.sparse(laplacian(20, 2)))
    both = lib.put(numpy.ones(800))
    refused(ValueError, lambda: square.dot(both[:400], both[200:600]), "shares memory")
    refused(ValueError, lambda: spry.Context("cuda", device=999), "")
    if isinstance(lib, Torch):
        refused(TypeError, lambda: a @ lib.put(1j * x).conj().imag, "resolve_neg")
    refused(
        spry.InvalidError,
        lambda: spry.matrix(lib.sparse(Csr((2, 2), *map(numpy.int32, ([0, 1, 2], [0, 9])), x[:2]))),
        "9",
    )


@case
def other_protocols(lib):
    class Interface:
        def __init__(self, array):
            self.kept, self.__cuda_array_interface__ = array, array.__cuda_array_interface__

    class Package:
        def __init__(self, array):
            self.kept = array

        def __dlpack__(self, **how):
            return self.kept.__dlpack__(**how)

        def __dlpack_device__(self):
            return self.kept.__dlpack_device__()

    source = rectangle()
    a, x, out = spry.matrix(lib.sparse(source)), numpy.linspace(0, 1, 60), lib.put(numpy.zeros(40))
    a.dot(Interface(lib.put(x)), out)
    close(lib.get(out), source.dense() @ x)
    refused(TypeError, lambda: a @ Interface(lib.put(x)), "out=")
    found = a @ Package(lib.put(x))
    close(lib.get(found) if lib.is_own(found) else numpy.from_dlpack(found.get()), source.dense() @ x)


@case
def the_current_device_stays(lib):
    import spry._driver
    lib.put(numpy.ones(1))
    before = spry._driver.current()
    a = spry.matrix(lib.sparse(laplacian(20, 2)))
    spry.cg(a, a @ lib.put(numpy.ones(400)))
    del a
    gc.collect()
    assert spry._driver.current() == before


@case
def another_device(lib):
    if spry.cuda_devices() < 2:
        raise Skip("one GPU alone")
    source = rectangle()
    a = spry.matrix(source, context=spry.Context("cuda", device=1))
    refused(TypeError, lambda: a @ lib.put(numpy.ones(60)), "device")


def run_cases(lib):
    failures = 0
    for function in CASES:
        name = f"{type(lib).__name__}: {function.__name__.replace('_', ' ')}"
        try:
            function(lib)
            print(f"OK       {name}", flush=True)
        except Skip as reason:
            print(f"SKIPPED  {name}: {reason}", flush=True)
        except Exception:
            failures += 1
            print(f"FAILED   {name}\n{traceback.format_exc()}", flush=True)
    return failures


# ---- times ----


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


def print_times(lib, name, source):
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


def main(arguments):
    if spry.cuda_devices() == 0:
        try:
            spry.Context("cuda")
        except spry.SpryError as error:
            print(f"no GPU: {error}")
        return SKIPPED
    found = list(libraries())
    if not found:
        return SKIPPED
    failures = sum(run_cases(lib) for lib in found)
    if "--no-times" not in arguments:
        for lib in found:
            for name, side, dimensions in (
                ("poisson2d:100", 100, 2),
                ("poisson3d:100", 100, 3),
                ("poisson3d:160", 160, 3),
            ):
                print_times(lib, name, laplacian(side, dimensions))
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
