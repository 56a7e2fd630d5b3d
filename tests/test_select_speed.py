#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run select_speed and check what it prints: test_select_speed.py PATH-TO-SELECT-SPEED"""

import json
import math
import os
import random
import subprocess
import sys
import unittest

from formats import FORMATS
from scratch import Scratch

SELECT_SPEED = None

# Seconds of products: what is printed is looked at, not how good the times are.
QUICK = ["--seconds", "0.02"]

NUMBER = (int, float)
MAYBE_NUMBER = (int, float, type(None))
LINE = {
    "name": str, "rows": int, "cols": int, "nnz": int, "backend": str, "type": str, "threads": int, "machine": str,
    "processors": int, "memory_gbs": NUMBER, "disabled": str, "profile": str, "select_us": NUMBER, "formats": list, "pick": str, "best": str, "regret": MAYBE_NUMBER, "select_products": NUMBER,
}
FORMAT = {
    "format": str, "kernel": str, "possible": bool, "bytes": NUMBER, "slots": NUMBER, "seconds_us": MAYBE_NUMBER,
    "predicted_us": NUMBER, "convert_us": MAYBE_NUMBER, "predicted_convert_us": NUMBER, "kernels": list,
}
KERNEL = {"kernel": str, "seconds_us": NUMBER, "predicted_us": NUMBER, "terms": dict}
SPIKE = """%%MatrixMarket matrix coordinate real general
3000 3000 3000
""" + "".join(f"1 {column} 1\n" for column in range(1, 3001))
EMPTY = "%%MatrixMarket matrix coordinate real general\n3 4 0\n"


def uneven():
    """Rows of such lengths that the selector's sample of windows lets expect more padding of slices than there is."""
    numbers, rows, entries = random.Random(4), 7200, []
    for i in range(1, rows + 1):
        length = 3 - int(3 * math.log(1 - numbers.random()))
        entries += [f"{i} {(i + k) % rows + 1} {1 + len(entries) + k}\n" for k in range(length)]
    return f"%%MatrixMarket matrix coordinate real general\n{rows} {rows} {len(entries)}\n{''.join(entries)}"


