#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example over GPUs: it converges on all that are here, and replays its sums with the rest of an iteration.

test_nccl_cg.py [PROGRAM]: without it NCCL was not found, and the test is skipped, as it is without a GPU."""

import re
import subprocess
import sys

SKIPPED = 77
SECONDS = 120


def main(program=None):
    if not program:
        print("skipped: no CUDA or no NCCL when the build was configured")
        return SKIPPED
    ended = subprocess.run([program, "300"], capture_output=True, text=True, timeout=SECONDS, check=False)
    text = ended.stdout + ended.stderr
    if text.startswith("no GPU: "):
        print("skipped:", text)
        return SKIPPED
    found = re.search(r"converged after (\d+) iterations, for which the host called (\d+) sums", text)
    assert ended.returncode == 0 and found, f"status {ended.returncode}\n{text}"
    print(text)
    iterations, sums = map(int, found.groups())
    assert iterations > 300 and sums < iterations / 2, "sums are not replayed"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
