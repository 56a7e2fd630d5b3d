# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs petsc_solve.c, with the options under which PETSc does what Spry does."""

import json
import os
import subprocess
import tempfile

import numpy as np

import problems

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "petsc_solve.c")

TOLERANCE = ["-ksp_rtol", "1e-8", "-ksp_max_it", "10000"]
FROM_RIGHT = ["-ksp_pc_side", "right", "-ksp_norm_type", "unpreconditioned"]
METHODS = {
    "cg": ["-ksp_type", "cg", "-ksp_norm_type", "unpreconditioned"],
    # PETSc's knows the preconditioned norm alone.
    "minres": ["-ksp_type", "minres", "-true_residual"],
    "bicgstab": ["-ksp_type", "bcgs", *FROM_RIGHT],
    "gmres": ["-ksp_type", "gmres", *FROM_RIGHT, "-ksp_gmres_restart", "30", "-ksp_gmres_classicalgramschmidt",
              "-ksp_gmres_cgs_refinement_type", "refine_always"],
}
# As the textbook has the factors: no shifts of its own, and a pivot is refused only if it is zero.
FACTORS = ["-pc_factor_levels", "0", "-pc_factor_mat_ordering_type", "natural", "-pc_factor_shift_type", "none",
           "-pc_factor_zeropivot", "0"]
PRECONDS = {
    "none": ["-pc_type", "none"],
    "jacobi": ["-pc_type", "jacobi"],
    "block-jacobi": ["-pc_type", "vpbjacobi", "-block", "8"],
    # Without inodes: it would relax rows of the same pattern together, in blocks.
    "ssor": ["-pc_type", "sor", "-pc_sor_symmetric", "-mat_no_inode"],
    "ilu0": ["-pc_type", "ilu", *FACTORS],
    "ic0": ["-pc_type", "icc", *FACTORS],
}
DIRECT = {
    # By supernodes it makes L Lᵀ. The L D Lᵀ that it makes otherwise need not be definite.
    "cholmod": ["-ksp_type", "preonly", "-pc_type", "cholesky", "-pc_factor_mat_solver_type", "cholmod",
                "-mat_cholmod_factor", "supernodal"],
    "umfpack": ["-ksp_type", "preonly", "-pc_type", "lu", "-pc_factor_mat_solver_type", "umfpack"],
}


# One process alone needs none of Open MPI's daemons, which take longer to start than most solves.
ENVIRONMENT = os.environ | {"OMPI_MCA_ess_singleton_isolated": "1"}


class Failure(Exception):
    """PETSc gave up with an error, or took too long."""


def pkg_config(what):
    return subprocess.run(["pkg-config", what, "petsc"], check=True, capture_output=True, text=True).stdout.split()


def build(folder):
    program = os.path.join(folder, "petsc_solve")
    subprocess.run(["mpicc", "-std=c17", "-O2", *pkg_config("--cflags"), SOURCE, "-o", program, *pkg_config("--libs"),
                    "-lm"], check=True)
    return program


def first_error(text):
    """The line of PETSc's error message that says what is wrong: the second."""
    lines = [line.removeprefix("[0]PETSC ERROR: ") for line in text.splitlines() if "PETSC ERROR:" in line]
    return lines[1] if len(lines) > 1 else text.strip()[:200]


class Petsc:
    """The program, compiled, and a folder for the systems it reads."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = build(self.folder.name)
        self.problem = os.path.join(self.folder.name, "problem")
        self.solution = os.path.join(self.folder.name, "solution")

    def take(self, problem):
        problems.write_petsc(problem, self.problem)

    def run(self, options, time_limit, ranks=0):
        """Results for the system taken last, one for each scale. The limit is for the iterations; with all else it
        takes twice that at most."""
        launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "core", "-n", str(ranks)]
        command = [*(launcher if ranks else []), self.program, "-problem", self.problem, "-time_limit",
                   str(time_limit), *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=2 * time_limit, check=False,
                                  env=None if ranks else ENVIRONMENT)
        except subprocess.TimeoutExpired:
            raise Failure("time") from None
        if done.returncode != 0 or not done.stdout.strip():
            raise Failure(first_error(done.stderr) or f"exit status {done.returncode}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def direct(self, solver, time_limit):
        """x by CHOLMOD or UMFPACK, or null if the matrix is not positive definite, or singular."""
        result = self.run([*DIRECT[solver], "-solution", self.solution], time_limit)
        if not result[0]["converged"]:
            return None
        return np.fromfile(self.solution, dtype=">f8", offset=8).astype(np.float64)
