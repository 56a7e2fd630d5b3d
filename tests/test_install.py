#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Install the library into an empty folder and use it from there as another project would, by pkg-config:
test_install.py BUILD-FOLDER SOURCE-FOLDER COMPILER..."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(*command, **environment):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def install(build, root):
    """The folder of the installed libraries. The description that pkg-config reads is made to say where they
    are for now."""
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", root)
    description = next(root.rglob("spry.pc"))
    text = description.read_text()
    prefix = next(line for line in text.splitlines() if line.startswith("prefix="))
    description.write_text(text.replace(prefix, f"prefix={root}{prefix.removeprefix('prefix=')}"))
    return description.parent.parent


def flags(libraries, *options):
    return run("pkg-config", *options, "spry", PKG_CONFIG_PATH=str(libraries / "pkgconfig")).split()


def build_and_run(compiler, source, link, work, *arguments, **environment):
    program = work / source.stem
    run(*compiler, "-std=c17", "-Wall", "-Werror", source, "-o", program, *link, "-lm")
    return run(program, *arguments, **environment)


def main(build, source, *compiler):
    source = pathlib.Path(source)
    examples = [(source / "examples/wrap_csr.c", []),
                (source / "examples/multiply.c", [source / "data/poisson2d_20.mtx"])]
    if not shutil.which("pkg-config"):
        print("no pkg-config")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        root, work = pathlib.Path(folder, "root"), pathlib.Path(folder)
        libraries = install(build, root)
        shared, static = flags(libraries, "--cflags", "--libs"), flags(libraries, "--cflags", "--libs", "--static")
        for example, arguments in examples:
            print("shared:", build_and_run(compiler, example, shared, work, *arguments,
                                                    LD_LIBRARY_PATH=str(libraries)).strip())
        for library in libraries.glob("libspry.so*"):
            library.unlink()
        for example, arguments in examples:
            print("static:", build_and_run(compiler, example, static, work, *arguments).strip())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
