#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the pages name is there: links and the headings that they go to, files, scripts that are run, and names of the
interface and the library; and a list of a page's sections has all of them: test_pages.py SOURCE-FOLDER"""

import os
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"(?:src|include|integrations|programs|bench|tests|tools|examples|data|docs)/[\w./-]+|\w+\.(?:cu|cuh|py|md)")
NAME = re.compile(r"\b(?:spry|SPRY)_\w*[a-zA-Z0-9]\b")
# Of the format that docs/add-a-format.md makes up, and what stands for any name.
MADE_UP = re.compile(r"sell|SELL|NAME")
# Where names are of another language, or of its build.
FOREIGN = re.compile(r"^```(?:cmake|fortran)\n.*?^```$", re.DOTALL | re.MULTILINE)
FOLDERS = ["src", "include", "integrations", "mkl", "programs", "bench", "tests", "tools", "examples"]


def slug(heading):
    """As GitHub makes an anchor of a heading."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors(page):
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", FENCED.sub("", page), re.MULTILINE)}


def check_links(path, page):
    for link in LINK.findall(FENCED.sub("", page)):
        target, _, anchor = link.partition("#")
        if re.match(r"\w+:", target):
            continue
        goal = path.parent / target if target else path
        if not goal.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(goal.read_text(encoding="utf-8")):
            yield f"{link}: no such heading"


def check_contents(page):
    """Where a page begins with a list of its sections."""
    head, *sections = re.split(r"^## ", FENCED.sub("", page), flags=re.MULTILINE)
    listed = {link[1:] for line in re.findall(r"^- \[.*$", head, re.MULTILINE) for link in LINK.findall(line) if link[0] == "#"}
    for section in sections if listed else ():
        heading = section.split("\n", 1)[0]
        if slug(heading) not in listed:
            yield f"{heading}: not in the list of sections"


def check_files(source, page):
    names = {file.name for folder in [*FOLDERS, "docs"] for file in (source / folder).rglob("*")}
    for text in CODE.findall(FENCED.sub("", page)):
        if FILE.fullmatch(text) and not MADE_UP.search(text):
            # A program is named without the ending of its source.
            there = (source / text).exists() or (source / f"{text}.c").exists() or text in names
            if not there:
                yield f"{text}: no such file"


def check_commands(source, page):
    """Scripts of the repository, at the beginning of a line in a block of commands."""
    for block in re.findall(r"^```(?:sh)?\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        for script in re.findall(r"^((?:programs|bench|data|tools|\.ci)/[\w./-]+)", block, re.MULTILINE):
            if not os.access(source / script, os.X_OK):
                yield f"{script}: cannot be run"


def check_names(known, page):
    for name in sorted(set(NAME.findall(FOREIGN.sub("", page)))):
        if name not in known and not MADE_UP.search(name):
            yield f"{name}: no such name"


def names_of(source):
    """All words of the sources; names that macros put together are their makers' matter."""
    words = set()
    for folder in FOLDERS:
        for file in (source / folder).rglob("*"):
            if file.suffix in (".c", ".h", ".cu", ".cuh", ".py", ".build"):
                words.update(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    return words


def main(source):
    source = pathlib.Path(source)
    known = names_of(source)
    pages = [*source.glob("*.md"), *(source / "docs").glob("*.md"), *(source / "data").glob("*.md")]
    faults = 0
    for path in sorted(pages):
        page = path.read_text(encoding="utf-8")
        for fault in [*check_links(path, page), *check_contents(page), *check_files(source, page), *check_commands(source, page),
                      *check_names(known, page)]:
            print(f"{path.relative_to(source)}: {fault}")
            faults += 1
    print(f"{len(pages)} pages, {faults} faults")
    return 1 if faults or len(pages) < 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
