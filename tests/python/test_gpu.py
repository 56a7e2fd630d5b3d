#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package on a GPU, with arrays of CuPy and of PyTorch:
SPRY_LIBRARY=…/libspry.so.0 test_gpu.py [--no-times]

Says of each case whether it is OK, FAILED or SKIPPED, and then what products and iterations take, side by side. Exit
status 1 after a failure, 77 where there is no GPU, or neither CuPy nor PyTorch. Takes no SciPy."""

import gc
import pathlib
import sys
import threading
import traceback
from unittest import mock

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings/python/src"))
import spry
import spry._arrays
from gpu_libraries import Csr, Skip, Torch, laplacian, libraries, rectangle
from gpu_times import print_times

SKIPPED = 77
CASES = []


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
def values_alone_of_a_wrapped_matrix(lib):
    there = lib.sparse(laplacian(20, 2))
    a, ones = spry.matrix(there, None), lib.put(numpy.ones(400))
    before, values = lib.get(a @ ones), there.data if hasattr(there, "indptr") else there.values()
    a.update(values * 3)
    close(lib.get(a @ ones), 3 * before)
    close(lib.get(values), 3 * laplacian(20, 2).data)


@case
def conversions_wait_for_the_callers_stream(lib):
    source = laplacian(100, 2)
    there = lib.sparse(source)
    wrapped, ones = spry.matrix(there, None), lib.put(numpy.ones(10000))
    values = there.data if hasattr(there, "indptr") else there.values()
    for format in ("csr", "sell"):
        values *= 7
        lib.wait()
        with lib.stream():
            lib.slow(values)
            a = wrapped.convert(format)
        lib.wait()
        close(lib.get(a @ ones), numpy.diff(source.indptr))


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
            print_times(lib)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
