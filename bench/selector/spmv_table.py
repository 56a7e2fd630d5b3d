#!/usr/bin/env python3
"""The cost model of model.py on public times of Ginkgo's kernels over the SuiteSparse collection.

Reads v100.tsv, a100.tsv, mi250x.tsv and xeon.tsv (row-length statistics of a matrix, times of five formats), makes
the terms of each format from what its kernel does, and prints how good the picks are for groups of matrices that
the fit has not seen. The sizes of launches and the rules by which a kernel chooses its threads are those of Ginkgo
(https://github.com/ginkgo-project/ginkgo: include/ginkgo/core/matrix/{csr,hybrid}.hpp, common/cuda_hip/matrix/ and
omp/matrix/*_kernels.*, components/format_conversion.*); none of the limits below is fitted or chosen by hand.
"""

import argparse
import collections
import os

import numpy as np

import model

VALUE, INDEX = 8, 4  # bytes: double precision, 32-bit indices
SLICE = 64  # rows of a SELL-P slice: Ginkgo's default
BLOCK = 4  # warps of a block in COO and load-balanced CSR
ELL_EXCESS = 100  # Ginkgo's benchmark leaves ELL out beyond this ratio of slots to entries

Cpu = collections.namedtuple("Cpu", "memory cache cores")  # bytes of memory and of the last-level cache
# `units` times `warps` is what Ginkgo takes for the warps that a GPU runs at once; a launch has at most `warp_limits`
# times as many, from so many entries on
Gpu = collections.namedtuple("Gpu", "memory cache units warps warp balance_from balance_limits coo_limits")

NVIDIA = {0: 8, 2e5: 32, 2e6: 128, 2e7: 512, 2e8: 2048}
MACHINES = {  # sizes are those of the vendors' data sheets
    "v100": Gpu(32e9, 6e6, 80, 2, 32, (1e6, 1024), NVIDIA, NVIDIA),
    "a100": Gpu(40e9, 40e6, 108, 2, 32, (1e6, 1024), NVIDIA, NVIDIA),
    "mi250x": Gpu(64e9, 8e6, 110, 4, 64, (1e8, 768), {0: 8, 1e6: 16, 1e7: 64}, {0: 2, 1e5: 8, 1e7: 32}),
    "xeon": Cpu(np.inf, 27.5e6, 20),
}


class Lengths:
    """Row lengths of each matrix as a quantile function.

    Straight between minimum, quartiles and median. The last quarter is q3 + (max - q3) * s ** a for s from 0 to 1,
    with the a that gives all rows their mean. The steps of s are finer towards 1: one long row among millions keeps
    its weight.
    """

    def __init__(self, low, q1, median, q3, high, mean):
        s = np.append(1 - 2.0 ** (-np.arange(140) / 4), 1)
        span = np.maximum(high - q3, 0.25)  # quartiles are multiples of a quarter
        last_mean = 4 * mean - (low + 2 * q1 + 2 * median + q3) / 2
        share = np.clip((last_mean - q3) / span, 1e-9, 1)  # the mean of s ** a, which is 1 / (a + 1)
        tail = q3[:, None] + (high - q3)[:, None] * s ** (1 / share - 1)[:, None]
        self.at = np.concatenate([[0, 0.25, 0.5], 0.75 + 0.25 * s])
        self.length = np.column_stack([low, q1, median, tail])
        self.middle = (self.at[1:] + self.at[:-1]) / 2

    def quantile(self, share):
        return np.array([np.interp(share, self.at, x) for x in self.length])

    def mean_excess(self, width):
        """Mean of what rows are longer than width."""
        above = np.maximum(self.length - width[:, None], 0)
        return above[:, 0] + np.diff(above) @ (1 - self.middle)

    def mean_longest(self, count):
        """Mean of the longest of `count` rows, taken at random."""
        return self.length[:, 0] + np.diff(self.length) @ (1 - self.middle**count)

    def mean_of_top(self, share):
        """Mean of the longest `share` of all rows."""
        weight = np.clip(self.at[1:] - np.maximum(self.at[:-1], 1 - share), 0, None) / share
        return (self.length[:, 1:] + self.length[:, :-1]) / 2 @ weight


