/* SPDX-License-Identifier: BSD-3-Clause */
/* A small picture of how long the rows are. */
#ifndef SPRY_SPBENCH_HISTOGRAM_H
#define SPRY_SPBENCH_HISTOGRAM_H

#include <spry/spry.h>

/* Rows that have `low` to `high` entries. */
struct range {
    int64_t low, high, rows;
};

/* A range of the empty rows, if any, and at most 8 of other lengths: returns how many. */
#define HISTOGRAM_BARS 9
int histogram_ranges(const spry_row_lengths *lengths, struct range range[HISTOGRAM_BARS]);

/* Print a bar for the empty rows, if any, and at most 8 for ranges of lengths, `indent` columns in. */
void histogram_print(const spry_row_lengths *lengths, int indent);

#endif
