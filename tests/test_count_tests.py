#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What count_tests.py makes of Meson's log: test_count_tests.py PATH-TO-COUNT_TESTS"""

import json
import subprocess
import sys
import unittest

from scratch import Scratch

SCRIPT = sys.argv.pop(1)


class Counts(Scratch):
    def counted(self, *tests):
        log = self.file("log.json", "".join(json.dumps(test) + "\n" for test in tests))
        done = subprocess.run([sys.executable, SCRIPT, log], capture_output=True, text=True, encoding="utf-8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_skipped_within_a_program(self):
        self.assertEqual(
            self.counted({"name": "read", "result": "OK", "stdout": "skipped a::b: no locale\nskipped c::d: root\nskipped\n"},
                         {"name": "write", "result": "OK"},
                         {"name": "far", "result": "FAIL", "stdout": "skipped e::f: no room\n"},
                         {"name": "gemm", "result": "SKIP", "stdout": "skipped g::h: no device\n"}),
            ["2 passed, 1 failed, 3 skipped", "skipped in read: a::b: no locale", "skipped in read: c::d: root"])


if __name__ == "__main__":
    unittest.main()
