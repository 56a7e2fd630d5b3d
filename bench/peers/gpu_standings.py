#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Spry beside cuSPARSE over many matrices, from what spbench wrote:

    spbench --backend cuda --peers --kernels --json FILE... >results.jsonl
    gpu_standings.py results.jsonl...

One line a matrix, the slowest beside cuSPARSE first. Ratios are cuSPARSE's time over Spry's: over 1 Spry is faster.
Each type of values and each version of cuSPARSE has a list of its own.
"""

import argparse
import json
import math
import sys


def usable(report, of_peer):
    rows = [row for row in report["results"] if row["backend"] == "cuda" and row["status"] == "ok"]
    return [row for row in rows if (row["peer"] is not None) == of_peer]


def microseconds(row, cold):
    return row["cold_us" if cold else "time_us"]["median"]


def fastest(rows, cold):
    return min(rows, key=lambda row: microseconds(row, cold), default=None)


def read_reports(paths):
    for path in paths:
        with sys.stdin if path == "-" else open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    yield json.loads(line)


class Standing:
    """One matrix: the best of Spry, the best of cuSPARSE, and cuSPARSE's CSR as it comes."""

    def __init__(self, report, cold):
        ours, theirs = usable(report, False), usable(report, True)
        self.name = report["matrix"]["name"]
        self.nnz = report["matrix"]["nnz"]
        self.spry, self.peer = fastest(ours, cold), fastest(theirs, cold)
        self.default = next((row for row in theirs if row["kernel"] == "csr"), None)
        self.type = report["results"][0]["type"]
        self.version = next((row.get("peer_version") for row in theirs), None)
        self.wrong = [row for row in report["results"] if row["status"] == "inaccurate"]
        self.cold = cold

    def compared(self):
        return self.spry is not None and self.peer is not None

    def ratio(self):
        return microseconds(self.peer, self.cold) / microseconds(self.spry, self.cold)

    def ratio_to_default(self):
        if self.default is None:
            return None
        return microseconds(self.default, self.cold) / microseconds(self.spry, self.cold)

    def line(self):
        to_default = self.ratio_to_default()
        return (f"{self.name[:32]:32} {self.type} {self.nnz:>12,} "
                f"{self.spry['format']:>4} {self.spry['kernel'][:20]:20} {microseconds(self.spry, self.cold):>10.2f} "
                f"{self.peer['kernel']:11} {microseconds(self.peer, self.cold):>10.2f} {self.ratio():>7.3f} "
                f"{'-' if to_default is None else format(to_default, '.3f'):>7}")


HEADING = (f"{'matrix':32} type {'nonzeros':>12} {'Spry: format, kernel, us':>36} {'cuSPARSE, us':>22} "
           f"{'ratio':>7} {'to csr':>7}")


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(what, ratios):
    if not ratios:
        return f"{what}: none"
    return (f"{what}: geometric mean {mean(ratios):.3f} over {len(ratios)}, least {min(ratios):.3f}, "
            f"below 1.0: {sum(r < 1.0 for r in ratios)}, below 0.8: {sum(r < 0.8 for r in ratios)}")


def winners(standings, side):
    count = {}
    for standing in standings:
        kernel = getattr(standing, side)["kernel"]
        count[kernel] = count.get(kernel, 0) + 1
    return ", ".join(f"{kernel} {n}" for kernel, n in sorted(count.items(), key=lambda item: -item[1]))


def print_standings(standings, version, least):
    compared = sorted((s for s in standings if s.compared()), key=Standing.ratio)
    large = [s for s in compared if s.nnz > least]
    print(f"cuSPARSE {version or 'of an unknown version'}")
    print(HEADING)
    for standing in compared:
        print(standing.line())
    print()
    print(f"Matrices with more than {least:,} nonzeros, cuSPARSE's time over Spry's:")
    print(summary("  best of each", [s.ratio() for s in large]))
    print(summary("  cuSPARSE's default CSR", [s.ratio_to_default() for s in large if s.default is not None]))
    if large:
        print("  fastest of Spry: " + winners(large, "spry"))
        print("  fastest of cuSPARSE: " + winners(large, "peer"))
    for standing in standings:
        if not standing.compared():
            print(f"not compared: {standing.name} ({standing.nnz:,} nonzeros)")
        for row in standing.wrong:
            print(f"wrong: {standing.name}: {row['peer'] or 'spry'} {row['kernel']}: {row['message']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=["-"], help="JSON lines of spbench (standard input)")
    parser.add_argument("--cold", action="store_true", help="compare products that begin with an empty cache")
    parser.add_argument("--min-nnz", type=int, default=20000, help="nonzeros over which a matrix counts (20000)")
    arguments = parser.parse_args()
    standings = [Standing(report, arguments.cold) for report in read_reports(arguments.files) if report["results"]]
    for kind, version in sorted({(s.type, s.version or "") for s in standings}):
        alike = [s for s in standings if (s.type, s.version or "") == (kind, version)]
        print_standings(alike, version, arguments.min_nnz)
        print()


if __name__ == "__main__":
    main()