class SelectSpeed(Scratch):
    def run_it(self, *arguments):
        return subprocess.run([SELECT_SPEED, *QUICK, *arguments], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "LC_ALL": "C"})

    def lines(self, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def check_fields(self, value, fields):
        self.assertEqual(list(value), list(fields))
        for name, kind in fields.items():
            self.assertIsInstance(value[name], kind, name)

    def check_line(self, line):
        self.check_fields(line, LINE)
        self.assertEqual({row["format"] for row in line["formats"]}, set(FORMATS))
        for row in line["formats"]:
            self.check_fields(row, FORMAT)
            self.assertTrue(row["kernel"].startswith(row["format"]))
            self.assertEqual(row["seconds_us"] is None, row["convert_us"] is None)
            self.check_kernels(row, line["nnz"])
        times = {row["format"]: row["seconds_us"] for row in line["formats"] if row["seconds_us"] is not None}
        self.assertEqual(times[line["best"]], min(times.values()))
        self.assertGreater(times[line["best"]], 0)
        self.assertAlmostEqual(line["select_products"] * times["csr"] / line["select_us"], 1, places=3)
        if line["nnz"] > 0:
            self.assertAlmostEqual(line["regret"], times[line["pick"]] / times[line["best"]], places=3)

    def check_kernels(self, row, nnz):
        """Each that multiplies by the format, with what it would do; the format is as fast as that which is taken."""
        names = [kernel["kernel"] for kernel in row["kernels"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(row["kernel"] in names, row["seconds_us"] is not None)
        for kernel in row["kernels"]:
            self.check_fields(kernel, KERNEL)
            self.assertTrue(kernel["kernel"].startswith(row["format"]))
            self.assertTrue(all(amount > 0 for amount in kernel["terms"].values()))
            self.assertEqual(bool(kernel["terms"]), nnz > 0)
            if kernel["kernel"] == row["kernel"]:
                self.assertEqual(kernel["seconds_us"], row["seconds_us"])
                self.assertEqual(kernel["predicted_us"], row["predicted_us"])
            elif row["format"] == "csr":
                self.assertGreaterEqual(kernel["predicted_us"], row["predicted_us"])

    def test_lines(self):
        lines, said = self.lines("--threads", "1", "gen:poisson2d:20", "gen:rmat:8")
        self.assertEqual([line["name"] for line in lines], ["poisson2d:20", "rmat:8"])
        for line in lines:
            self.check_line(line)
            self.assertEqual((line["backend"], line["type"], line["threads"]), ("cpu", "f64", 1))
            self.assertEqual((line["processors"], line["disabled"]), (1, ""))
            self.assertGreater(line["memory_gbs"], 0)
            # The machine's own name, whoever's prices predict for it.
            self.assertNotIn("(", line["machine"])
            self.assertTrue(all(row["possible"] and row["seconds_us"] > 0 for row in line["formats"]))
        (total,) = said.splitlines()
        self.assertTrue(total.startswith("2 matrices: "), total)

    def test_storages_with_codes(self):
        """Times of kernels that read codes, with what they would do where the selector compares them."""
        storages = ["csr+dict8", "sell+dict8", "sell+constant"]
        ((line,), _) = self.lines("--threads", "1", "--storages", ",".join(storages), "gen:poisson2d:60")
        rows = {row["format"]: row for row in line["formats"]}
        self.assertEqual(set(rows), {*FORMATS, *storages[:2]})  # poisson2d has two values
        for name in storages[:2]:
            row = rows[name]
            self.check_fields(row, FORMAT)
            self.assertGreater(row["seconds_us"], 0)
            self.assertGreater(row["convert_us"], 0)
            self.assertLess(row["bytes"], rows[name.split("+")[0]]["bytes"])
            self.assertTrue(all(kernel["kernel"].endswith("_dict8") for kernel in row["kernels"]))
            self.assertEqual({kernel["terms"]["decoding"] for kernel in row["kernels"]}, {row["slots"]})

    def test_codes_that_are_not_compared(self):
        """Narrow columns have no row unless they are named, also of rows whose slices come out in a window that is not ranked."""
        units = {"csr": 1000, "sell": 100, **{f"sell_{way}_narrow": 10 for way in ("avx2", "avx2_gather", "avx512",
                                                                                  "avx512_gather", "neon")}}
        profile = {"machine": "mine", "backend": "cpu", "processors": 1, "memory_gbs": 10.0, "conversions": {},
                   "kernels": {"f64": {name: {"units": price} for name, price in units.items()}}}
        ((line,), _) = self.lines("--threads", "1", "--profile", self.file("mine.json", json.dumps(profile)),
                                  self.file("uneven.mtx", uneven()))
        self.assertEqual({row["format"] for row in line["formats"]}, set(FORMATS))

    def test_what_was_disabled(self):
        """Times of one machine with and without its wide registers can go into one profile."""
        os.environ["SPRY_DISABLE"] = "avx512,avx2"
        self.addCleanup(os.environ.pop, "SPRY_DISABLE")
        ((line,), _) = self.lines("--threads", "1", "gen:poisson2d:20")
        self.check_line(line)
        self.assertEqual(line["disabled"], "avx512,avx2")
        self.assertEqual([kernel["kernel"] for row in line["formats"] for kernel in row["kernels"]
                          if "avx" in kernel["kernel"]], [])

    def test_a_format_that_is_not_made(self):
        ((line,), _) = self.lines("--type", "f32", self.file("spike.mtx", SPIKE))
        self.check_line(line)
        self.assertEqual(line["type"], "f32")
        rows = {row["format"]: row for row in line["formats"]}
        self.assertFalse(rows["ell"]["possible"])
        self.assertIsNone(rows["ell"]["seconds_us"])

    def test_nothing_to_multiply_by(self):
        ((line,), said) = self.lines(self.file("empty.mtx", EMPTY))
        self.check_line(line)
        self.assertIsNone(line["regret"])
        self.assertEqual(said, "")

    def test_failures(self):
        for arguments, word in (([], "no FILE"), (["--backend", "all", "x"], "'all'"), (["none.mtx"], "none.mtx"),
                                (["--profile", "none.json", "gen:rmat:4"], "none.json"), (["gen:no"], "'no'"),
                                (["--storages", "csr,no", "gen:rmat:4"], "'no'")):
            done = self.run_it(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertIn(word, done.stderr.splitlines()[0])


if __name__ == "__main__":
    SELECT_SPEED = os.path.abspath(sys.argv.pop(1))
    unittest.main()
