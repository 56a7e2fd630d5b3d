#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spsolve shows: test_spsolve_text.py PATH-TO-SPSOLVE"""

import os
import pty
import re
import subprocess
import unittest

from spsolve_run import HIDDEN, RING, SINGULAR, SPSOLVE, Spsolve, run
from terminal import read_terminal


class Text(Spsolve):
    def test_lines(self):
        for locale in ("C", "C.UTF-8"):
            done = run("--history", "gen:poisson2d:20", LC_ALL=locale)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(locale != "C" or done.stdout.isascii())
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
            for word in ("matrix", "solver", "precond", "1e+00", "outcome", "residual", "error", "setup", "solve", "iteration"):
                self.assertIn(word, done.stdout)

    def test_widths(self):
        for width in (60, 80, 100):
            for matrix in (self.file("hidden.mtx", HIDDEN), self.file("ring.mtx", RING), "gen:poisson2d:20"):
                lines = run("--tol", "1e-10", "--precond", "none", matrix, COLUMNS=str(width)).stdout.splitlines()
                # A name is not broken.
                self.assertLessEqual(max(len(line) for line in lines if matrix not in line), width)

    def test_numbers_stay_with_their_labels_and_units(self):
        number = r"-?[\d.]+(?:e[-+]\d+)?"
        for width in range(60, 100, 7):
            for matrix in self.file("hidden.mtx", HIDDEN), self.file("singular.mtx", SINGULAR):
                for options in ["--no-plot"], ["--compare"]:
                    shown = run(*options, "--format", "csr", matrix, COLUMNS=str(width)).stdout.partition("machine")[2]
                    broken = re.findall(rf"^.* {number}\n {{12}}[^(].*|^.*[^,;:.)\n]\n {{12}}{number} .*|^.* --\w+\n {{12}}.*",
                                        shown, re.MULTILINE)
                    self.assertEqual(broken, [], shown)

    def test_plots(self):
        self.assertNotIn("1e+00", run("--no-plot", "gen:poisson2d:20").stdout)
        self.assertIn("1e+00", run("--no-plot", "--plot", "gen:poisson2d:20").stdout)

    def test_a_curve_that_rises(self):
        shown = run("--solver", "cg", "--precond", "none", "gen:rmat:7").stdout
        self.assertIn("1e", shown)

    def on_terminal(self, *arguments):
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        with subprocess.Popen([SPSOLVE, *arguments], stdout=slave, stderr=subprocess.PIPE,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}) as program:
            os.close(slave)
            shown = read_terminal(master)
        os.close(master)
        self.assertEqual(program.returncode, 2)
        return shown

    def test_a_curve_grows_on_a_terminal(self):
        # Enough iterations to last for some drawings, and a tolerance that is not reached.
        shown = self.on_terminal("--solver", "gmres", "--precond", "none", "--format", "csr", "--rhs", "ones", "--tol", "1e-14",
                                 "--threads", "1", "--max-iterations", "1000", "gen:poisson2d:300")
        before, *drawings = shown.split("\033[14A\033[J")
        self.assertIn("matrix", before)
        self.assertGreater(len(drawings), 0)
        for drawing in drawings:
            self.assertRegex(drawing.split("\r\n")[13], r"iteration [0-9,]+$")
        self.assertIn("outcome", drawings[-1])


if __name__ == "__main__":
    unittest.main()
