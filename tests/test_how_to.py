#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compile the programs of docs/how-to.md against the installed library, run them, and compare what they print with what
stands behind them there: test_how_to.py BUILD-FOLDER SOURCE-FOLDER LANGUAGE COMPILER...
LANGUAGE is c, c++, cmake, mpi, fortran or python. Exit status 77 where the compiler is not there, or no Python with SciPy."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "bindings/python/src"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# A program says its name in its first line, in its language's comment.
NAME = re.compile(r"\A(?:/\* | *// |# |! )([\w/.-]+\.\w+)(?: \*/)?\n")
ENDINGS = {"c": ".c", "c++": ".cpp", "fortran": ".f90", "python": ".py", "cmake": "CMakeLists.txt"}


class Failure(Exception):
    pass


def run(*command, **environment):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8",
                          timeout=300, env={**os.environ, **environment})
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def programs(page):
    """{name: (text, what it prints or None)} of the blocks that have a name."""
    found, blocks = {}, FENCE.findall(page)
    for (_, text), (language, printed) in zip(blocks, blocks[1:] + [("end", "")]):
        named = NAME.match(text)
        if named:
            found[named[1]] = (text, printed if language == "" else None)
    return found


class Installed:
    """The library in an empty folder, and how it is found there."""

    def __init__(self, build, root):
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", root)
        self.libraries = next(root.rglob("spry.pc")).parent.parent
        self.prefix = next(root.rglob("include/spry")).parent.parent
        self.environment = {
            "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig"),
            "PKG_CONFIG_SYSROOT_DIR": str(root),
            "LD_LIBRARY_PATH": ":".join(filter(None, [str(self.libraries), os.environ.get("LD_LIBRARY_PATH")])),
        }

    def flags(self):
        return run("pkg-config", "--cflags", "--libs", "spry", **self.environment).split()


def compile_and_run(installed, compiler, source, matrix, launcher=()):
    program = source.with_suffix("")
    warnings = [] if source.suffix == ".f90" else ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    module = [installed.prefix / "include/spry/spry.f90", "-J", source.parent] if source.suffix == ".f90" else []
    run(*compiler, *warnings, *module, source, "-o", program, *installed.flags(), "-fopenmp")
    return run(*launcher, program, matrix, **installed.environment)


def build_with_cmake(installed, source, matrix):
    """The CMakeLists.txt is in a folder of its own, and arrays.c in the one above."""
    shutil.copy(source.parent.parent / "arrays.c", source.parent)
    shutil.copy(source.parent.parent / "check.h", source.parent)
    build = source.parent / "build"
    run("cmake", "-S", source.parent, "-B", build, f"-DCMAKE_PREFIX_PATH={installed.prefix}", **installed.environment)
    run("cmake", "--build", build, **installed.environment)
    return run(build / "arrays", matrix, **installed.environment)


def try_program(installed, language, compiler, source, matrix):
    if language == "cmake":
        return build_with_cmake(installed, source, matrix)
    if language == "python":
        return run(*compiler, source, **installed.environment, PYTHONPATH=str(PACKAGE))
    if language == "mpi":
        # What Open MPI wants to hear before it runs as root, and more processes than cores.
        launcher = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "3"]
        return compile_and_run(installed, compiler, source, matrix, launcher)
    return compile_and_run(installed, compiler, source, matrix)


def is_of(language, name, text):
    if "<mpi.h>" in text:
        return language == "mpi"
    return name.endswith(ENDINGS.get(language, "no such ending"))


def try_all(installed, language, compiler, found, folder, matrix):
    wrong = tried = 0
    for name, (text, expected) in found.items():
        if not is_of(language, name, text):
            continue
        tried += 1
        # Both of CMake's print what its program does.
        expected = found["arrays.c"][1] if language == "cmake" else expected
        try:
            printed = try_program(installed, language, compiler, folder / name, matrix)
            good = expected is None or printed == expected
            print(f"{name}: {'as it says' if good else f'printed {printed!r}, not {expected!r}'}")
        except Failure as failure:
            good = False
            print(f"{name}: {failure}")
        wrong += not good
    print(f"{tried} programs, {wrong} wrong")
    return 1 if wrong or not tried else 0


def main(build, source, language, *compiler):
    source = pathlib.Path(source)
    if language == "python":
        sys.path.insert(0, str(source / "tests/python"))
        import support
        compiler = [support.find_interpreter()]
    needed = [compiler[0], "pkg-config"] + (["mpirun"] if language == "mpi" else [])
    missing = [command for command in needed if not shutil.which(command)]
    if missing:
        print("no", missing[0])
        return SKIPPED
    found = programs((source / "docs/how-to.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "programs")
        for name, (text, _) in found.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        installed = Installed(build, pathlib.Path(scratch, "root"))
        return try_all(installed, language, compiler, found, folder, source / "data/poisson2d_20.mtx")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
