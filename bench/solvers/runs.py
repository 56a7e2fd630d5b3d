# SPDX-License-Identifier: BSD-3-Clause
"""Which method and preconditioner is run on which kind of system, and the files that the results are kept in."""

import json
import os

POINTWISE = ("none", "jacobi", "block-jacobi", "ssor")
METHODS = {
    "positive definite": {"cg": (*POINTWISE, "ic0"), "minres": (*POINTWISE, "ic0")},
    "symmetric indefinite": {"minres": ("none",)},
    "nonsymmetric": {"bicgstab": (*POINTWISE, "ilu0"), "gmres": (*POINTWISE, "ilu0")},
}
# What b is multiplied by, to see by how much roundings alone change the number of iterations.
SCALES = (1, 3, 5, 7, 11)


def pairs(kind):
    return [(method, precond) for method, preconds in METHODS.get(kind, {}).items() for precond in preconds]


def key_of(line):
    return line["matrix"], line["solver"], line["precond"]


def read_lines(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def add_line(path, line):
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def converged(run):
    return run.get("converged", False)


def slack(iterations):
    """By how much counts of iterations may differ and still agree: 2 %, or one."""
    return max(1.0, 0.02 * iterations)


def agree(one, other):
    """Two runs: both converge, after about as many iterations, or neither does."""
    if not (converged(one) and converged(other)):
        return converged(one) == converged(other)
    return abs(one["iterations"] - other["iterations"]) <= slack(max(one["iterations"], other["iterations"]))
