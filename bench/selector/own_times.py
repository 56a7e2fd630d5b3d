#!/usr/bin/env python3
"""Judge the selector on this library's own times, and write machine profiles.

select_speed TYPE... >times.jsonl measures every kernel of every format of every matrix and says how much of each term of
cost it has. This program fits the prices of the terms to one half of the matrices and judges the picks on the other, both
ways; a matrix is in the same half for all types. A pick is that of a format and of one of its kernels, as the library
compares them all. Several files of one machine and type are runs of which the least time counts. Runs with another number of
threads than the first line's, or on a GPU whose memory is another, count as matrices of their own, so that one profile serves
both. So that a profile also serves CPUs that lack AVX-512, or AVX2 as well, each matrix counts again without their kernels.
--profile writes the prices that all matrices give, as the library reads them; --judge says what the picks of profiles that there
are would be worth.
"""

import argparse
import hashlib
import json

import numpy as np

import model
import plots

FORMATS = ["coo", "csr", "csc", "ell", "hyb", "jds", "sell", "stencil", "shape", "bsr", "dia"]  # with plain values; a code is behind a +
LACKING = [(), ("avx512",), ("avx512", "avx2")]  # instruction sets that a CPU may do without
# Chosen by the regret on parts other than those that are judged: what counts is the ranking, but predictions are shown.
TRUTH = 0.15
LIKENESS = {"cpu": 0.03, "cuda": 0.01}
TEMPERATURE = {"cpu": 0.05, "cuda": 0.03}  # times on a GPU are known better
WITHIN = 0.3  # what the choice of a kernel counts where the format is given
CLOSENESS = 1.0  # a wrong time counts by the best one over it: formats that are best were predicted too slow, by others of their prices
FROM_MEMORY = {"far", "streams"}
NANO = 1000  # nanoseconds in what times are measured in


def half(name, salt=""):
    return hashlib.md5((name + salt).encode()).digest()[0] % 2


def unnumbered(name):
    """That of a format or a kernel, whichever of the ways of its layout it stands for: "sell" of "sell 2"."""
    return name.split()[0]


def needs(kernel, sets):
    """By the words of its name: csr_products_avx512_gather."""
    return not set(sets).isdisjoint(unnumbered(kernel).split("_"))


