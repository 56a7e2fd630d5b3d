#!/usr/bin/env python3
"""Judge the selector on this library's own times, and write machine profiles.

select_speed TYPE... >times.jsonl measures every format of every matrix and says how much of each term of cost it has.
This program fits the prices of the terms to one half of the matrices and judges the picks on the other, both ways; a
matrix is in the same half for all types. Several files of one machine and type are runs of which the least time
counts. Those made with SPRY_DISABLE=avx512 and the like have other kernels: with them a profile serves CPUs that lack it.
--profile writes the prices that all matrices give, as the library reads them.
"""

import argparse
import hashlib
import json
import re

import numpy as np

import model
import plots

FORMATS = ["coo", "csr", "csc", "ell", "hyb", "jds"]
# Chosen by the regret on halves other than those that are judged: what counts is the ranking, but predictions are shown.
TRUTH, LIKENESS = 0.5, 0.01
NANO = 1000  # nanoseconds in what times are measured in


def half(name, salt=""):
    return hashlib.md5((name + salt).encode()).digest()[0] % 2


def kernel_of(cell):
    """Kernels that differ in nothing but how many lanes share a row have prices in common."""
    return re.sub(r"lanes\d+$", "lanes", cell["kernel"] or "")


class Times:
    """All matrices with nonzeros, a matrix of one type and one choice of kernels a row."""

    def __init__(self, paths):
        self.rows, self.head, self.row_count = {}, None, {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                for line in file:
                    self.add(json.loads(line))
        self.keys = list(self.rows)
        cells = [[self.rows[key][name] for name in FORMATS] for key in self.keys]
        self.times = np.array([[c["seconds_us"] or np.nan for c in row] for row in cells], float)
        self.allowed = np.array([[c["possible"] for c in row] for row in cells]) & ~np.isnan(self.times)
        self.terms = {name: self.terms_of(name, [row[f] for row in cells]) for f, name in enumerate(FORMATS)}

    def add(self, line):
        if line["nnz"] == 0:
            return
        self.head = self.head or line
        self.row_count[line["name"]] = line["rows"]
        row = {cell["format"]: cell for cell in line["formats"]}
        before = self.rows.setdefault((line["name"], line["type"], line.get("disabled", "")), row)
        for name, cell in row.items():
            for field in "seconds_us", "convert_us":
                values = [c[field] for c in (cell, before[name]) if c[field] is not None]
                before[name][field] = min(values, default=None)

    def terms_of(self, name, cells):
        """Amounts by type, kernel and term: each kernel of a type has its own prices."""
        terms = {}
        for i, (key, cell) in enumerate(zip(self.keys, cells)):
            for term, amount in cell["terms"].items():
                label = f"{key[1]}/{kernel_of(cell)}.{term}"
                terms.setdefault(label, np.zeros(len(self.keys)))[i] = amount
        return terms


def fit(data, rows):
    return model.fit(model.subset(data.terms, rows), data.times[rows], data.allowed[rows], TRUTH, LIKENESS)


def predict_unseen(data, salt=""):
    """The time of each matrix as the half that it is not in has it."""
    side = np.array([half(key[0], salt) for key in data.keys])
    predicted = np.empty_like(data.times)
    for k in 0, 1:
        predicted[side == k] = model.predict(fit(data, side != k), model.subset(data.terms, side == k))
    return predicted


def judge(label, data, predicted, worst):
    picks = model.pick(predicted, data.allowed)
    regret = model.regret(data.times)[np.arange(len(picks)), picks]
    csr = model.figures(np.full(len(picks), FORMATS.index("csr")), data.times)
    mean, most, near = model.figures(picks, data.times)
    error = np.abs(np.log(predicted / data.times))[data.allowed]
    print(f"{label}: {len(picks)} matrices: regret {mean:.4f} in the geometric mean, {most:.2f} at worst, "
          f"{(regret > 1.25).sum()} over 1.25; {near:.1%} within 5 %. Always CSR: {csr[0]:.4f}, {csr[1]:.2f}. "
          f"Half of the predicted times are within {np.expm1(np.median(error)):.0%}.")
    for i in np.argsort(-regret)[:worst]:
        best = np.nanargmin(data.times[i])
        print(f"    {'/'.join(filter(None, data.keys[i])):44} {regret[i]:5.2f}  {FORMATS[picks[i]]} {data.times[i, picks[i]]:.5g} us "
              f"(predicted {predicted[i, picks[i]]:.5g}), {FORMATS[best]} {data.times[i, best]:.5g} us "
              f"(predicted {predicted[i, best]:.5g})")
    return regret


def judge_by_other_run(data, other):
    """What the best format of one run is worth in another: no selector can be judged more sharply than that."""
    rows = [data.keys.index(key) for key in other.keys]
    times = data.times[rows]
    picks = np.nanargmin(np.where(np.isnan(times), np.inf, other.times), axis=1)
    mean, most, near = model.figures(picks, times)
    over = (model.regret(times)[np.arange(len(picks)), picks] > 1.25).sum()
    print(f"the best of another run: regret {mean:.4f} in the geometric mean, {most:.2f} at worst, {over} over 1.25; "
          f"{near:.1%} within 5 %.")


def conversions(data):
    """Prices of a conversion's start, of each byte that is read or written, and of each row."""
    prices = {}
    for name in FORMATS:
        keys = [key for key in data.keys if name != "csr" and data.rows[key][name]["convert_us"]]
        if not keys:
            continue
        amount = [[1, data.rows[key][name]["bytes"] + data.rows[key]["csr"]["bytes"], data.row_count[key[0]]]
                  for key in keys]
        price = model.least_squares(np.array(amount, float), np.array([data.rows[key][name]["convert_us"] for key in keys]))
        prices[name] = {term: rounded(p) for term, p in zip(("start", "bytes", "rows"), price)}
    return prices


def rounded(microseconds):
    return float(f"{microseconds * NANO:.4g}")


def write_profile(path, data, head):
    kernels = {"f32": {}, "f64": {}}
    for named in fit(data, np.full(len(data.keys), True)).values():
        for label, price in named.items():
            owner, term = label.rsplit(".", 1)
            kind, kernel = owner.split("/", 1)
            kernels[kind].setdefault(kernel, {})[term] = rounded(price)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**head, "kernels": kernels, "conversions": conversions(data)}, file, indent=1)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("times", nargs="+", help="output of select_speed")
    parser.add_argument("--worst", type=int, default=5, help="how many of the worst picks to list")
    parser.add_argument("--salt", default="", help="another division into halves")
    parser.add_argument("--other", metavar="TIMES", nargs="+", help="another run, to be judged by these times")
    parser.add_argument("--plot", metavar="PREFIX", help="write PREFIX-regret.svg and PREFIX-predicted.svg")
    parser.add_argument("--profile", metavar="FILE", help="write a profile fitted to all matrices")
    arguments = parser.parse_args()
    data = Times(arguments.times)
    first = data.head
    predicted = predict_unseen(data, arguments.salt)
    regret = judge(f"{first['backend']}", data, predicted, arguments.worst)
    if arguments.other:
        judge_by_other_run(data, Times(arguments.other))
    if arguments.plot:
        always = model.regret(data.times)[:, FORMATS.index("csr")]
        plots.write_regret(f"{arguments.plot}-regret.svg", {"pick": regret, "always CSR": always})
        plots.write_predicted(f"{arguments.plot}-predicted.svg", FORMATS, data.times, predicted, data.allowed)
    if arguments.profile:
        head = {field: first[field] for field in ("machine", "backend", "processors", "memory_gbs")}
        write_profile(arguments.profile, data, head)


if __name__ == "__main__":
    main()
