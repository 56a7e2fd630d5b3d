# SPDX-License-Identifier: BSD-3-Clause
"""Runs of spbench as a user has them, and what must hold for every report."""

import json
import os
import subprocess
import sys

from scratch import Scratch

# The path of the program is the first argument of the test that imports this.
SPBENCH = os.path.abspath(sys.argv.pop(1))
QUICK = ["--min-time", "0.001"]

NUMBER = (int, float)
MAYBE_NUMBER = (int, float, type(None))
MAYBE_TEXT = (str, type(None))
MAYBE_TRUTH = (bool, type(None))

LENGTHS = {"min": int, "q1": int, "median": int, "q3": int, "max": int, "mean": NUMBER, "std": NUMBER,
           "histogram": list}
MATRIX = {
    "name": str, "file": str, "rows": int, "cols": int, "nnz": int, "nan": int, "infinite": int, "field": str, "symmetry": str,
    "row_length": LENGTHS,
}
RESULT = {
    "format": str, "storage": MAYBE_TEXT, "backend": str, "peer": MAYBE_TEXT, "peer_version": MAYBE_TEXT, "kernel": MAYBE_TEXT, "default": bool, "type": str,
    "index": str, "op": str, "threads": int, "bytes": MAYBE_NUMBER, "bytes_per_nnz": MAYBE_NUMBER, "fill": MAYBE_NUMBER, "convert_us": MAYBE_NUMBER,
    "time_us": (dict, type(None)), "noisy": MAYBE_TRUTH, "cold_us": (dict, type(None)), "predicted_us": MAYBE_NUMBER,
    "gflops": MAYBE_NUMBER, "gbs": MAYBE_NUMBER, "csr_gbs": MAYBE_NUMBER, "roof_gbs": MAYBE_NUMBER, "roofline": MAYBE_NUMBER,
    "vs_csr": MAYBE_NUMBER, "vs_csr_certain": MAYBE_TRUTH, "pays_back_after": (int, type(None)), "error": MAYBE_NUMBER, "status": str, "message": str,
}
REPORT = {
    "matrix": MATRIX,
    "machine": {"cpu": str, "threads": int, "read_gbs": NUMBER, "profile": MAYBE_TEXT, "gpu": type(None)},
    "read": {"seconds": MAYBE_NUMBER, "mb_per_s": MAYBE_NUMBER},
    "copy": type(None),
    "results": list,
    "fastest": (dict, type(None)),
    "pick": (dict, list, type(None)),
    "interrupted": bool,
    "version": str,
}
PICK = {
    "backend": str, "format": str, "storage": str, "kernel": str, "predicted_us": MAYBE_NUMBER, "reason": str, "regret": MAYBE_NUMBER,
    "tie": MAYBE_TRUTH,
}
FASTEST = {"format": str, "storage": str, "backend": str, "kernel": str, "reason": str, "tie": bool}
TIME = {"median": NUMBER, "min": NUMBER, "q1": NUMBER, "q3": NUMBER, "max": NUMBER, "batches": int, "disturbed": int}

SYMMETRIC = """%%MatrixMarket matrix coordinate real symmetric
4 4 5
1 1 2
2 2 2
3 3 2
4 4 2
4 1 -1
"""


def run(*arguments, input=None, stdin=None, preexec_fn=None, **environment):
    """Run the program; of `input` (text or bytes) and `stdin` one may be given."""
    if isinstance(input, str):
        input = input.encode()
    source = {"stdin": stdin} if input is None else {"input": input}
    done = subprocess.run([SPBENCH, *arguments], capture_output=True, timeout=300, preexec_fn=preexec_fn, **source,
                          env={**os.environ, "LC_ALL": "C", "COLUMNS": "100", **environment})
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def reports(*arguments, **source):
    done = run("--json", *QUICK, *arguments, **source)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def is_disturbed(result):
    """Fewer than five batches are left of which no processor was taken away."""
    time = result["time_us"]
    return time["disturbed"] > 0 and time["batches"] - time["disturbed"] < 5


