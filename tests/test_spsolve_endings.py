#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How spsolve ends, and what it leaves: test_spsolve_endings.py PATH-TO-SPSOLVE"""

import fcntl
import gzip
import json
import os
import select
import signal
import subprocess
import threading
import time
import unittest

from formats import FORMATS
from spsolve_run import COMPLEX, HEADER, INDEFINITE, SPSOLVE, SYMMETRIC, Spsolve, WIDE, WITHOUT_DIAGONAL, run

# Seconds after which a program that was interrupted counts as hanging.
PATIENCE = 100


class Output(Spsolve):
    def test_the_solution(self):
        matrix, b = self.file("a.mtx", SYMMETRIC), self.file("b.mtx", f"{HEADER} general\n4 1 4\n1 1 1\n2 1 2\n3 1 2\n4 1 1\n")
        for kind, near in (("f64", 1e-7), ("f32", 1e-4)):
            path = os.path.join(self.folder, kind + ".mtx")
            self.assertEqual(run("--type", kind, "--rhs", b, "--output", path, matrix).returncode, 0)
            with open(path, encoding="utf-8") as file:
                lines = [line.split() for line in file if not line.startswith("%")]
            self.assertEqual(lines[0], ["4", "1", "4"])
            self.assertEqual([line[:2] for line in lines[1:]], [[str(i), "1"] for i in range(1, 5)])
            for value in lines[1:]:
                self.assertAlmostEqual(float(value[2]), 1.0, delta=near)

    def test_that_is_an_input(self):
        matrix = self.file("a.mtx", SYMMETRIC)
        b = self.file("b.mtx", f"{HEADER} general\n4 1 4\n1 1 1\n2 1 2\n3 1 2\n4 1 1\n")
        link = os.path.join(self.folder, "link")
        os.symlink(matrix, link)
        for arguments, output in (([matrix], matrix), ([link], matrix), ([matrix], link), (["--rhs", b, matrix], b)):
            with open(output, "rb") as file:
                kept = file.read()
            done = run(*arguments, "--output", output)
            self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
            self.assertEqual(done.stderr, f"spsolve: {output}: it is read from, so the solution is not written there\n")
            with open(output, "rb") as file:
                self.assertEqual(file.read(), kept)
        with open(matrix, encoding="utf-8") as file:
            done = subprocess.run([SPSOLVE, "-o", matrix, "-"], stdin=file, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(run("-o", "/dev/null", "--rhs", "ones", matrix).returncode, 0)
        self.assertEqual(run("-o", b, matrix).returncode, 0)

    def test_also_when_it_did_not_converge(self):
        path = os.path.join(self.folder, "x.mtx")
        self.reports("-n", "3", "--solver", "cg", "--precond", "none", "--output", path, "gen:poisson2d:20", status=2)
        self.assertTrue(os.path.exists(path))

    def test_a_file_stays_where_nothing_is_solved(self):
        kept = self.file("kept.mtx", "kept")
        self.assertEqual(run("--output", kept, os.path.join(self.folder, "none.mtx")).returncode, 1)
        with open(kept, encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")

    def test_to_standard_output(self):
        done = subprocess.run([SPSOLVE, "--output", "-", "gen:poisson2d:2"], capture_output=True, text=True, timeout=300,
                              cwd=self.folder)
        self.assertEqual((done.returncode, os.listdir(self.folder)), (0, []))
        lines = done.stdout.splitlines()
        self.assertEqual((lines[1], len(lines)), ("4 1 4", 6))
        self.assertIn("\noutcome     converged, ", done.stderr)
        done = run("--json", "--output", "-", "gen:poisson2d:2")
        self.assertEqual(done.stdout.splitlines(), lines)
        self.check_report(json.loads(done.stderr))
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([SPSOLVE, "-o", "-", "gen:poisson2d:2"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("spsolve: standard output: No space left on device\n", done.stderr)

    def test_that_cannot_be(self):
        matrix = self.file("a.mtx", SYMMETRIC)
        for path, reason in ((os.path.join(self.folder, "none", "x.mtx"), "No such file or directory"),
                             (self.folder, "Is a directory"),
                             (os.path.join(self.folder, "x.mtx.gz"), "only plain text is written, not gzip")):
            # It is found out before anything is solved.
            done = run("--no-plot", "--output", path, matrix)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"spsolve: {path}: {reason}\n"))
            done = run("--json", "--output", path, matrix)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertEqual(json.loads(done.stdout), {"matrix": matrix, "error_message": f"{path}: {reason}"})
        self.assertEqual(os.listdir(self.folder), ["a.mtx"])
        for arguments in ((matrix, matrix), ("--compare", matrix)):
            done = run("--output", "x.mtx", *arguments)
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn("--output", done.stderr.splitlines()[0])


class Interrupts(Spsolve):
    ENDLESS = ["--solver", "cg", "--precond", "none", "--format", "csr", "--threads", "1", "--tol", "1e-300",
               "-n", "1000000000", "--rhs", "ones", "gen:poisson2d:200"]

    def end_in_time(self, program):
        """Kill a program that hangs, so that nothing waits for it for ever."""
        watch = threading.Timer(PATIENCE, program.kill)
        watch.start()
        self.addCleanup(watch.cancel)

    def interrupt(self, number, *arguments):
        """Send a signal once the heading is out, which is after the program began to catch it."""
        with subprocess.Popen([SPSOLVE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "LC_ALL": "C", "COLUMNS": "100"}) as program:
            self.end_in_time(program)
            shown = program.stdout.readline()
            program.send_signal(number)
            rest, errors = program.communicate()
        return program.returncode, shown + rest, errors

    def test_a_solve(self):
        path = os.path.join(self.folder, "x.mtx")
        status, shown, errors = self.interrupt(signal.SIGINT, "--output", path, *self.ENDLESS)
        self.assertEqual((status, errors), (130, ""))
        self.assertIn("outcome     interrupted, ", shown)
        self.assertIn("residual", shown)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(self.interrupt(signal.SIGTERM, *self.ENDLESS)[0], 143)

    def test_one_that_is_ignored(self):
        """It stays so after another one. The program waits then until somebody reads its output."""
        pipe = os.path.join(self.folder, "x.mtx")
        os.mkfifo(pipe)
        program = subprocess.Popen([SPSOLVE, "--output", pipe, *self.ENDLESS], stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        self.end_in_time(program)

        def has(kind, number):
            with open(f"/proc/{program.pid}/status", encoding="utf-8") as file:
                mask = next(line.split()[1] for line in file if line.startswith(kind + ":"))
            return bool(int(mask, 16) >> (number - 1) & 1)

        program.stdout.readline()
        self.assertTrue(has("SigCgt", signal.SIGTERM))
        program.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while has("SigCgt", signal.SIGTERM):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertTrue(has("SigIgn", signal.SIGINT))
        program.send_signal(signal.SIGINT)
        with open(pipe, encoding="utf-8") as file:
            self.assertIn("40000 1 40000\n", file.read())
        self.assertEqual(program.wait(PATIENCE), 143)

    def test_several_files(self):
        status, shown, errors = self.interrupt(signal.SIGINT, *self.ENDLESS, "gen:poisson2d:4", "gen:poisson2d:5")
        self.assertEqual(status, 130)
        self.assertNotIn("gen:poisson2d:4\n", shown)
        self.assertIn("2 of 3 matrices were not begun", errors)

    def test_a_comparison(self):
        status, shown, _ = self.interrupt(signal.SIGINT, "--compare", "--time-limit", "1000", *self.ENDLESS)
        self.assertEqual(status, 130)
        self.assertIn("interrupted", shown)


    def test_repeats(self):
        self.assertEqual(self.interrupt(signal.SIGINT, "--repeat", "1000", "--rhs", "ones", "gen:poisson2d:100")[0], 130)

    def test_when_nothing_is_left_to_be_cut_short(self):
        """What is printed is more than the pipe has room for: once there is some, the solve is over."""
        chain = self.file("a.mtx", f"{HEADER} symmetric\n4000 4000 7999\n" + "".join(
            f"{i} {i} 2\n" + (f"{i + 1} {i} -1\n" if i < 4000 else "") for i in range(1, 4001)))
        with subprocess.Popen([SPSOLVE, "--json", "--history", "-s", "cg", "-p", "none", "-j", "1", chain], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as program:
            fcntl.fcntl(program.stdout, fcntl.F_SETPIPE_SZ, 4096)
            self.assertTrue(select.select([program.stdout], [], [], 300)[0])
            program.send_signal(signal.SIGINT)
            shown, errors = program.communicate(timeout=300)
        self.assertEqual((program.returncode, errors), (0, ""))
        self.assertEqual(json.loads(shown)["outcome"], "converged")


class Endings(Spsolve):
    def test_not_converged(self):
        (report,) = self.reports("--max-iterations", "3", "-s", "cg", "-p", "none", "gen:poisson2d:20", status=2)
        self.assertEqual((report["outcome"], report["iterations"]), ("limit", 3))
        done = run("--max-iterations", "3", "gen:poisson2d:20")
        self.assertEqual(done.returncode, 2)
        self.assertIn("iteration limit", done.stdout)

    def test_converged_as_the_time_is_over(self):
        for solver in ("cg", "normal"):
            (report,) = self.reports("--abs", "1e9", "--time-limit", "1e-9", "-s", solver, "gen:poisson2d:10")
            self.assertEqual((report["outcome"], report["iterations"]), ("converged", 0))
        (report,) = self.reports("--time-limit", "1e-9", "-s", "cg", "gen:poisson2d:10", status=2)
        self.assertEqual(report["outcome"], "time-limit")

    def test_indefinite(self):
        (report,) = self.reports("--solver", "cg", "--precond", "none", self.file("a.mtx", INDEFINITE), status=2)
        self.assertEqual(report["outcome"], "indefinite")

    def test_the_worst_counts(self):
        (limit, good) = self.reports("-n", "3", "gen:poisson2d:20", "gen:poisson2d:1", status=2)
        self.assertEqual((limit["outcome"], good["outcome"]), ("limit", "converged"))
        done = run("--json", "-n", "3", "gen:poisson2d:20", os.path.join(self.folder, "none.mtx"), "gen:poisson2d:1")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        limit, failed, good = (json.loads(line) for line in done.stdout.splitlines())
        self.check_report(limit)
        self.check_report(good)
        self.assertEqual(list(failed), ["matrix", "error_message"])
        self.assertIn("none.mtx", failed["matrix"])
        self.assertIn("none.mtx", failed["error_message"])

    def check_failure(self, *arguments, words):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
        (line,) = done.stderr.splitlines()
        for word in words:
            self.assertIn(word, line)

    def test_wrong_matrices(self):
        self.check_failure("gen:random:3:4:2", words=["gen:random:3:4:2: the matrix is 3 x 4; spsolve needs a square one"])
        self.check_failure("gen:nothing:3", words=["gen:nothing", "'nothing'"])
        self.check_failure(os.path.join(self.folder, "none.mtx"), words=["none.mtx"])
        self.check_failure(self.file("c.mtx", COMPLEX), words=["c.mtx"])
        self.assertEqual(run("--real-part", self.file("c.mtx", COMPLEX)).returncode, 0)
        broken = self.file("broken.mtx", f"{HEADER} general\n2 2 1\n1 3 5\n")
        self.check_failure(broken, words=["broken.mtx:3:"])
        done = run("--precond", "ilu0", self.file("a.mtx", WITHOUT_DIAGONAL))
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertRegex(done.stderr, "a.mtx: row 1 .* --precond")

    def test_complex_values(self):
        for path in (self.file("c.mtx", COMPLEX), "-"):
            done = subprocess.run([SPSOLVE, path], input=COMPLEX, capture_output=True, text=True, timeout=300)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
            self.assertIn("--real-part", done.stderr)

    def test_unpack_limit(self):
        packed = gzip.compress(SYMMETRIC.encode())
        for limit, code in (("50", 1), ("500", 0)):
            done = subprocess.run([SPSOLVE, "--unpack-limit", limit, "-"], input=packed, capture_output=True, timeout=300)
            self.assertEqual((done.returncode, b"--unpack-limit" in done.stderr), (code, code == 1))

    def test_limit_of_plain_text(self):
        for limit, code in (("50", 1), ("500", 0)):
            done = subprocess.run([SPSOLVE, "--unpack-limit", limit, "-"], input=SYMMETRIC.encode(), capture_output=True,
                                  timeout=300)
            said = b"standard input: its text is larger than the limit; --unpack-limit=BYTES allows for more" in done.stderr
            self.assertEqual((done.returncode, said), (code, code == 1))

    def test_zeros(self):
        for zeros in (bytes(100000), gzip.compress(bytes(100000))):
            done = subprocess.run([SPSOLVE, "-"], input=zeros, capture_output=True, text=False, timeout=300)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"standard input:1:1: got a zero byte, expected the banner", done.stderr)
        done = run("/dev/zero")
        self.assertIn("/dev/zero:1:1: got a zero byte, expected the banner", done.stderr)

    def test_a_fault_in_a_file_with_a_long_path(self):
        folder = os.path.join(self.folder, *(letter * 250 for letter in "abcdef"))
        os.makedirs(folder)
        path = os.path.join(folder, "oor.mtx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{HEADER} general\n2 2 2\n1 1 1\n3 1 1\n")
        done = run(path)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertRegex(done.stderr, '….*/oor.mtx:4:1: got "3", expected a row from 1 to 2\n$')
        self.assertLess(len(done.stderr.encode()), 1100)

    def test_a_name_with_control_characters(self):
        path = self.file("a\nb\x1b[1m.mtx", f"{HEADER} general\n2 2 1\nx\n")
        for name, words in ((path, 'a?b?[1m.mtx:3:1: got "x", expected'), (path + "\n", "a?b?[1m.mtx?: No such file")):
            done = run(name)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("a?b"), 1)

    def test_standard_input(self):
        for text in (SYMMETRIC.encode(), gzip.compress(SYMMETRIC.encode())):
            done = subprocess.run([SPSOLVE, "--json", "-"], input=text, capture_output=True, timeout=300)
            report = json.loads(done.stdout)
            self.assertEqual((done.returncode, report["matrix"], report["rows"]), (0, "-", 4))
            done = subprocess.run([SPSOLVE, "-"], input=text, capture_output=True, timeout=300)
            self.assertTrue(done.stdout.startswith(b"matrix      standard input\n"), done.stdout)
        done = subprocess.run([SPSOLVE, "-"], input=WIDE, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.stderr, "spsolve: standard input: the matrix is 1 x 2; spsolve needs a square one\n")
        done = subprocess.run([SPSOLVE, "--rhs", "-", "gen:poisson2d:2"], capture_output=True, text=True, timeout=300,
                              input="%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n")
        self.assertEqual(done.returncode, 0)

    def test_wrong_usage(self):
        for arguments, word in (([], "no FILE"), (["--solver", "qmr", "x"], "'qmr'"), (["--precond", "amg", "x"], "'amg'"),
                                (["--tol", "0", "x"], "'0'"), (["--tol", "nan", "x"], "'nan'"), (["--abs", "-1", "x"], "'-1'"),
                                (["--max-iterations", "0", "x"], "'0'"), (["--restart", "65", "x"], "'65'"),
                                (["--block", "33", "x"], "'33'"), (["--omega", "2", "x"], "'2'"),
                                (["--degree", "x", "x"], "'x'"), (["--degree", "101", "x"], "'101'"),
                                (["--shift", "-1", "x"], "'-1'"),
                                (["--format", "dok", "x"], "'dok'"), (["--type", "f16", "x"], "'f16'"),
                                (["--backend", "all", "x"], "'all'"), (["--threads", "0", "x"], "'0'"),
                                (["--time-limit", "0", "x"], "'0'"), (["--compare", "--history", "x"], "--history"),
                                (["--compare", "--repeat", "2", "x"], "--repeat"), (["--compare", "--repeat", "2", "--json", "x"], "--compare"),
                                (["--tol", "inf", "x"], "'inf' is not a finite number over 0"),
                                (["--abs", "inf", "x"], "not a finite number"), (["--time-limit", "inf", "x"], "not a finite number"),
                                (["--shift", "inf", "x"], "--shift: 'inf' is not a finite number from 0 on"),
                                (["--output", "", "x"], "--output: '' is no name for a file"),
                                (["--rhs", "", "x"], "--rhs: '' is no name for a file"),
                                (["--format", "bsr:9:9", "x"], "--format: invalid storage bsr:9:9: "),
                                (["-s", "normal", "-p", "ilu0", "x"], "'ilu0'"),
                                (["--no-such-option"], "no-such-option")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (64, ""), arguments)
            self.assertIn(word, done.stderr.splitlines()[0])

    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--solver", "--precond", "--rhs", "--history", "--no-plot", "gen:poisson2d", "gen:convection2d"):
            self.assertIn(word, done.stdout)

    def profile(self, favourite):
        """A file with prices by which one format costs a thousandth of what the others do."""
        kernels = {name: dict.fromkeys(("steps", "units", "entries"), 1.0 if name == favourite else 1e3)
                   for name in FORMATS}
        return self.file("profile.json", json.dumps({
            "machine": "a machine of the test", "backend": "cpu", "processors": 1, "memory_gbs": 1.0,
            "kernels": {"f32": kernels, "f64": kernels}, "conversions": {}}))

    def test_the_profile_chooses(self):
        for favourite in FORMATS:
            options = ["--threads", "1", "--profile", self.profile(favourite)]
            (report,) = self.reports(*options, "gen:poisson2d:40")
            self.assertEqual((report["format"], report["profile"]), (favourite, "a machine of the test"))
            done = run(*options, "gen:poisson2d:40")
            self.assertIn("profile     a machine of the test\n", done.stdout)
        (report,) = self.reports(*options, "--format", "csr", "gen:poisson2d:40")
        self.assertEqual((report["format"], report["profile"]), ("csr", None))
        self.assertNotIn("profile", run(*options, "--format", "csr", "gen:poisson2d:9").stdout)

    def test_a_profile_that_is_none(self):
        broken = self.file("broken.json", "{")
        for path in broken, os.path.join(self.folder, "none.json"):
            self.check_failure("--profile", path, "gen:poisson2d:9", words=["spsolve: ", path])

    def test_a_calibrated_profile_that_is_none(self):
        os.mkdir(os.path.join(self.folder, "spry"))
        broken = self.file("spry/cpu.json", "{")
        done = run("--json", "gen:poisson2d:9", XDG_CONFIG_HOME=self.folder)
        self.assertEqual(done.returncode, 0)
        self.check_report(json.loads(done.stdout))
        (line,) = done.stderr.splitlines()
        self.assertTrue(line.startswith(f"spsolve: {broken}:1:"), line)
        self.assertTrue(line.endswith("; going on with the library's own profile"), line)
        # What is not needed is not looked at.
        done = run("--json", "--format", "csr", "gen:poisson2d:9", XDG_CONFIG_HOME=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_without_a_gpu(self):
        done = run("--backend", "cuda", "gen:poisson2d:9", CUDA_VISIBLE_DEVICES="-1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("CUDA", done.stderr)

    def test_output_that_cannot_be_written(self):
        endless = ["--solver", "cg", "--precond", "none", "--tol", "1e-300", "--max-iterations", "10000"]
        for arguments in ([], ["--json", "--history", *endless]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([SPSOLVE, *arguments, "gen:poisson2d:9"], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=300)
            self.assertEqual((done.returncode, done.stderr), (1, "spsolve: standard output: cannot be written to\n"))


if __name__ == "__main__":
    unittest.main()
