#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench says of the selector's choice: test_spbench_picks.py PATH-TO-SPBENCH"""

import json
import unittest

from formats import FORMATS
from spbench_run import QUICK, Spbench, reports, run


class Picks(Spbench):
    """What the selector predicts and picks, beside what is measured."""

    def test_pick(self):
        for report in reports("gen:poisson2d:20", "gen:rmat:8"):
            self.check_report(report)
            self.check_pick(report["pick"], report)
            self.assertIsInstance(report["machine"]["profile"], str)

    def test_regret_is_of_what_is_measured(self):
        (report,) = reports("gen:poisson2d:20")
        picked = report["pick"]["format"]
        (alone,) = reports("--formats", picked, "gen:poisson2d:20")
        self.assertEqual((alone["pick"]["format"], alone["pick"]["regret"]), (picked, 1))
        (without,) = reports("--formats", ",".join(set(FORMATS) - {picked}), "gen:poisson2d:20")
        self.assertEqual((without["pick"]["format"], without["pick"]["regret"]), (picked, None))

    def test_kernels_that_are_not_predicted(self):
        (report,) = reports("--kernels", "gen:poisson2d:20")
        for name in FORMATS:
            predicted = [r for r in report["results"] if r["format"] == name and r["predicted_us"] is not None]
            self.assertLessEqual(len(predicted), 1)
        self.assertGreaterEqual(report["pick"]["regret"], 1)

    def test_few_products(self):
        """What is compared is the conversion and that one product; CSR is there already."""
        (report,) = reports("--products", "1", "gen:poisson2d:20")
        rows = {r["format"]: r for r in report["results"]}
        total = {name: r["time_us"]["median"] + (name != "csr") * r["convert_us"] for name, r in rows.items()}
        regret = total[report["pick"]["format"]] / min(total.values())
        self.assertAlmostEqual(report["pick"]["regret"], regret, delta=1e-3 * regret)

    def test_no_pick(self):
        (report,) = reports("--transpose", "gen:poisson2d:9")
        self.assertEqual({r["predicted_us"] for r in report["results"]}, {None})
        self.assertIsNone(report["pick"])
        names = {line.split()[0] for line in run("--list").stdout.splitlines()[1:]}
        done = run("--json", *QUICK, "gen:poisson2d:9", SPRY_DISABLE=",".join(names))
        self.assertEqual(done.returncode, 0)
        self.assertIsNone(json.loads(done.stdout)["pick"])

    def test_in_the_table(self):
        for more in ([], ["--products", "1e6"], ["--kernels"], ["--transpose"]):
            # All kernels of all storages take as long as all else here.
            for locale, width in (("C", 60), ("C.UTF-8", 80))[more == ["--kernels"]:]:
                done = run(*QUICK, *more, "gen:poisson2d:30", "gen:rmat:8", "gen:banded:200:3", LC_ALL=locale,
                           COLUMNS=str(width))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                lines, text = done.stdout.splitlines(), " ".join(done.stdout.split())
                self.assertLessEqual(max(map(len, lines)), width)
                self.assertTrue(locale != "C" or done.stdout.isascii())
                self.assertEqual(sum(line.startswith("pick ") for line in lines), 3)
                self.assertEqual(sum(line.startswith("summary ") for line in lines), more != ["--transpose"])
                self.assertEqual("predicted with the profile of" in text, more != ["--transpose"])
                self.assertEqual("for 1000000 products" in text, more[:1] == ["--products"])

    def test_summary(self):
        one = run(*QUICK, "gen:poisson2d:30")
        self.assertNotIn("summary", one.stdout)
        two = run(*QUICK, "gen:poisson2d:30", "gen:rmat:8")
        last = two.stdout[two.stdout.index("summary "):]
        for words in ("cpu: 2 picks", "% of them within 5 % of the best", "geometric mean", "at worst (gen:"):
            self.assertIn(words, " ".join(last.split()))

    def predict(self, scale):
        """Where JDS costs a thousandth of what the others cost: the report, and the predictions by format."""
        terms = ("steps", "units", "entries")
        kernels = {name: dict.fromkeys(terms, scale if name == "jds" else 1000 * scale) for name in FORMATS}
        profile = {"machine": "a machine of the test", "backend": "cpu", "processors": 1, "memory_gbs": 1.0,
                   "kernels": {"f32": kernels, "f64": kernels}, "conversions": {}}
        (report,) = reports("--threads", "1", "--profile", self.file("profile.json", json.dumps(profile)),
                            "gen:poisson2d:40")
        self.check_pick(report["pick"], report)
        self.assertEqual(report["machine"]["profile"], profile["machine"])
        return report, {r["format"]: r["predicted_us"] for r in report["results"]}

    def test_a_profile(self):
        report, once = self.predict(1.0)
        self.assertEqual(report["pick"]["format"], "jds")
        self.assertTrue(all(once[name] > once["jds"] > 0 for name in FORMATS if name != "jds"))
        _, twice = self.predict(2.0)
        for name in FORMATS:
            self.assertAlmostEqual(twice[name] / once[name], 2, delta=1e-4)


if __name__ == "__main__":
    unittest.main()
