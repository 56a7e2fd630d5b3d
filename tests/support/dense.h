/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrices that lie in memory in all the ways that a view may have, and what a product of them should be. */
#ifndef TEST_DENSE_H
#define TEST_DENSE_H

#include "numbers.h"

/* How a matrix lies. */
enum layout {
    COLUMNS,        /* column after column */
    ROWS,           /* row after row */
    PADDED_COLUMNS, /* the same with room between them, and before the first */
    PADDED_ROWS,
    SPREAD, /* no stride is 1 */
    WRITTEN_LAYOUTS,
    REVERSED = WRITTEN_LAYOUTS, /* strides are negative; to be read only, as the last */
    REPEATED,                   /* all columns are the same: a stride is 0 */
    READ_LAYOUTS
};

extern const char *const layout_names[READ_LAYOUTS];

struct dense {
    struct numbers numbers;
    spry_view view; /* of the array on the host */
};

/* Random values, NaN around them, and a copy where the context works. */
struct dense dense_new(spry_context *context, spry_number type, int64_t rows, int64_t cols,
                       enum layout layout, uint64_t seed);
void dense_free(struct dense *dense);
/* All values, and their copy. */
void dense_fill(struct dense *dense, double value);
/* The view of the copy. */
spry_view dense_there(const struct dense *dense);
double dense_get(const struct dense *dense, int64_t i, int64_t j);

/*
 * How C differs from what alpha A B + beta C should be, with C as it was in `before`: null where it does not, which may
 * be by 4 (depth + 2) epsilon Σ |alpha a b| + |beta c|. Otherwise text that lasts until the next call. `c` is
 * fetched first. What is around its values must be as it was.
 */
const char *dense_difference(double alpha, const struct dense *a, const struct dense *b, double beta,
                             const struct dense *before, struct dense *c);

#endif
