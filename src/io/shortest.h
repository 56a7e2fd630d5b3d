/* SPDX-License-Identifier: BSD-3-Clause */
/* Floats and doubles to text that reads back as the same bits, with as few digits as that takes. */
#ifndef SPRY_IO_SHORTEST_H
#define SPRY_IO_SHORTEST_H

#include <stddef.h>

/* Characters that one number needs at most. */
#define SHORTEST_SIZE 32

/* Write a number to `text`, without a zero at its end. Returns its length. NaN loses its sign and payload. */
size_t spry_format_f64(double value, char *text);
size_t spry_format_f32(float value, char *text);

#endif
