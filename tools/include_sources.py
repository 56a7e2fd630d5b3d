#!/usr/bin/env python3
"""Make one source of several, by including them: include_sources.py OUTPUT DEPFILE -I FOLDER... SOURCE...

DEPFILE names all that they include from the folders, file by file: not every compiler can say so, and what it does not
name would be compiled again only by hand when it changes.
"""

import argparse
import os
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def add_included(path, folders, found):
    """Add to `found` what a file includes, and what that includes. What the build makes is in none of the folders."""
    with open(path, encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    beside = [os.path.dirname(path), *folders]
    for header in (os.path.normpath(os.path.join(folder, name)) for name in names for folder in beside):
        if header not in found and os.path.exists(header):
            found.add(header)
            add_included(header, folders, found)


def escaped(path):
    return path.replace(" ", "\\ ")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output")
    parser.add_argument("depfile")
    parser.add_argument("-I", dest="folders", action="append", default=[])
    parser.add_argument("sources", nargs="+")
    given = parser.parse_args()
    found = set()
    for source in given.sources:
        add_included(source, given.folders, found)
    with open(given.output, "w", encoding="utf-8") as file:
        file.writelines(f'#include "{os.path.abspath(source)}"\n' for source in given.sources)
    with open(given.depfile, "w", encoding="utf-8") as file:
        file.write(f"{escaped(given.output)}: {' '.join(map(escaped, sorted(found)))}\n")


main()
