/* SPDX-License-Identifier: BSD-3-Clause */
/* Measure the formats of one matrix. */
#ifndef SPRY_SPBENCH_MEASURE_H
#define SPRY_SPBENCH_MEASURE_H

#include "spbench/report.h"

/*
 * In each of report->places, build the formats that report->options asks for from source->matrix, which is
 * released as soon as it is in CSR, and time their products. `host` is a context on the CPU. Fills in all of
 * `report` but options, source and places, which are set. A format that fails is a row. On failure of anything else
 * `message`, of `size` bytes, says why; INTERRUPTED when Ctrl-C came: the rows that were done by then are there, and
 * report->interrupted says what was not. report->results is the caller's to free in any case.
 */
spry_status measure_formats(spry_context *host, struct source *source, struct report *report, char *message,
                            size_t size);

#endif
