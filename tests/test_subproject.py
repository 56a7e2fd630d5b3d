#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A project with Spry's source in its folder of subprojects finds it by name, and builds the library alone:
test_subproject.py SOURCE-FOLDER [--build]

It is compiled and run with --build only, as that takes a minute."""

import json
import pathlib
import shutil
import sys
import tempfile

from prefix import run

PROJECT = """
project('program', 'c', default_options: ['c_std=c17', 'warning_level=3', 'werror=true'])
program = executable('program', 'program.c', dependencies: dependency('spry'))
test('program', program)
"""
# What a copy of the source need not have.
LEFT_OUT = shutil.ignore_patterns("build*", ".*", "__pycache__")


def main(source, *options):
    source = pathlib.Path(source)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name, "program")
        build = folder / "build"
        shutil.copytree(source, folder / "subprojects/spry", ignore=LEFT_OUT)
        shutil.copy(source / "examples/wrap_csr.c", folder / "program.c")
        (folder / "meson.build").write_text(PROJECT, encoding="utf-8")
        run("meson", "setup", build, folder, "-Dspry:cuda=disabled", "-Dspry:default_library=static",
            "-Doptimization=0")
        tests = json.loads(run("meson", "introspect", "--tests", build))
        programs = [target["name"] for target in json.loads(run("meson", "introspect", "--targets", build))
                    if target["type"] == "executable"]
        if [test["name"] for test in tests] != ["program"] or programs != ["program"]:
            sys.exit(f"more is built than the library: {programs}, {[test['name'] for test in tests]}")
        run("ninja", "-C", build, "program.p/program.c.o")
        if "subprojects/spry/src/libspry.a" not in run("ninja", "-C", build, "-t", "query", "program"):
            sys.exit("the program is not linked with the subproject's library")
        if "--build" in options:
            run("ninja", "-C", build, "program")
            print(run(build / "program").strip())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
