#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Let spbench measure this machine, and use what it writes: test_calibrate.py PATH-TO-SPBENCH PATH-TO-SPSOLVE"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

SPBENCH = SPSOLVE = None
# Time for a matrix or two: too little for good prices, enough for all that is done with them.
QUICK = ["--min-time", "0.001"]
TERMS = {"start", "extra", "critical", "near", "far", "streams", "lines", "misses", "steps", "gathers", "units", "entries", "padding",
         "branches", "decoding", "carries"}


class Calibrate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = os.path.join(folder.name, "new", "config")
        self.standard = os.path.join(self.config, "spry", "cpu.json")

    def run_program(self, *arguments):
        return subprocess.run(arguments, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "LC_ALL": "C", "COLUMNS": "60", "XDG_CONFIG_HOME": self.config})

    def run_spbench(self, *arguments):
        return self.run_program(SPBENCH, *QUICK, *arguments)

    def calibrate(self, *arguments):
        done = self.run_spbench(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def profiles(self, *options):
        """Which profile each program goes by, and what it says on standard error."""
        bench = self.run_spbench("--json", *options, "gen:poisson2d:9")
        solve = self.run_program(SPSOLVE, "--json", *options, "gen:poisson2d:9")
        self.assertEqual((bench.returncode, solve.returncode), (0, 0))
        return ([json.loads(bench.stdout)["machine"]["profile"], json.loads(solve.stdout)["profile"]],
                [bench.stderr, solve.stderr])

    def write_standard(self, text):
        os.makedirs(os.path.dirname(self.standard), exist_ok=True)
        with open(self.standard, "w", encoding="utf-8") as file:
            file.write(text)

    def check_prices(self, owners, terms):
        for name, prices in owners.items():
            self.assertLessEqual(set(prices), terms, name)
            for price in prices.values():
                self.assertTrue(math.isfinite(price) and price >= 0, (name, prices))

    def test_the_standard_file(self):
        said = self.calibrate("--calibrate", "--threads", "1")
        self.assertIn(self.standard, said)
        self.assertIn("products", said)
        self.assertRegex(said, r"picks +took \d+\.\d{3} times as long as the fastest before,\s+and \d+\.\d{3} times now")
        self.assertLessEqual(max(len(line) for line in said.splitlines() if self.standard not in line), 60)
        self.assertEqual(os.listdir(os.path.dirname(self.standard)), ["cpu.json"])
        with open(self.standard, encoding="utf-8") as file:
            profile = json.load(file)
        self.assertEqual((profile["backend"], profile["processors"]), ("cpu", 1))
        self.assertGreater(profile["memory_gbs"], 0)
        self.assertNotIn("(", profile["machine"])
        for kernels in profile["kernels"].values():
            self.check_prices(kernels, TERMS)
        self.check_prices(profile["conversions"], {"start", "bytes", "rows", "encoding"})
        # Kernels that ran have prices of their own.
        for kind in ("f32", "f64"):
            self.assertGreater(sum(profile["kernels"][kind]["coo"].values()), 0)
        self.assertGreater(sum(profile["conversions"]["coo"].values()), 0)
        # So have both ways of gathering: the first matrix is in f32, and in all formats.
        rows = [line.split() for line in self.run_program(SPBENCH, "--list").stdout.splitlines()[1:]]
        codes = ("_narrow", "_f32", "_constant", "_dict8", "_dict16")
        ways = {name for name, op, *_, runs in rows if "_gather" in name and not name.endswith(codes)
                and op == "N" and runs == "yes"}
        self.assertLessEqual(ways, set(profile["kernels"]["f32"]))
        # Both programs go by it from now on.
        name = profile["machine"]
        self.assertEqual(self.profiles("--threads", "1"), ([name] * 2, ["", ""]))
        self.assertEqual(self.profiles("--threads", "2"), ([f"{name} (1 thread fitted to 2)"] * 2, ["", ""]))

    def test_a_standard_file_that_is_none(self):
        own, said = self.profiles()
        self.assertEqual(said, ["", ""])
        foreign = json.dumps({"machine": "another", "backend": "cpu", "processors": 2, "memory_gbs": 1.0, "kernels": {},
                              "conversions": {}})
        for text, word in (("{", f"{self.standard}:1:"), (foreign, "'another'")):
            self.write_standard(text)
            found, said = self.profiles()
            self.assertEqual(found, own)
            for program, line in zip(("spbench", "spsolve"), said):
                self.assertTrue(line.startswith(f"{program}: {self.standard}:"), line)
                self.assertTrue(line.endswith("; going on with the library's own profile\n"), line)
                self.assertEqual(line.count("\n"), 1)
                self.assertIn(word, line)
            self.assertEqual(self.run_spbench("--profile", self.standard, "gen:poisson2d:9").returncode,
                             1 if text == "{" else 0)
        # Measured anew it is not looked at.
        self.calibrate("--calibrate")
        self.assertEqual(self.profiles()[1], ["", ""])

    def test_it_predicts(self):
        path = os.path.join(self.config, "mine.json")
        self.calibrate("--calibrate=" + path)
        self.assertFalse(os.path.exists(self.standard))
        done = self.run_spbench("--profile=" + path, "--json", "gen:poisson2d:30", "gen:rmat:8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in done.stdout.splitlines():
            predicted = [result["predicted_us"] for result in json.loads(line)["results"]]
            self.assertTrue(all(math.isfinite(time) and time > 0 for time in predicted), predicted)

    def test_conversions_to_the_last_of_a_ranking(self):
        """What is ranked last is made and timed too, so its prices move from where they were."""
        far, mine = (os.path.join(self.config, name) for name in ("far.json", "mine.json"))
        self.calibrate("--calibrate=" + far)
        with open(far, encoding="utf-8") as file:
            profile = json.load(file)
        for kernels in profile["kernels"].values():
            kernels["coo"] = {"entries": 1e15}
        profile["conversions"]["coo"] = {"start": 1e9}
        with open(far, "w", encoding="utf-8") as file:
            json.dump(profile, file)
        self.calibrate("--profile=" + far, "--calibrate=" + mine)
        with open(mine, encoding="utf-8") as file:
            self.assertLess(json.load(file)["conversions"]["coo"].get("start", 0), 1e9)

    def test_narrow_columns(self):
        """What the library chooses them by is measured, also where it had the prices of plain ones."""
        rows = [line.split() for line in self.run_program(SPBENCH, "--list").stdout.splitlines()[1:]]
        narrow = {name for name, op, *_, runs in rows if re.fullmatch("sell_(avx|neon).*_narrow", name) and op == "N"
                  and runs == "yes"}
        plain, mine = (os.path.join(self.config, name) for name in ("plain.json", "mine.json"))
        self.calibrate("--calibrate=" + plain)
        with open(plain, encoding="utf-8") as file:
            profile = json.load(file)
        for kind, kernels in profile["kernels"].items():
            profile["kernels"][kind] = {name: prices for name, prices in kernels.items() if "_narrow" not in name}
        with open(plain, "w", encoding="utf-8") as file:
            json.dump(profile, file)
        self.calibrate("--profile=" + plain, "--calibrate=" + mine)
        with open(mine, encoding="utf-8") as file:
            self.assertLessEqual(narrow, set(json.load(file)["kernels"]["f32"]))

    def test_an_old_file_is_replaced(self):
        path = os.path.join(self.config, "old.json")
        os.makedirs(self.config)
        with open(path, "w", encoding="utf-8") as file:
            file.write("nothing" * 10000)
        # Names that the library does not know are none to it, nor to the contexts that are made for single kernels.
        with unittest.mock.patch.dict(os.environ, SPRY_DISABLE="no_such_kernel"):
            done = self.run_spbench("--calibrate=" + path)
        self.assertEqual(done.returncode, 0)
        self.assertIn("no_such_kernel", done.stderr)
        with open(path, encoding="utf-8") as file:
            self.assertIn("kernels", json.load(file))
        self.assertEqual(os.listdir(self.config), ["old.json"])

    def test_a_file_that_cannot_be_written(self):
        """It is told before anything is measured, which would take an hour."""
        done = self.run_program(SPBENCH, "--min-time", "10", "--calibrate=/dev/null/profile.json")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "spbench: /dev/null/profile.json: Not a directory\n"))

    def test_wrong_usage(self):
        for arguments, word in ((["--calibrate", "some.json"], "--calibrate=FILE"),
                                (["--calibrate", "--backend", "all"], "--backend"),
                                (["--calibrate=/dev/null/profile.json"], "/dev/null/profile.json"),
                                (["--calibrate="], "--calibrate: '' is no name for a file"),
                                (["--calibrate", "--list"], "--calibrate: not together with --list"),
                                (["--calibrate", "-f", "csr"], "not together with --formats"),
                                (["--calibrate", "--json"], "not together with --json"),
                                (["--calibrate", "--type", "f64"], "not together with --type")):
            done = self.run_spbench(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertIn(word, done.stderr.splitlines()[0])


if __name__ == "__main__":
    SPBENCH, SPSOLVE = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    unittest.main()
