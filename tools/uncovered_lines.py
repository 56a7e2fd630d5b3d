#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print each line that no test ran, by what gcovr wrote about them: uncovered_lines.py COVERAGE.json

Exit status 0 when there is none.
"""

import json
import sys


def uncovered(file):
    with open(file["file"], encoding="utf-8") as source:
        text = source.read().splitlines()
    for line in file["lines"]:
        if line["count"] == 0 and not line["gcovr/noncode"]:
            yield f"{file['file']}:{line['line_number']}: {text[line['line_number'] - 1].strip()}"


def main(report):
    with open(report, encoding="utf-8") as opened:
        files = json.load(opened)["files"]
    compiled = sum(not line["gcovr/noncode"] for file in files for line in file["lines"])
    missed = [line for file in files for line in uncovered(file)]
    print(*missed, sep="\n")
    print(f"{compiled - len(missed)} of {compiled} compiled lines were run, {len(missed)} were not")
    return 1 if missed or not compiled else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
