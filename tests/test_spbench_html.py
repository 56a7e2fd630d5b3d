#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The report for a browser that spbench writes: test_spbench_html.py PATH-TO-SPBENCH"""

import json
import os
import resource
import signal
import stat
import unittest

from spbench_page import ELEMENTS, figures, matrices, pixels, read_page, rows, words
from spbench_run import QUICK, SYMMETRIC, Spbench, run

SHORT = [*QUICK, "--threads", "1"]


class Page(Spbench):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "report.html")

    def page(self, *arguments, status=0, **more):
        """The page of a run, and what the same run printed as JSON."""
        done = run("--json", "--html", self.path, *SHORT, *arguments, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual([name for name in os.listdir(self.folder) if "report.html" in name], ["report.html"])
        page = read_page(self.path)
        self.check_page(page)
        return page, [json.loads(line) for line in done.stdout.splitlines()]

    def check_page(self, page):
        """What holds of every page: it is closed in itself, and can be heard as well as seen."""
        ids = [element.get("id") for element in page.iter() if element.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual((page.get("lang"), len(page.findall(".//h1"))), ("en", 1))
        for element in page.iter():
            self.assertIn(element.tag, ELEMENTS)
            for name, value in element.items():
                self.assertFalse(name.startswith("on") or name == "style", name)
                if name in ("src", "href"):
                    self.assertTrue(value.startswith("data:image/png") or value[1:] in ids, value)
            if element.tag == "table":
                self.assertEqual(element[0].tag, "caption")
            if element.tag == "svg":
                self.assertEqual([element.get("role"), element[0].tag, element[1].tag], ["img", "title", "desc"])
            if element.tag == "img":
                self.assertTrue(element.get("alt"))
            if element.tag == "th":
                self.assertIn(element.get("scope"), ("col", "row"))
            if element.tag == "section":
                self.assertIn(element.get("aria-labelledby"), ids)
        self.assertNotRegex("".join(page.find("head/style").itertext()), r"url|@import|http")


class Html(Page):
    def test_numbers_are_those_of_json(self):
        page, reports = self.page("gen:poisson2d:12", "gen:rmat:6", "gen:random:3:500:40")
        sections = matrices(page)
        self.assertEqual([words(section.find("h2")) for section in sections], [r["matrix"]["name"] for r in reports])
        for section, report in zip(sections, reports):
            good = sorted((r for r in report["results"] if r["status"] == "ok"), key=lambda r: r["time_us"]["median"])
            found = rows(section)
            self.assertEqual([(kernel, numbers) for _, kernel, numbers in found], [(r["kernel"], figures(r)) for r in good])
            self.assertEqual([label.strip() for label, _, _ in found], [r["storage"] for r in good])
            marks = [words(row[0]) for row in section.find("div[@role='region']/table/tbody") if "(picked)" in words(row[0])]
            self.assertEqual([mark.partition(":")[0].split()[0] for mark in marks], [report["pick"]["format"]])
            facts = [float(data.get("value")) for data in section.find("p").findall("data")]
            self.assertEqual(facts, [report["matrix"][name] for name in ("rows", "cols", "nnz")])
            self.assertIn(report["fastest"]["reason"].replace("<", "&lt;"), words(section))
            self.assertIn(report["pick"]["reason"], words(section))

    def test_overview(self):
        page, reports = self.page("gen:poisson2d:12", "gen:rmat:6", SPRY_CUSPARSE="/libraries/a b.so")
        table = page.find(".//section[@aria-labelledby='overview']//tbody")
        self.assertEqual(len(table), len(reports))
        for row, report in zip(table, reports):
            (fastest,) = [r for r in report["results"] if r["kernel"] == report["fastest"]["kernel"]]
            numbers = [float(data.get("value")) for data in row.iter("data")]
            self.assertEqual(numbers, [report["matrix"]["rows"], report["matrix"]["cols"], report["matrix"]["nnz"],
                                       fastest["time_us"]["median"], fastest["vs_csr"], report["pick"]["regret"]])
            self.assertEqual([words(row[i]) for i in (3, 6)], [fastest["storage"], report["pick"]["storage"]])
        machine = words(page.find(".//section[@aria-labelledby='machine']"))
        for text in (reports[0]["machine"]["cpu"], reports[0]["version"], "--json --html", "SPRY_CUSPARSE='/libraries/a b.so' "):
            self.assertIn(" ".join(text.split()), machine)

    def test_kernels_and_codes(self):
        """Rows of one storage are told apart by their kernels."""
        page, (report,) = self.page("--kernels", "-f", "csr,csr+f32,sell:3:9", "gen:poisson2d:9")
        found = [(storage.strip(), kernel) for storage, kernel, _ in rows(matrices(page)[0])]
        self.assertEqual(sorted(found), sorted((r["storage"], r["kernel"]) for r in report["results"]))
        times = matrices(page)[0].findall(".//figure/svg")[1]
        labels = [words(group.find("title")).partition(": ")[0] for group in times.findall("g")]
        self.assertEqual(len(labels), min(len(found), 24))
        self.assertEqual(len(labels), len(set(labels)))
        self.assertLessEqual(set(labels), {r[name] for r in report["results"] for name in ("kernel", "storage")})

    def test_rows_that_failed(self):
        page, (report,) = self.page("gen:spiked:3000:1:2")
        failed = [r for r in report["results"] if r["status"] != "ok"]
        self.assertGreater(len(failed), 0)
        for result in failed:
            self.assertIn(f"{result['status']}: {result['message']}", words(matrices(page)[0]))

    def test_patterns(self):
        entries = self.file("three.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1\n1 3 1\n2 2 1\n")
        page, _ = self.page(entries, "gen:poisson2d:1", "gen:banded:1000:1", "gen:random:2:9999:40")
        three, tiny, band, wide = [pixels(section) for section in matrices(page)]
        self.assertEqual(three, [[15, 0, 15], [0, 15, 0]])
        self.assertEqual(tiny, [[15]])
        self.assertEqual((len(band), len(band[0])), (125, 125))
        self.assertEqual({(i, j) for i in range(125) for j in range(125) if band[i][j]},
                         {(i, j) for i in range(125) for j in range(125) if abs(i - j) <= 1})
        self.assertTrue(all(band[i][i] > band[i][i - 1] for i in range(1, 125)))
        self.assertEqual(len(wide), 2)
        self.assertLessEqual(len(wide[0]), 128)
        self.assertIn("drawn longer than it is", words(matrices(page)[3]))

    def test_lengths_of_rows_in_words(self):
        page, _ = self.page("gen:poisson2d:1", "gen:random:5:9:2", "gen:poisson2d:12")
        captions = [words(section.find(".//figure[2]/figcaption")) for section in matrices(page)]
        self.assertEqual(captions[:2], ["Each row has 1 entry.", "Each row has 2 entries."])
        self.assertRegex(captions[2], "^From 3 to 5 entries, quartiles .* Mean .*, standard deviation .*")

    def test_no_entries(self):
        empty = self.file("empty.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 0\n")
        nothing = self.file("nothing.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n")
        page, reports = self.page(empty, nothing)
        self.assertEqual(pixels(matrices(page)[0]), [[0, 0]] * 3)
        self.assertIsNone(pixels(matrices(page)[1]))
        self.assertEqual(len(rows(matrices(page)[0])), sum(r["status"] == "ok" for r in reports[0]["results"]))

    def test_names_do_no_harm(self):
        """A path may hold any bytes but NUL: tags, quotes, what turns the direction of text, what is no UTF-8."""
        folder = os.path.join(self.folder.encode(), b'"><script>alert(1)<')
        os.mkdir(folder)
        path = os.path.join(folder, b"script>&amp;'\x01\xff\xe2\x80\xae.mtx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SYMMETRIC)
        page, (report,) = self.page(path)
        self.assertIn('"><script>alert(1)</script>&amp;', words(matrices(page)[0]))
        self.assertIn("<script>", words(page.find(".//section[@aria-labelledby='machine']")))
        self.assertEqual(words(matrices(page)[0].find("h2")), words(page.find("body/header/h1")).removeprefix("spbench: "))
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("<script", text)
        self.assertFalse(set(text) & {"\x01", "\u202e"})

    def test_transpose(self):
        page, (report,) = self.page("--transpose", "gen:poisson2d:9")
        text = words(matrices(page)[0])
        self.assertIn("products with the transpose", text)
        self.assertIn("spry_spmv(context, SPRY_T,", text)
        self.assertIn("No format was picked", text)

    def test_the_calls_that_give_the_fastest(self):
        page, (report,) = self.page("-f", "sell:3:9", "gen:poisson2d:9")
        self.assertIn('spry_storage_parse("sell:3:9", &storage, NULL);', words(matrices(page)[0]))

    def test_inputs_that_fail_are_named(self):
        page, reports = self.page("gen:poisson2d:9", os.path.join(self.folder, "none<>.mtx"), status=1)
        self.assertEqual((len(reports), len(matrices(page))), (1, 1))
        self.assertIn("none<>.mtx: No such file", words(page.find("body/header/ul")))

    def test_table_says_where_it_is(self):
        done = run("--html", self.path, *SHORT, "gen:poisson2d:9", COLUMNS="80")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(" ".join(done.stdout.split()).split(" report ")[-1], self.path)
        read_page(self.path)


class Failures(Page):
    """A report is there in full, or the one that was there before still is, and a line says so."""

    def check(self, path, words, *inputs, status=1, **more):
        done = run("--html", path, *SHORT, *(inputs or ["gen:poisson2d:9"]), **more)
        self.assertEqual(done.returncode, status)
        self.assertIn(words, done.stderr.splitlines()[-1 if status == 1 else 0])
        return done

    def test_places_that_cannot_be_written_to(self):
        """They are found before anything is measured."""
        for path, said in ((self.folder, "Is a directory"), (self.file("plain", "") + "/x.html", "Not a directory"),
                           (os.path.join(self.folder, 300 * "x"), "name too long")):
            self.assertEqual(self.check(path, said).stdout, "")
        self.assertEqual(os.listdir(self.folder), ["plain"])

    def test_no_room(self):
        done = self.check("/dev/full", "/dev/full: the report cannot be written: No space left on device")
        self.assertIn("fastest", done.stdout)

    def test_no_room_in_a_folder(self):
        """The report that was there stays, and nothing lies beside it."""
        self.file("report.html", "old")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.check(self.path, "report.html: the report cannot be written: File too large", preexec_fn=limit)
        self.assertEqual(os.listdir(self.folder), ["report.html"])
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_links_beside_it_are_not_followed(self):
        """The report is written beside its place at first, to a file that was not there."""
        other = self.file("other", "mine")
        os.symlink(other, self.path + ".part0")
        self.assertEqual(run("--html", self.path, *SHORT, "gen:poisson2d:9").returncode, 0)
        read_page(self.path)
        with open(other, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.assertEqual(sorted(os.listdir(self.folder)), ["other", "report.html", "report.html.part0"])

    def test_a_new_report_is_for_whom_new_files_are(self):
        old = os.umask(0o027)
        self.addCleanup(os.umask, old)
        self.page("gen:poisson2d:9")
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o640)

    def test_what_is_there_keeps_its_kind(self):
        os.chmod(self.file("report.html", "old"), 0o640)
        self.page("gen:poisson2d:9")
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o640)
        link = os.path.join(self.folder, "link")
        os.symlink(self.path, link)
        self.assertEqual(run("--html", link, *SHORT, "gen:poisson2d:8").returncode, 0)
        self.assertTrue(os.path.islink(link))
        self.assertIn("poisson2d:8", words(read_page(self.path).find("body/header/h1")))
        self.assertEqual(run("--html", "/dev/null", *SHORT, "gen:poisson2d:8").returncode, 0)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_a_file_that_is_read(self):
        path = os.path.join(self.folder, "a.mtx")
        with open(path, "w", encoding="utf-8") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n")
        done = run("--html", path, *SHORT, "gen:poisson2d:9", path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, f"spbench: {path}: it is read from, so no report is written there\n")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(len(file.read()), 58)

    def test_folders_are_made(self):
        self.path = os.path.join(self.folder, "a", "b", "r.html")
        self.assertEqual(run("--html", self.path, *SHORT, "gen:poisson2d:9").returncode, 0)
        read_page(self.path)

    def test_nothing_measured(self):
        self.check(self.path, "report.html: not written, as nothing was measured", "gen:no")
        self.assertEqual(os.listdir(self.folder), [])

    def test_modes_without_a_report(self):
        for more in (["--list"], ["--calibrate"], ["--scaling", "gen:poisson2d:9"]):
            done = run("--html", self.path, *more)
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn(f"--html: not together with {more[0]}", done.stderr)
        for name in ("", "-"):
            self.check(name, "is no name for a file", status=64)


if __name__ == "__main__":
    unittest.main()
