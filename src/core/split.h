/* SPDX-License-Identifier: BSD-3-Clause */
/* How products are split among threads. */
#ifndef SPRY_SPLIT_H
#define SPRY_SPLIT_H

#include "core/internal.h"

/* Fill split->cut for split->parts parts of about the same work; or set split->parts to 0, if there are no such. */
typedef void spry_cut_function(const spry_matrix *matrix, struct spry_split *split);

/* Split a product that gathers. One that scatters: see core/scatter.h. */
spry_status spry_plan_gather(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut);

/* How many values of y a product has. */
static inline int64_t spry_outputs(const spry_matrix *matrix, spry_op op) {
    return op == SPRY_N ? matrix->rows : matrix->cols;
}

/* How much work there is before a unit, which never falls. */
typedef int64_t spry_work_before(const spry_matrix *matrix, int64_t unit);
/* The first unit with at least so much work before it, or `units`. */
int64_t spry_unit_from(const spry_matrix *matrix, int64_t units, int64_t work, spry_work_before *work_before);
/* Parts of about as much of the work in `total`, cut between units. */
void spry_cut_by_work(const spry_matrix *matrix, struct spry_split *split, int64_t units, int64_t total,
                      spry_work_before *work_before);

/* How many parts a product is worth in this context. */
int spry_split_parts(const spry_context *context, const spry_matrix *matrix, spry_op op);

/* Where part p of `parts` begins when n items are dealt out evenly. */
static inline int64_t spry_share(int64_t n, int p, int parts) {
    return n / parts * p + n % parts * p / parts;
}

#endif
