/* SPDX-License-Identifier: BSD-3-Clause */
/* Measure the formats of one matrix. */
#ifndef SPRY_BENCH_MEASURE_H
#define SPRY_BENCH_MEASURE_H

#include "bandwidth.h"
#include "report.h"

/*
 * Build each format that report->options asks for from source->matrix, which is released as soon as it is in
 * CSR, and time its products. Fills all of `report` but cpu, options and source, which are set. A format that
 * fails is a row. On failure of anything else the context, or the status alone, says why; report->results is
 * the caller's to free in any case.
 */
spry_status measure_formats(spry_context *context, struct source *source, const struct bandwidth *bandwidth,
                            struct report *report);

#endif
