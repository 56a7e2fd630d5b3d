#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the table of src/io/powers.h: the leading 128 bits of the powers of ten."""

import re
import sys


def leading_bits(q):
    """128 bits of 10^q with the highest set: rounded down, but up for -27 <= q < 0."""
    power = 10 ** abs(q)
    bits = power.bit_length()
    if q >= 0:
        return power >> (bits - 128) if bits > 128 else power << (128 - bits)
    return (1 << (bits + 127)) // power + (q >= -27)


def main(header, output):
    with open(header, encoding="ascii") as text:
        limits = dict(re.findall(r"#define (POWER_M\w+) \(?(-?\d+)\)?", text.read()))
    with open(output, "w", encoding="ascii") as table:
        table.write('/* Made by tools/powers_of_ten.py. */\n#include "io/powers.h"\n\n')
        table.write("const uint64_t spry_powers[POWER_MAX - POWER_MIN + 1][2] = {\n")
        for q in range(int(limits["POWER_MIN"]), int(limits["POWER_MAX"]) + 1):
            bits = leading_bits(q)
            assert bits.bit_length() == 128 and bits & (2**64 - 1) != 2**64 - 1
            table.write(f"    {{0x{bits >> 64:016x}, 0x{bits & (2**64 - 1):016x}}}, /* {q} */\n")
        table.write("};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
