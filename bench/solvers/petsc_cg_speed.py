#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""CG with Jacobi on a 3D Poisson problem: time per iteration of Spry's threads and of PETSc's processes.

    petsc_cg_speed.py [--side 100] [--cores 2] [--rounds 7]

All run in turn, again and again, with the same number of iterations; medians and spreads over the rounds. PETSc is run
with the norm that Spry's CG looks at, and with those that cost it less.
"""

import argparse
import json
import statistics
import subprocess
import sys

import petsc
import problems

NORMS = ("unpreconditioned", "natural", "none")


class Contestant:
    def __init__(self, name, run):
        self.name, self.run, self.seconds = name, run, []

    def measure(self):
        self.seconds.append(self.run())

    def median(self):
        return statistics.median(self.seconds)

    def line(self, fastest):
        low, high = min(self.seconds) * 1e3, max(self.seconds) * 1e3
        return (f"{self.name:44} {self.median() * 1e3:8.3f} ms  ({low:.3f} to {high:.3f})  "
                f"{self.median() / fastest.median():6.3f}")


def spry(program, source, threads, iterations):
    command = [program, source, "--solver", "cg", "--precond", "jacobi", "--tol", "1e-300", "--max-iterations",
               str(iterations), "--threads", str(threads), "--repeat", "3", "--json"]

    def run():
        # It ends with 2, as it does not converge.
        result = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        if result["iterations"] != iterations:
            raise RuntimeError(f"Spry stopped at {result['iterations']}: {result['outcome']}")
        return result["seconds_per_iteration"]

    return Contestant(f"Spry, {threads} threads", run)


def peer(solver, norm, ranks, iterations):
    options = ["-ksp_type", "cg", "-ksp_norm_type", norm, "-pc_type", "jacobi", "-ksp_rtol", "1e-300", "-ksp_atol",
               "1e-300", "-ksp_max_it", str(iterations), "-repeat", "3"]

    def run():
        result = solver.run(options, 600, ranks)[0]
        if result["iterations"] != iterations:
            raise RuntimeError(f"PETSc stopped at {result['iterations']}: {result['outcome']}")
        return result["seconds_per_iteration"]

    return Contestant(f"PETSc, {ranks} processes, norm {norm}", run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=100, help="points along an edge (100)")
    parser.add_argument("--cores", type=int, default=2, help="for each of both (2)")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--spsolve", default="build/programs/spsolve/spsolve")
    arguments = parser.parse_args()
    source = f"gen:poisson3d:{arguments.side}"
    solver = petsc.Petsc()
    solver.take(problems.load(source))
    contestants = [spry(arguments.spsolve, source, cores, arguments.iterations)
                   for cores in dict.fromkeys((1, arguments.cores))]
    contestants += [peer(solver, norm, ranks, arguments.iterations)
                    for ranks in dict.fromkeys((1, arguments.cores)) for norm in NORMS]
    for _ in range(arguments.rounds):
        for contestant in contestants:
            contestant.measure()
    best = next(one for one in contestants if one.name == f"Spry, {arguments.cores} threads")
    print(f"CG, Jacobi, {source}, {arguments.iterations} iterations: time of one, over {arguments.rounds} rounds")
    for contestant in contestants:
        print(contestant.line(best))


if __name__ == "__main__":
    sys.exit(main())
