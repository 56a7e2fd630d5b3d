#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether Spry's solvers do what those of others do, and come to what a direct solver comes to:

    agree.py systems.jsonl spry.jsonl petsc.jsonl [scipy.jsonl]

Iterations agree when they differ by 2 % or by one. Where they do not, the runs with a scaled b tell whether that is
more than roundings alone make: if the ranges of both overlap, give or take the same 2 %, it is not. Where there are
several others, the one that agrees best is shown.

A solution agrees with the direct one when they differ by 1e-6 of its norm, or by no more than the condition of the
matrix makes of the residuals of both. Each is compared with the x that b was made of; the sum of the two distances is
what is judged.
"""

import argparse
import collections
import re
import sys

import runs

TOLERANCE = 1e-8
SAME_SOLUTION = 1e-6
WORST_CONDITION = 1e16

VERDICTS = {
    "agree": "both converge, iterations within 2 % or one",
    "rounding": "both converge, iterations differ, but no more than roundings alone make them",
    "drift": "Spry goes on, since the other's true residual is not within the tolerance",
    "differ": "both converge, iterations differ",
    "neither": "neither converges",
    "by chance": "one converges, but not for every scale of b, or the other does for some",
    "only Spry": "only Spry converges",
    "only peer": "only the other converges",
}


def reason(run):
    if "error_message" in run:
        return run["error_message"]
    return f"{run['outcome']} at {run['iterations']}, residual {run['relative_residual']:.1e}"


def overlap(ours, theirs):
    """Of the ranges of iterations over all scales."""
    one = [run["iterations"] for run in ours if runs.converged(run)]
    other = [run["iterations"] for run in theirs if runs.converged(run)]
    return min(one) - runs.slack(min(one)) <= max(other) and min(other) <= max(one) + runs.slack(max(one))


def verdict_of_converged(ours, theirs):
    if runs.agree(ours[0], theirs[0]):
        return "agree"
    if theirs[0]["relative_residual"] > 1.01 * TOLERANCE:
        return "drift"
    return "rounding" if overlap(ours, theirs) else "differ"


def verdict_of(ours, theirs):
    first = runs.converged(ours[0]), runs.converged(theirs[0])
    if first == (True, True):
        return verdict_of_converged(ours, theirs)
    if first == (False, False):
        return "neither"
    winners, losers = (ours, theirs) if first[0] else (theirs, ours)
    if any(map(runs.converged, losers)) or not all(map(runs.converged, winners)):
        return "by chance"
    return "only Spry" if first[0] else "only peer"


class Comparison:
    """One system, method and preconditioner."""

    def __init__(self, system, spry, peer):
        self.system, self.spry, self.peer = system, spry, peer
        self.verdict = verdict_of(spry["runs"], peer["runs"])

    def both_converged(self):
        return runs.converged(self.spry["runs"][0]) and runs.converged(self.peer["runs"][0])

    def line(self):
        ours, theirs, other = self.spry["runs"][0], self.peer["runs"][0], self.peer["peer"]
        name = f"{self.system['matrix'][:28]:28} {self.spry['solver']:8} {self.spry['precond']:12}"
        if self.both_converged():
            return (f"{name} Spry {ours['iterations']} {range_of(self.spry)}, {other} {theirs['iterations']} "
                    f"{range_of(self.peer)}, true residuals {ours['relative_residual']:.1e}, "
                    f"{theirs['relative_residual']:.1e}")
        return f"{name} Spry: {reason(ours)}; {other}: {reason(theirs)}"


def range_of(side):
    counts = [run["iterations"] for run in side["runs"] if runs.converged(run)]
    return f"({min(counts)} to {max(counts)})"


def key_with_shift(line):
    """Factors of IC(0) are the same only with the same shift."""
    return (*runs.key_of(line), (line["shift"] or 0.0) if line["precond"] == "ic0" else 0.0)


def best_comparisons(systems, spry, peers):
    """For each of Spry's lines the peer that agrees best, and the lines that no peer has."""
    by_key = collections.defaultdict(list)
    for line in peers:
        by_key[key_with_shift(line)].append(line)
    severity = list(VERDICTS).index
    best, alone = [], []
    for line in spry:
        system = systems[line["matrix"]]
        compared = [Comparison(system, line, peer) for peer in by_key[key_with_shift(line)]]
        if compared:
            best.append(min(compared, key=lambda one: severity(one.verdict)))
        else:
            alone.append(line)
    return best, alone


