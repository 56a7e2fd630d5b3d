#!/usr/bin/env python3
"""Make C of the machine profiles that the library brings along: embed_profiles.py OUTPUT.c PROFILE.json...

They become constants, so that no context has to read them. Names that the library does not know do not compile.
"""

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
    """Plain C is what every CPU runs, and the prices of its kernels serve all of a format's that have none of their own."""
    formats = {"csr", *profile["conversions"]}
    for kind, names in profile["kernels"].items():
        missing = sorted(formats - set(names))
        if profile["backend"] == "cpu" and missing:
            sys.exit(f"{path}: no prices for {kind} of the plain kernels {', '.join(missing)}")


def constant(number, path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    check(path, profile)
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


def main(output, *paths):
    names = "".join(f"&profile{i}, " for i in range(len(paths)))
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(constant(i, path) for i, path in enumerate(paths)) +
                   f"static const struct spry_profile *const profiles[] = {{{names}NULL}};\n" + TAIL)


main(*sys.argv[1:])
