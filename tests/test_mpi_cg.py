#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example over several processes: as many iterations on any number of ranks, and no rank is left waiting when one fails.

test_mpi_cg.py [MPIEXEC PROGRAM DATA]: without these MPI was not found, and the test is skipped."""

import os
import re
import subprocess
import sys

SKIPPED = 77
# Processes of a test share what CPUs there are, root may run them, and they speak through memory alone.
ENVIRONMENT = {
    **os.environ,
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # the same for Open MPI 5
    "OMPI_MCA_mpi_yield_when_idle": "1",
}
SECONDS = 60


def run(mpiexec, ranks, program, *arguments):
    """Exit status and output. A rank that waits for another for ever is an error."""
    command = [mpiexec, "-n", str(ranks), program, *arguments]
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def iterations(mpiexec, ranks, program, *arguments):
    status, text = run(mpiexec, ranks, program, *arguments)
    found = re.search(rf"^{ranks} ranks: converged after (\d+) iterations.*largest error ([-+.e\d]+)$", text, re.MULTILINE)
    assert status == 0 and found, f"{ranks} ranks, {arguments}: status {status}\n{text}"
    assert float(found.group(2)) < 1e-6, text
    return int(found.group(1))


def check_failure(mpiexec, ranks, program, words, *arguments):
    status, text = run(mpiexec, ranks, program, *arguments)
    assert status not in (0, SKIPPED), f"{arguments}: status {status}\n{text}"
    assert words in text, f"{arguments}: no “{words}” in\n{text}"


def main(mpiexec=None, program=None, data=None):
    if not mpiexec:
        print("skipped: no MPI when the build was configured")
        return SKIPPED
    file = os.path.join(data, "poisson2d_20.mtx")
    for source, most in (("40", 4), (file, 2)):
        counts = {ranks: iterations(mpiexec, ranks, program, source) for ranks in range(1, most + 1)}
        assert len(set(counts.values())) == 1, f"{source}: {counts}"
        print(source, counts)
    iterations(mpiexec, 4, program, "1")  # three of them have no row
    check_failure(mpiexec, 4, program, "rank 2: ", "40", "stop", "2")
    check_failure(mpiexec, 3, program, "infinity or NaN came up after 0 iterations", "40", "nan", "1")
    check_failure(mpiexec, 2, program, "no_such_file.mtx", "no_such_file.mtx")
    check_failure(mpiexec, 2, program, "not square", os.path.join(data, "random_120_40_3.mtx"))
    check_failure(mpiexec, 1, program, "usage", "40", "stop")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
