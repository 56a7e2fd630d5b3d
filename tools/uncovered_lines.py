#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print each line of src/ that was compiled and that nothing ran: uncovered_lines.py BUILD-FOLDER

By the counters of a build with -Db_coverage=true, read with GCC's own gcov. A line counts as run when it was in any of
the objects that it is compiled into. Exit status 0 when there is none.
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
AT_ONCE = 50  # objects for each run of gcov


def reports(folder):
    """What gcov says of each object, run or not."""
    objects = sorted(folder.glob("**/*.gcno"))
    for first in range(0, len(objects), AT_ONCE):
        command = ["gcov", "--stdout", "--json-format", *objects[first : first + AT_ONCE]]
        said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout
        yield from map(json.loads, said.splitlines())


def count_runs(folder):
    """Runs of each line, by file and line."""
    runs = collections.Counter()
    for report in reports(folder):
        for file in report["files"]:
            path = (folder / file["file"]).resolve()
            if path.is_relative_to(ROOT / "src"):
                for line in file["lines"]:
                    runs[path, line["line_number"]] += line["count"]
    return runs


def main(folder):
    runs = count_runs(pathlib.Path(folder).resolve())
    missed = sorted(place for place, count in runs.items() if count == 0)
    for path, number in missed:
        text = path.read_text(encoding="utf-8").splitlines()[number - 1].strip()
        print(f"{path.relative_to(ROOT)}:{number}: {text}")
    print(f"{len(runs) - len(missed)} of {len(runs)} compiled lines were run, {len(missed)} were not")
    return 1 if missed or not runs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
