# SPDX-License-Identifier: BSD-3-Clause
"""The linear systems that solvers are compared on: A from a file or generated, b = A x for a known x."""

import functools
import gzip
import io
import os

import numpy as np
import scipy.io
import scipy.sparse as sparse


def known_solution(count):
    """The x of spsolve --rhs exact: vector_randomise of programs/common/vector.c, all states of its generator at once."""
    powers = np.multiply.accumulate(np.full(count, 6364136223846793005, dtype=np.uint64))
    sums = np.cumsum(np.concatenate([np.ones(1, dtype=np.uint64), powers[:-1]]), dtype=np.uint64)
    states = powers + sums * np.uint64(1442695040888963407)
    return ((states >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-51 - 1.0


class Problem:
    """A x = b for a known x."""

    def __init__(self, name, matrix):
        self.name = name
        self.matrix = sparse.csr_matrix(matrix, dtype=np.float64)
        self.matrix.sum_duplicates()
        self.exact = known_solution(self.matrix.shape[1])
        self.rhs = self.matrix @ self.exact

    @functools.cached_property
    def symmetric(self):
        difference = (self.matrix - self.matrix.T).tocsr()
        return abs(difference).max() == 0.0

    @property
    def empty_line(self):
        """A row or a column without a value: no direct solver is needed to see that A is singular."""
        pattern = self.matrix != 0
        return pattern.sum(axis=0).min() == 0 or pattern.sum(axis=1).min() == 0

    def error(self, x):
        return np.linalg.norm(x - self.exact) / np.linalg.norm(self.exact)

    def relative_residual(self, x):
        return np.linalg.norm(self.rhs - self.matrix @ x) / np.linalg.norm(self.rhs)


def poisson3d(side):
    """The 7-point Laplacian of a cube of side³ points, 6 on the diagonal."""
    line = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    return sparse.kronsum(sparse.kronsum(line, line), line)


def name_of(source):
    return os.path.basename(source).removesuffix(".gz").removesuffix(".mtx")


def opened(source):
    """The text of a file. SciPy insists on a field in the first line, which some files leave out."""
    with (gzip.open if source.endswith(".gz") else open)(source, "rb") as file:
        header, text = file.readline().split(), file.read()
    if len(header) == 4:
        header.insert(3, b"real")
    return io.BytesIO(b" ".join(header) + b"\n" + text)


def load(source, most_rows=2**31):
    """A Matrix Market file, compressed or not, or gen:poisson3d:SIDE. Null for one that is complex, not square, or too
    large."""
    if source.startswith("gen:poisson3d:"):
        return Problem(source, poisson3d(int(source.rsplit(":", 1)[1])))
    file = opened(source)
    rows, cols, _, _, field, _ = scipy.io.mminfo(file)
    if rows != cols or rows > most_rows or field == "complex":
        return None
    file.seek(0)
    return Problem(name_of(source), scipy.io.mmread(file))


def write_petsc(problem, path):
    """The matrix, then the right-hand side, as PETSc's MatLoad and VecLoad read them."""
    a = problem.matrix
    with open(path, "wb") as file:
        np.array([1211216, *a.shape, a.nnz], dtype=">i4").tofile(file)
        np.diff(a.indptr).astype(">i4").tofile(file)
        a.indices.astype(">i4").tofile(file)
        a.data.astype(">f8").tofile(file)
        np.array([1211214, len(problem.rhs)], dtype=">i4").tofile(file)
        problem.rhs.astype(">f8").tofile(file)


def write_rhs(problem, scale, path):
    """A multiple of b, as a dense column in Matrix Market's form."""
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix array real general\n{len(problem.rhs)} 1\n")
        file.writelines(f"{value!r}\n" for value in (scale * problem.rhs).tolist())