class Spbench(Scratch):
    def check_fields(self, value, fields):
        self.assertEqual(list(value), list(fields))
        for name, kind in fields.items():
            if isinstance(kind, dict):
                self.check_fields(value[name], kind)
            else:
                self.assertIsInstance(value[name], kind, name)

    def check_pick(self, pick, report):
        """Of a report that has all formats as the library would multiply by them, and some nonzeros."""
        self.check_fields(pick, PICK)
        rows = [r for r in report["results"] if (r["backend"], r["peer"], r["status"]) == (pick["backend"], None, "ok")]
        (row,) = [r for r in rows if r["format"] == pick["format"]]
        self.assertGreaterEqual(pick["predicted_us"], 0)
        if row["kernel"] == pick["kernel"]:
            self.assertEqual(row["predicted_us"], pick["predicted_us"])
        best = min(r["time_us"]["median"] for r in rows)
        self.assertGreaterEqual(pick["regret"], 1)
        self.assertAlmostEqual(pick["regret"], row["time_us"]["median"] / best, delta=1e-3 * pick["regret"])
        self.assertIn(pick["format"], pick["reason"])

    def check_report(self, report):
        self.check_fields(report, REPORT)
        self.assertEqual(sum(report["matrix"]["row_length"]["histogram"]), report["matrix"]["rows"])
        for result in report["results"]:
            self.check_fields(result, RESULT)
            self.assertEqual((result["backend"], result["peer"], result["peer_version"], result["cold_us"]),
                             ("cpu", None, None, None))
            if result["status"] == "ok":
                self.check_fields(result["time_us"], TIME)
                ordered = [result["time_us"][name] for name in ("min", "q1", "median", "q3", "max")]
                self.assertEqual(ordered, sorted(ordered))
                self.assertLessEqual(result["time_us"]["disturbed"], result["time_us"]["batches"])
                self.check_certainty(result, report)
                self.assertGreaterEqual(result["gbs"], 0)
                self.assertLess(result["error"], 1e-3)
                self.assertEqual(result["message"], "")
            else:
                self.assertNotEqual(result["message"], "")
                self.assertIsNone(result["time_us"])
        # Products of nothing take times that are the same in as many digits as are printed.
        good = [r for r in report["results"] if r["status"] == "ok"]
        least = min(r["time_us"]["median"] for r in good)
        self.check_fields(report["fastest"], FASTEST)
        self.assertIn([report["fastest"][name] for name in ("format", "storage", "backend", "kernel")],
                      [[r["format"], r["storage"], "cpu", r["kernel"]] for r in good if r["time_us"]["median"] == least])
        (fastest,) = [r for r in good if r["kernel"] == report["fastest"]["kernel"]]
        rivals = [r for r in good if r["format"] != fastest["format"]]
        self.check_tie(report["fastest"]["tie"], fastest, rivals)
        self.assertFalse(report["interrupted"])

    def check_tie(self, tie, row, rivals):
        """A tie is told where a rival is no further away than the batches of either lie apart, and batches of both overlap, or where one
        of both was disturbed; what is printed is rounded."""
        if any(is_disturbed(r) for r in rivals) or (rivals and is_disturbed(row)):
            self.assertTrue(tie)
            return
        apart = [abs(row["time_us"]["median"] - r["time_us"]["median"]) for r in rivals]
        spread = [max(r["time_us"]["max"] - r["time_us"]["min"] for r in (row, rival)) for rival in rivals]
        overlap = [min(r["time_us"]["max"] for r in (row, rival)) - max(r["time_us"]["min"] for r in (row, rival)) for rival in rivals]
        slack = 1e-3 * row["time_us"]["max"]
        if any(a < s - slack and o > slack for a, s, o in zip(apart, spread, overlap)):
            self.assertTrue(tie)
        elif all(a > s + slack or o < -slack for a, s, o in zip(apart, spread, overlap)):
            self.assertFalse(tie)

    def check_certainty(self, result, report):
        time = result["time_us"]
        spread = (time["max"] - time["min"]) / time["median"]
        if abs(spread - 0.2) > 1e-3:
            self.assertEqual(result["noisy"], spread > 0.2 or is_disturbed(result))
        # Of several kernels, the one that CSR takes by itself is what others are held against.
        (csr,) = [r for r in report["results"] if r["storage"] == "csr" and r["vs_csr"] == 1][:1] or [None]
        self.assertEqual(result["vs_csr"] is None, result["vs_csr_certain"] is None)
        if csr and csr["status"] == "ok" and result["storage"] != "csr":
            self.check_tie(not result["vs_csr_certain"], result, [csr])
