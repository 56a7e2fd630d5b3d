#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the programs have in common: test_programs.py VERSION SPBENCH SPSOLVE SPGEN"""

import os
import re
import resource
import subprocess
import sys
import unittest

from scratch import Scratch

VERSION = None
PROGRAMS = []
MOST_THREADS = 256  # SPRY_MAX_THREADS


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300)


class Programs(Scratch):
    def test_version(self):
        for program in PROGRAMS:
            done = run(program, "--version")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            line = re.escape(f"{os.path.basename(program)} (Spry) {VERSION}, built ")
            self.assertRegex(done.stdout, rf"\A{line}(with|without) CUDA\n\Z")

    def test_threads_are_as_many_as_the_library_takes(self):
        for program, quick in zip(PROGRAMS, (["--min-time", "0.001", "--formats", "csr"], ["--no-plot"])):
            most = run(program, "--threads", str(MOST_THREADS), *quick, "gen:poisson2d:4")
            self.assertEqual((most.returncode, most.stderr), (0, ""))
            self.assertNotEqual(most.stdout, "")
            more = run(program, "--threads", str(MOST_THREADS + 1), *quick, "gen:poisson2d:4")
            self.assertEqual((more.returncode, more.stdout), (64, ""))
            self.assertIn(f"'{MOST_THREADS + 1}' is not a whole number from 1 to {MOST_THREADS}", more.stderr)

    def test_threads_that_the_system_refuses(self):
        """Their stacks are larger than the memory that there may be: the calling thread does all of the work."""
        def limited(program, *arguments):
            limit = 50 << 30
            return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "OMP_STACKSIZE": "100G"},
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

        spbench, spsolve, _ = PROGRAMS
        if limited(spbench, "--version").returncode != 0:
            self.skipTest("the program alone is over the limit, as with a sanitizer")
        for program, arguments in ((spbench, ["--min-time", "0.001", "--formats", "csr", "--threads", "8"]),
                                   (spbench, ["--min-time", "0.001", "--formats", "csr", "--scaling=4"]),
                                   (spsolve, ["--no-plot", "--threads", "8"]),
                                   (spsolve, ["--no-plot", "--threads", "8", "--solver", "normal"])):
            done = limited(program, *arguments, "gen:poisson2d:20")
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)

    def test_a_wrong_value_is_told_with_those_that_are_right(self):
        spbench, spsolve, _ = PROGRAMS
        for program, arguments, words in (
                (spbench, ["--backend", "gpu"], "--backend: invalid value 'gpu', expected cpu, cuda or all"),
                (spbench, ["--index", "i8"], "--index: invalid value 'i8', expected i32, i32p64 or i64"),
                (spbench, ["--formats", "csr,dok"], "--formats: invalid format 'dok', expected one of: "),
                (spsolve, ["--backend", "all"], "--backend: invalid value 'all', expected cpu or cuda"),
                (spsolve, ["--type", "f16"], "--type: invalid value 'f16', expected f32 or f64"),
                (spsolve, ["--solver", "qmr"], "--solver: invalid value 'qmr', expected cg, minres, bicgstab, gmres or normal"),
                (spsolve, ["--unpack-limit", "0"], "--unpack-limit: '0' is not a whole number from 1 to ")):
            done = run(program, *arguments, "gen:poisson2d:4")
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertTrue(done.stderr.startswith(f"{os.path.basename(program)}: {words}"), done.stderr)

    def test_generator_writes_what_it_is_asked_for(self):
        spgen, path = PROGRAMS[2], os.path.join(self.folder, "made.mtx")
        done = run(spgen, "poisson2d:3", path)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with open(path, encoding="utf-8") as file:
            self.assertIn("9 9 33", file.read())

    def test_generator_writes_to_standard_output(self):
        spgen, path = PROGRAMS[2], os.path.join(self.folder, "-")
        done = subprocess.run([spgen, "poisson2d:3", "-"], capture_output=True, text=True, timeout=300, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr, done.stdout.splitlines()[1]), (0, "", "9 9 33"))
        self.assertFalse(os.path.exists(path))
        # After what is there, as any program writes to it.
        with open(path, "w+", encoding="utf-8") as file:
            file.write("before\n")
            file.flush()
            subprocess.run([spgen, "poisson2d:3", "-"], stdout=file, timeout=300, check=True)
            file.seek(0)
            self.assertEqual(file.read(), "before\n" + done.stdout)
        for full, reason in (["sh", "-c", '"$0" poisson2d:3 - >/dev/full', spgen], "No space"), \
                            (["sh", "-c", '"$0" poisson2d:3 - >&-', spgen], "Bad file"):
            done = run(*full)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, rf"\Aspgen: standard output: {reason}.*\n\Z")

    def test_generator_names_a_file_that_cannot_be_written_once(self):
        inside = os.path.join(self.folder, "none", "a.mtx")
        for path, reason in ((inside, "No such file or directory"), (self.folder, "Is a directory"),
                             (os.path.join(self.folder, "a.mtx.gz"), "only plain text is written, not gzip")):
            done = run(PROGRAMS[2], "poisson2d:3", path)
            self.assertEqual((done.returncode, done.stderr), (1, f"spgen: {path}: {reason}\n"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_that_may_not_be_replaced(self):
        """It is told before any work is done. In a folder with the sticky bit a file is its owner's, and the folder's owner's."""
        if os.geteuid() != 0:
            self.skipTest("it takes two users")
        spbench, spsolve, spgen = PROGRAMS
        path = self.file("theirs", "old")
        os.chmod(self.folder, 0o1777)
        # A profile folder of the first user's would not be for the second to read.
        environment = {**os.environ, "XDG_CONFIG_HOME": os.path.join(self.folder, "none")}
        for program, arguments, said in (
                (spbench, ["--html", path, "gen:poisson2d:4"], f"spbench: {path}: no report can be written there"),
                (spsolve, ["--output", path, "gen:poisson2d:4"], f"spsolve: {path}"),
                (spgen, ["poisson2d:4", path], f"spgen: {path}")):
            try:
                done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300,
                                      env=environment, preexec_fn=lambda: os.setuid(65534))
            except PermissionError:
                self.skipTest("others may not run the programs")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"{said}: Operation not permitted\n"))
            self.assertEqual(run(spgen, "poisson2d:4", path).returncode, 0)
        self.assertEqual(os.listdir(self.folder), ["theirs"])

    def test_generator_makes_one_matrix_of_another(self):
        """The matrix of a saddle point problem has A, its transpose, and ones; that of normal equations is A times it."""
        entries = {}
        for name, spec in (("a", "random:9:6:3"), ("saddle", "saddle:random:9:6:3"), ("normal", "normal:random:9:6:3"),
                           ("shuffled", "shuffled:random:9:6:3")):
            path = os.path.join(self.folder, name + ".mtx")
            self.assertEqual(run(PROGRAMS[2], spec, path).returncode, 0)
            with open(path, encoding="utf-8") as file:
                lines = [line.split() for line in file if not line.startswith("%")][1:]
            entries[name] = {(int(row) - 1, int(col) - 1): float(value) for row, col, value in lines}
        a = entries["a"]
        ones = {(j, j): 1.0 for j in range(6)}
        below = {(6 + row, col): value for (row, col), value in a.items()}
        self.assertEqual(entries["saddle"], {**ones, **below, **{(col, row): value for (row, col), value in below.items()}})
        for row in range(9):
            for other in range(9):
                wanted = sum(a.get((row, k), 0) * a.get((other, k), 0) for k in range(6))
                self.assertAlmostEqual(entries["normal"].get((row, other), 0), wanted, places=14)

        def rows(of):
            return [sorted((col, value) for (i, col), value in of.items() if i == row) for row in range(9)]
        self.assertNotEqual(rows(entries["shuffled"]), rows(a))
        self.assertEqual(sorted(rows(entries["shuffled"])), sorted(rows(a)))

    @unittest.skipIf(os.environ.get("SPRY_TEST_BRIEF"), "to count 2^31 entries takes half a minute with a sanitizer")
    def test_a_matrix_with_more_entries_than_indices_count(self):
        """Of 70,000 rows that share a column, all are neighbours."""
        spec, words = "normal:random:70000:1:1", "at most 2147483646 rows and entries are allowed"
        done = run(PROGRAMS[2], spec, os.path.join(self.folder, "a.mtx"))
        self.assertEqual((done.returncode, done.stderr), (1, f"spgen: {spec}: {words}\n"))

    def test_a_matrix_with_more_rows_than_indices_count(self):
        """Rows and columns of a saddle point problem are both's; whatever went wrong before."""
        spec, words = "saddle:random:1:2147483646:1", "at most 2147483646 rows and entries are allowed"
        done = run(PROGRAMS[1], os.path.join(self.folder, "none.mtx"), "gen:" + spec)
        self.assertEqual(done.stderr.splitlines()[1:], [f"spsolve: gen:{spec}: {words}"])

    def test_generators_are_documented(self):
        docs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "spbench.md")
        with open(docs, encoding="utf-8") as file:
            documented = re.findall(r"^\| `gen:(\S+)` \|", file.read(), re.MULTILINE)
        self.assertIn("uneven:N:LEAST:MOST", documented)
        for program, prefix in zip(PROGRAMS, ("gen:", "gen:", "")):
            done = run(program, "--help")
            self.assertEqual(re.findall(rf"^  {prefix}(\w+:\S+) +\w", done.stdout, re.MULTILINE), documented)
            # A line that argp breaks goes on in its first column.
            after = done.stdout[done.stdout.index("  " + prefix + documented[0]):].split("\n\n")[0]
            self.assertTrue(all(line.startswith("  ") for line in after.splitlines()), after)

    def test_an_empty_name_is_no_file(self):
        """As a variable of the shell gives it that is not set."""
        for program in PROGRAMS[:2]:
            for arguments, what in (([""], "FILE"), (["gen:poisson2d:3", ""], "FILE"),
                                    (["--profile=", "gen:poisson2d:3"], "--profile")):
                done = run(program, *arguments)
                self.assertEqual((done.returncode, done.stdout), (64, ""))
                self.assertIn(f": {what}: '' is no name for a file\n", done.stderr)

    def test_generator_says_what_is_wrong(self):
        spgen = PROGRAMS[2]
        for arguments, status, words in (([], 64, "are needed"), (["poisson2d:3"], 64, "are needed"),
                                         (["poisson2d:3", "a", "b"], 64, "more than"),
                                         (["poisson2d:3", ""], 64, "FILE: '' is no name for a file"),
                                         (["normal:mesh", "a"], 1, "mesh:N")):
            done = run(spgen, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""))
            self.assertIn(words, done.stderr.splitlines()[0])

    def test_a_matrix_that_is_not_described_is_told_with_what_is_expected(self):
        whole = "expected a whole number from 1 to 2147483647"
        for spec, words in (
                ("nothing:3", "unknown generator 'nothing', expected one of: poisson2d, poisson3d, 27pt, "),
                ("saddle:nothing:3", "unknown generator 'nothing', expected one of: "),
                ("", "unknown generator '', expected one of: "), ("nothing", "hollow, shuffled, saddle, normal"),
                ("gen:poisson2d:5", "leave out 'gen:' before 'poisson2d:5'"),
                ("shuffled:gen:mesh:3", "leave out 'gen:' before 'mesh:3'"),
                ("saddle:", "too few parameters: expected saddle:MATRIX"),
                ("normal:saddle", "too few parameters: expected saddle:MATRIX"),
                ("poisson2d:0", f"N is '0', {whole}"), ("poisson2d:5:x", f"M is 'x', {whole}"), ("mesh::2", f"N is '', {whole}"),
                ("random:5:5:-1", f"NNZ_PER_ROW is '-1', {whole}"), ("poisson2d:1:2:3", "expected poisson2d:N[:M=N]"),
                ("rmat:31", "SCALE <= 30"), ("random:5:5:6", "NNZ_PER_ROW <= COLS"), ("banded:5:5", "HALFWIDTH < N"),
                ("uneven:100:1:50", "parameters out of range: expected uneven:N:LEAST:MOST, band, rows of LEAST to MOST <= N/4"),
                ("spiked:5:6:1", "both <= N"), ("hollow:5:6:1", "both <= N")):
            done = run(PROGRAMS[2], spec, os.path.join(self.folder, "a.mtx"))
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertTrue(done.stderr.startswith(f"spgen: {spec}: "), done.stderr)
            self.assertIn(words, done.stderr)
            self.assertIn(f"gen:{spec}: ", run(PROGRAMS[1], "gen:" + spec).stderr)


if __name__ == "__main__":
    VERSION = sys.argv.pop(1)
    PROGRAMS = [os.path.abspath(sys.argv.pop(1)) for _ in range(3)]
    unittest.main()
