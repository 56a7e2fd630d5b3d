#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Criterion's tests in one process: test_one_process.py PRELOADED SAMPLE"""

import os
import re
import subprocess
import sys
import unittest


class OneProcess(unittest.TestCase):
    def run_sample(self, *patterns):
        done = subprocess.run([SAMPLE, *patterns], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "LD_PRELOAD": PRELOADED})
        self.said = done.stdout
        self.ended = dict(reversed(line) for line in re.findall(r"^(\w+) (\w+/\w+), \d", done.stdout, re.MULTILINE))
        return done.returncode

    def test_all(self):
        self.assertEqual(self.run_sample(), 1)
        self.assertEqual(self.ended, {"around/one": "passed", "around/other": "passed", "fails/at_once": "failed",
                                      "fails/twice": "failed", "others/skipped": "skipped", "others/each": "passed"})
        for said in ("that is said", "once", "and again", "skipped: nothing here", "Tested: 5, skipped: 1, failed: 2"):
            self.assertIn(said, self.said)
        self.assertNotIn("not reached", self.said)
        self.assertEqual(re.findall(r"begun (\d)", self.said), ["1", "2"])
        self.assertEqual(re.findall(r"number (\d)", self.said), ["7", "8", "9"])

    def test_some(self):
        self.assertEqual(self.run_sample("others/*", "around/one"), 0)
        self.assertEqual(sorted(self.ended), ["around/one", "others/each", "others/skipped"])


if __name__ == "__main__":
    SAMPLE, PRELOADED = sys.argv.pop(), sys.argv.pop()
    unittest.main()
