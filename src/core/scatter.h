/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits of products that scatter. Where their parts scatter to, only the indices say, all of them; and most matrices are
 * never multiplied so. What was left for the first such product is then made once, whichever thread and context comes first:
 * it depends on the context that built the matrix alone. All memory for it is taken when the matrix is built.
 */
#ifndef SPRY_CORE_SCATTER_H
#define SPRY_CORE_SCATTER_H

#include "core/split.h"

/* The outputs that the part from begin[0] to begin[1] scatters to; count 0 for a part without entries. */
typedef struct spry_window spry_span_function(const spry_matrix *matrix, const struct spry_cut *begin);

/* See to it that this product can be split when it is first asked for, each part with a window of scratch memory of its own:
   both functions are called then, and may look at nothing but what never changes. Takes fewer parts where the windows together
   would outweigh the matrix. */
spry_status spry_plan_scatter(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut,
                              spry_span_function *span);

/* The split of a product that scatters, made by the first call. Any number of threads may call it at once. */
const struct spry_split *spry_scatter_split(const spry_matrix *matrix, spry_op op);

/* Release what spry_plan_scatter took, if it was called. */
void spry_scatter_free(spry_matrix *matrix, spry_op op);

#endif
