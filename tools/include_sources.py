#!/usr/bin/env python3
"""Make one source of several, by including them: include_sources.py ROOT OUTPUT DEPFILE SOURCE...

DEPFILE names all that they include from ROOT, file by file: not every compiler can say so, and sources and headers that
it does not name would be compiled again only by hand.
"""

import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def included(root, path, found):
    """Add to `found` what a file includes, and what that includes; what is made by the build is not in ROOT."""
    with open(path, encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    for name in names:
        header = os.path.join(root, name)
        if header not in found and os.path.exists(header):
            found.add(header)
            included(root, header, found)


def main(root, output, depfile, *sources):
    found = set()
    for source in sources:
        included(root, source, found)
    with open(output, "w", encoding="utf-8") as file:
        file.writelines(f'#include "{os.path.abspath(source)}"\n' for source in sources)
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(f"{output}: " + " ".join(sorted(path.replace(" ", "\\ ") for path in found)) + "\n")


main(*sys.argv[1:])
