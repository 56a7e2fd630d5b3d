#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Solve with PETSc, each system of its kind with each method and preconditioner:

    petsc_runs.py systems.jsonl petsc.jsonl [--spry spry.jsonl]

Results are appended; what is there already is not run again. With Spry's, IC(0) has the shift that Spry's has.
"""

import argparse
import sys

import petsc
import problems
import runs

KEPT = ("outcome", "converged", "iterations", "relative_residual", "seconds_per_iteration")


def solve(solver, method, precond, shift, time_limit):
    options = [*petsc.TOLERANCE, *petsc.METHODS[method], *petsc.PRECONDS[precond], "-shift", repr(shift), "-scales",
               ",".join(map(str, runs.SCALES))]
    try:
        results = solver.run(options, time_limit)
    except petsc.Failure as failure:
        return [{"error_message": str(failure)}]
    return [{name: result[name] for name in KEPT} for result in results]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems")
    parser.add_argument("results")
    parser.add_argument("--spry", default="", help="what spry_runs.py wrote, for the shifts of IC(0)")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for all runs of a pair (60)")
    arguments = parser.parse_args()
    shifts = {runs.key_of(line): line["shift"] or 0.0 for line in runs.read_lines(arguments.spry)
              if line["precond"] == "ic0"}
    done = {(runs.key_of(line), line["shift"]) for line in runs.read_lines(arguments.results)}
    solver = petsc.Petsc()
    for system in runs.read_lines(arguments.systems):
        missing = []
        for method, precond in runs.pairs(system["kind"]):
            key = (system["matrix"], method, precond)
            if (key, shifts.get(key, 0.0)) not in done:
                missing.append((method, precond, shifts.get(key, 0.0)))
        if missing:
            solver.take(problems.load(system["source"]))
        for method, precond, shift in missing:
            runs.add_line(arguments.results, {
                "matrix": system["matrix"], "solver": method, "precond": precond, "shift": shift, "peer": "PETSc",
                "runs": solve(solver, method, precond, shift, arguments.time_limit),
            })


if __name__ == "__main__":
    sys.exit(main())
