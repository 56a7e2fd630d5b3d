#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make matrices of kinds that are seldom among real files at hand, to see how well prices hold where nobody has measured:
kinds.py FOLDER [--seed N] [--scale S]

Meshes, neighbours of points, blocks, circuits, linear programs, grids with holes, differences and incidences, transfers between
grids, texts, ratings, tomographs, links among hosts, and what products of these look like. Rows, and not what they hold, grow with
the scale; the seed draws everything anew. Prints the files that it wrote."""

import argparse
import os

import numpy as np
import scipy.io
import scipy.sparse as sparse
from scipy.spatial import Delaunay, cKDTree


def pattern(rows, columns, shape):
    """With ones; what is named twice is there once."""
    a = sparse.coo_matrix((np.ones(len(rows)), (rows, columns)), shape).tocsr()
    a.data[:] = 1
    return a


def by_rows(random, lengths, columns, near=None):
    """Rows of these lengths, of columns drawn evenly, or so near the diagonal."""
    rows, count = np.repeat(np.arange(len(lengths)), lengths), len(lengths)
    if near is None:
        return pattern(rows, random.integers(0, columns, len(rows)), (count, columns))
    middle = (rows * (columns / count)).astype(int)
    return pattern(rows, np.clip(middle + random.integers(-near, near, len(rows)), 0, columns - 1), (count, columns))


def diagonals(shape, offsets):
    rows = np.concatenate([np.arange(max(0, -o), min(shape[0], shape[1] - o)) for o in offsets])
    columns = np.concatenate([np.arange(max(0, o), min(shape[1], shape[0] + o)) for o in offsets])
    return pattern(rows, columns, shape)


def grid(*sides):
    """The pattern of the Laplacian."""
    total = None
    for side in sides:
        line = diagonals((side, side), (-1, 0, 1))
        total = line if total is None else sparse.kron(total, sparse.identity(side)) + sparse.kron(sparse.identity(total.shape[0]), line)
    return total.tocsr()


def along_a_curve(points):
    """Points in Morton's order (1966): neighbours in space are near each other."""
    cells, key = (points * 1024).astype(np.int64), np.zeros(len(points), np.int64)
    for bit in range(10):
        for axis in range(points.shape[1]):
            key |= (cells[:, axis] >> bit & 1) << (bit * points.shape[1] + axis)
    return points[np.argsort(key)]


def triangulated(random, count, dimensions, in_order=True):
    points = random.random((count, dimensions))
    corners = Delaunay(along_a_curve(points) if in_order else points).simplices
    sides = corners.shape[1]
    return pattern(np.repeat(corners, sides, axis=1).ravel(), np.tile(corners, sides).ravel(), (count, count))


def neighbours(random, count, dimensions, each, in_order=True):
    points = random.random((count, dimensions))
    points = along_a_curve(points) if in_order else points
    found = cKDTree(points).query(points, k=each)[1]
    a = pattern(np.repeat(np.arange(count), each), found.ravel(), (count, count))
    return a + a.T


def unknowns(a, each):
    return sparse.kron(a, np.ones((each, each)))


def drawn(random, shape, entries, row_power, column_power):
    """Rows and columns by powers of their ranks, as words in texts are."""
    def draw(count, power):
        weight = np.arange(1, count + 1) ** -power
        return random.permutation(count)[random.choice(count, entries, p=weight / weight.sum())]
    return pattern(draw(shape[0], row_power), draw(shape[1], column_power), shape)


def circuit(random, n):
    near = by_rows(random, np.full(n, 4), n, 300)
    lengths = np.zeros(n, int)
    lengths[random.choice(n, 12)] = np.geomspace(400, n / 3, 12)
    nets = by_rows(random, lengths, n)
    return near + near.T + nets + nets.T + sparse.identity(n)


def full_blocks(random, least, most, count):
    return sparse.block_diag([np.ones((side, side)) for side in random.integers(least, most, count)]).tocsr()


def buses(random, count):
    blocks = full_blocks(random, 20, 120, count)
    n = blocks.shape[0]
    far = [pattern(np.arange(n), np.arange(n) * step % last, (n, n)) for step, last in ((1, 40), (7, n), (13, n))]
    return blocks + sum(far)


def staircase(random, steps):
    return sparse.bmat([[by_rows(random, np.full(500, 12), 700, 40) if i - j in (0, 1) else None for j in range(steps)] for i in range(steps)])


