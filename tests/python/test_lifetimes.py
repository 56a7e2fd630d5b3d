#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What lives how long, threads, processes, contexts, and other arrays than NumPy's: test_lifetimes.py SOURCE-FOLDER
LIBRARY"""

import concurrent.futures
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import unittest
import weakref

import support

if __name__ == "__main__":
    support.begin()

import numpy
import scipy.sparse as sparse

import spry


def laplacian(n=5000):
    return sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(n, n)).tocsr()


class Lifetimes(unittest.TestCase):
    def test_arrays_outlive_scipys_matrix(self):
        source = laplacian()
        expected, ends = source @ numpy.ones(5000), weakref.ref(source.data)
        a = spry.matrix(source, None)
        transpose = a.T
        del source
        gc.collect()
        self.assertIsNotNone(ends())
        numpy.testing.assert_array_equal(a @ numpy.ones(5000), expected)
        del a
        numpy.testing.assert_array_equal(transpose @ numpy.ones(5000), expected)
        del transpose
        gc.collect()
        self.assertIsNone(ends())

    def test_a_converted_matrix_keeps_nothing(self):
        source = laplacian()
        ends = weakref.ref(source.data)
        a = spry.matrix(source, "csr")
        del source
        gc.collect()
        self.assertIsNone(ends())
        self.assertEqual((a @ numpy.ones(5000))[0], 3)

    def test_memory_is_released(self):
        """Twenty times 24 MB of values and columns would show."""
        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        source = sparse.diags([numpy.arange(500000.0)] * 4, [0, 1, 2, 3], shape=(500000, 500000)).tocsr()
        spry.matrix(source, "csr")
        before = resident()
        for _ in range(20):
            spry.matrix(source, "csr")
        self.assertLess(resident() - before, 200e6)

    def test_solvers_without_what_they_were_made_of(self):
        solver = spry.Solver(laplacian(), preconditioner=spry.Preconditioner(laplacian(), "chebyshev"))
        gc.collect()
        self.assertEqual(solver.solve(numpy.ones(5000)).info, 0)

    def test_cycles_go_in_any_order(self):
        for _ in range(20):
            a = spry.matrix(laplacian(100))
            m = spry.Preconditioner(a, "chebyshev")
            solver = spry.Solver(a, preconditioner=m)
            ring = [a, m, solver, spry.Context()]
            ring.append(ring)
            solver.ring = m.ring = a.ring = ring
            ends = weakref.ref(solver)
            del a, m, solver, ring
            gc.collect()
            self.assertIsNone(ends())

    def test_a_solver_goes_without_the_collector(self):
        gc.disable()
        try:
            solver = spry.Solver(laplacian(100), callback=lambda k, residual: False)
            solver.solve(numpy.ones(100))
            ends = weakref.ref(solver)
            del solver
            self.assertIsNone(ends())
        finally:
            gc.enable()

    def test_copies(self):
        a = spry.matrix(laplacian())
        b = copy.copy(a)
        del a
        self.assertEqual((b @ numpy.ones(5000))[0], 3)
        for call in (pickle.dumps, copy.deepcopy):
            for thing in (b, spry.Context(), spry.Preconditioner(b), spry.Solver(b)):
                with self.assertRaisesRegex(TypeError, "pickled"):
                    call(thing)
        solution = pickle.loads(pickle.dumps(spry.cg(b, numpy.ones(5000))))
        self.assertEqual(solution[1], 0)

    def test_the_end_of_a_program(self):
        """Matrices, solvers and running threads are there when the interpreter goes."""
        program = ("import atexit, threading, numpy, scipy.sparse, spry\n"
                   "a = spry.matrix(scipy.sparse.identity(50000, format='csr'), 'csr')\n"
                   "solver = spry.Solver(a)\n"
                   "x = numpy.ones(50000)\n"
                   "def forever():\n    while True: a @ x\n"
                   "threading.Thread(target=forever, daemon=True).start()\n"
                   "atexit.register(lambda: print((a @ x)[0], solver.solve(x).info))\n")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1.0 0\n", ""))


class Threads(unittest.TestCase):
    def test_one_matrix_many_threads(self):
        a = spry.matrix(laplacian(20000), context=spry.Context(threads=1))
        x = numpy.random.default_rng(1).random((20000, 8))
        expected, transposed = laplacian(20000) @ x, laplacian(20000).T @ x

        def multiply(k):
            for _ in range(30):
                numpy.testing.assert_allclose(a @ x[:, k].copy(), expected[:, k])
                numpy.testing.assert_allclose(a.T @ x[:, k].copy(), transposed[:, k])
                numpy.testing.assert_allclose(a @ x, expected)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(multiply, range(8)))

    def test_threads_of_the_matrixs_context(self):
        """Where that has one, no product starts another: with several columns, or of a preconditioner."""
        program = ("import os, numpy, scipy.sparse, spry\n"
                   "source = scipy.sparse.diags([1.0] * 20, range(20), shape=(60000, 60000)).tocsr()\n"
                   "X = numpy.ones((60000, 8))\n"
                   "before = len(os.listdir('/proc/self/task'))\n"
                   "for threads in (1, 2):\n"
                   "    for format in ('csr', 'sell'):\n"
                   "        a = spry.matrix(source, format, context=spry.Context(threads=threads))\n"
                   "        m = spry.Preconditioner(a, 'jacobi')\n"
                   "        a @ X, a.dot(X[:, 1]), m @ X[:, 0]\n"
                   "    print(len(os.listdir('/proc/self/task')) - before)\n")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "2"})
        self.assertEqual((done.stdout, done.stderr), ("0\n1\n", ""))

    def test_one_solver_many_threads(self):
        solver, b = spry.Solver(laplacian(), preconditioner="ssor"), numpy.ones((4, 5000)) * numpy.arange(1, 5)[:, None]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for k, solution in enumerate(pool.map(solver.solve, b), 1):
                self.assertEqual(solution.info, 0)
                numpy.testing.assert_allclose(laplacian() @ solution.x, b[k - 1], 1e-5)

    def test_threads_come_and_go(self):
        a, found = spry.matrix(laplacian()), []
        for _ in range(30):
            thread = threading.Thread(target=lambda: found.append((a @ numpy.ones(5000))[0]))
            thread.start()
            thread.join()
        self.assertEqual(found, [3.0] * 30)

    def test_others_run_during_a_call(self):
        """A product of a second thread ends while a solve that waits for it is still under way."""
        a, multiplied = spry.matrix(laplacian()), threading.Event()
        other = threading.Thread(target=lambda: (a @ numpy.ones(5000), multiplied.set()))

        def wait(k, residual):
            if k == 1:
                other.start()
                self.assertTrue(multiplied.wait(30))

        spry.cg(a, numpy.ones(5000), callback=wait)
        other.join()

    def test_fork(self):
        a, x = spry.matrix(laplacian(50000)), numpy.ones(50000)
        expected = a @ x
        child = os.fork()
        if child == 0:
            same = (a @ x == expected).all() and spry.cg(a, x).info == 0
            os._exit(0 if same else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Contexts(unittest.TestCase):
    def test_choices(self):
        context = spry.Context(threads=1, disable="avx512,avx2")
        self.assertEqual(context.threads, 1)
        a = spry.matrix(laplacian(), "csr", context=context)
        self.assertEqual((a.kernel, a.context), ("csr", context))
        self.assertTrue(context.machine)
        for call in (
            lambda: spry.Context("banana"),
            lambda: spry.Context(threads=-1),
            lambda: spry.Context(threads=257),
            lambda: spry.Context(disable="banana"),
            lambda: spry.Context(grain=-1),
        ):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(TypeError):
            spry.matrix(laplacian(), context="cpu")
        with self.assertRaises(OSError):
            spry.Context(profile="/no/such/profile.json")

    def test_no_gpu(self):
        if spry.cuda_devices():
            self.skipTest("there is a GPU")
        with self.assertRaisesRegex(spry.DeviceError, "CUDA") as caught:
            spry.Context("cuda")
        self.assertIsInstance(caught.exception, RuntimeError)
        with self.assertRaises(spry.DeviceError):
            spry.matrix(laplacian()).to("cuda")

    def test_no_library(self):
        for path, message in (("/no/such/libspry.so", "SPRY_LIBRARY"), ("libc.so.6", "no library of Spry")):
            done = subprocess.run([sys.executable, "-c", "import spry"], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SPRY_LIBRARY": path})
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("ImportError", done.stderr)
            self.assertIn(message, done.stderr)


class OtherArrays(unittest.TestCase):
    """Of libraries that speak NumPy's protocols; what this machine has not is stood in for."""

    class Interface:
        def __init__(self, array):
            self.array, self.__array_interface__ = array, array.__array_interface__

    class Package:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **how):
            return self.array.__dlpack__(**how)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    class OnDevice:
        """In the memory of a GPU that is not there: nobody may look at it."""
        __cuda_array_interface__ = {"shape": (5000,), "typestr": "<f8", "data": (4096, False), "version": 3}

    def test_protocols(self):
        a, x = spry.matrix(laplacian()), numpy.arange(5000.0)
        for kind in (self.Interface, self.Package):
            numpy.testing.assert_array_equal(a @ kind(x), a @ x)

    def test_matrices_on_a_device_are_not_read_from_the_host(self):
        class Array:
            """Of a library like CuPy."""
            dtype, shape = numpy.dtype("float64"), (14998,)

            class data:
                ptr, device_id = 4096, 0

        source, a = laplacian(), spry.matrix(laplacian(), values_change=True)
        with self.assertRaisesRegex(TypeError, "one place"):
            a.update(Array())
        source.data = Array()
        for call in (lambda: spry.matrix(source), lambda: a.update(source)):
            with self.assertRaisesRegex(TypeError, "one place"):
                call()

    def test_arrays_on_a_device_are_not_taken_for_others(self):
        a, x = spry.matrix(laplacian()), self.OnDevice()
        for call in (lambda: a @ x, lambda: a.dot(numpy.ones(5000), x), lambda: spry.cg(a, x),
                     lambda: spry.cg(a, numpy.ones(5000), x), lambda: spry.Preconditioner(a) @ x):
            with self.assertRaisesRegex(TypeError, "CUDA device 0"):
                call()


if __name__ == "__main__":
    support.run()
