#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""CMake finds the installed library where it is: projects in C and in C++, by the shared and the static library, and
the versions that may be asked for: test_cmake.py BUILD-FOLDER SOURCE-FOLDER. Exit status 77 where there is no CMake."""

import os
import pathlib
import shutil
import sys
import tempfile

from prefix import SKIPPED, Prefix, run

# As many as there are targets, in one project, so that compilers are looked for once.
PROJECT = """
cmake_minimum_required(VERSION 3.18)
project(program {language})
find_package(Spry 0.1 REQUIRED)
find_package(Spry REQUIRED) # a second time, as in a subfolder
foreach(library IN ITEMS {libraries})
  add_executable(by_${{library}} {source})
  target_link_libraries(by_${{library}} PRIVATE Spry::${{library}})
endforeach()
"""
VERSIONS = """
cmake_minimum_required(VERSION 3.18)
project(versions C)
foreach(asked IN ITEMS "" 0 0.1 0.1.0 "0.1.0;EXACT" 0.1...<1.0 0.0...0.1.0 0.99 1 0.0.9 "0.0;EXACT" 0.0...<0.1.0)
  foreach(name IN ITEMS Spry spry)
    unset(${name}_DIR CACHE)
    find_package(${name} ${asked} QUIET)
    message(STATUS "asked for ${name} '${asked}': ${${name}_FOUND}")
  endforeach()
endforeach()
find_package(Spry COMPONENTS solvers QUIET)
message(STATUS "component: ${Spry_FOUND}, ${Spry_NOT_FOUND_MESSAGE}")
"""
IN_FORTRAN = """
program by_spry
    use, intrinsic :: iso_c_binding
    use spry
    integer(c_int32_t), target :: ptr(3) = [1, 2, 3], idx(2) = [2, 1]
    real(c_double), target :: val(2) = [2, 4]
    real(c_double) :: y(2)
    type(spry_context) :: context
    type(spry_matrix) :: matrix
    if (spry_context_create(context) /= spry_ok) error stop 'no context'
    if (spry_wrap_csr(context, 2, ptr, idx, val, matrix) /= spry_ok) error stop 'no matrix'
    if (spry_spmv(context, spry_n, 1d0, matrix, [1d0, 2d0], 0d0, y) /= spry_ok) error stop 'no product'
    print '("y =", 2(1x, i0))', int(y)
end program
"""
BY_MKL = """
#include <spry/mkl.h>
#include <stdio.h>
int main(void) {
    const MKL_INT n = 2, ptr[] = {1, 3, 5}, idx[] = {1, 2, 1, 2};
    const double val[] = {1, 2, 3, 4}, x[] = {1, 10};
    double y[2];
    mkl_dcsrgemv("N", &n, val, ptr, idx, x, y);
    printf("%d: y = %g %g\\n", (int)sizeof n, y[0], y[1]);
}
"""
GOOD = ["", "0", "0.1", "0.1.0", "0.1.0;EXACT", "0.1...<1.0", "0.0...0.1.0"]
BAD = ["0.99", "1", "0.0.9", "0.0;EXACT", "0.0...<0.1.0"]


def configure(prefix, folder, text):
    folder.mkdir(exist_ok=True)
    (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    return run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", env=environment())


def environment():
    """Nothing in it tells where the library is."""
    return {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH")}


def needs(program):
    return "libspry" in run("ldd", program, env=environment())


def check_program(prefix, folder, language, source, libraries, expected="y = 2 4 10"):
    """Each runs where it was built. Only by the static library it needs none."""
    configure(prefix, folder, PROJECT.format(language=language, source=source, libraries=" ".join(libraries)))
    run("cmake", "--build", folder / "build", env=environment())
    for library, shared in libraries.items():
        program = folder / "build" / f"by_{library}"
        printed = run(program, env=environment()).strip()
        if printed != expected:
            sys.exit(f"{language} by Spry::{library} printed {printed!r}")
        if shutil.which("ldd") and needs(program) != shared:
            sys.exit(f"{language} by Spry::{library}: libspry.so is {'not ' if shared else ''}needed")
        print(f"{language} by Spry::{library}: {printed}")


def check_versions(prefix, folder):
    said = configure(prefix, folder, VERSIONS)
    for name in ("Spry", "spry"):
        for expected, versions in (("1", GOOD), ("0", BAD)):
            for version in versions:
                line = f"asked for {name} '{version}': "
                found = said.split(line, 1)[1].split("\n", 1)[0]
                if (found in ("1", "TRUE")) != (expected == "1"):
                    sys.exit(f"{line}{found}")
    if "component: 0, Spry has no component solvers." not in said:
        sys.exit(f"a component that is not there:\n{said}")
    print(f"{len(GOOD)} versions found, {len(BAD)} refused")


def main(build, source):
    if not shutil.which("cmake"):
        print("no cmake")
        return SKIPPED
    source = pathlib.Path(source).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = Prefix(build, folder)
        program = source / "examples/wrap_csr.c"
        in_cpp = folder / "program.cpp"
        in_cpp.write_text(program.read_text(encoding="utf-8").replace(
            "{.ptr = ptr, .idx = idx, .val = val, .base = 1}", "{ptr, idx, val, 1}"), encoding="utf-8")
        check_versions(prefix.path, folder / "versions")
        check_program(prefix.path, folder / "c", "C", program, {"spry": True, "spry_static": False})
        check_program(prefix.path, folder / "cpp", "CXX", in_cpp, {"spry": True, "spry_static": False})
        if shutil.which("gfortran"):
            in_fortran = folder / "program.f90"
            in_fortran.write_text(IN_FORTRAN, encoding="utf-8")
            source = f"{in_fortran} ${{Spry_FORTRAN}}"
            check_program(prefix.path, folder / "fortran", "Fortran", source, {"spry": True}, "y = 4 4")
        if list(prefix.libraries.glob("libspry_mkl_*")):
            by_mkl = folder / "by_mkl.c"
            by_mkl.write_text(BY_MKL, encoding="utf-8")
            for size, library in ((4, "mkl_lp64"), (8, "mkl_ilp64")):
                check_program(prefix.path, folder / library, "C", by_mkl, {library: True}, f"{size}: y = 21 43")
        for library in prefix.libraries.glob("libspry.so*"):
            library.unlink()
        check_program(prefix.path, folder / "static", "C", program, {"spry": False})
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
