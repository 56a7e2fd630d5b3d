/* SPDX-License-Identifier: BSD-3-Clause */
/* What spsolve prints of a run. */
#ifndef SPRY_SPSOLVE_REPORT_H
#define SPRY_SPSOLVE_REPORT_H

#include "spsolve/compare.h"
#include "spsolve/run.h"

/* Lines for a person: the matrix and what it is solved with, printed before that; and what came of it. */
void report_heading(const struct run *run);
void report_summary(const struct run *run);

/* Of a comparison: the matrix, before it; and the table. Returns other than 0 when memory ran out. */
void report_comparison_heading(const struct comparison *comparison);
int report_comparison(const struct comparison *comparison);

/* One line of JSON: of a run, of a comparison, and of one that failed. They return other than 0 when memory ran out. */
int report_json(const struct run *run);
int report_json_comparison(const struct comparison *comparison);
int report_json_failure(const struct system *system);

#endif
