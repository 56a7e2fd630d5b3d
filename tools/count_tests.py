#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sum up what Meson wrote about its tests: count_tests.py [--failed] LOG.json...

A test of Criterion's that was skipped in a program that passed counts as skipped too, and is named with its reason.

With --failed: which tests failed, and the last of what each printed."""

import collections
import json
import re
import sys

OUTCOME = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}
# What tests/prepare.c prints.
SKIPPED_WITHIN = re.compile(r"^skipped (\w+::\w+: .*)$", re.MULTILINE)
MOST_LINES = 40


def read_tests(logs):
    """(outcome, test) of each test of each log."""
    for log in logs:
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                test = json.loads(line)
                yield OUTCOME.get(test["result"], "failed"), test


def print_counts(logs):
    tests = list(read_tests(logs))
    count = collections.Counter(outcome for outcome, _ in tests)
    within = [f"{test['name']}: {skipped}" for outcome, test in tests if outcome == "passed"
              for skipped in SKIPPED_WITHIN.findall(test.get("stdout", ""))]
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped'] + len(within)} skipped")
    for line in within:
        print(f"skipped in {line}")


def print_failed(logs):
    for outcome, test in read_tests(logs):
        if outcome == "failed":
            print(f"-- {test['name']}: {test['result']} after {test['duration']:.1f} s")
            for stream in ("stdout", "stderr"):
                print(*test.get(stream, "").splitlines()[-MOST_LINES:], sep="\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--failed"]:
        print_failed(sys.argv[2:])
    else:
        print_counts(sys.argv[1:])
