#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A manual page, or what a shell completes, beside what the program takes: test_manual.py BUILD-FOLDER page|bash|zsh|fish PROGRAM FILE
Exit status 77 where nothing is there that reads such files."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = FILE = INSTALLED = None
SKIPPED = 77
BASH = """
compopt() { :; }
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
_$3
printf '%s\\n' "${COMPREPLY[@]}"
"""


def run(*command, **environment):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8",
                          timeout=60, env={**os.environ, "LC_ALL": "C.UTF-8", **environment})


def output(*command, **environment):
    done = run(*command, **environment)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{command} gave {done.returncode}: {done.stderr}")
    return done.stdout


def name():
    return pathlib.Path(PROGRAM).name


def long_options():
    """By argp's short message, which has each on its own."""
    found = set(re.findall(r"--[\w-]+", output(PROGRAM, "--usage")))
    assert {"--help", "--usage", "--version"} <= found
    return found


def values():
    """{(option, value)} that the short message names."""
    usage = " ".join(output(PROGRAM, "--usage").split())
    named = re.findall(r"\[(--[\w-]+)=(\S+\|\S+)\]", usage)
    return {(option, value) for option, all_values in named for value in all_values.split("|") if value.islower()}


class Page(unittest.TestCase):
    def test_place(self):
        self.assertEqual(INSTALLED.parts[-3:], ("man", "man1", f"{name()}.1"))

    def setUp(self):
        self.shown = output("man", "--warnings", "--no-hyphenation", "-l", FILE, MANWIDTH="80", MANROFFOPT="-ww -c", GROFF_NO_SGR="1")
        self.shown = re.sub(".\b", "", self.shown)

    def test_every_option(self):
        named = set(re.findall(r"^ +(?:-\S, )?(--[\w-]+)", self.shown, re.MULTILINE))
        self.assertEqual(named, long_options())

    def test_sections(self):
        headings = re.findall(r"^[A-Z][A-Z ]+$", self.shown, re.MULTILINE)
        last = re.findall(r"^(Environment|Exit status): ", output(PROGRAM, "--help"), re.MULTILINE)
        self.assertEqual(headings, ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] + [word.upper() for word in last])
        self.assertEqual(headings[-1], "EXIT STATUS")

    def test_says_what_the_help_says(self):
        page = " ".join(re.sub(r"-\n +", "-", self.shown).split())
        for paragraph in output(PROGRAM, "--help", ARGP_HELP_FMT="rmargin=10000").split("\n\n")[2:]:
            for line in paragraph.splitlines():
                text = re.sub(r"^(Environment|Exit status): .", "", " ".join(line.split()))
                if not text.startswith("Mandatory or optional"):
                    self.assertIn(text, page)

    def test_lint(self):
        if not shutil.which("mandoc"):
            self.skipTest("no mandoc")
        faults = run("mandoc", "-T", "lint", "-W", "warning", FILE).stdout.splitlines()
        self.assertEqual([fault for fault in faults if "missing date" not in fault], [])


class Bash(unittest.TestCase):
    def test_place(self):
        self.assertEqual(INSTALLED.parts[-3:], ("bash-completion", "completions", name()))

    def complete(self, typed):
        return output("bash", "--norc", "-c", BASH, "bash", FILE, f"{name()} {typed}", name()).split()

    def test_options(self):
        self.assertEqual({name.rstrip("=") for name in self.complete("-") if name.startswith("--")}, long_options())
        self.assertEqual(self.complete("--nothing"), [])

    def test_values_that_the_program_takes(self):
        offered = {(option, value) for option in long_options() for value in self.complete(f"{option}=")}
        self.assertLessEqual(values(), offered)
        for option, value in sorted(offered):
            done = run(PROGRAM, f"{option}={value}", "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), (option, value))

    def test_values(self):
        if name() == "spgen":
            self.skipTest("it has no options with values")
        self.assertEqual(self.complete("--thr"), ["--threads="])
        for typed in ("--type=f3", "--type f3", "-t f3"):
            self.assertEqual(self.complete(typed), ["f32"])
        self.assertEqual(self.complete("--threads "), [])

    def test_files(self):
        """Behind what is typed, as readline begins a word behind = and :."""
        folder = pathlib.Path(FILE).parent
        for typed in (f"{folder}/{pathlib.Path(FILE).name}", f"--json {FILE}"):
            self.assertIn(FILE, self.complete(typed[:-1]))
        if name() == "spgen":
            self.assertEqual(self.complete("poisson3"), ["poisson3d:"])
        else:
            self.assertEqual(self.complete("gen:poisson3"), ["poisson3d:"])
            self.assertIn("gen:rmat:", self.complete(""))

    def test_lists(self):
        if "--formats" in long_options():
            self.assertEqual(self.complete("--fo"), ["--formats="])
            self.assertEqual(self.complete("--formats=coo,cs"), ["coo,csr", "coo,csc"])
            self.assertEqual(self.complete("-f ell,j"), ["ell,jds"])


class Zsh(unittest.TestCase):
    def test_place(self):
        self.assertEqual(INSTALLED.parts[-3:], ("zsh", "site-functions", f"_{name()}"))

    def test_every_option(self):
        """What is handed to zsh's own function that does the completing."""
        specs = output("zsh", "-f", "-c", '_arguments() { print -rl -- "$@" }; source $1', "zsh", FILE)
        self.assertEqual(set(re.findall(r"^\([^)]*\)(--[\w-]+)", specs, re.MULTILINE)), long_options())


class Fish(unittest.TestCase):
    def test_place(self):
        self.assertEqual(INSTALLED.parts[-3:], ("fish", "vendor_completions.d", f"{name()}.fish"))

    def complete(self, typed):
        lines = output("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", FILE, f"{name()} {typed}",
                       HOME=pathlib.Path(FILE).parent)
        return [line.split("\t")[0].removeprefix(typed) for line in lines.splitlines()]

    def test_every_option(self):
        answers = {f"--{answer}".rstrip("=") for answer in self.complete("--")}
        self.assertEqual(answers, long_options())

    def test_values(self):
        if name() == "spgen":
            self.skipTest("it has no options with values")
        for typed in ("--type=f3", "--type f3", "-t f3"):
            self.assertEqual(self.complete(typed), ["f32"] if " " in typed else ["2"])


READERS = {"page": ("man", Page), "bash": ("bash", Bash), "zsh": ("zsh", Zsh), "fish": ("fish", Fish)}


def main(build, kind, program, file):
    global PROGRAM, FILE, INSTALLED
    PROGRAM, FILE = os.path.abspath(program), os.path.abspath(file)
    INSTALLED = pathlib.Path(json.loads(output("meson", "introspect", "--installed", build))[FILE])
    reader, case = READERS[kind]
    # A minimal Ubuntu has a `man` that only says that it is not there.
    if not shutil.which(reader) or reader == "man" and not run(reader, "--version").stdout.startswith("man "):
        print(f"no {reader}")
        return SKIPPED
    # Somewhere without files that would be offered.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
        os.chdir("/")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
