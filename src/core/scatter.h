/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits of products that scatter. Where their parts scatter to, only the indices say, all of them; and most matrices are
 * never multiplied so. What was left for the first such product is then made once, whichever thread and context comes first:
 * it depends on the context that built the matrix alone. All memory for it is taken when the matrix is built.
 */
#ifndef SPRY_CORE_SCATTER_H
#define SPRY_CORE_SCATTER_H

#include "core/split.h"

/*
 * A part of a product that scatters is a few pieces, one after the other. What an earlier part adds to is that part's own, so
 * the first pieces add to a window of scratch memory, up to the last that reaches back there, and all behind them to y. Of a
 * band that is the first piece, in most cases; of a matrix whose columns lie anywhere the first part adds to y, and all others
 * to windows.
 */
struct spry_scatter_part {
    int begin, direct, end;    /* pieces; from `direct` on they add to y */
    struct spry_window window; /* what those before that touch */
    struct spry_window own;    /* of y: for this part to scale; together those of all parts are y */
};

struct spry_scatter_split {
    int parts;
    int threads;                    /* the builder's, more than the parts where windows are wide */
    struct spry_cut *cut;           /* piece i goes from cut[i] to cut[i + 1] */
    struct spry_window *touched;    /* by each piece; all of y where there is one part, which is one piece */
    struct spry_scatter_part *part; /* parts */
    size_t scratch;                 /* bytes of workspace that the windows take together */
};

/* The output behind its last. */
static inline int64_t spry_window_end(struct spry_window window) {
    return window.first + window.count;
}

/* Outputs low … high; none where `high` is negative. */
static inline struct spry_window spry_window_between(int64_t low, int64_t high) {
    return high < 0 ? (struct spry_window){0, 0} : (struct spry_window){low, high - low + 1};
}

/* The outputs that the piece from begin[0] to begin[1] scatters to; count 0 for one without entries. */
typedef struct spry_window spry_span_function(const spry_matrix *matrix, const struct spry_cut *begin);

/* See to it that this product can be split when it is first asked for: both functions are called then, and may look at nothing
   but what never changes. Takes fewer parts where the windows together would outweigh the matrix. */
spry_status spry_plan_scatter(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut,
                              spry_span_function *span);

/* Split both products with a matrix that is stored by rows: y = A x gathers, y = Aᵀ x scatters. */
spry_status spry_plan_by_rows(spry_context *context, spry_matrix *matrix, spry_cut_function *cut,
                              spry_span_function *span);

/* The split of a product that scatters, made by the first call. Any number of threads may call it at once. */
const struct spry_scatter_split *spry_scatter_split(const spry_matrix *matrix, spry_op op);

/* Release what spry_plan_scatter took, if it was called. */
void spry_scatter_free(spry_matrix *matrix, spry_op op);

#endif
