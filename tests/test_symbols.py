#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The shared library exports what the headers declare, and nothing else:
test_symbols.py NM LIBRARY HEADER..."""

import re
import subprocess
import sys

DECLARATION = re.compile(r"SPRY_API\s[^;{]*?\b(\w+)\s*\(")
NOT_CODE = re.compile(r"/\*.*?\*/|^#.*?$", re.DOTALL | re.MULTILINE)


def exported(nm, library):
    listing = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    return {line.split()[-1].split("@")[0] for line in listing.stdout.splitlines()}


def declared(headers):
    names = set()
    for header in headers:
        with open(header, encoding="utf-8") as file:
            names.update(DECLARATION.findall(NOT_CODE.sub("", file.read())))
    return names


def main(nm, library, *headers):
    have, want = exported(nm, library), declared(headers)
    faults = [f"exported, but not declared: {name}" for name in sorted(have - want)]
    faults += [f"declared, but not exported: {name}" for name in sorted(want - have)]
    faults += [f"does not start with spry_: {name}" for name in sorted(have) if not name.startswith("spry_")]
    print("\n".join(faults) or f"{len(have)} symbols, all declared")
    return 1 if faults or not want else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
