#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Install into an empty folder, and use what is there: the programs as they are, and the library from other
projects, by pkg-config and the commands that README.md and the examples have for it:
test_install.py BUILD-FOLDER SOURCE-FOLDER [--programs] COMPILER..."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MATRIX = "data/poisson2d_20.mtx"
COMMAND = re.compile(r"^cc (program\.c .*)$", re.MULTILINE)
# At the head of an example.
OWN_COMMAND = re.compile(r"^ +cc (\w+\.c \$\(pkg-config --cflags --libs spry\) -lm -o \w+) \*/$", re.MULTILINE)


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8", **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def install(build, root):
    """The folder of the installed libraries. The descriptions that pkg-config reads are made to say where
    they are for now."""
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", root)
    for description in root.rglob("*.pc"):
        text = description.read_text()
        prefix = next(line for line in text.splitlines() if line.startswith("prefix="))
        description.write_text(text.replace(prefix, f"prefix={root}{prefix.removeprefix('prefix=')}"))
    return next(root.rglob("spry.pc")).parent.parent


def plain_environment(**more):
    return {**{name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}, **more}


def check_programs(root, work):
    """They find the library where they are, also when all of it has been moved."""
    spbench = next(root.rglob("bin/spbench"))
    matrix = work / "matrix.mtx"
    moved = work / "moved"
    for programs in (spbench.parent, moved / spbench.parent.relative_to(root)):
        run(programs / "spgen", "poisson2d:20", matrix, env=plain_environment())
        run(programs / "spbench", "--list", env=plain_environment())
        run(programs / "spsolve", matrix, env=plain_environment())
        if not moved.exists():
            root.rename(moved)
    moved.rename(root)
    print("programs: run where they are")


def check_readme(build, source, libraries, compiler, work):
    """What the command for /usr/local builds is told here where the library is, as ldconfig tells it there; what the
    command for a folder of one's own builds knows; in the build's own shell, what is built there is found."""
    shutil.copy(source / "examples/multiply.c", work / "program.c")
    default, own = COMMAND.findall((source / "README.md").read_text(encoding="utf-8"))
    environment = plain_environment(PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    for arguments, place in ((default, {"LD_LIBRARY_PATH": str(libraries)}), (own, {})):
        run("sh", "-c", f"{shlex.join(compiler)} {arguments}", cwd=work, env=environment)
        print("README:", run(work / "program", source / MATRIX, env=plain_environment(**place)).strip())
    in_place = f"{shlex.join(compiler)} {default} && ./program {shlex.quote(str(source / MATRIX))}"
    print("README:", run("meson", "devenv", "-C", build, "-w", work, "sh", "-c", in_place, env=plain_environment()).strip())


def examples_of(source):
    """[(example, its own command)] of those that need nothing but the library."""
    found = [(path, OWN_COMMAND.search(path.read_text(encoding="utf-8"))) for path in (source / "examples").glob("*.c")]
    return [(path, command[1]) for path, command in found if command]


def check_examples(source, libraries, compiler, work):
    """All by the shared library, and, where there is none, one by the static one."""
    environment = plain_environment(PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    examples = examples_of(source)
    if len(examples) < 8:
        sys.exit(f"only {len(examples)} examples say how they are compiled")
    for kind, options, tried in (("shared", "", examples), ("static", " --static", examples[:1])):
        for example, command in tried:
            command = command.replace("pkg-config", f"pkg-config{options}")
            shutil.copy(example, work)
            run("sh", "-c", f"{shlex.join(compiler)} -std=c17 -Wall -Werror {command}", cwd=work, env=environment)
            arguments = [source / MATRIX] if "FILE.mtx" in example.read_text(encoding="utf-8") else []
            printed = run(work / example.stem, *arguments, env=plain_environment(LD_LIBRARY_PATH=str(libraries)))
            print(f"{kind}:", printed.splitlines()[-1])
        for library in libraries.glob("libspry.so*"):
            library.unlink()


MKL_PROGRAM = """
#include <spry/mkl.h>
#include <stdio.h>
int main(void) {
    const MKL_INT n = 2, ptr[] = {1, 3, 5}, idx[] = {1, 2, 1, 2};
    const double val[] = {1, 2, 3, 4}, x[] = {1, 10};
    double y[2];
    mkl_dcsrgemv("N", &n, val, ptr, idx, x, y);
    printf("integers of %d bytes, y = %g %g\\n", (int)sizeof n, y[0], y[1]);
}
"""


def check_mkl(libraries, compiler, work):
    """What calls MKL's older routines finds them by pkg-config, with either width of integers."""
    environment = plain_environment(PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    source = work / "by_mkl.c"
    source.write_text(MKL_PROGRAM, encoding="utf-8")
    for library in sorted(libraries.glob("libspry_mkl_*.so")):
        name = library.stem.removeprefix("lib")
        flags = run("pkg-config", "--cflags", "--libs", name, env=environment).split()
        run(*compiler, "-Wall", "-Werror", source, "-o", work / name, *flags)
        printed = run(work / name, env=plain_environment(LD_LIBRARY_PATH=str(libraries))).strip()
        if printed != f"integers of {8 if 'ilp64' in name else 4} bytes, y = 21 43":
            sys.exit(f"{name}: {printed}")
        print(f"{name}: {printed}")


def main(build, source, *compiler):
    source = pathlib.Path(source).resolve()
    programs = compiler[0] == "--programs"
    compiler = compiler[programs:]
    if not shutil.which("pkg-config"):
        print("no pkg-config")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        root, work = pathlib.Path(folder, "root"), pathlib.Path(folder)
        libraries = install(build, root)
        if programs:
            check_programs(root, work)
        check_readme(build, source, libraries, compiler, work)
        check_mkl(libraries, compiler, work)
        check_examples(source, libraries, compiler, work)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
