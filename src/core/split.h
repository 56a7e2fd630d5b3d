/* SPDX-License-Identifier: BSD-3-Clause */
/* How products are split among threads. */
#ifndef SPRY_SPLIT_H
#define SPRY_SPLIT_H

#include "core/team.h"

/* Fill split->cut for split->parts parts of about the same work. */
typedef void spry_cut_function(const spry_matrix *matrix, struct spry_split *split);
/* The outputs that the part from begin[0] to begin[1] scatters to; count 0 for a part without entries. */
typedef struct spry_window spry_span_function(const spry_matrix *matrix, const struct spry_cut *begin);

/* Split the product that gathers. */
spry_status spry_plan_gather(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut);
/* Split the product that scatters to `outputs` values, each part to a window of scratch memory of its own.
   Takes fewer parts where the windows together would outweigh the matrix. */
spry_status spry_plan_scatter(spry_context *context, spry_matrix *matrix, spry_op op, int64_t outputs,
                              spry_cut_function *cut, spry_span_function *span);

/* How many threads n items of work are worth: at least one. */
static inline int spry_part_count(const spry_context *context, int64_t n) {
    int64_t worth = n / context->grain;
    return worth < 1 ? 1 : worth < context->threads ? (int)worth : context->threads;
}

/* A team for n items of work. */
static inline int spry_part_team(const spry_context *context, int64_t n) {
    return spry_team(spry_part_count(context, n));
}

/* Where part p of `parts` begins when n items are dealt out evenly. */
static inline int64_t spry_share(int64_t n, int p, int parts) {
    return n / parts * p + n % parts * p / parts;
}

#endif
