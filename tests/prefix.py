# SPDX-License-Identifier: BSD-3-Clause
"""An installed library in a folder that it was not made for, and programs that are built there."""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77


def run(*command, fails=False, **options):
    """What a command prints; it must succeed, or fail."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8",
                          timeout=300, **options)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + (done.stderr if fails else "")


class Prefix:
    def __init__(self, build, folder):
        root = pathlib.Path(folder, "root")
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", root)
        self.libraries = next(root.rglob("spry.pc")).parent.parent
        self.path = next(root.rglob("include/spry")).parent.parent
        self.environment = {
            **os.environ,
            "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig"),
            "LD_LIBRARY_PATH": ":".join(filter(None, [str(self.libraries), os.environ.get("LD_LIBRARY_PATH")])),
        }

    def pkg_config(self, *options):
        """The description says where the library was to be; that is told otherwise here."""
        prefix = run("pkg-config", "--variable=prefix", "spry", env=self.environment).strip()
        words = run("pkg-config", *options, env=self.environment).split()
        return [word.replace(prefix, str(self.path), 1) for word in words]
