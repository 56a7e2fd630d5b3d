#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sum up what Meson wrote about its tests: count_tests.py LOG.json..."""

import collections
import json
import sys

OUTCOME = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}


def main(*logs):
    count = collections.Counter()
    for log in logs:
        with open(log, encoding="utf-8") as lines:
            count.update(OUTCOME.get(json.loads(line)["result"], "failed") for line in lines)
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")


if __name__ == "__main__":
    main(*sys.argv[1:])
