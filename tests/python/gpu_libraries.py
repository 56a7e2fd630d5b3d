# SPDX-License-Identifier: BSD-3-Clause
"""What test_gpu.py multiplies by, and CuPy and PyTorch as far as it needs them. Takes no SciPy."""

import inspect

import numpy


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
