#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench's table looks like, whatever the machine is called and however wide the page: test_report.py SAMPLE

SAMPLE prints a report that was not measured, of processors with long names and a matrix with large numbers."""

import os
import subprocess
import sys
import unittest

SAMPLE = None
WIDTHS = (60, 80, 100, 132)
# What goes first where the page is too narrow, as docs/spbench.md says.
ORDER = ["fill", "spread", "as CSR", "GB/s", "error", "memory", "predicted", "cold", "B/nz", "roof", "pays back"]
CPU = "Intel(R) Xeon(R) Platinum 8592V+ Processor @ 2.00GHz (64 CPUs)"


def sample(letters, columns, locale="C.UTF-8"):
    done = subprocess.run([SAMPLE, letters], capture_output=True, text=True, timeout=60, encoding="utf-8",
                          env={**os.environ, "COLUMNS": str(columns), "LC_ALL": locale})
    if (done.returncode, done.stderr) != (0, ""):
        raise AssertionError(f"{letters}: {done.returncode}: {done.stderr}")
    return done.stdout


def heading(text):
    (line,) = [line for line in text.splitlines() if line.startswith("kernel")]
    return line


def block(text, label):
    """The text behind a label, put together again."""
    lines = text.splitlines()
    (first,) = [i for i, line in enumerate(lines) if line.startswith(label + " ")]
    last = first + 1
    while last < len(lines) and lines[last].startswith(" " * 12) and lines[last].strip():
        last += 1
    return " ".join(line[12:] for line in lines[first:last])


class Width(unittest.TestCase):
    def test_lines_fit(self):
        for locale in ("C", "C.UTF-8"):
            for letters in ("", "n", "t", "g", "gn", "gt", "k", "gk"):
                # Names are not cut: the longest storage beside a kernel takes more than the least page.
                for width in WIDTHS[1:] if "k" in letters else WIDTHS:
                    text = sample(letters, width, locale)
                    self.assertLessEqual(max(map(len, text.splitlines())), width, text)
                    self.assertTrue(locale != "C" or text.isascii())
                    self.assertFalse(any(line != line.rstrip() for line in text.splitlines()), text)

    def test_nothing_is_lost_where_lines_break(self):
        for width in WIDTHS:
            text = sample("g", width)
            self.assertIn(f"{CPU}, 256 threads, reads memory at 123 GB/s, 4,321 GB/s at this size", block(text, "machine"))
            self.assertIn("copied there in 123 ms: 123 MB, 1.00 GB/s", block(text, "gpu"))
            self.assertTrue(block(text, "gpu").endswith("beside cusparse 12.9.4"))
            self.assertIn("predicted with the profile of GenuineIntel family 6 model 143", block(text, "machine"))
            self.assertEqual(block(sample("", width), "pick"), block(sample("", 132), "pick"))

    def test_widths_out_of_bounds(self):
        self.assertEqual(sample("g", 10), sample("g", 60))
        self.assertEqual(sample("g", 1000), sample("g", 132))
        for nonsense in ("", "0", "-3", "80x", "wide"):
            self.assertEqual(sample("g", nonsense), sample("g", 100))

    def test_columns_go_in_the_order_that_is_stated(self):
        counts = set()
        for letters in ("", "g"):
            there = [name for name in ORDER if letters == "g" or name != "cold"]
            for width in range(60, 133):
                text = sample(letters, width)
                gone = [name for name in there if f" {name}" not in heading(text)]
                self.assertEqual(gone, there[:len(gone)], text)
                counts.add(len(gone))
                if gone:
                    self.assertEqual(block(text, "not shown"),
                                     f"{', '.join(gone)}: the page is {width} columns wide; --wide shows them")
                else:
                    self.assertNotIn("not shown", text)
                for name in ("convert", "product", "vs CSR", "pays back"):
                    self.assertIn(name, heading(text))
        self.assertLessEqual({0, 1, 2, 3, 4}, counts)

    def test_kernels_of_a_storage_are_told_apart(self):
        for width in WIDTHS:
            self.assertNotIn(" storage", heading(sample("", width)))
            lines = [line.split() for line in sample("k", width).splitlines()]
            rows = [line[:2] for line in lines if "sell:32:1024+narrow+dict16" in line]
            self.assertEqual(rows, [[kernel, "sell:32:1024+narrow+dict16"] for kernel in ("sell", "sell_avx512_gather")])
            self.assertIn(["csr_avx512", "csr"], [line[:2] for line in lines])

    def test_wide_shows_all_columns(self):
        for letters in ("", "g"):
            text = sample(letters + "w", 60)
            self.assertEqual(heading(text), heading(sample(letters, 132)))
            self.assertNotIn("not shown", text)


class Noise(unittest.TestCase):
    """What lies within the spread of the batches is no lead."""

    def row(self, text, kernel):
        (line,) = [line for line in text.splitlines() if line.startswith(kernel + " ") and " GB " not in line]
        return line.split()

    def test_quiet(self):
        text = sample("", 132)
        self.assertNotIn("~", text)
        self.assertNotIn("busy", text)
        self.assertIn("coo, 2.00× the speed of csr: ", block(text, "fastest"))
        self.assertIn("csr_avx512, 1.23× the time of coo: ", block(text, "pick"))

    def test_batches_that_lie_apart(self):
        text = sample("n", 132)
        self.assertIn("~12,300", self.row(text, "coo"))
        self.assertIn("0.0123", self.row(text, "coo"))
        self.assertNotIn("~", " ".join(self.row(text, "csr_avx512")))
        self.assertEqual(block(text, "~ product"), "the batches lie more than 20 % of their median apart")
        self.assertNotIn("~ vs CSR", text)
        self.assertRegex(block(text, "busy"), r"in 4 of \d+ batches a processor was taken from a thread")
        self.assertIn("coo, 2.00× the speed of csr: ", block(text, "fastest"))

    def test_no_lead_within_the_spread(self):
        text = sample("t", 132)
        for cell in ("~12,300", "~0.0123", "~1,234,567"):
            self.assertIn(cell, self.row(text, "coo"))
        self.assertIn("neither is faster for certain", block(text, "~ vs CSR"))
        tie = "as far as the spread of the batches (201 %) can tell"
        self.assertEqual(block(text, "fastest"), f"coo, a tie with csr_avx512 {tie}; csr needs no conversion")
        self.assertIn(f"csr_avx512, a tie with coo {tie}: rows vary", block(text, "pick"))

    def test_a_slow_row_is_no_tie(self):
        """Its batches may lie further apart than it is behind, if all of them are behind."""
        text = sample("s", 132)
        self.assertIn("coo, 2.00× the speed of csr: ", block(text, "fastest"))
        self.assertIn("csr_avx512, 1.23× the time of coo: ", block(text, "pick"))
        self.assertIn("0.0123", self.row(text, "coo"))

    def test_a_tie_with_the_next_is_none_with_csr(self):
        for letters, next_row in (("e", "ell_avx512"), ("ke", "sell:32:1024+narrow+dict16")):
            fastest = block(sample(letters, 132), "fastest")
            self.assertTrue(fastest.startswith("coo, 2.00× the speed of csr: "), fastest)
            tie = f"; a tie with {next_row} as far as the spread of the batches (40.0 %) can tell"
            self.assertTrue(fastest.endswith(tie), fastest)


if __name__ == "__main__":
    SAMPLE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
