# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python package share: an interpreter that has SciPy, the package as it is in the source,
matrices.

Each is called as test_….py SOURCE-FOLDER LIBRARY, and is skipped (77) where no interpreter has SciPy."""

import os
import pathlib
import subprocess
import sys
import unittest

SKIPPED = 77
NEEDED = "import numpy, scipy.sparse.linalg"


def has_scipy(interpreter):
    try:
        done = subprocess.run([interpreter, "-c", NEEDED], capture_output=True, timeout=60)
    except OSError:
        return False
    return done.returncode == 0


def find_interpreter():
    """$SPRY_PYTHON, this one, or the system's: the first that has SciPy."""
    for interpreter in filter(None, [os.environ.get("SPRY_PYTHON"), sys.executable, "/usr/bin/python3"]):
        if has_scipy(interpreter):
            return interpreter
    print("no Python with SciPy (Debian's python3-scipy; $SPRY_PYTHON names another one)")
    sys.exit(SKIPPED)


def begin():
    """Go on in an interpreter that has SciPy, and find the package there."""
    source, library = sys.argv[1:3]
    if os.environ.get("SPRY_TEST_BEGUN") != "1":
        interpreter = find_interpreter()
        os.environ.update(SPRY_TEST_BEGUN="1", SPRY_LIBRARY=os.path.abspath(library), PYTHONDONTWRITEBYTECODE="1")
        os.execv(interpreter, [interpreter, "-X", "faulthandler", *sys.argv])
    sys.path.insert(0, str(pathlib.Path(source).resolve() / "bindings/python/src"))


def run():
    """The tests of the calling program."""
    unittest.main(module="__main__", argv=sys.argv[:1], verbosity=1)


def awkward(dtype="float64"):
    """{name: SciPy's CSR matrix}: what products and conversions stumble over."""
    import numpy
    import scipy.sparse as sparse

    def random(rows, cols, density, seed=1):
        made = sparse.random(rows, cols, density, format="csr", random_state=seed)
        made.data = made.data + 0.5
        return made

    def csr(values, columns, pointers, shape):
        return sparse.csr_matrix((numpy.array(values, float), numpy.array(columns), numpy.array(pointers)), shape=shape)

    arrow = sparse.lil_matrix((40, 40))
    arrow[0, :], arrow[:, 0] = 1, 2
    arrow.setdiag(3)
    found = {
        "0 x 0": sparse.csr_matrix((0, 0)),
        "0 x 5": sparse.csr_matrix((0, 5)),
        "5 x 0": sparse.csr_matrix((5, 0)),
        "no entries": sparse.csr_matrix((7, 9)),
        "one row": random(1, 50, 0.5),
        "one column": random(50, 1, 0.5),
        "empty rows and columns": random(60, 45, 0.01),
        "wide": random(30, 300, 0.1),
        "tall": random(300, 30, 0.1),
        "arrow": arrow.tocsr(),
        "one long row": sparse.vstack([random(1, 500, 1.0), sparse.identity(500)]).tocsr(),
        "stencil": sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(200, 200)).tocsr(),
        "explicit zeros": csr([0, 1, 0, 2], [1, 2, 0, 1], [0, 2, 4], (2, 3)),
        "unsorted": csr([3, 1, 2, 5, 4], [2, 0, 1, 2, 1], [0, 3, 5, 5], (3, 3)),
        "duplicates": csr([1, 2, 3, 4], [1, 1, 0, 0], [0, 2, 4], (2, 2)),
    }
    return {name: matrix.astype(dtype) for name, matrix in found.items()}
