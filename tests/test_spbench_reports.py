#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench reports of matrices of all kinds: test_spbench_reports.py PATH-TO-SPBENCH"""

import unittest

from formats import FORMATS
from spbench_run import QUICK, SYMMETRIC, Spbench, reports, run


class Reports(Spbench):
    def test_every_generator(self):
        specs = ["poisson2d:12", "poisson2d:7:30", "poisson3d:6", "27pt:5", "mesh:4", "mesh:3:2", "convection2d:5", "rmat:7", "rmat:6:3", "random:50:20:3",
                 "banded:40:5", "uneven:90:2:9", "spiked:60:3:2", "hollow:70:5:4",
                 "shuffled:banded:40:5", "shuffled:random:50:20:3", "saddle:random:50:20:3", "normal:shuffled:random:50:20:3"]
        shapes = [(144, 144), (210, 210), (216, 216), (125, 125), (192, 192), (54, 54), (25, 25), (128, 128), (64, 64), (50, 20), (40, 40), (90, 90), (60, 60), (70, 70), (40, 40), (50, 20), (70, 70), (50, 50)]
        found = reports(*("gen:" + spec for spec in specs))
        self.assertEqual([r["matrix"]["name"] for r in found], specs)
        self.assertEqual([(r["matrix"]["rows"], r["matrix"]["cols"]) for r in found], shapes)
        for report in found:
            self.check_report(report)
            self.assertEqual([r["format"] for r in report["results"] if "+" not in r["storage"]], FORMATS)
            self.assertIsNone(report["read"]["seconds"])

    def test_stencil_sizes(self):
        nnz = [r["matrix"]["nnz"] for r in reports("gen:poisson2d:10", "gen:poisson3d:4", "gen:27pt:4", "gen:mesh:4:2", "gen:banded:9:2")]
        self.assertEqual(nnz, [5 * 100 - 40, 7 * 64 - 6 * 16, (3 * 4 - 2) ** 3, 4 * (3 * 4 - 2) ** 3, 5 * 9 - 6])

    def test_derived_sizes(self):
        nnz = [r["matrix"]["nnz"] for r in reports("gen:shuffled:banded:9:2", "gen:saddle:banded:9:2", "gen:normal:banded:9:2")]
        self.assertEqual(nnz, [5 * 9 - 6, 2 * (5 * 9 - 6) + 9, 9 * 9 - 20])

    def test_a_file(self):
        path = self.file("small one.mtx", SYMMETRIC)
        (report,) = reports(path)
        self.check_report(report)
        self.assertEqual(report["matrix"]["name"], "small one")
        self.assertEqual(report["matrix"]["file"], path)
        self.assertEqual((report["matrix"]["nnz"], report["matrix"]["symmetry"]), (6, "symmetric"))
        self.assertEqual(report["matrix"]["row_length"]["max"], 2)
        self.assertGreater(report["read"]["mb_per_s"], 0)

    def test_empty_matrices(self):
        for header in ("0 0 0", "3 0 0", "0 3 0", "5 4 0"):
            path = self.file("empty.mtx", f"%%MatrixMarket matrix coordinate real general\n{header}\n")
            for more in ([], ["--transpose"]):
                (report,) = reports(path, *more)
                self.check_report(report)
                self.assertTrue(all(r["error"] == 0 for r in report["results"]))
                self.assertTrue(all(r["predicted_us"] is None for r in report["results"]))
                if not more:
                    self.assertEqual((report["pick"]["predicted_us"], report["pick"]["regret"]), (None, None))

    def test_values_that_are_not_finite(self):
        lines = ["4 4 5", "1 1 2", "2 2 nan", "3 3 inf", "4 4 -inf", "4 1 -1", ""]
        path = self.file("values.mtx", "\n".join(["%%MatrixMarket matrix coordinate real general", *lines]))
        for kind in ("f32", "f64"):
            (report,) = reports("--type", kind, path)
            self.check_report(report)
            self.assertEqual((report["matrix"]["nan"], report["matrix"]["infinite"]), (1, 2))
        said = " ".join(run(*QUICK, path).stdout.split())
        self.assertIn("values 1 value is NaN, 2 values are infinite: entries of y that they reach are not checked", said)
        self.assertNotIn("values ", run(*QUICK, self.file("small.mtx", SYMMETRIC)).stdout)

    def test_bytes_that_are_moved(self):
        """Codes move fewer bytes; padding is not among them; beside them stands what CSR would have had to move."""
        (report,) = reports("--formats", "csr,csr+dict8,sell:8:1,sell:8:1+dict8", "gen:poisson2d:30")
        vectors = 8 * (report["matrix"]["rows"] + report["matrix"]["cols"])
        nnz = report["matrix"]["nnz"]
        csr = report["results"][0]
        for row, entry in zip(report["results"], (12, 5, 12, 5)):
            seconds = row["time_us"]["median"] * 1e-6
            moved = row["bytes"] - (row["fill"] - 1) * nnz * entry
            self.assertAlmostEqual(row["bytes_per_nnz"] / (moved / nnz), 1, places=3)
            self.assertAlmostEqual(row["gbs"] * 1e9 * seconds / (moved + vectors), 1, places=3)
            self.assertAlmostEqual(row["csr_gbs"] * 1e9 * seconds / (csr["bytes"] + vectors), 1, places=3)
        self.assertGreater(report["results"][3]["fill"], 1.01)
        (report,) = reports("--formats", "csr,csr+dict8", "gen:banded:90:3")
        self.assertEqual((report["results"][1]["bytes_per_nnz"], report["results"][1]["csr_gbs"]), (None, None))

    def test_a_format_that_explodes_has_its_row(self):
        rows = 3000
        lines = [f"1 {col} 1" for col in range(1, rows + 1)] + [f"{row} 1 1" for row in range(2, rows + 1)]
        text = "\n".join(["%%MatrixMarket matrix coordinate real general", f"{rows} {rows} {len(lines)}", *lines, ""])
        (report,) = reports(self.file("arrow.mtx", text))
        self.check_report(report)
        ell = report["results"][FORMATS.index("ell")]
        self.assertNotEqual(ell["status"], "ok")
        self.assertIsNone(ell["kernel"])
        self.assertRegex(ell["message"], r"^ell would take [0-9.]+ MB \(3000 rows of width 3000\) where CSR takes [0-9.]+ kB: ")
        self.assertNotEqual(report["fastest"]["format"], "ell")


if __name__ == "__main__":
    unittest.main()
