#!/usr/bin/env python3
"""Make C of the machine profiles that the library brings along: embed_profiles.py OUTPUT.c PROFILE.json..."""

import json
import sys


def array(path):
    """The profile as the numbers of its characters: no compiler need take a string of any length."""
    with open(path, encoding="utf-8") as file:
        text = json.dumps(json.load(file), ensure_ascii=True, separators=(",", ":"))
    numbers = [str(ord(c)) for c in text] + ["0"]
    return "\n".join("    " + ", ".join(numbers[i : i + 20]) + "," for i in range(0, len(numbers), 20))


def main(output, *paths):
    arrays = "".join(f"static const char profile{i}[] = {{\n{array(path)}\n}};\n\n" for i, path in enumerate(paths))
    names = "".join(f"profile{i}, " for i in range(len(paths)))
    with open(output, "w", encoding="utf-8") as file:
        file.write(
            f'#include <stddef.h>\n\n#include "select/profile.h"\n\n{arrays}'
            f"static const char *const profiles[] = {{{names}NULL}};\n\n"
            "const char *spry_builtin_profile(int i) {\n    return profiles[i];\n}\n"
        )


main(*sys.argv[1:])
