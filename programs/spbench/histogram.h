/* SPDX-License-Identifier: BSD-3-Clause */
/* A small picture of how long the rows are. */
#ifndef SPRY_SPBENCH_HISTOGRAM_H
#define SPRY_SPBENCH_HISTOGRAM_H

#include <spry/spry.h>

/* Print a bar for the empty rows, if any, and at most 8 for ranges of lengths, `indent` columns in. */
void histogram_print(const spry_row_lengths *lengths, int indent);

#endif
