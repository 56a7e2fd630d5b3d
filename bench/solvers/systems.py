#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Describe the square real systems among Matrix Market files, one line of JSON each:

    systems.py FILE... >systems.jsonl

Whether A is symmetric, and then positive definite: CHOLMOD's factorisation succeeds. How a direct solver does, CHOLMOD
or UMFPACK: its residual and its error. The condition number in the 1-norm, by Hager's and Higham's estimate (Higham,
Tisseur, "A block algorithm for matrix 1-norm estimation", SIAM J. Matrix Anal. Appl. 21, 2000) with SuperLU's factors.
"""

import argparse
import json
import multiprocessing
import sys

import numpy as np
import scipy.sparse.linalg as linalg

import petsc
import problems


def inverse_norm(matrix):
    factors = linalg.splu(matrix.tocsc())
    inverse = linalg.LinearOperator(matrix.shape, matvec=factors.solve, rmatvec=lambda x: factors.solve(x, "T"),
                                    dtype=np.float64)
    return linalg.onenormest(inverse)


def condition(matrix):
    """Null for a singular matrix."""
    try:
        return float(linalg.norm(matrix, 1) * inverse_norm(matrix))
    except (RuntimeError, ValueError):
        return None


def within(seconds, function, *arguments):
    """What a function returns. TimeoutError where that takes too long, or ends without an answer: factors can fill all memory."""
    def child(answers):
        answers.put(function(*arguments))

    answers = multiprocessing.Queue()
    process = multiprocessing.Process(target=child, args=(answers,))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
    if process.exitcode != 0:
        raise TimeoutError
    return answers.get()


def attempt(solver, name, time_limit):
    try:
        x = solver.direct(name, time_limit)
    except petsc.Failure:
        return None
    return x if x is not None and np.isfinite(x).all() else None


def direct_solution(problem, solver, time_limit):
    """The solver that made it, CHOLMOD where it can, and x; null if there is none."""
    solver.take(problem)
    if problem.symmetric and problem.matrix.diagonal().min() > 0.0:
        x = attempt(solver, "cholmod", time_limit)
        if x is not None:
            return "cholmod", x
    return "umfpack", attempt(solver, "umfpack", time_limit)


def kind_of(problem, name):
    if not problem.symmetric:
        return "nonsymmetric"
    return "positive definite" if name == "cholmod" else "symmetric indefinite"


def describe(problem, source, solver, time_limit):
    line = {"matrix": problem.name, "source": source, "rows": problem.matrix.shape[0], "nnz": problem.matrix.nnz}
    if problem.empty_line:
        return line | {"kind": "singular", "reason": "a row or column is empty"}
    name, x = direct_solution(problem, solver, time_limit)
    line |= {"condition": None}
    try:
        line["condition"] = within(time_limit, condition, problem.matrix)
        if line["condition"] is None:
            return line | {"kind": "singular", "reason": "a pivot is zero"}
    except TimeoutError:
        pass
    line |= {"kind": kind_of(problem, name)}
    if x is None:
        return line | {"direct": None}
    return line | {"direct": name, "direct_residual": problem.relative_residual(x), "direct_error": problem.error(x)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", metavar="FILE")
    parser.add_argument("--most-rows", type=int, default=200_000, help="pass over larger ones (200000)")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for a factorisation (60)")
    arguments = parser.parse_args()
    solver = petsc.Petsc()
    for source in arguments.sources:
        problem = problems.load(source, arguments.most_rows)
        if problem is not None:
            print(json.dumps(describe(problem, source, solver, arguments.time_limit)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