def commodities(random, count):
    return sparse.vstack([sparse.kron(sparse.identity(count), by_rows(random, np.full(400, 6), 900)), sparse.hstack([sparse.identity(900)] * count)])


def queues(random, side):
    """Three in a row: a customer comes, goes on, or leaves."""
    at = np.arange(side**3)
    x, y, z = at % side, at // side % side, at // side**2
    moves = ((1, x < side - 1), (side - 1, (x > 0) & (y < side - 1)), (side**2 - side, (y > 0) & (z < side - 1)), (-(side**2), z > 0), (0, at >= 0))
    return pattern(np.concatenate([at[can] for _, can in moves]), np.concatenate([at[can] + step for step, can in moves]), (side**3, side**3))


def with_holes(random, a, share):
    kept = np.flatnonzero(random.random(a.shape[0]) < share)
    return a[kept][:, kept]


def incidence(random, count):
    edges = sparse.triu(triangulated(random, count, 2), 1).tocoo()
    each = np.arange(edges.nnz)
    return pattern(np.concatenate([each, each]), np.concatenate([edges.row, edges.col]), (edges.nnz, count))


def wavelets(random, levels):
    """Haar's, of 2^levels samples."""
    at = np.arange(2**levels)
    columns = [2**level - 1 + at // 2 ** (levels - level) for level in range(levels + 1)]
    return pattern(np.tile(at, levels + 1), np.concatenate(columns), (2**levels, 2 ** (levels + 1)))


def tomograph(random, angles, rays, side):
    along = np.linspace(-0.71, 0.71, 2 * side)
    rows, columns = [], []
    for number, (angle, offset) in enumerate((a, o) for a in np.linspace(0, np.pi, angles, False) for o in np.linspace(-0.7, 0.7, rays)):
        x, y = 0.5 + offset * np.cos(angle) - along * np.sin(angle), 0.5 + offset * np.sin(angle) + along * np.cos(angle)
        inside = (x >= 0) & (x < 1) & (y >= 0) & (y < 1)
        cells = (y[inside] * side).astype(int) * side + (x[inside] * side).astype(int)
        rows.append(np.full(len(cells), number))
        columns.append(cells)
    return pattern(np.concatenate(rows), np.concatenate(columns), (angles * rays, side * side))


def skyline(random, n):
    lengths = np.minimum(random.integers(5, 400, n), np.arange(n) + 1)
    last = np.repeat(np.arange(n), lengths)
    return pattern(last, last - np.concatenate([np.arange(length) for length in lengths]), (n, n))


def links(random, n):
    """Among pages of hosts, four of five within a host."""
    host = np.sort(random.zipf(1.6, n) % 3000)
    first, end = np.searchsorted(host, host), np.searchsorted(host, host, "right")
    page = np.repeat(np.arange(n), np.minimum(random.zipf(1.7, n), 2000))
    within = first[page] + (random.random(len(page)) * (end - first)[page]).astype(int)
    return pattern(page, np.where(random.random(len(page)) < 0.8, within, random.integers(0, n, len(page))), (n, n))


def refined(random, tiles):
    """A grid of tiles of 8 x 8 cells, each whole, or joined by 2 x 2, 4 x 4 or 8 x 8."""
    side, number, count = 8 * tiles, np.zeros((8 * tiles, 8 * tiles), int), 0
    for i in range(0, side, 8):
        for j in range(0, side, 8):
            step = random.choice([1, 2, 4, 8], p=[0.3, 0.1, 0.3, 0.3])
            cells = 8 // step
            number[i:i + 8, j:j + 8] = count + np.kron(np.arange(cells * cells).reshape(cells, cells), np.ones((step, step), int))
            count += cells * cells
    joined = pattern(number.ravel(), np.arange(side * side), (count, side * side))
    return joined @ grid(side, side) @ joined.T


def bordered(n):
    rim = pattern(np.tile(np.arange(n), 2), np.repeat([n - 1, n - 2], n), (n, n))
    return diagonals((n, n), (-1, 0, 1)) + rim + rim.T


def saddle(a, b):
    return sparse.bmat([[a, None, b], [None, a, b.T], [b.T, b, None]])


def kinds(random, scale):
    """Names, and what makes a matrix of that kind."""
    n, line, plane = (lambda rows: int(rows * scale)), (lambda side: int(side * scale ** (1 / 3))), (lambda side: int(side * scale**0.5))
    transfer = by_rows(random, random.integers(1, 5, n(200000)), n(25000), 6)
    cover = by_rows(random, random.integers(5, 13, n(150000)), 700)
    texts, edges, flat = drawn(random, (n(20000), n(90000)), n(1800000), 0.3, 1.0), incidence(random, n(120000)), grid(plane(400), plane(500))
    cells = flat.shape[0]
    return {
        "mesh_as_drawn": lambda: triangulated(random, n(30000), 2, False),
        "mesh_as_drawn_large": lambda: triangulated(random, n(300000), 2, False),
        "mesh": lambda: triangulated(random, n(30000), 2),
        "mesh_large": lambda: triangulated(random, n(300000), 2),
        "tetrahedra": lambda: triangulated(random, n(20000), 3),
        "tetrahedra_of_3": lambda: unknowns(triangulated(random, n(12000), 3), 3),
        "shells_of_6": lambda: unknowns(triangulated(random, n(9000), 2), 6),
        "triangles_of_5": lambda: unknowns(triangulated(random, n(6000), 2), 5),
        "points": lambda: neighbours(random, n(100000), 2, 14),
        "clouds": lambda: neighbours(random, n(8000), 3, 250),
        "roads": lambda: neighbours(random, n(150000), 2, 3),
        "roads_as_drawn": lambda: neighbours(random, n(150000), 2, 3, False),
        "buses": lambda: buses(random, n(60)),
        "small_blocks": lambda: full_blocks(random, 2, 14, n(12000)),
        "circuit": lambda: circuit(random, n(170000)),
        "star": lambda: by_rows(random, np.where(np.arange(n(1000000)) == 777, n(500000), 2), n(1000000)),
        "cover": lambda: cover.T,
        "cover_transposed": lambda: cover,
        "staircase": lambda: staircase(random, n(60)),
        "commodities": lambda: commodities(random, n(40)),
        "words": lambda: pattern(np.repeat(np.arange(n(2**17)), 4), np.arange(4 * n(2**17)) % n(2**17), (n(2**17), n(2**17))),
        "queues": lambda: queues(random, line(45)),
        "holes_in_space": lambda: with_holes(random, grid(*[line(60)] * 3), 0.6),
        "holes_in_plane": lambda: with_holes(random, grid(*[plane(700)] * 2), 0.9),
        "gradient": lambda: sparse.vstack([diagonals((cells, cells), (0, step)) for step in (1, plane(500))]),
        "flow": lambda: saddle(flat, diagonals((cells, cells), (0, 1))),
        "plate": lambda: flat @ flat,
        "difference": lambda: diagonals((n(1000000) - 1, n(1000000)), (0, 1)),
        "incidence": lambda: edges,
        "incidence_transposed": lambda: edges.T,
        "transfer": lambda: transfer,
        "transfer_transposed": lambda: transfer.T,
        "wavelets": lambda: wavelets(random, 13 + round(np.log2(scale))),
        "genes": lambda: sparse.random(n(3000), 3000, 0.12, "csr", random_state=random),
        "far_diagonals": lambda: diagonals((n(120000), n(120000)), np.unique(random.integers(-n(60000), n(60000), 24))),
        "ratings": lambda: drawn(random, (n(60000), 8000), n(2500000), 0.6, 0.9),
        "texts": lambda: texts,
        "texts_transposed": lambda: texts.T,
        "follows": lambda: drawn(random, (n(400000), n(400000)), n(3000000), 0.8, 0.8),
        "tomograph": lambda: tomograph(random, n(40), 150, 200),
        "permutation": lambda: pattern(np.arange(n(800000)), random.permutation(n(800000)), (n(800000), n(800000))),
        "bordered": lambda: bordered(n(50000)),
        "skyline": lambda: skyline(random, n(4000)),
        "links": lambda: links(random, n(200000)),
        "refined": lambda: refined(random, plane(32)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="how many times as many rows as without it")
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    os.makedirs(arguments.folder, exist_ok=True)
    for name, make in kinds(random, arguments.scale).items():
        a = sparse.csr_matrix(make())
        a.data = 0.1 + random.random(a.nnz)
        path = os.path.join(arguments.folder, f"{name}.mtx")
        scipy.io.mmwrite(path, a, precision=6, symmetry="general")
        print(f"{path} ({a.shape[0]} x {a.shape[1]}, {a.nnz} nonzeros)", flush=True)


if __name__ == "__main__":
    main()
