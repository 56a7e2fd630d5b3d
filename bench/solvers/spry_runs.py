#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Solve with Spry, each system of its kind with each method and preconditioner:

    spry_runs.py systems.jsonl spry.jsonl [--spsolve build/programs/spsolve/spsolve] [--beside petsc.jsonl]

Results are appended; what is there already is not run again. With another's, only what does not agree with it is run:
once more, for b and multiples of it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import problems
import runs

KEPT = ("outcome", "iterations", "relative_residual", "seconds_per_iteration", "error")


class Spsolve:
    """The program, and a folder for right-hand sides."""

    def __init__(self, program, threads):
        self.program = program
        self.common = ["--json", "--format", "csr", "--threads", str(threads), "--tol", "1e-8", "--max-iterations",
                       "10000", "--restart", "30", "--block", "8"]
        self.folder = tempfile.TemporaryDirectory()

    def rhs(self, problem, scale):
        """Spry's own b, or a multiple of it in a file."""
        if scale == 1:
            return "exact"
        path = os.path.join(self.folder.name, f"{scale}.mtx")
        problems.write_rhs(problem, scale, path)
        return path

    def run(self, problem, source, method, precond, scale, seconds):
        command = [self.program, source, *self.common, "--solver", method, "--precond", precond, "--rhs",
                   self.rhs(problem, scale)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return {"error_message": "time"}
        if not done.stdout.strip():
            return {"error_message": done.stderr.strip() or f"exit status {done.returncode}"}
        return json.loads(done.stdout)


def kept(result):
    if "error_message" in result:
        return {"error_message": result["error_message"]}
    return {name: result[name] for name in KEPT} | {"converged": result["outcome"] == "converged"}


def solve(program, problem, source, method, precond, scales, time_limit):
    """One run for each scale, until the time for all is over or one has failed; and the preconditioner's shift."""
    end = time.monotonic() + time_limit
    results = []
    for scale in scales:
        left = end - time.monotonic()
        if results and (left < 1.0 or "error_message" in results[0]):
            break
        results.append(program.run(problem, source, method, precond, scale, left))
    return {"shift": results[0].get("shift"), "runs": [kept(result) for result in results]}


def lacks_spread(line, peers):
    """Whether it agrees with nobody, and has not been run for multiples of b yet."""
    others = peers.get(runs.key_of(line), [])
    return len(line["runs"]) == 1 and others and not any(runs.agree(line["runs"][0], other) for other in others)


def read_peers(paths):
    """The first run of each, by what was solved how."""
    peers = {}
    for path in paths:
        for line in runs.read_lines(path):
            peers.setdefault(runs.key_of(line), []).append(line["runs"][0])
    return peers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems")
    parser.add_argument("results")
    parser.add_argument("--spsolve", default="build/programs/spsolve/spsolve")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--beside", nargs="+", default=[], metavar="PEER", help="what petsc_runs.py and others wrote")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for all runs of a pair (60)")
    arguments = parser.parse_args()
    done = {runs.key_of(line): line for line in runs.read_lines(arguments.results)}
    peers = read_peers(arguments.beside)
    program = Spsolve(arguments.spsolve, arguments.threads)
    for system in runs.read_lines(arguments.systems):
        keys = [(system["matrix"], *pair) for pair in runs.pairs(system["kind"])]
        if peers:
            wanted = [key for key in keys if key in done and lacks_spread(done[key], peers)]
        else:
            wanted = [key for key in keys if key not in done]
        problem = problems.load(system["source"]) if wanted else None
        for name, method, precond in wanted:
            line = {"matrix": name, "solver": method, "precond": precond}
            scales = runs.SCALES if peers else runs.SCALES[:1]
            outcome = solve(program, problem, system["source"], method, precond, scales, arguments.time_limit)
            runs.add_line(arguments.results, line | outcome)


if __name__ == "__main__":
    sys.exit(main())
