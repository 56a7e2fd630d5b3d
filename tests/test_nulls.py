#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The test of null pointers calls every public function that takes a pointer: test_nulls.py SOURCE HEADER..."""

import re
import sys

from test_symbols import NOT_CODE

TAKES_POINTERS = re.compile(r"SPRY_API\s[^;{(]*?\b(\w+)\s*\(([^;]*\*[^;]*)\);")


def main(source, *headers):
    with open(source, encoding="utf-8") as file:
        test = file.read()
    names = set()
    for header in headers:
        with open(header, encoding="utf-8") as file:
            names.update(name for name, _ in TAKES_POINTERS.findall(NOT_CODE.sub("", file.read())))
    missing = sorted(name for name in names if not re.search(rf"\b{name}\(", test))
    print("\n".join(f"not called with null: {name}" for name in missing) or f"{len(names)} functions")
    return 1 if missing or not names else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