class Times:
    """All matrices with nonzeros: a matrix of one type, without some instruction sets, a row; a kernel a column."""

    def __init__(self, paths):
        self.rows, self.head, self.row_count = {}, None, {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                for line in file:
                    self.add(json.loads(line))
        self.kernels, self.format_of = self.columns()
        cells = self.cells()
        self.keys = [key for key, _ in cells]
        self.times = np.array([[self.time(row, name) for name in self.kernels] for _, row in cells], float)
        self.allowed = ~np.isnan(self.times)
        self.terms = {name: self.terms_of(name, cells) for name in self.kernels}

    def add(self, line):
        if line["nnz"] == 0:
            return
        self.head = self.head or line
        self.row_count[line["name"]] = line["rows"]
        row = self.told_apart(line["formats"])
        fit_to_memory(row, memory_ratio(line, self.head))
        before = self.rows.setdefault(self.key(line), row)
        for name, cell in row.items():
            known = before.setdefault(name, cell)
            least(known, cell, "convert_us")
            for kernel, other in zip(known["kernels"], cell["kernels"]):
                least(kernel, other, "seconds_us")

    @staticmethod
    def told_apart(cells):
        """Cells by name. Of one layout in several ways, as of rows sorted and as they are, those with more slots are "sell 2" and
        so on, and so are their kernels, whose prices are the same."""
        row = {}
        for cell in sorted(cells, key=lambda cell: cell["slots"]):
            number = sum(unnumbered(name) == cell["format"] for name in row) + 1
            for named, field in ((cell, "format"), *((kernel, "kernel") for kernel in cell["kernels"])):
                named[field] += f" {number}" if number > 1 else ""
            row[cell["format"]] = cell
        return row

    def key(self, line):
        """Matrix, type, instruction sets that are left out, and the machine and its threads if they are not the first line's."""
        place = [f"{line['machine']}, {line['processors']}"]
        is_first = all(line[field] == self.head[field] for field in ("machine", "processors"))
        return (line["name"], line["type"], line.get("disabled", ""), *(place if not is_first else []))

    def columns(self):
        """The kernels that have prices, and the format of each."""
        format_of = {kernel["kernel"]: unnumbered(name) for row in self.rows.values() for name, cell in row.items()
                     for kernel in cell["kernels"] if kernel["terms"]}
        return list(format_of), format_of

    def cells(self):
        """The rows: what tells one from the others, and its kernels by name. A set that no kernel needs is not lacked."""
        sets = tuple(name for name in LACKING[-1] if any(needs(kernel, [name]) for kernel in self.kernels))
        found = []
        for key, row in self.rows.items():
            for lacking in LACKING:
                if not set(lacking) <= set(sets):
                    continue
                found.append(((*key[:2], key[2] or ",".join(lacking), *key[3:]),
                              {kernel["kernel"]: (kernel, cell["possible"]) for name, cell in row.items()
                               for kernel in cell["kernels"] if not needs(kernel["kernel"], lacking)}))
                if key[2]:
                    break
        return found

    @staticmethod
    def time(row, name):
        kernel, possible = row.get(name, (None, False))
        return kernel["seconds_us"] if possible and kernel["seconds_us"] else np.nan

    def terms_of(self, name, cells):
        """Amounts by type, kernel and term: each kernel of a type has its own prices."""
        terms = {}
        for i, (key, row) in enumerate(cells):
            for term, amount in row[name][0]["terms"].items() if name in row else ():
                terms.setdefault(f"{key[1]}/{unnumbered(name)}.{term}", np.zeros(len(cells)))[i] = amount
        return terms

    def column(self, formats):
        return np.array([self.format_of[name] in formats for name in self.kernels])

    def by_format(self, predicted):
        """Times, predicted times and what is possible of each format, by the kernel of it that is taken."""
        times, expected = np.full((2, len(self.keys), len(FORMATS)), np.nan)
        for f, name in enumerate(FORMATS):
            allowed = self.allowed & self.column([name])
            rows = np.flatnonzero(allowed.any(axis=1))
            taken = model.pick(predicted, allowed)[rows]
            times[rows, f], expected[rows, f] = self.times[rows, taken], predicted[rows, taken]
        return times, expected, ~np.isnan(times)


def memory_ratio(one, other):
    """How many times as fast memory is taken to be read where one was measured as where the other was (src/select/context_profile.c)."""
    return (one["processors"] / other["processors"]) ** 0.5 if one["backend"] == "cpu" else one["memory_gbs"] / other["memory_gbs"]


def fit_to_memory(row, ratio):
    """Count what comes from memory as the library prices it where that is read so many times as fast."""
    for cell in row.values():
        for kernel in cell["kernels"]:
            for term in kernel["terms"].keys() & FROM_MEMORY:
                kernel["terms"][term] /= ratio


def least(kernel, other, field):
    kernel[field] = min((value for value in (kernel[field], other[field]) if value is not None), default=None)


def fit(data, rows):
    within = [(data.column([name]), WITHIN) for name in FORMATS]
    backend = data.head["backend"]
    return model.fit(model.subset(data.terms, rows), data.times[rows], data.allowed[rows], TRUTH, LIKENESS[backend],
                     TEMPERATURE[backend], within, least={"far": 1 / (data.head["memory_gbs"] * NANO)} if backend == "cuda" else {},
                     closeness=CLOSENESS)


def predict_unseen(data, salt=""):
    """The time of each matrix as the half that it is not in has it."""
    side = np.array([half(key[0], salt) for key in data.keys])
    predicted = np.empty_like(data.times)
    for k in 0, 1:
        predicted[side == k] = model.predict(fit(data, side != k), model.subset(data.terms, side == k))
    return predicted


def parts_of(label):
    """Type, kernel and term of "f64/csr_avx2.steps"."""
    owner, term = label.rsplit(".", 1)
    return *owner.split("/", 1), term


def price_of(label, profile):
    """That of the longest name that the kernel's begins with; 0 of a kernel that has none."""
    kind, kernel, term = parts_of(label)
    owner = max((name for name in profile[kind] if kernel.startswith(name)), key=len, default=None)
    return profile[kind][owner].get(term, 0) / NANO if owner is not None else 0


def predict_by(path, data):
    """The times that a profile predicts, fitted to the memory; infinite of kernels that it has no prices for."""
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    prices = {kernel: {label: price_of(label, profile["kernels"]) for label in named} for kernel, named in data.terms.items()}
    for named in prices.values():
        for label in named:
            if parts_of(label)[2] in FROM_MEMORY:
                named[label] *= memory_ratio(profile, data.head)
    predicted = model.predict(prices, data.terms)
    return np.where(predicted > 0, predicted, np.inf)


def judge_profile(path, data, worst):
    regret = judge(path, data, predict_by(path, data), worst)
    for kind in sorted({key[1] for key in data.keys}):
        own = regret[[key[1] == kind and not key[2] for key in data.keys]]
        print(f"    {kind}, all instruction sets: {len(own)} matrices: regret {np.exp(np.log(own).mean()):.4f}, "
              f"{own.max():.2f} at worst; {(own <= 1.05).mean():.1%} within 5 %")


def judge(label, data, predicted, worst):
    everything = range(len(data.keys))
    picks = model.pick(predicted, data.allowed)
    regret = model.regret(data.times)[everything, picks]
    mean, most, near = model.figures(picks, data.times)
    of_csr = model.pick(predicted, data.allowed & data.column(["csr"]))
    csr = model.figures(of_csr, data.times)
    among = data.times[everything, of_csr] / np.nanmin(np.where(data.column(["csr"]), data.times, np.nan), axis=1)
    error = np.abs(np.log(predicted / data.times))[data.allowed & np.isfinite(predicted)]
    print(f"{label}: {len(picks)} matrices: regret {mean:.4f} in the geometric mean, {most:.2f} at worst, "
          f"{(regret > 1.25).sum()} over 1.25; {near:.1%} within 5 %. Always CSR: {csr[0]:.4f}, {csr[1]:.2f}; "
          f"among its kernels alone {np.exp(np.log(among).mean()):.4f}, {among.max():.2f}. "
          f"Half of the predicted times are within {np.expm1(np.median(error)):.0%}.")
    for i in np.argsort(-regret)[:worst]:
        best = np.nanargmin(data.times[i])
        print(f"    {'/'.join(filter(None, data.keys[i])):44} {regret[i]:5.2f}  {data.kernels[picks[i]]} "
              f"{data.times[i, picks[i]]:.5g} us (predicted {predicted[i, picks[i]]:.5g}), {data.kernels[best]} "
              f"{data.times[i, best]:.5g} us (predicted {predicted[i, best]:.5g})")
    return regret


def judge_by_other_run(data, other):
    """What the best format of one run is worth in another: no selector can be judged more sharply than that."""
    rows = [data.keys.index(key) for key in other.keys]
    times = data.times[np.ix_(rows, [data.kernels.index(name) for name in other.kernels])]
    picks = np.argmin(np.where(np.isnan(times) | np.isnan(other.times), np.inf, other.times), axis=1)
    mean, most, near = model.figures(picks, times)
    over = (model.regret(times)[np.arange(len(picks)), picks] > 1.25).sum()
    print(f"the best of another run: regret {mean:.4f} in the geometric mean, {most:.2f} at worst, {over} over 1.25; "
          f"{near:.1%} within 5 %.")


def conversions(data):
    """Prices of a conversion's start, of each byte that is read or written, of each row, and of each slot that is put into a code."""
    prices = {}
    for format in FORMATS:
        amount, times = [], []
        for key, row in data.rows.items():
            for name, cell in row.items():
                if unnumbered(name).split("+")[0] == format and name != "csr" and cell.get("convert_us"):
                    amount.append([1, cell["bytes"] + row["csr"]["bytes"], data.row_count[key[0]],
                                   cell["slots"] if "+" in name else 0])
                    times.append(cell["convert_us"])
        if times:
            price = model.least_squares(np.array(amount, float), np.array(times))
            coded = any(slots for *_, slots in amount)
            prices[format] = {term: rounded(p) for term, p in zip(("start", "bytes", "rows", "encoding")[:3 + coded], price)}
    return prices


def rounded(microseconds):
    return float(f"{microseconds * NANO:.4g}")


def write_profile(path, data, head):
    kernels = {"f32": {}, "f64": {}}
    for named in fit(data, np.full(len(data.keys), True)).values():
        for label, price in named.items():
            kind, kernel, term = parts_of(label)
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
    parser.add_argument("--judge", metavar="PROFILE", nargs="+", default=[], help="judge the picks of profiles")
    parser.add_argument("--plot", metavar="PREFIX", help="write PREFIX-regret.svg and PREFIX-predicted.svg")
    parser.add_argument("--profile", metavar="FILE", help="write a profile fitted to all matrices")
    arguments = parser.parse_args()
    data = Times(arguments.times)
    first = data.head
    for path in arguments.judge:
        judge_profile(path, data, arguments.worst)
    predicted = predict_unseen(data, arguments.salt)
    regret = judge(f"{first['backend']}", data, predicted, arguments.worst)
    if arguments.other:
        judge_by_other_run(data, Times(arguments.other))
    if arguments.plot:
        times, expected, allowed = data.by_format(predicted)
        always = times[:, FORMATS.index("csr")] / np.nanmin(data.times, axis=1)
        plots.write_regret(f"{arguments.plot}-regret.svg", {"pick": regret, "always CSR": always})
        plots.write_predicted(f"{arguments.plot}-predicted.svg", FORMATS, times, expected, allowed)
    if arguments.profile:
        head = {field: first[field] for field in ("machine", "backend", "processors", "memory_gbs")}
        write_profile(arguments.profile, data, head)


if __name__ == "__main__":
    main()
