#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench shows on pages and terminals of different widths: test_spbench_output.py PATH-TO-SPBENCH"""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import unittest

from formats import FORMATS
from spbench_run import QUICK, SPBENCH, SYMMETRIC, Spbench, run
from terminal import read_terminal


class Output(Spbench):
    def test_table_fits_the_page(self):
        path = self.file("small.mtx", SYMMETRIC)
        for locale, width in (("C", 60), ("C", 100), ("C.UTF-8", 80)):
            done = run(*QUICK, "--threads", "1", "gen:rmat:9", path, LC_ALL=locale, COLUMNS=str(width))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = [line for line in done.stdout.splitlines() if path not in line]
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertTrue(locale != "C" or done.stdout.isascii())
            for word in ("quartiles", "reads", "pays back", "fastest", *FORMATS):
                self.assertIn(word, done.stdout)

    def test_terminals_obey_no_name(self):
        """Of a file, in the table and of all tables together."""
        paths = [self.file(name, SYMMETRIC) for name in ("a\x1b[2Jb.mtx", "c\nd\x07\x9b2J e.mtx")]
        page = os.path.join(self.folder, "r\x1b[2J.html")
        done = run(*QUICK, "-f", "csr,sell", "--html", page, *paths, LC_ALL="C.UTF-8", COLUMNS="60")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertFalse(set(done.stdout) & {"\x1b", "\x07", "\x9b"})
        for shown in ("a?[2Jb.mtx\n", "c?d??2J e.mtx\n", "r?[2J.html\n"):
            self.assertIn(shown, done.stdout)

    def open_terminal(self):
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")

    def test_the_terminal_says_how_wide(self):
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        for width in (60, 72, 110):
            master, slave = self.open_terminal()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
            done = subprocess.run([SPBENCH, *QUICK, "gen:rmat:9"], stdout=slave, stderr=subprocess.PIPE, timeout=300,
                                  env={**environment, "LC_ALL": "C"})
            os.close(slave)
            shown = read_terminal(master).replace("\r\n", "\n")
            os.close(master)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertLessEqual(max(map(len, shown.splitlines())), width)
            self.assertEqual(f"the page is {width} columns wide" in " ".join(shown.split()), width < 100)

    def test_wide_shows_what_the_page_has_no_room_for(self):
        for more, width, there in (([], 60, False), (["--wide"], 60, True), ([], 132, True)):
            done = run(*QUICK, *more, "gen:rmat:9", COLUMNS=str(width))
            (heading,) = [line for line in done.stdout.splitlines() if line.startswith("kernel")]
            for name in ("fill", "spread", "GB/s", "error"):
                self.assertEqual(name in heading, there)

    def test_progress_only_on_a_terminal(self):
        self.assertEqual(run(*QUICK, "gen:poisson2d:9").stderr, "")
        master, slave = self.open_terminal()
        done = subprocess.run([SPBENCH, *QUICK, "gen:poisson2d:9"], stdout=subprocess.PIPE, stderr=slave, timeout=300)
        os.close(slave)
        shown = read_terminal(master)
        os.close(master)
        self.assertEqual(done.returncode, 0)
        self.assertIn("timing csr", shown)
        self.assertTrue(shown.endswith("\r\033[K"))
        self.assertNotIn(b"timing", done.stdout)


if __name__ == "__main__":
    unittest.main()
