# SPDX-License-Identifier: BSD-3-Clause
"""The formats that the library has, in the order of its list."""

import os
import re

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include", "spry", "types.h")

with open(HEADER, encoding="utf-8") as file:
    FORMATS = re.findall(r"^ +X\([A-Z]+, (\w+), ", file.read(), re.MULTILINE)
