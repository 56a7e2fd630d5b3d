/* SPDX-License-Identifier: BSD-3-Clause */
/* Why the fastest format is the fastest, in one sentence. */
#ifndef SPRY_SPBENCH_REASON_H
#define SPRY_SPBENCH_REASON_H

#include "spbench/report.h"

/* Write the sentence for the fastest row of a place to `text`, of `size` bytes, 400 at least. */
void reason_write(const struct report *report, const struct result *fastest, char *text, size_t size);

/* Write that two rows are as good as equal, and what spread says so if that is the reason; returns how long it is. */
int reason_tie(char *text, size_t size, const struct result *result, const struct result *other);

#endif
