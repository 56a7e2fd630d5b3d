#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Fortran module of the installed library: its structs, constants and declarations are those of the headers, its
own test, and an example whose numbers are those of the same in C:
test_fortran.py BUILD-FOLDER SOURCE-FOLDER C-COMPILER... Exit status 77 where there is no gfortran."""

import pathlib
import re
import shutil
import sys
import tempfile

from prefix import SKIPPED, Prefix, run

STRUCT = re.compile(r"^typedef struct (\w+) \{\n(.*?)^\} \w+;", re.DOTALL | re.MULTILINE)
MEMBER = re.compile(r"(\w+)(?:\)\(\)|\[\d+\])?;$", re.MULTILINE)
CONSTANT = re.compile(r"\b(spry_\w+) = (-?\d+)")
PROTOTYPE = re.compile(r"^(\w[\w *]*?)(spry_\w+) \((.*)\);$", re.MULTILINE)
DECLARATION = re.compile(r"SPRY_API\s+([^;{]*?)\b(\w+)\s*\(([^;{]*)\);")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NUMBERS = re.compile(r"\d+(?:\.\d+(?:e-?\d+)?)?")
# What a member or argument is, as far as a call goes by it.
KINDS = """
#define KIND(x) _Generic((x), float: 1, double: 2, default: 0)
#define SAME(type, member) \\
    _Static_assert(offsetof(type, member) == offsetof(f_##type, member), #type "." #member " is elsewhere"); \\
    _Static_assert(sizeof(((type *)0)->member) == sizeof(((f_##type *)0)->member), \\
                   #type "." #member " has another size"); \\
    _Static_assert(KIND(((type *)0)->member) == KIND(((f_##type *)0)->member), #type "." #member " is another number")
"""


def structs(prototypes):
    """C that compiles when the compiler of Fortran lays out each struct as the headers have it."""
    lines = ["#include <stddef.h>", "#include <spry/spry.h>", KINDS]
    found = STRUCT.findall(prototypes)
    for name, body in found:
        lines.append(f"typedef struct {{\n{body}}} f_{name};")
        lines.append(f'_Static_assert(sizeof({name}) == sizeof(f_{name}), "{name} has another size");')
        lines += [f"SAME({name}, {member});" for member in MEMBER.findall(body)]
    return "\n".join(lines), len(found)


def constants(module):
    """C that compiles when each constant is what the headers have."""
    lines, count = [], 0
    for statement in re.findall(r"^    integer\(c_int\), parameter.*?::((?:.*&\n)*.*)", module, re.MULTILINE):
        for name, value in CONSTANT.findall(statement):
            lines.append(f'_Static_assert((int){name.upper()} == {value}, "{name} is another number");')
            count += 1
    return "\n".join(lines) + "\n", count


def kind(text):
    """Of a type of C: pointer, double, void, or how wide an integer is."""
    words = re.findall(r"\w+", text)
    if "*" in text:
        return "pointer"
    if "double" in words or "void" in words:
        return next(word for word in words if word in ("double", "void"))
    return "long" if set(words) & {"int64_t", "size_t", "long"} else "int"


def signature(result, arguments):
    return kind(result), [kind(argument) for argument in arguments.split(",")]


def wrong_declarations(prototypes, headers):
    declared = {}
    for header in headers:
        for result, name, arguments in DECLARATION.findall(COMMENT.sub("", header.read_text(encoding="utf-8"))):
            declared[name] = signature(result, arguments)
    used = {name: signature(result, arguments) for result, name, arguments in PROTOTYPE.findall(prototypes)}
    print(f"{len(used)} declarations")
    if len(used) < 20:
        yield "the compiler lists too few"
    for name, seen in used.items():
        if declared.get(name) != seen:
            yield f"{name}: {seen} in the module, {declared.get(name)} in the headers"


def check_declarations(prefix, module, compiler, folder):
    prototypes = run("gfortran", "-fc-prototypes", "-fsyntax-only", module, cwd=folder)
    layout, types = structs(prototypes)
    values, count = constants(module.read_text(encoding="utf-8"))
    print(f"{types} structs, {count} constants")
    if types < 8 or count < 44:
        sys.exit("too few were found")
    (folder / "layout.c").write_text(layout + "\n" + values, encoding="utf-8")
    run(*compiler, "-std=c17", "-fsyntax-only", f"-I{prefix.path}/include", folder / "layout.c")
    faults = list(wrong_declarations(prototypes, sorted((prefix.path / "include/spry").glob("*.h"))))
    if faults:
        sys.exit("\n".join(faults))


def check_example(prefix, source, compiler, folder):
    libraries = prefix.pkg_config("--libs", "spry")
    module = prefix.pkg_config("--variable=fortran", "spry")
    run("gfortran", *module, source / "examples/poisson_cg.f90", "-o", folder / "in_fortran", *libraries, cwd=folder)
    run(*compiler, "-std=c17", *prefix.pkg_config("--cflags", "spry"), source / "examples/poisson_cg.c", "-o",
        folder / "in_c", *libraries, "-lm")
    said = [run(folder / program, env=prefix.environment).strip() for program in ("in_fortran", "in_c")]
    print(*said, sep="\n")
    fortran, c = (NUMBERS.findall(text.lower()) for text in said)
    if len(c) != 3 or list(map(float, fortran)) != list(map(float, c)):
        sys.exit("the numbers differ")


def main(build, source, *compiler):
    if not shutil.which("gfortran"):
        print("no gfortran")
        return SKIPPED
    source = pathlib.Path(source).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = Prefix(build, folder)
        module = prefix.path / "include/spry/spry.f90"
        check_declarations(prefix, module, compiler, folder)
        run("gfortran", "-std=f2018", "-Wall", "-Wextra", "-Wno-compare-reals", "-Werror", "-fcheck=all", module,
            source / "tests/fortran.f90", "-o", folder / "test", *prefix.pkg_config("--libs", "spry"), cwd=folder)
        print(run(folder / "test", env=prefix.environment), end="")
        check_example(prefix, source, compiler, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
