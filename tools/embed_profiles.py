#!/usr/bin/env python3
"""Make C of the machine profiles that the library brings along: embed_profiles.py [--set SET] OUTPUT.c PROFILE.json...

They become constants, so that no context has to read them. Names that the library does not know do not compile. For an
instruction set that no profile was measured with, --set makes its prices of those of the set that is most like it.
"""

import argparse
import json
import sys

HEAD = """#include <stddef.h>

#include "select/profile.h"

/* Prices are in nanoseconds there, and in seconds here. */
#define NANO 1e-9

"""
TAIL = """
const struct spry_profile *spry_builtin_profile(int i) {
    return profiles[i];
}
"""


# The set that one is most like, and how many of its registers hold what one of that set does: a value costs the same.
LIKE = {"neon": ("avx2", 2)}


def for_set(wanted, name, values):
    """A kernel's name and prices."""
    other, registers = LIKE[wanted]
    if other not in name.split("_"):
        return name, values
    scaled = {term: price / registers if term == "steps" else price for term, price in values.items()}
    return name.replace(other, wanted), scaled


def prices(values, designator):
    """Initialisers of an array or a struct."""
    return "{" + ", ".join(f"{designator % term} = {price!r} * NANO" for term, price in values.items()) + "}"


def kernels(types):
    rows = [f'    {{SPRY_{kind.upper()}, "{name}", {{{prices(values, ".%s")}}}}},\n'
            for kind, names in types.items() for name, values in names.items()]
    return len(rows), "".join(rows)


def conversions(formats):
    return "".join(f"        [SPRY_{name.upper()}] = {prices(values, '[SPRY_CONVERSION_%s]')},\n"
                   for name, values in formats.items())


def check(path, profile):
    """Plain C is what every CPU runs, and the prices of its kernels serve all of a format's that have none of their own. Codes have kernels
    that go by the longest name that theirs begins with, which has to say what decoding costs."""
    formats = {"csr", *profile["conversions"]}
    for kind, names in profile["kernels"].items():
        missing = sorted(formats - set(names))
        if profile["backend"] == "cpu" and missing:
            sys.exit(f"{path}: no prices for {kind} of the plain kernels {', '.join(missing)}")
        for name, values in names.items():
            silent = sorted(other for other in names if other.startswith(name) and "decoding" not in names[other])
            if "decoding" in values and silent:
                sys.exit(f"{path}: no price for {kind} of decoding in {', '.join(silent)}, which {name} has")


def constant(number, path, wanted):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    check(path, profile)
    if wanted:
        profile["kernels"] = {kind: dict(for_set(wanted, *kernel) for kernel in names.items())
                              for kind, names in profile["kernels"].items()}
    count, rows = kernels(profile["kernels"])
    return (f"static const struct spry_kernel_prices kernels{number}[] = {{\n{rows}}};\n"
            f"static const struct spry_profile profile{number} = {{\n"
            f"    .machine = {json.dumps(profile['machine'])},\n"
            f"    .backend = SPRY_{profile['backend'].upper()},\n"
            f"    .processors = {profile['processors']},\n"
            f"    .memory_gbs = {profile['memory_gbs']!r},\n"
            f"    .kernels = {count},\n"
            f"    .kernel = kernels{number},\n"
            f"    .conversion = {{\n{conversions(profile['conversions'])}    }},\n"
            "};\n\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", choices=LIKE)
    parser.add_argument("output")
    parser.add_argument("profile", nargs="+")
    arguments = parser.parse_args()
    constants = [constant(i, path, arguments.set) for i, path in enumerate(arguments.profile)]
    names = "".join(f"&profile{i}, " for i in range(len(constants)))
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(constants) +
                   f"static const struct spry_profile *const profiles[] = {{{names}NULL}};\n" + TAIL)


main()
