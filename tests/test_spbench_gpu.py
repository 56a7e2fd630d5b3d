#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What spbench shows of a GPU, or says without one: test_spbench_gpu.py PATH-TO-SPBENCH"""

import json
import unittest

from formats import FORMATS
from spbench_run import QUICK, RESULT, Spbench, TIME, reports, run


class WithoutGpu(Spbench):
    """What is said where no GPU is; CUDA is made not to see any, so that it is tested everywhere."""

    BLIND = {"CUDA_VISIBLE_DEVICES": "-1"}

    def check_note(self, stderr):
        (note,) = stderr.splitlines()
        self.assertTrue(note.startswith("spbench: "), note)
        self.assertIn("CUDA", note)

    def test_the_gpu_alone_fails(self):
        for more in ([], ["--json"], ["--csv"], ["--peers"]):
            done = run("--backend", "cuda", *QUICK, *more, "gen:poisson2d:9", **self.BLIND)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.check_note(done.stderr)

    def test_all_shows_the_cpu(self):
        done = run("--backend", "all", "--json", *QUICK, "gen:poisson2d:9", "gen:banded:20:2", **self.BLIND)
        self.assertEqual(done.returncode, 0)
        self.check_note(done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([r["matrix"]["name"] for r in found], ["poisson2d:9", "banded:20:2"])
        for report in found:
            (pick,) = report["pick"]
            self.check_pick(pick, report)
            self.check_report(report)
            self.assertEqual([r["format"] for r in report["results"]], FORMATS)


class OnGpu(Spbench):
    """The same on a GPU, where there is one."""

    def setUp(self):
        super().setUp()
        if run("--backend", "cuda", *QUICK, "gen:poisson2d:4").returncode != 0:
            self.skipTest("no GPU")

    def check_gpu_report(self, report):
        self.assertGreater(report["machine"]["gpu"]["copy_gbs"], 0)
        self.assertGreaterEqual(report["copy"]["bytes"], 0)
        for result in report["results"]:
            self.assertEqual(list(result), list(RESULT))
            if result["backend"] == "cuda" and result["status"] == "ok":
                self.check_fields(result["cold_us"], TIME)
            elif not result["peer"]:
                self.assertEqual(result["status"], "ok", result["message"])

    def test_rows(self):
        for backend, formats in (("cuda", FORMATS), ("all", FORMATS * 2)):
            (report,) = reports("--backend", backend, "gen:poisson2d:30")
            self.check_gpu_report(report)
            self.assertEqual([r["format"] for r in report["results"] if "+" not in r["storage"]], formats)
            self.assertEqual(report["machine"]["read_gbs"] is None, backend == "cuda")
            picks = report["pick"] if backend == "all" else [report["pick"]]
            self.assertEqual([pick["backend"] for pick in picks], ["cpu", "cuda"] if backend == "all" else ["cuda"])
            for pick in picks:
                self.check_pick(pick, report)

    def test_kinds(self):
        for more in (["--transpose"], ["--kernels"], ["--type", "f32"], ["--index", "i64"], ["--index", "i32p64"]):
            (report,) = reports("--backend", "cuda", *more, "gen:random:300:700:4")
            self.check_gpu_report(report)

    def test_peers(self):
        done = run("--backend", "cuda", "--peers", "--json", *QUICK, "gen:poisson2d:30")
        self.assertEqual(done.returncode, 0)
        (report,) = [json.loads(line) for line in done.stdout.splitlines()]
        self.check_gpu_report(report)
        if done.stderr:
            self.skipTest(done.stderr.strip())
        peers = {r["kernel"]: r for r in report["results"] if r["peer"] == "cusparse"}
        self.assertEqual(list(peers), ["csr", "csr_alg1", "csr_alg2", "coo_alg1", "coo_alg2", "sell", "spmvop_alg1", "spmvop_alg2"])
        for kernel, row in peers.items():
            self.assertRegex(row["peer_version"], r"^\d+\.\d+\.\d+$")
            lacking = f"cuSPARSE {row['peer_version']} has no cusparse" in row["message"]
            self.assertEqual(row["status"], "not supported" if lacking else "ok", row["message"])
            self.assertFalse(lacking and kernel == "csr")
        self.assertEqual(report["fastest"]["backend"], "cuda")

    def test_peers_that_cannot_be_loaded(self):
        done = run("--backend", "cuda", "--peers", "--json", *QUICK, "gen:poisson2d:30", SPRY_CUSPARSE="/no/such/library.so")
        self.assertEqual(done.returncode, 0)
        self.assertIn("/no/such/library.so", done.stderr)
        self.assertEqual([r for r in json.loads(done.stdout)["results"] if r["peer"]], [])

    def test_empty_matrices(self):
        for header in ("0 0 0", "3 0 0", "0 3 0", "5 4 0"):
            path = self.file("empty.mtx", f"%%MatrixMarket matrix coordinate real general\n{header}\n")
            for more in ([], ["--transpose"]):
                (report,) = reports("--backend", "cuda", "--peers", path, *more)
                self.check_gpu_report(report)

    def test_table_fits_the_page(self):
        done = run(*QUICK, "--backend", "all", "--peers", "gen:rmat:12")
        self.assertEqual(done.returncode, 0)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        for word in ("copies", "cold", "cuda", "cpu"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main()
