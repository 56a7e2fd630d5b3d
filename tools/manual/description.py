# SPDX-License-Identifier: BSD-3-Clause
"""What a program says of itself with --help, taken apart: the one source of its manual page and of its completions.

A program's help is what argp makes of its table of options. These words in the table tell what to complete:

  --type=f32|f64               these values
  --formats=LIST  "…: a b c (…"  the words behind the colon, several of them divided by commas
  --precond=NAME  "…: a, b or c (…"  the words behind the colon, one of them
  --rhs=ones|FILE              these values, or a file
"""

import dataclasses
import os
import re
import subprocess

# One line for each option, with its text far to the right.
LAYOUT = "rmargin=10000,short-opt-col=2,long-opt-col=6,opt-doc-col=300,no-dup-args,no-dup-args-note"

OPTION = re.compile(r" {2,}(?:-(?P<short>\S))?(?:, )?(?: *--(?P<long>[\w-]+))?"
                    r"(?P<optional>\[)?(?:=(?P<argument>[^\s\]]+)\]?)?(?: {2,}(?P<text>.*))?")
HEADED = re.compile(r"([A-Z][a-z ]+): (.*)")
# poisson2d:N[:M=N], which spbench and spsolve want behind gen:
GENERATOR = re.compile(r"(?:gen:)?\w+:(?=[A-Z])")


@dataclasses.dataclass
class Option:
    short: str  # a letter, or ""
    long: str
    argument: str  # as the help has it, or ""
    optional: bool  # whether the argument may be left out
    text: str

    @property
    def names(self):
        """-f and --formats, as far as there are both."""
        return ([f"-{self.short}"] if self.short else []) + [f"--{self.long}"]

    @property
    def several(self):
        """Whether the value is a list divided by commas."""
        return self.argument == "LIST"

    @property
    def files(self):
        return "FILE" in self.argument.split("|")

    @property
    def values(self):
        """The words that the value is chosen from; empty where it is a number or a file."""
        parts = self.argument.split("|")
        words = [part for part in parts if not part.isupper()] if len(parts) > 1 else []
        _, colon, listed = self.text.split("(")[0].partition(": ")
        if colon and {"NAME", "LIST"} & set(parts):
            words += re.sub(r",| or ", " ", listed).split()
        return words


@dataclasses.dataclass
class Description:
    name: str
    arguments: str  # behind the name: "[OPTION...] FILE..."
    summary: str
    options: list
    blocks: list  # what is said behind the options: paragraphs, and lists of (term, text)

    @property
    def generators(self):
        """(word to begin with, what it makes) of each kind of matrix that the program generates."""
        terms = [(GENERATOR.match(term), text) for block in self.blocks if isinstance(block, list)
                 for term, text in block]
        return [(begin[0], text) for begin, text in terms if begin]


def ask(program, option):
    """What the program prints, or the end of this one."""
    environment = {**os.environ, "ARGP_HELP_FMT": LAYOUT, "LC_ALL": "C"}
    done = subprocess.run([program, option], env=environment, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise SystemExit(f"{program} {option} gave {done.returncode}: {done.stderr}")
    return done.stdout


def read_option(line):
    found = OPTION.fullmatch(line)
    if not found or not found["long"] or not found["text"]:
        raise SystemExit(f"not understood in the list of options: {line}")
    return Option(found["short"] or "", found["long"], found["argument"] or "", bool(found["optional"]), found["text"])


def read_block(block):
    """A paragraph; or, where every line stands to the right, a list of terms and texts."""
    if all(line.startswith("  ") for line in block):
        return [tuple(line.split(maxsplit=1)) for line in block]
    return " ".join(line.strip() for line in block)


def describe(program):
    blocks = [block.splitlines() for block in ask(program, "--help").split("\n\n") if block.strip()]
    (usage, *summary), options, *rest = blocks
    _, name, arguments = usage.split(maxsplit=2)
    return Description(name, arguments, " ".join(summary), [read_option(line) for line in options],
                       [read_block([line for line in block if line]) for block in rest])