def solution_verdict(system, run):
    """What is said of a converged solution beside the direct one, and by how much they differ at most."""
    if not system.get("direct"):
        return "no direct solution", None
    if system["condition"] is not None and system["condition"] > WORST_CONDITION:
        return "singular to working precision", None
    difference = run["error"] + system["direct_error"]
    if difference <= SAME_SOLUTION:
        return "same", difference
    if system["condition"] is None:
        return "condition not known", difference
    residuals = run["relative_residual"] + system["direct_residual"]
    return ("within condition" if difference <= system["condition"] * residuals else "differ"), difference


def print_table(comparisons):
    counts = collections.defaultdict(collections.Counter)
    for one in comparisons:
        counts[one.system["kind"], one.spry["solver"], one.spry["precond"]][one.verdict] += 1
    print(f"{'systems':22} {'method':9} {'precond':13}" + "".join(f"{verdict:>11}" for verdict in VERDICTS))
    for group, verdicts in counts.items():
        print(f"{group[0]:22} {group[1]:9} {group[2]:13}"
              + "".join(f"{verdicts[verdict] or '-':>11}" for verdict in VERDICTS))
    total = collections.Counter(one.verdict for one in comparisons)
    print(f"{'all':46}" + "".join(f"{total[verdict] or '-':>11}" for verdict in VERDICTS))
    print()
    for verdict, meaning in VERDICTS.items():
        print(f"{verdict:11} {meaning}")


def print_details(comparisons):
    for verdict in VERDICTS:
        group = [one for one in comparisons if one.verdict == verdict]
        if group and verdict != "agree":
            print(f"\n{verdict}: {VERDICTS[verdict]}")
            for one in group:
                print("  " + one.line())


def print_failures(comparisons):
    """Why Spry did not converge, row numbers and names aside."""
    counts = collections.Counter()
    for one in comparisons:
        run = one.spry["runs"][0]
        if not runs.converged(run):
            words = run.get("error_message", run.get("outcome")).split(": ")[-1]
            counts[re.sub(r"^row \d+ \(counted from 1\) ?", "a row ", words)] += 1
    print(f"\nSpry does not converge in {sum(counts.values())}:")
    for words, count in counts.most_common():
        print(f"{count:6} {words}")


def print_residuals(comparisons):
    both = [one for one in comparisons if one.both_converged()]
    limit = 1.01 * TOLERANCE
    ours = sum(one.spry["runs"][0]["relative_residual"] <= limit for one in both)
    theirs = sum(one.peer["runs"][0]["relative_residual"] <= limit for one in both)
    print(f"\nTrue residual within the tolerance, of {len(both)} where both converge: Spry {ours}, the other {theirs}")


def print_solutions(systems, spry):
    counts, notable = collections.Counter(), []
    for line in spry:
        system = systems[line["matrix"]]
        if not runs.converged(line["runs"][0]):
            continue
        verdict, difference = solution_verdict(system, line["runs"][0])
        counts[verdict] += 1
        if verdict in ("condition not known", "differ"):
            notable.append(f"  {system['matrix'][:28]:28} {line['solver']:8} {line['precond']:12} {verdict}: "
                           f"{difference:.1e}, condition {system['condition']}")
    print(f"\nSpry's {sum(counts.values())} converged solutions beside the direct ones: "
          + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    print("\n".join(notable))


def print_left_out(systems, alone):
    for system in systems.values():
        if system["kind"] == "singular":
            print(f"left out: {system['matrix']}: singular: {system['reason']}")
    for line in alone:
        print(f"not compared: {line['matrix']} {line['solver']} {line['precond']}: run by Spry alone")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems")
    parser.add_argument("spry")
    parser.add_argument("peers", nargs="+")
    parser.add_argument("--brief", action="store_true", help="counts alone")
    arguments = parser.parse_args()
    systems = {system["matrix"]: system for system in runs.read_lines(arguments.systems)}
    spry = {runs.key_of(line): line for line in runs.read_lines(arguments.spry)}.values()
    peers = [line for path in arguments.peers for line in runs.read_lines(path)]
    comparisons, alone = best_comparisons(systems, spry, peers)
    print_table(comparisons)
    if not arguments.brief:
        print_details(comparisons)
        print()
        print_left_out(systems, alone)
    print_failures(comparisons)
    print_residuals(comparisons)
    print_solutions(systems, spry)


if __name__ == "__main__":
    sys.exit(main())
