#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The fragments of docs/python.md run, one after the other, but for those that want a GPU: test_page.py SOURCE-FOLDER
LIBRARY"""

import pathlib
import re
import sys

import support

if __name__ == "__main__":
    support.begin()

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
AFTER = """
import numpy
assert numpy.allclose(S @ x_of_page, y_of_page, rtol=1e-6)
assert numpy.allclose(A @ x, 3 * (S @ x))
assert f"# stencil {spry.matrix(S, 'stencil').nbytes} " in page
for error, refused in ((FileNotFoundError, lambda: spry.read("no such file")), (ValueError, lambda: spry.matrix(S, "no storage")),
                       (ValueError, lambda: spry.matrix(S, 5)), (ValueError, lambda: spry.Context(threads=300)), (spry.ArgumentError, lambda: spry.matrix(S, "bsr:9:9"))):
    try:
        refused()
    except error as caught:
        assert isinstance(caught, spry.SpryError) == issubclass(error, spry.SpryError), caught
    else:
        raise AssertionError(f"no {error.__name__}")
"""


def main(source):
    page = (pathlib.Path(source) / "docs/python.md").read_text(encoding="utf-8")
    blocks = [block for block in BLOCK.findall(page) if "cupy" not in block]
    names = {"page": page}
    for number, block in enumerate(blocks):
        exec(compile(block, f"docs/python.md, block {number + 1}", "exec"), names)
        if number == 0:
            names.update(x_of_page=names["x"], y_of_page=names["y"])
    exec(AFTER, names)
    print(f"{len(blocks)} fragments")
    return 0 if len(blocks) >= 7 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
