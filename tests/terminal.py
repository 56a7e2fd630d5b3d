# SPDX-License-Identifier: BSD-3-Clause
"""What a program shows on a terminal."""

import os


def read_terminal(master):
    """All that was written to a pseudo-terminal whose other side is closed; it comes in pieces."""
    shown = b""
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            piece = b""
        if not piece:
            return shown.decode()
        shown += piece
