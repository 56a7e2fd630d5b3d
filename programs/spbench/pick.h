/* SPDX-License-Identifier: BSD-3-Clause */
/* The selector's word on a matrix, held against what was measured. */
#ifndef SPRY_SPBENCH_PICK_H
#define SPRY_SPBENCH_PICK_H

#include "spbench/bench.h"

/* Fill in the predictions of the rows of bench->place, all of which are measured, and the report's pick there. That the
   selector refuses is part of the report; other failures are returned. */
spry_status pick_judge(const struct bench *bench);

/* Say what was picked, how it compares, and why: one sentence in the characters of the locale. */
void pick_write(const struct report *report, spry_backend backend, char *text, size_t size);

#endif