class Matrices:
    """The statistics of a table's matrices, as columns, and what follows from them for each format."""

    def __init__(self, columns, machine):
        self.rows, self.cols, self.nnz, low, q1, median, q3, self.longest, self.mean, self.variance = columns
        self.lengths = Lengths(low, q1, median, q3, self.longest, self.mean)
        self.machine = machine
        self.vectors = VALUE * (self.rows + self.cols)
        # ginkgo's `automatic`: a third of the rows fit in the ELL part, which is at most 0.001 * rows wide
        self.hybrid_width = np.floor(np.minimum(self.lengths.quantile(1 / 3), 0.001 * self.rows))
        self.hybrid_coo = np.round(self.lengths.mean_excess(self.hybrid_width) * self.rows)
        self.slice_length = self.lengths.mean_longest(SLICE)

    def memory(self):
        """Bytes of the arrays of each format."""
        slot, entry = VALUE + INDEX, VALUE + 2 * INDEX
        return {
            "csr": slot * self.nnz + INDEX * self.rows,
            "coo": entry * self.nnz,
            "ell": slot * self.rows * self.longest,
            "hybrid": slot * self.rows * self.hybrid_width + entry * self.hybrid_coo,
            "sellp": slot * self.rows * self.slice_length,
        }

    def allowed(self):
        """Whether each format may run: it fits in memory, and ELL is not left out for its padding."""
        fits = np.column_stack([b + self.vectors <= self.machine.memory for b in self.memory().values()])
        fits[:, list(self.memory()).index("ell")] &= self.rows * self.longest <= ELL_EXCESS * self.nnz
        return fits

    def traffic(self, bytes_read):
        """Terms of every format: what is read, and what of that the last-level cache cannot keep."""
        total = bytes_read + self.vectors
        return {
            "bytes": bytes_read,
            "bytes beyond cache": np.maximum(total - self.machine.cache, 0),
            "bytes of x": VALUE * self.cols,
        }


def power_of_two_below(x):
    return 2 ** np.floor(np.log2(np.maximum(x, 1)))


