#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A wheel with the library in it, made by tools/wheel, installed into an empty environment and used there:
test_wheel.py SOURCE-FOLDER LIBRARY

Takes an interpreter with SciPy, pip, setuptools and wheel, and no network. Exit status 77 where there is none."""

import os
import pathlib
import subprocess
import sys
import tempfile

import support

MODULES = "from importlib.util import find_spec as has; exit(not all(map(has, ['pip', 'setuptools', 'wheel', 'venv'])))"
PROGRAM = """
import pathlib, sys
import scipy.sparse, numpy, spry
from spry._library import lib
folder = pathlib.Path(spry.__file__).parent
assert folder.is_relative_to(sys.prefix), folder
assert pathlib.Path(lib._name) == folder / "libspry.so.0", lib._name
assert spry.__version__ == sys.argv[2]
a = spry.read(sys.argv[1])
solution = spry.cg(a, a @ numpy.ones(a.shape[1]), preconditioner="ic0")
assert solution.converged and abs(solution.x - 1).max() < 1e-5, solution
import importlib.metadata
assert importlib.metadata.version("spry") == sys.argv[2]
print(a)
"""


def run(*command, **environment):
    surroundings = {**os.environ, **environment}
    for name in ("SPRY_LIBRARY", "PYTHONPATH", "LD_LIBRARY_PATH"):
        surroundings.pop(name, None)
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=120, env=surroundings
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(source, library):
    source, interpreter = pathlib.Path(source).resolve(), support.find_interpreter()
    if subprocess.run([interpreter, "-c", MODULES], capture_output=True).returncode != 0:
        print(f"{interpreter} has no pip, setuptools, wheel or venv (Debian: python3-pip, -setuptools, -wheel, -venv)")
        return support.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        wheels, place = pathlib.Path(folder, "wheels"), pathlib.Path(folder, "environment")
        # Without auditwheel, which would look for more than this machine has to have.
        run(source / "tools/wheel", "--library", os.path.abspath(library), "--to", wheels, PYTHON=interpreter,
            PATH=os.defpath)
        wheel, = wheels.glob("spry-*-py3-none-linux_*.whl")
        run(interpreter, "-m", "venv", "--system-site-packages", "--without-pip", place)
        run(
            interpreter,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--python",
            place / "bin/python",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            wheel,
        )
        print(
            run(place / "bin/python", "-c", PROGRAM, source / "data/poisson2d_20.mtx", wheel.name.split("-")[1]).strip()
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
