#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write a program's manual page from its --help: page.py PROGRAM VERSION OUTPUT"""

import re
import sys

from description import HEADED, describe


def escape(text):
    """As troff prints it letter by letter; a line must not begin with a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def bold(text):
    return f"\\fB{escape(text)}\\fR"


def italic(text):
    return f"\\fI{escape(text)}\\fR"


def usage(program):
    """Brackets and dots of the synopsis stay as they are; words are to be replaced."""
    arguments = re.sub(r"[A-Z]+", lambda word: italic(word[0]), program.arguments)
    return f"{bold(program.name)} {arguments}"


def argument(option):
    if not option.argument:
        return ""
    parts = [italic(part) if part.isupper() else bold(part) for part in option.argument.split("|")]
    value = "=" + "|".join(parts)
    return f"[{value}]" if option.optional else value


def entry(term, text):
    return [".TP", term, escape(text)]


def option_entry(option):
    return entry(", ".join(bold(name) for name in option.names) + argument(option), option.text)


def block_lines(block):
    if isinstance(block, list):
        return [line for term, text in block for line in entry(bold(term), text)]
    headed = HEADED.fullmatch(block)
    if headed:
        return [f".SH {headed[1].upper()}", escape(headed[2][:1].upper() + headed[2][1:])]
    return [".PP", escape(block)]


def page(program, version):
    summary = program.summary[0].lower() + program.summary[1:].rstrip(".")
    lines = [f'.TH {program.name.upper()} 1 "" "Spry {version}" "User Commands"',
             ".SH NAME", f"{escape(program.name)} \\- {escape(summary)}",
             ".SH SYNOPSIS", usage(program),
             ".SH DESCRIPTION", escape(program.summary)]
    first_headed = next((i for i, block in enumerate(program.blocks)
                         if isinstance(block, str) and HEADED.fullmatch(block)), len(program.blocks))
    for block in program.blocks[:first_headed]:
        lines += block_lines(block)
    lines += [".SH OPTIONS"] + [line for option in program.options for line in option_entry(option)]
    for block in program.blocks[first_headed:]:
        lines += block_lines(block)
    return "\n".join(lines) + "\n"


def main(path, version, output):
    text = page(describe(path), version)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
