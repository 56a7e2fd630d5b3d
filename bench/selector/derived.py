#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make of real matrices others that occur beside them, so that prices are fitted to more structures than there are files:
derived.py FOLDER FILE.mtx...

Transposes, lower triangles, normal equations A Aᵀ, squares, saddle points (D Aᵀ; A 0), the order of reverse Cuthill and McKee,
an order at random, half of the rows, and several unknowns for each one; of each file those whose number a hash of the name hits,
with so many entries as --least and --most allow. Values are drawn anew, so that no two rows are the same by them. Prints the
files that it wrote."""

import argparse
import hashlib
import os
import sys

import numpy as np
import scipy.io
import scipy.sparse as sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee


def is_square(a):
    return a.shape[0] == a.shape[1]


def is_symmetric(a):
    return is_square(a) and (a != a.T).nnz == 0


def transposed(a, random):
    return None if is_symmetric(a) else a.T


def lower(a, random):
    return sparse.tril(a) if is_square(a) else None


def normal(a, random):
    return None if is_symmetric(a) else a @ a.T


def square(a, random):
    return a @ a if is_symmetric(a) else None


def saddle(a, random):
    return sparse.bmat([[sparse.identity(a.shape[1]), a.T], [a, None]])


def ordered(a, random):
    order = reverse_cuthill_mckee(a.tocsr(), symmetric_mode=False) if is_square(a) else None
    return None if order is None else a[order][:, order]


def shuffled(a, random):
    order = random.permutation(a.shape[0])
    return a[order][:, order] if is_square(a) else a[order]


def part(a, random):
    begin = random.integers(a.shape[0] // 2 + 1)
    rows = a[begin:begin + a.shape[0] // 2]
    return rows[:, np.unique(rows.indices)]


def several(a, random):
    """Blocks of 2 to 6 rows and columns in place of entries; in every other matrix a few of their rows and columns are left out."""
    side = random.integers(2, 7)
    made = sparse.kron(a, np.ones((side, side)), format="csr")
    if random.random() < 0.5:
        return made
    rows, columns = (np.flatnonzero(random.random(n) < 0.97) for n in made.shape)
    return made[rows][:, columns]


KINDS = [transposed, lower, normal, square, saddle, ordered, shuffled, part, several]


def read(path):
    """Its pattern in CSR, or None where SciPy, which is strict about headers, does not take it."""
    try:
        a = scipy.io.mmread(path).tocsr()
    except ValueError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return None
    return sparse.csr_matrix((np.ones(a.nnz), a.indices, a.indptr), shape=a.shape)


def chosen(name, arguments):
    """The kinds that are made of a file, each with a seed."""
    for kind in KINDS:
        number = int.from_bytes(hashlib.md5(f"{arguments.salt}{name} {kind.__name__}".encode()).digest()[:4], "big")
        if number % arguments.one_in == 0:
            yield kind, number


def derive(a, kind, random, least, most):
    """The matrix of that kind, or None where there is none of that size."""
    if kind in (normal, square) and (a.getnnz(axis=0).astype(float)**2).sum() > 10 * most:
        return None
    if kind is several and 4 * a.nnz > most:
        return None
    made = kind(a, random)
    if made is None or not least <= made.nnz <= most:
        return None
    made = made.tocoo()
    made.data = random.random(made.nnz) + 0.5
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--least", type=int, default=15000, help="entries")
    parser.add_argument("--most", type=int, default=4000000, help="entries")
    parser.add_argument("--one-in", type=int, default=4, help="of the files and kinds, one in so many")
    parser.add_argument("--salt", default="", help="another choice of these")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    for path in arguments.files:
        name, a = os.path.basename(path).split(".mtx")[0], read(path)
        for kind, seed in chosen(name, arguments) if a is not None else ():
            made = derive(a, kind, np.random.default_rng(seed), arguments.least, arguments.most)
            if made is not None:
                written = os.path.join(arguments.folder, f"{name}-{kind.__name__}.mtx")
                scipy.io.mmwrite(written, made, symmetry="general", precision=4)
                print(written, made.shape, made.nnz, flush=True)


if __name__ == "__main__":
    main()
