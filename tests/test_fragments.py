#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The fragments of C in README.md and the docs are what the headers declare: test_fragments.py SOURCE-FOLDER COMPILER..."""

import pathlib
import re
import subprocess
import sys

# Its fragments are of the library's own code.
INSIDE = "add-a-format.md"
# Whole programs, which test_how_to.py compiles, begin with their names.
NAMED = re.compile(r"/\* [\w/.-]+\.\w+ \*/\n")
BLOCK = re.compile(r"^```c\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What a fragment takes from the program around it, if it does not declare it itself.
AROUND = """
#include <stdio.h>
#include <spry/mkl.h>
#include <spry/spry.h>
extern spry_context *context;
extern spry_matrix *stored, *fast, *csr;
extern double *x, *y, *b, *val, *d, *r, *q, *x_on_host, *y_on_host, *basis, *vector, *coefficients, alpha, rr;
extern int64_t *counts, *offsets, rows, cols, n, m;
extern char text[512];
extern spry_status laplacian(spry_context *context, void *user, const void *x, void *y);
extern spry_status multiply(spry_context *context, void *user, const void *x, void *y);
extern spry_status add_up(spry_context *context, void *user, double *values, int count);
extern struct {int side;} grid, part;
void fragment(void);
void fragment(void) {
%s
}
"""


def fragments(page):
    """Without whole programs, those of the library's own code, and declarations of what the reader writes."""
    text = re.sub(r"^static .*;\n", "", page, flags=re.MULTILINE)
    return [block for block in BLOCK.findall(text) if "spry_" in block and "BOTH" not in block and not NAMED.match(block)]


def main(source, *compiler):
    source = pathlib.Path(source)
    command = [*compiler, "-std=c17", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-x", "c",
               f"-I{source / 'include'}", "-"]
    tried = wrong = 0
    pages = [source / "README.md", *sorted((source / "docs").glob("*.md"))]
    for page in [page for page in pages if page.name != INSIDE]:
        for block in fragments(page.read_text(encoding="utf-8")):
            done = subprocess.run(command, input=AROUND % block, capture_output=True, text=True, encoding="utf-8")
            tried += 1
            if done.returncode != 0:
                wrong += 1
                print(f"{page.relative_to(source)}:\n{block}{done.stderr}")
    print(f"{tried} fragments, {wrong} wrong")
    return 1 if wrong or tried < 16 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
