#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench says of wrong usage, files and machines: test_spbench_failures.py PATH-TO-SPBENCH"""

import gzip
import json
import os
import resource
import subprocess
import unittest

from spbench_run import QUICK, SPBENCH, SYMMETRIC, Spbench, reports, run


class Failures(Spbench):
    def check_failure(self, *arguments, words=()):
        done = run(*QUICK, *arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        first = done.stderr.splitlines()[0]
        for word in words:
            self.assertIn(word, first)
        return done

    def test_wrong_usage(self):
        for arguments, word in (([], "no FILE"), (["--formats", "dok", "x"], "'dok'"), (["--formats", ",", "x"], "empty"),
                                (["--type", "f16", "x"], "'f16'"), (["--index", "i8", "x"], "'i8'"),
                                (["--threads", "0", "x"], "'0'"), (["--threads", "two", "x"], "'two'"),
                                (["--backend", "gpu", "x"], "'gpu'"), (["--peers", "x"], "--backend"),
                                (["--min-time", "-1", "x"], "'-1'"), (["--products", "0", "x"], "'0'"),
                                (["--products", "some", "x"], "'some'"),
                                (["--profile", "y", "--backend", "all", "x"], "--profile"),
                                (["--no-such-option"], "no-such-option")):
            self.check_failure(*arguments, words=[word])

    def test_names_that_are_not_disabled(self):
        """They are told, nothing else is changed; a list that says nothing new is no reason to speak."""
        for names, words in (("avx51,avx2,,csr_avx3", "avx51, csr_avx3"), ("avx2,resident,scan,", ""), ("", "")):
            done = run(*QUICK, "--formats", "csr", "gen:poisson2d:9", SPRY_DISABLE=names)
            self.assertEqual(done.returncode, 0)
            told = f"spbench: SPRY_DISABLE: this build has no CPU feature, kernel or algorithm {words}\n"
            self.assertEqual(done.stderr, told if words else "")

    def test_wrong_generators(self):
        for spec, word in (("nothing:3", "'nothing'"), ("poisson2d", "too few"), ("poisson2d:", "''"),
                           ("poisson2d:x", "'x'"), ("poisson2d:-3", "'-3'"), ("poisson2d:3:4:5", "too many"),
                           ("poisson2d:0", "'0'"), ("poisson2d:2147483647", "at most"),
                           ("poisson3d:2147483647", "at most"), ("rmat:31", "range"), ("rmat:10:99999999", "at most"),
                           ("random:5:5:6", "range"), ("banded:5:5", "range"), ("banded:99999999999999999999:1", "'999")):
            done = self.check_failure("gen:" + spec, words=["gen:" + spec, word])
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_wrong_files(self):
        broken = self.file("broken.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 5\n")
        for path, words in ((os.path.join(self.folder, "none.mtx"), ["none.mtx"]), (self.folder, [self.folder]),
                            (broken, ["broken.mtx:3:", "3"]), (self.file("blank.mtx", ""), ["blank.mtx"])):
            done = self.check_failure(path, words=words)
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_complex_values(self):
        path = self.file("c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 1\n")
        done = self.check_failure(path, words=["spbench: " + path, "--real-part"])
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(run("--real-part", *QUICK, path).returncode, 0)

    def test_unpack_limit(self):
        packed = gzip.compress(SYMMETRIC.encode())
        done = run(*QUICK, "--unpack-limit=50", "-", input=packed)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertIn("--unpack-limit", done.stderr)
        (report,) = reports("--unpack-limit=500", "-", input=packed)
        self.assertEqual(report["matrix"]["rows"], 4)

    def test_standard_input(self):
        (report,) = reports("-", input=SYMMETRIC)
        self.assertEqual((report["matrix"]["name"], report["matrix"]["file"]), ("standard input", "-"))
        self.assertIn("matrix      standard input\n", run(*QUICK, "-f", "csr", "-", input=SYMMETRIC).stdout)
        self.assertEqual((report["matrix"]["rows"], report["matrix"]["symmetry"]), (4, "symmetric"))
        (report,) = reports("-", input=gzip.compress(SYMMETRIC.encode()))
        self.assertEqual(report["matrix"]["nnz"], 6)
        broken = run("-", input=SYMMETRIC + "5 5 1\n")
        self.assertEqual(broken.returncode, 1)
        self.assertIn("spbench: standard input:8:1: ", broken.stderr)

    def test_standard_input_that_is_a_file(self):
        """It is read from where it stands."""
        with open(self.file("two.mtx", "a line that somebody else read\n" + SYMMETRIC), "rb", buffering=0) as file:
            file.seek(len("a line that somebody else read\n"))
            (report,) = reports("-", stdin=file)
        self.assertEqual(report["matrix"]["rows"], 4)

    def test_no_standard_input(self):
        done = run("-", preexec_fn=lambda: os.close(0))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "spbench: standard input: Bad file descriptor\n")

    def test_wrong_profiles(self):
        broken = self.file("broken.json", '{"machine": "x",\n')
        for path, word in ((broken, "broken.json:"), (self.file("empty.json", "{}"), "not a machine profile"),
                           (os.path.join(self.folder, "none.json"), "none.json")):
            inputs = ["gen:poisson2d:4", "gen:poisson2d:5"]
            done = self.check_failure("--profile", path, *inputs, words=["spbench: ", word])
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))

    def test_the_rest_is_still_done(self):
        done = run("--json", *QUICK, "gen:poisson2d:8", os.path.join(self.folder, "none.mtx"), "gen:no", "gen:banded:9:1")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 2)
        names = [json.loads(line)["matrix"]["name"] for line in done.stdout.splitlines()]
        self.assertEqual(names, ["poisson2d:8", "banded:9:1"])

    def test_no_memory_for_the_roof(self):
        """The machine's bandwidth is measured with 128 MB a thread; products need next to none."""
        def limited(*arguments):
            limit = 200 << 20
            return subprocess.run([SPBENCH, *arguments], capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "LC_ALL": "C"},
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

        if limited("--list").returncode != 0:
            self.skipTest("the program alone is over the limit, as with a sanitizer")
        enough = ["--min-time", "0.02", "--threads", "2"]  # under which the buffer would be smaller
        done = limited(*enough, "gen:poisson2d:9")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 threads, no memory to measure", " ".join(done.stdout.split()))
        done = limited("--json", *enough, "gen:poisson2d:9")
        report = json.loads(done.stdout)
        self.assertIsNone(report["machine"]["read_gbs"])
        for result in report["results"]:
            self.assertEqual((result["status"], result["roof_gbs"], result["roofline"]), ("ok", None, None))

    def test_more_columns_than_memory_has_bytes(self):
        """A vector of 2^61 values in f64 has 2^64 bytes, which size_t counts as 0."""
        for columns in (1 << 60, 1 << 61, (1 << 61) + 1):
            wide = self.file("wide.mtx", f"%%MatrixMarket matrix coordinate real general\n1 {columns} 1\n1 1 1\n")
            done = self.check_failure("--formats", "csr", wide, words=[wide, "out of memory"])
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))

    def test_output_that_cannot_be_written(self):
        for arguments in (["--list"], [*QUICK, "--json", "gen:poisson2d:9"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([SPBENCH, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
            self.assertEqual((done.returncode, done.stderr), (1, "spbench: standard output: cannot be written to\n"))


if __name__ == "__main__":
    unittest.main()
