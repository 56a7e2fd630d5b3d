#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is left of spbench's work when it is interrupted: test_spbench_interrupts.py PATH-TO-SPBENCH"""

import csv
import io
import json
import os
import pty
import signal
import subprocess
import unittest

from spbench_page import matrices, read_page, words
from spbench_run import SPBENCH, Spbench
from terminal import read_terminal


class Interrupts(Spbench):
    """Ctrl-C while it measures. What it is at shows on a terminal; measuring all would take minutes."""

    threads = ["--threads", "1"]

    def start(self, *arguments):
        try:
            self.master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        self.addCleanup(os.close, self.master)
        process = subprocess.Popen([SPBENCH, *self.threads, *arguments], stdout=subprocess.PIPE, stderr=slave,
                                   env={**os.environ, "LC_ALL": "C", "COLUMNS": "100"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(slave)
        return process

    def wait_for(self, words):
        shown = ""
        while words not in shown:
            shown += os.read(self.master, 1 << 16).decode()

    def interrupt(self, words, number, *arguments):
        """Send a signal once these words have shown: exit status, standard output, the last line on the terminal."""
        process = self.start(*arguments)
        self.wait_for(words)
        process.send_signal(number)
        printed = process.communicate(timeout=300)[0].decode()
        shown = read_terminal(self.master)
        self.assertIn("spbench: stopping after what is under way", shown)
        return process.returncode, printed, shown.splitlines()[-1]

    def test_rows_that_are_done_are_printed(self):
        inputs = ["gen:poisson2d:20"] + ["gen:poisson2d:9"] * 2
        long = ["--min-time", "0.1", "--kernels"]
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            code, printed, said = self.interrupt("timing csr", number, *long, "--formats", "coo,csr,csc,ell,jds", *inputs)
            self.assertEqual(code, status)
            self.assertIn("interrupted during 'poisson2d:", said)
            self.assertIn("not begun", said)
        code, printed, said = self.interrupt("timing csc", signal.SIGINT, *long, "--json", *inputs)
        self.assertEqual(code, 130)
        found = [json.loads(line) for line in printed.splitlines()]
        self.assertEqual([report["interrupted"] for report in found], [False] * (len(found) - 1) + [True])
        self.assertGreater(len(found[-1]["results"]), 0)
        self.assertIn(f"{len(found[-1]['results'])} of its rows", said)
        self.assertEqual({r["status"] for r in found[-1]["results"]}, {"ok"})
        code, printed, said = self.interrupt("timing csc", signal.SIGINT, *long, "--csv", *inputs)
        rows = list(csv.DictReader(io.StringIO(printed), strict=True))
        self.assertGreater(len(rows), 0)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))
        self.assertEqual(rows[-1]["interrupted"], "1")

    def test_summary_of_what_is_done(self):
        inputs = [f"gen:poisson2d:{n}" for n in range(10, 60)]
        code, printed, said = self.interrupt("poisson2d:12: timing", signal.SIGINT, "--min-time", "0.05", *inputs)
        self.assertEqual(code, 130)
        done = sum(line.startswith("matrix ") for line in printed.splitlines()) - printed.count("gen:" + said.split("'")[1].split(": ")[0])
        self.assertIn(f"cpu: {done} picks", printed)
        self.assertIn("more inputs were not begun", said)

    def test_page_of_what_is_done(self):
        path = os.path.join(self.folder, "report.html")
        inputs = ["gen:poisson2d:9", "gen:poisson2d:20", "gen:poisson2d:30"]
        code, printed, said = self.interrupt("poisson2d:20: timing csc", signal.SIGINT, "--min-time", "0.05", "--json", "--html", path,
                                             "-f", "coo,csr,csc,ell,jds,hyb", *inputs)
        self.assertEqual(code, 130)
        page = read_page(path)
        self.assertEqual([words(section.find("h2")) for section in matrices(page)],
                         [json.loads(line)["matrix"]["name"] for line in printed.splitlines()])
        self.assertIn("interrupted during", words(page.find("body/header/ul")))
        self.assertIn("Interrupted: rows are missing.", words(matrices(page)[-1]))
        self.assertEqual(os.listdir(self.folder), ["report.html"])

    def test_rows_of_scaling(self):
        self.threads = []
        arguments = ["--scaling=2", "--min-time", "0.2", "--json", "-f", "csr,ell,sell:3:9", "gen:poisson2d:20"]
        code, printed, said = self.interrupt("timing sell:3:9, 2 threads", signal.SIGINT, *arguments)
        self.assertEqual(code, 130)
        report = json.loads(printed)
        self.assertTrue(report["interrupted"])
        rows = report["strong"] + report["weak"]
        self.assertEqual({r["status"] for r in rows}, {"ok"})
        self.assertIn(f"{len(rows)} of its rows", said)

    def test_calibration_writes_nothing(self):
        path = os.path.join(self.folder, "profile.json")
        code, printed, said = self.interrupt("calibrating: 2 of", signal.SIGINT, "--min-time", "0.5", "--calibrate=" + path)
        self.assertEqual((code, printed, os.listdir(self.folder)), (130, "", []))
        self.assertIn("no profile was written", said)

    def test_the_second_ends_it_at_once(self):
        path = os.path.join(self.folder, "endless.mtx")
        os.mkfifo(path)
        process = self.start(path)
        self.wait_for("reading")
        with open(path, "wb"):
            process.send_signal(signal.SIGINT)
            self.wait_for("once more ends it at once")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=300), -signal.SIGINT)
            process.stdout.close()


if __name__ == "__main__":
    unittest.main()
