#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Solve with SciPy's MINRES, without a preconditioner and with the diagonal, as a second opinion beside PETSc's:

    scipy_minres.py systems.jsonl scipy.jsonl

Results are appended; what is there already is not run again. An iteration is the last when the true residual is small
enough: SciPy's own test is another one.
"""

import argparse
import sys
import time

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import minres

import problems
import runs

TOLERANCE = 1e-8
LIMIT = 10_000
PRECONDS = ("none", "jacobi")


class Done(Exception):
    """Raised from within MINRES, when it has converged or taken too long."""


class Watch:
    """Called after each iteration."""

    def __init__(self, matrix, rhs, seconds):
        self.matrix, self.rhs = matrix, rhs
        self.target = TOLERANCE * np.linalg.norm(rhs)
        self.end = time.monotonic() + seconds
        self.iterations, self.residual, self.outcome = 0, np.linalg.norm(rhs), "limit"

    def __call__(self, x):
        self.iterations += 1
        self.residual = np.linalg.norm(self.rhs - self.matrix @ x)
        if self.residual <= self.target:
            self.outcome = "converged"
            raise Done
        if time.monotonic() > self.end:
            self.outcome = "time"
            raise Done


def solve_scaled(problem, precond, scale, seconds):
    rhs = scale * problem.rhs
    watch = Watch(problem.matrix, rhs, seconds)
    inverse = sparse.diags(1.0 / problem.matrix.diagonal()) if precond == "jacobi" else None
    try:
        minres(problem.matrix, rhs, M=inverse, tol=0.0, maxiter=LIMIT, callback=watch)
    except Done:
        pass
    return {"outcome": watch.outcome, "converged": watch.outcome == "converged", "iterations": watch.iterations,
            "relative_residual": watch.residual / np.linalg.norm(rhs)}


def solve(problem, precond, time_limit):
    end = time.monotonic() + time_limit
    return [solve_scaled(problem, precond, scale, end - time.monotonic()) for scale in runs.SCALES
            if scale == 1 or time.monotonic() < end]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems")
    parser.add_argument("results")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for all runs of a pair (60)")
    arguments = parser.parse_args()
    done = {runs.key_of(line) for line in runs.read_lines(arguments.results)}
    for system in runs.read_lines(arguments.systems):
        missing = [precond for method, precond in runs.pairs(system["kind"])
                   if method == "minres" and precond in PRECONDS and (system["matrix"], method, precond) not in done]
        problem = problems.load(system["source"]) if missing else None
        for precond in missing:
            line = {"matrix": system["matrix"], "solver": "minres", "precond": precond, "shift": 0.0, "peer": "SciPy"}
            runs.add_line(arguments.results, line | {"runs": solve(problem, precond, arguments.time_limit)})


if __name__ == "__main__":
    sys.exit(main())
