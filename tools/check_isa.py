#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a library built for x86-64 runs on every x86-64: check_isa.py LIBRARY.a

AVX instructions may only be in objects of *_simd.c, which nothing calls before asking the CPU. And those
objects may not define functions for others: the linker could take one of them for a call elsewhere.
"""

import re
import subprocess
import sys

MEMBER = re.compile(r"^(\S+):\s+file format ")
# Only instructions encoded with VEX or EVEX begin with v, but for a few of the kernel's.
AVX = re.compile(r"^\s+[0-9a-f]+:\s+(v(?!err|erw|mcall|mlaunch|mresume|mx)\w+)\s")
SYMBOL = re.compile(r"^(\S+\.o):$|^[0-9a-f]+ ([A-Z]) (\S+)$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def stray_instructions(library):
    member, seen = None, set()
    for line in output("objdump", "-d", "--no-show-raw-insn", library):
        if found := MEMBER.match(line):
            member = found[1]
        elif (found := AVX.match(line)) and not member.endswith("_simd.c.o") and member not in seen:
            seen.add(member)
            yield f"{member}: {found[1]}"


def stray_functions(library):
    member = None
    for line in output("nm", "--defined-only", library):
        if not (found := SYMBOL.match(line)):
            continue
        if found[1]:
            member = found[1]
        elif found[2] in "TWV" and member.endswith("_simd.c.o"):
            yield f"{member}: defines {found[3]} for others"


def main(library):
    faults = [*stray_instructions(library), *stray_functions(library)]
    print("\n".join(faults) or f"{library}: AVX only where the CPU is asked first")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
