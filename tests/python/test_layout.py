#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the Python package says of structs, enumerations and functions is what the headers declare:
test_layout.py SOURCE-FOLDER LIBRARY COMPILER...

Sizes, places and numbers come from a C program; arguments of functions from the headers' text."""

import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DECLARATION = re.compile(r"SPRY_API\s+([\w\s*]+?)(\w+)\(([^;]*?)\);", re.DOTALL)
SCALARS = {
    "double": ctypes.c_double,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "int": ctypes.c_int,
    "void": None,
}
ENUMERATIONS = (
    "spry_status",
    "spry_op",
    "spry_format",
    "spry_value_type",
    "spry_index_type",
    "spry_method",
    "spry_outcome",
    "spry_precond_kind",
    "spry_number",
    "spry_backend",
    "spry_triangle",
)


def load_library(source):
    """The module of declarations alone, which takes no NumPy."""
    sys.path.insert(0, str(source / "bindings/python/src/spry"))
    import _library
    return _library


def program_of(library):
    """Prints, a line each: a name and a number."""
    lines = ["#include <stddef.h>", "#include <stdio.h>", "#include <spry/spry.h>", "int main(void) {"]
    for struct in library.STRUCTS:
        lines.append(f'printf("{struct.c_name} %zu\\n", sizeof({struct.c_name}));')
        for member, *_ in struct._fields_:
            place = f"{struct.c_name}.{member}"
            lines.append(f'printf("{place} %zu\\n", offsetof({struct.c_name}, {member}));')
            lines.append(f'printf("{place}.size %zu\\n", sizeof((({struct.c_name} *)0)->{member}));')
    for enumeration in library.ENUMERATIONS:
        lines += [f'printf("SPRY_{name} %d\\n", (int)SPRY_{name});' for name in enumeration]
    for name in ("STORAGE_TEXT", "TERM_MOST"):
        lines.append(f'printf("SPRY_{name} %d\\n", SPRY_{name});')
    return "\n".join([*lines, "return 0;", "}"])


def said(library):
    """The same names and numbers, as the package has them."""
    for struct in library.STRUCTS:
        yield struct.c_name, ctypes.sizeof(struct)
        for member, kind in struct._fields_:
            yield f"{struct.c_name}.{member}", getattr(struct, member).offset
            yield f"{struct.c_name}.{member}.size", ctypes.sizeof(kind)
    for enumeration in library.ENUMERATIONS:
        for name, number in enumeration.items():
            yield f"SPRY_{name}", number
    for name in ("STORAGE_TEXT", "TERM_MOST"):
        yield f"SPRY_{name}", getattr(library, name)


def declared(source, compiler):
    """{name: number} as the compiler sees the headers."""
    library = load_library(source)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "layout")
        subprocess.run([*compiler, "-std=c17", f"-I{source / 'include'}", "-x", "c", "-", "-o", program],
                       input=program_of(library), text=True, check=True)
        lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: int(number) for name, number in (line.rsplit(" ", 1) for line in lines)}


def kind_of(text):
    """The ctypes type for one of C."""
    words = [word for word in re.findall(r"\w+|\*", text) if word != "const"]
    if "*" in words:
        return ctypes.c_char_p if words[0] == "char" else ctypes.c_void_p
    return ctypes.c_int if words[0] in ENUMERATIONS else SCALARS[words[0]]


def same_kind(ours, theirs):
    """Text that is written to is a pointer to us."""
    return ours == theirs or (theirs is ctypes.c_char_p and ours is ctypes.c_void_p)


def function_faults(source, library):
    found = {}
    for header in sorted((source / "include/spry").glob("*.h")):
        for result, name, arguments in DECLARATION.findall(header.read_text(encoding="utf-8")):
            if name in library.FUNCTIONS:
                found[name] = [result, *re.sub(r"\s+", " ", arguments).split(",")]
    for name, ours in library.FUNCTIONS.items():
        if name not in found:
            yield f"{name} is not declared"
            continue
        theirs = [kind_of(text) for text in found[name]]
        if len(ours) != len(theirs) or not all(map(same_kind, ours, theirs)):
            yield f"{name}: {ours}, and the header has {theirs}"


def version_faults(source):
    """One version: of the library, of the package, and of its description."""
    project = re.search(r"version: '([^']+)'", (source / "meson.build").read_text(encoding="utf-8"))[1]
    for path, pattern in (("bindings/python/pyproject.toml", r'^version = "([^"]+)"'),
                          ("bindings/python/src/spry/__init__.py", r'^__version__ = "([^"]+)"')):
        found = re.search(pattern, (source / path).read_text(encoding="utf-8"), re.MULTILINE)[1]
        if found != project:
            yield f"{path} has version {found}, and the project {project}"


def main(source, shared, *compiler):
    source = pathlib.Path(source)
    os.environ["SPRY_LIBRARY"] = shared
    library = load_library(source)
    theirs = declared(source, compiler)
    numbers = dict(said(library))
    faults = [f"{name} is {number} to the package, and {theirs[name]} in C" for name, number in numbers.items()
              if theirs[name] != number]
    faults += [*function_faults(source, library), *version_faults(source)]
    print(*faults, f"{len(numbers)} numbers, {len(library.FUNCTIONS)} functions, {len(faults)} faults", sep="\n")
    return 1 if faults or not numbers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
