#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Structs that carry their size have it wherever programs, examples and tests make one: test_sizes.py ROOT HEADER...

Calls without it fail, but not everything is run on every machine."""

import pathlib
import re
import sys

SIZED = re.compile(r"SPRY_SIZE\((\w+)\);")
FOLDERS = ["bench", "examples", "programs", "tests"]
NOT_OURS = "tests/abi/headers"


def sized_types(headers):
    return {name for header in headers for name in SIZED.findall(pathlib.Path(header).read_text(encoding="utf-8"))}


def is_member(text, at):
    """Whether a declaration stands in a struct: what encloses it begins at the beginning of a line."""
    begins = re.findall(r"^[^\s#/*}].*$", text[:at], re.MULTILINE)
    return bool(begins) and re.match(r"(typedef |static )?(const )?(struct|union)\b[^(;]*\{$", begins[-1]) is not None


def faults(text, types):
    names = "|".join(sorted(types))
    for match in re.finditer(rf"(?:\((?:const )?(?:{names})\)|\b(?:{names}) \w+(?:\[\w*\])? = )\{{(?!\s*\{{?\s*\.size)", text):
        yield match
    for match in re.finditer(rf"^ +(?:static )?(?:{names}) \w+(?:, \w+)*;", text, re.MULTILINE):
        if not is_member(text, match.start()) and "struct {" not in text[match.start() - 60:match.start()]:
            yield match


def main(root, *headers):
    types, count = sized_types(headers), 0
    files = [path for folder in FOLDERS for path in sorted(pathlib.Path(root, folder).rglob("*"))
             if path.suffix in (".c", ".h", ".cu") and NOT_OURS not in path.as_posix()]
    for path in files:
        text = path.read_text(encoding="utf-8")
        for match in faults(text, types):
            line = text.count("\n", 0, match.start()) + 1
            print(f"{path.relative_to(root)}:{line}: {match.group(0).strip()} … without its size")
            count += 1
    print(f"{len(types)} structs, {len(files)} files, {count} faults")
    return 1 if count or not types or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
