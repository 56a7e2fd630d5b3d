#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The report of spbench in a browser: test_spbench_browser.py PATH-TO-SPBENCH PLOTS-SAMPLE

Exit status 77 where Chromium is not there."""

import os
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

from spbench_run import QUICK, SYMMETRIC, Spbench, run

# The path of the program follows that of spbench.
PLOTS_SAMPLE = os.path.abspath(sys.argv.pop(1))
SKIPPED = 77
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WIDTHS = (320, 360, 768, 1400)

# The page in frames of several widths: how much wider than these it is, its plots and pictures, headings of tables that do not
# fit, and words that reach out of their plot.
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="said"></pre>{frames}
<script>onload = () => {{
    const said = [...document.querySelectorAll("iframe")].map(frame => {{
        const page = frame.contentDocument.documentElement;
        const broken = [...frame.contentDocument.images].filter(image => !image.naturalWidth).length;
        const cut = [...page.querySelectorAll("caption")].filter(caption => caption.offsetWidth > page.clientWidth).length;
        const out = [...page.querySelectorAll("svg text")].filter(text => {{
            const box = text.getBoundingClientRect(), plot = text.ownerSVGElement.getBoundingClientRect();
            return box.left < plot.left - 1 || box.right > plot.right + 1;
        }}).length;
        return [frame.width, page.scrollWidth - page.clientWidth, page.querySelectorAll("svg").length, broken, cut, out].join(":");
    }});
    document.getElementById("said").textContent = said.join(" ");
}}</script></body>"""


class Browser(Spbench):
    def report(self):
        path = os.path.join(self.folder, "report.html")
        matrices = [self.file(50 * "long" + ".mtx", SYMMETRIC), "gen:poisson2d:30", "gen:rmat:8", "gen:random:3:90000:900", "gen:poisson2d:1"]
        done = run("--html", path, *QUICK, "--threads", "1", *matrices)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return path

    def browse(self, path, *arguments):
        home = os.path.join(self.folder, "home")
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + home, "--no-first-run",
                               "--disable-dev-shm-usage", "--allow-file-access-from-files", "--enable-logging=stderr", *arguments,
                               "file://" + path],
                              capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": self.folder})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("CONSOLE", done.stderr)
        return done.stdout

    def frame(self, path):
        """What FRAMES finds of a page, for each of WIDTHS."""
        frames = "".join(f'<iframe src="{os.path.basename(path)}" width="{width}" height="800"></iframe>' for width in WIDTHS)
        wrapper = self.file("wrapper.html", FRAMES.format(frames=frames))
        shown = self.browse(wrapper, "--dump-dom", "--virtual-time-budget=10000")
        (said,) = re.findall(r'<pre id="said">([^<]*)</pre>', shown)
        found = [[int(number) for number in entry.split(":")] for entry in said.split()]
        self.assertEqual([width for width, *_ in found], list(WIDTHS))
        return [numbers for _, *numbers in found]

    def shot(self, page, *arguments):
        """(the first pixel, how many lines differ from each other) of what shows: whatever a PNG's filters are, the first pixel
        is as it stands."""
        path = os.path.join(self.folder, "shot.png")
        self.browse(page, "--screenshot=" + path, "--window-size=800,1000", *arguments)
        with open(path, "rb") as file:
            png = file.read()
        width, height, _, kind = struct.unpack_from(">IIBB", png, 16)
        parts, at = [], 8
        while at < len(png):
            (length,) = struct.unpack_from(">I", png, at)
            if png[at + 4:at + 8] == b"IDAT":
                parts.append(png[at + 8:at + 8 + length])
            at += 12 + length
        raw = zlib.decompress(b"".join(parts))
        line = 1 + width * {2: 3, 6: 4}[kind]
        return tuple(raw[1:4]), len({raw[i * line:(i + 1) * line] for i in range(height)})

    def test_no_page_is_wider_than_its_window(self):
        for beyond, plots, *wrong in self.frame(self.report()):
            self.assertGreaterEqual(plots, 3 * 5)
            self.assertEqual((beyond, wrong), (0, [0, 0, 0]))

    def test_words_stay_within_their_plot(self):
        page = self.file("plots.html", subprocess.run([PLOTS_SAMPLE], check=True, capture_output=True, text=True).stdout)
        for beyond, plots, *wrong in self.frame(page):
            self.assertGreaterEqual(plots, 200)
            self.assertEqual((beyond, wrong), (0, [0, 0, 0]))

    def test_light_and_dark(self):
        page = self.report()
        light, lines = self.shot(page, "--blink-settings=preferredColorScheme=1")
        self.assertEqual(light, (255, 255, 255))
        self.assertGreater(lines, 100)
        dark, lines = self.shot(page, "--blink-settings=preferredColorScheme=0")
        self.assertLess(max(dark), 64)
        self.assertGreater(lines, 100)


if __name__ == "__main__":
    if not CHROMIUM:
        print("skipped: Chromium is not there")
        sys.exit(SKIPPED)
    unittest.main()
