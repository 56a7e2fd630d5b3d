#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Spry's matrix types in a PETSc that knows nothing of them, with 1, 2 and 3 processes:
run.py LIBRARY (products | changes | solvers) PROGRAM
run.py LIBRARY options SOLVE
run.py - REASON
Exit status 77, with the reason, where that cannot be run."""

import os
import shutil
import subprocess
import sys

SKIPPED = 77
# MPI's launchers do not run as root, nor more processes than there are processors, unless they are told to.
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # the same for Open MPI 5
}
ENVIRONMENT.pop("PETSC_OPTIONS", None)
ENVIRONMENT.pop("OMP_NUM_THREADS", None)


def run(processes, *command, **more):
    launcher = ["mpiexec", "-n", str(processes)] if processes > 1 else []
    return subprocess.run([*launcher, *command], capture_output=True, text=True, timeout=100,
                          stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **more})


def check(holds, what, done):
    if not holds:
        sys.exit(f"wrong: {what}\n{' '.join(done.args)} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    print("right:", what)


def check_program(library, program, ways, says):
    for way in ways:
        for processes in (1, 2, 3):
            done = run(processes, program, "-dll_append", library, *way)
            check(done.returncode == 0 and ", 0 wrong" in done.stdout, f"{processes} processes {' '.join(way)}", done)
            if "aijspry" in way:
                check(says in done.stdout, f"it says {says!r}", done)


def check_options(library, solve):
    load = ["-dll_append", library]
    cg = [solve, "-grid", "12", "-ksp_type", "cg", "-pc_type", "jacobi"]
    spry = [*cg, *load, "-mat_type", "aijspry"]
    plain = run(2, *cg)
    check(plain.returncode == 0 and "CONVERGED" in plain.stdout, "the program without Spry", plain)

    done = run(2, *cg, PETSC_OPTIONS=f"-dll_append {library} -mat_type aijspry")
    check(done.stdout == plain.stdout, "options from the environment", done)
    done = run(2, *cg, *load, "-mat_seqaij_type", "seqaijspry", "-mat_view", "::ascii_info")
    check("type: mpiaij\n" in done.stdout and "CONVERGED" in done.stdout, "the blocks of an unchanged MPIAIJ", done)

    done = run(2, *spry, "-mat_view", "::ascii_info")
    check("type: mpiaijspry\n" in done.stdout, "the type by name", done)
    check("Spry, diagonal block of process 0: " in done.stdout, "what the diagonal block is stored as", done)
    check("Spry, off-diagonal block of process 0: " in done.stdout, "what the other block is stored as", done)
    check("where csr would take" in done.stdout, "why", done)
    check(", 1 thread" in done.stdout, "one thread a process", done)
    check("of process 1" not in done.stdout, "the first process speaks for all", done)
    done = run(2, *spry, "-mat_view", "::ascii_info_detail")
    check("Spry, diagonal block of process 1: " in done.stdout, "or each for itself", done)
    done = run(1, *spry, "-mat_view", "::ascii_info")
    check("type: seqaijspry\n" in done.stdout and "    Spry: " in done.stdout, "what it is stored as", done)
    done = run(1, solve, "-grid", "2", *spry[3:], "-mat_view")
    check("row 0:" in done.stdout and "\n  Spry: " in done.stdout, "rows first, then Spry's line", done)
    done = run(1, *spry, "-mat_view", "::ascii_info", OMP_NUM_THREADS="2")
    check(", 2 threads" in done.stdout, "threads by OMP_NUM_THREADS", done)
    done = run(1, *spry, "-mat_view", "::ascii_info", "-mat_spry_threads", "3")
    check(", 3 threads" in done.stdout, "threads by the option", done)
    done = run(2, *spry, "-mat_view", "::ascii_info", "-mat_spry_format", "sell:8:512")
    check("process 0: sell:8:512" in done.stdout, "the storage by the option", done)
    done = run(1, *spry, "-mat_view", "::ascii_info", "-mat_spry_format", "csr")
    check("Spry: PETSc's own CSR arrays" in done.stdout, "CSR without a copy", done)
    done = run(1, *spry, "-mat_view", "::ascii_info", "-mat_spry_products", "1")
    check("Spry: PETSc's own CSR arrays" in done.stdout, "no conversion for one product", done)
    done = run(2, *spry, "-mat_view", "::ascii_info", "-mat_spry_measure", "2")
    check(done.returncode == 0 and " took " in done.stdout, "storages timed beside each other", done)
    lsqr = [*spry, "-ksp_type", "lsqr", "-pc_type", "none", "-ksp_view"]
    check("its transpose: " in run(1, *lsqr).stdout, "many products with the transpose make it", done)
    done = run(1, *lsqr, "-mat_spry_transpose_after", "-1")
    check("Spry: " in done.stdout and "its transpose" not in done.stdout, "or not, as the option says", done)
    done = run(1, *spry, "-help")
    check("-mat_spry_format" in done.stdout and "-mat_spry_products" in done.stdout, "options in the help", done)

    for option, value, message in (
        ("format", "fast", "fast is no storage"),
        ("format", "bsr:99:99", "Spry: "),
        ("format", "csr+constant", "Spry: "),
        ("measure", "-1", ""),
        ("products", "-3", "expected a number from 0"),
        ("products", "nan", ""),
        ("threads", "1000", ""),
    ):
        done = run(1, *spry, f"-mat_spry_{option}", value)
        right = done.returncode != 0 and "PETSC ERROR" in done.stderr and message in done.stderr
        check(right and "Caught signal" not in done.stderr, f"-mat_spry_{option} {value} is refused", done)


def main(library, subject, program=""):
    if library == "-":
        print("PETSc types are", subject)
        return SKIPPED
    if not shutil.which("mpiexec"):
        print("there is no mpiexec")
        return SKIPPED
    tried = run(2, "true")
    if tried.returncode != 0:
        print("mpiexec does not run two processes here:", tried.stderr)
        return SKIPPED
    if subject == "options":
        check_options(library, program)
    else:
        blocks = [] if subject == "solvers" else [["-mat_seqaij_type", "seqaijspry"]]
        says = "sell:4:32" if subject == "changes" else ", 0 wrong"  # options that came later count
        check_program(library, program, [["-mat_type", "aijspry"], *blocks], says)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
