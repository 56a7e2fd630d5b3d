#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is built has what makes faults harder to use: test_hardening.py READELF fortified|plain FILE...

Read-only relocations before the program starts, a stack that is not code, a guard between arrays and return
addresses; and, in optimised builds, calls of the C library that know how large what they write to is.
"""

import re
import subprocess
import sys


def readelf(program, option, file):
    return subprocess.run([program, "-W", option, file], check=True, capture_output=True, text=True).stdout


def faults(program, fortified, file):
    segments = dict(re.findall(r"^\s+(GNU_\w+)\s.*?\s([RWE ]{3})\s+0x\w+\s*$",
                               readelf(program, "--segments", file), re.MULTILINE))
    if "GNU_RELRO" not in segments:
        yield "no read-only relocations"
    if "E" in segments.get("GNU_STACK", "E"):
        yield "the stack is code"
    if not re.search(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b", readelf(program, "--dynamic", file)):
        yield "relocations are left until they are needed"
    symbols = readelf(program, "--dyn-syms", file)
    if "__stack_chk_fail" not in symbols:
        yield "no guard of the stack"
    if fortified and not re.search(r"__\w+_chk\b", symbols.replace("__stack_chk_fail", "")):
        yield "no checked calls of the C library"


def main(program, level, *files):
    found = [f"{file}: {fault}" for file in files for fault in faults(program, level == "fortified", file)]
    print("\n".join(found) or f"{len(files)} files, all hardened")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
