#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is built for which GPU, on machines of all kinds: test_configure.py SOURCE-FOLDER"""

import os
import shutil
import subprocess
import sys
import unittest

from scratch import Scratch

NO_GPU = "left out, as no GPU of compute capability 8.0 or later is seen; -Dcuda=enabled builds it all the same"


class GpuPart(Scratch):
    def program(self, name, script):
        os.chmod(self.file(name, f"#!/bin/sh\n{script}\n"), 0o755)

    def setup(self, *options):
        """What a set-up says of the GPU part, where the programs that were made come first."""
        path = f"{self.folder}:{os.environ['PATH']}"
        build = os.path.join(self.folder, "build")
        done = subprocess.run(["meson", "setup", build, source, "-Dtests=disabled", "-Dprograms=disabled", *options],
                              capture_output=True, text=True, env={**os.environ, "PATH": path})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = [line for line in done.stdout.splitlines() if "GPU part" in line]
        self.assertEqual(len(said), 1, done.stdout)
        return said[0].split(":", 1)[1].strip()

    def test_no_driver(self):
        self.program("nvidia-smi", "echo 'NVIDIA-SMI has failed'; exit 9")
        self.assertEqual(self.setup(), NO_GPU)

    def test_old_gpu(self):
        self.program("nvidia-smi", "echo 7.5")
        self.assertEqual(self.setup(), NO_GPU)

    def test_gpu_without_compiler(self):
        self.program("nvidia-smi", "echo 9.0")
        self.program("nvcc", "exit 1")
        self.assertEqual(self.setup(), "left out, as there is no nvcc that works")

    def test_disabled(self):
        self.program("nvidia-smi", "echo 9.0")
        self.assertEqual(self.setup("-Dcuda=disabled"), "left out, as -Dcuda=disabled says")

    @unittest.skipUnless(shutil.which("nvcc"), "nvcc is not installed")
    def test_gpus(self):
        self.program("nvidia-smi", "printf '9.0\\n7.5\\n8.0\\n9.0\\n'")
        self.assertRegex(self.setup(), r"^\d+ files of device code, each for sm_90 and sm_80 \(as the GPUs here are\)")

    @unittest.skipUnless(shutil.which("nvcc"), "nvcc is not installed")
    def test_gpu_that_the_compiler_does_not_know(self):
        self.program("nvidia-smi", "echo 99.9")
        self.assertRegex(self.setup(), r"^\d+ files of device code, each for sm_80 \(as no GPU is seen that nvcc knows")

    @unittest.skipUnless(shutil.which("nvcc"), "nvcc is not installed")
    def test_named(self):
        self.program("nvidia-smi", "exit 9")
        said = self.setup("-Dcuda=enabled", "-Dgpu_architectures=100,90")
        self.assertRegex(said, r"^\d+ files of device code, each for sm_100 and sm_90 \(as -Dgpu_architectures says\)")
        with open(os.path.join(self.folder, "build/src/cuda/oldest.h"), encoding="utf-8") as header:
            self.assertIn("#define SPRY_OLDEST_ARCHITECTURE 90\n", header.read())


if __name__ == "__main__":
    source = sys.argv.pop()
    unittest.main()
