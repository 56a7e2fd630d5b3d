/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring one matrix in one place. */
#ifndef SPRY_SPBENCH_BENCH_H
#define SPRY_SPBENCH_BENCH_H

#include "measuring/place.h"
#include "spbench/report.h"
#include "spbench/subject.h"

struct bench {
    struct place *place;
    struct report *report;
    const struct subject *subject;
    spry_matrix *csr;   /* there */
    double csr_seconds; /* that making it took */
    void *x, *y;        /* there */
};

/* Make bench->x, with the subject's values, and bench->y. bench_close_vectors is due in any case. */
spry_status bench_open_vectors(struct bench *bench);
void bench_close_vectors(struct bench *bench);

/* ---- row.c ---- */

/* Check and time a product that reads and writes bench->x and bench->y, and fill in its figures. What the row is,
   with `bytes`, is set; `padding` are those of them that a kernel may pass by. */
void row_measure(const struct bench *bench, timed_call *multiply, void *user, size_t padding,
                 struct result *row);

/* The row of a product with a matrix in this place, by a kernel or, where that is null, by the one that the library takes.
   Its status is INTERRUPTED when Ctrl-C came. */
struct result row_of_product(const struct bench *bench, const spry_matrix *matrix, const spry_kernel *kernel,
                             double convert_seconds);

/* A row of a storage that could not be made. */
struct result row_of_nothing(const spry_storage *storage);

/* The row failed, and says why. */
void row_fail(const struct bench *bench, struct result *row, spry_status status);

/* The next row of the report. */
struct result *row_add(const struct bench *bench, struct result row);

/* ---- measure_peers.c ---- */

/* The rows of place->library. */
void measure_peers(const struct bench *bench);

#endif