def gpu_terms(m):
    gpu, memory, one = m.machine, m.memory(), np.ones(len(m.rows))

    def entrywise(entries, longest, limits):
        """Terms of a kernel that gives each warp as many entries, and adds rows up with atomics."""
        step = np.searchsorted(list(limits), entries, side="right") - 1
        warps = np.array(list(limits.values()))[step] * gpu.units * gpu.warps
        passes = np.maximum(np.ceil(entries / (warps * gpu.warp)), 1)
        return {
            # on the MI250X a launch as large as they get takes some 45 µs more
            "full grid": np.ceil(entries / (BLOCK * gpu.warp)) >= warps / BLOCK,
            "atomics on one row": longest / (gpu.warp * passes),
        }

    def csr():
        balanced = (m.nnz > gpu.balance_from[0]) | (m.longest > gpu.balance_from[1])
        threads = np.minimum(power_of_two_below(m.longest), gpu.warp)  # on each row
        classical = {
            "launch": one,
            "steps of longest row": np.ceil(m.longest / threads),
            "threads": m.rows * threads,
        }
        load_balance = {
            "launch balanced": one,
            **entrywise(m.nnz, m.longest, gpu.balance_limits),
            "rows balanced": m.rows,
        }
        return {
            **{term: x * ~balanced for term, x in classical.items()},
            **{term: x * balanced for term, x in load_balance.items()},
            **m.traffic(memory["csr"]),
        }

    def coo():
        return {
            "launch": one,
            **entrywise(m.nnz, m.longest, gpu.coo_limits),
            **m.traffic(memory["coo"]),
        }

    def ell():
        # wide matrices get several threads a row, or even several workers of 32 that add up with atomics
        wide = m.longest > 0.01 * m.rows
        threads = np.where(wide, np.minimum(power_of_two_below(m.longest), 32), 1)
        free = gpu.units * gpu.warps * 4 // m.rows
        workers = np.where(threads == 32, np.maximum(np.minimum(m.longest // 32, free), 1), 1)
        # a warp stops at the end of its longest row: what follows is never read
        slots = m.rows * m.lengths.mean_longest(gpu.warp)
        return {
            "launch": one,
            "steps of longest row": np.ceil(m.longest / (threads * workers)),
            "reduction": threads > 1,
            "adds in shared memory": threads - 1,
            "second launch": workers > 1,
            "threads": m.rows * threads,
            **m.traffic((VALUE + INDEX) * slots),
        }

    def hybrid():
        rest = np.maximum(m.longest - m.hybrid_width, 0)
        return {
            "launch": one,
            "rows": m.rows,
            "steps of ELL": m.hybrid_width,
            "launch of COO": m.hybrid_coo > 0,
            "entries of COO": m.hybrid_coo,
            **entrywise(m.hybrid_coo, rest, gpu.coo_limits),
            **m.traffic(memory["hybrid"]),
        }

    def sellp():
        return {
            "launch": one,
            "steps of longest row": m.longest,
            **m.traffic(memory["sellp"]),
        }

    return {"csr": csr(), "coo": coo(), "ell": ell(), "hybrid": hybrid(), "sellp": sellp()}


def cpu_terms(m):
    memory, share = m.memory(), np.ceil(m.rows / m.machine.cores)  # rows cut evenly, whatever is in them
    common = {"launch": np.ones(len(m.rows)), "rows": m.rows}
    longest = {"longest row": m.longest}
    imbalance = {  # what a thread has more than the others, were the rows sorted by length or shuffled
        "excess if sorted": np.maximum(m.lengths.mean_of_top(1 / m.machine.cores) - m.mean, 0) * share,
        "excess if shuffled": np.sqrt(m.variance * share),
    }
    # COO adds up with atomics: an entry waits for those of its own row, which has sum(length²) / nnz on average
    contention = {"entries in an entry's row": m.mean + m.variance / m.mean}
    return {
        "csr": {**common, **imbalance, **m.traffic(memory["csr"])},
        "coo": {**common, **contention, **m.traffic(memory["coo"])},
        "ell": {**common, **longest, **m.traffic(memory["ell"])},
        "hybrid": {**common, **contention, **m.traffic(memory["hybrid"])},
        "sellp": {**common, **longest, **imbalance, **m.traffic(memory["sellp"])},
    }


def read(path):
    """Groups, columns of statistics, and times in microseconds (NaN: could not run)."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    numbers = np.array([[float(field or "nan") for field in line[2:]] for line in lines])
    return [line[0] for line in lines], numbers[:, :10].T, numbers[:, 10:]


def describe(prices, terms):
    """Prices in physical units, from microseconds for each unit of an amount, and their mean share of the time."""
    for name, total in zip(terms, model.predict(prices, terms).T):
        print(f"\n  {name}")
        for term, price in prices[name].items():
            share = (price * terms[name][term] / total).mean()
            text = f"{1e-3 / price:12.4g} GB/s" if term.startswith("bytes") else f"{1e3 * price:12.4g} ns  "
            print(f"    {term:28}{text}{share:8.1%}" if share >= 0.0005 else f"    {term:28}{'free':>12}")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=".", help="folder of the tables")
    parser.add_argument("--coefficients", action="store_true", help="print the prices fitted to all matrices")
    options = parser.parse_args()

    print(f"{'machine':10}{'':14}{'mean':>8}{'worst':>8}{'within 5 %':>12}")
    for name, machine in MACHINES.items():
        groups, columns, times = read(os.path.join(options.data, name + ".tsv"))
        m = Matrices(columns, machine)
        terms, allowed = (gpu_terms if isinstance(machine, Gpu) else cpu_terms)(m), m.allowed()
        predicted = model.cross_validate(terms, times, allowed, groups)
        for label, picks in (("always CSR", np.zeros(len(times), int)), ("model", model.pick(predicted, allowed))):
            mean, worst, near = model.figures(picks, times)
            print(f"{name:10}{label:14}{mean:8.4f}{worst:8.2f}{near:12.3f}")
        if options.coefficients:
            describe(model.fit(terms, times, allowed), terms)


if __name__ == "__main__":
    main()
