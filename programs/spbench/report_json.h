/* SPDX-License-Identifier: BSD-3-Clause */
/* What JSON objects on a matrix have in common, whatever was measured of it. */
#ifndef SPRY_SPBENCH_REPORT_JSON_H
#define SPRY_SPBENCH_REPORT_JSON_H

#include <jansson.h>

#include "spbench/report.h"

/* All of a report, as --json prints it. Null when memory ran out. The caller releases it. */
json_t *report_json(const struct report *report);

/* The members "matrix" and "read". */
json_t *report_json_matrix(const struct report *report);
json_t *report_json_read(const struct source *source);

/* Values of rows; null for what was not measured. */
json_t *report_json_spread(bool measured, const struct spread *seconds);
json_t *report_json_truth(bool measured, bool value);

#endif
