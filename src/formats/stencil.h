/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows by their stencils: what all that makes, checks and multiplies such matrices shares. */
#ifndef SPRY_FORMATS_STENCIL_H
#define SPRY_FORMATS_STENCIL_H

#include "analysis/stencil_key.h"

/* Stencils that a number of so many bytes tells apart. */
SPRY_HOST_AND_DEVICE int64_t spry_stencils_told(int64_t number_size) {
    return (int64_t)1 << 8 * number_size;
}

/* Stencils at most: numbers have 4 bytes at most. */
#define SPRY_STENCILS_MOST ((int64_t)1 << 32)

/* The fewest bytes that tell so many stencils apart. */
SPRY_HOST_AND_DEVICE int64_t spry_stencil_number_size(int64_t count) {
    return count <= spry_stencils_told(1) ? 1 : count <= spry_stencils_told(2) ? 2 : 4;
}

/* ---- one stencil, and the numbers of rows ---- */

#if defined(SPRY_TMPL_TYPE) && !defined(__cplusplus)
#include "core/split.h"
#include "core/table.h"
#include "core/tmpl.h"

/* The number of a row's stencil. */
static inline int64_t stencil_number(const spry_stencil *stencil, int64_t row) {
    switch (stencil->number_size) {
    case 1:
        return ((const uint8_t *)stencil->number)[row];
    case 2:
        return ((const uint16_t *)stencil->number)[row];
    default:
        return ((const uint32_t *)stencil->number)[row];
    }
}

/* A list of offsets and values; null where rows have values of their own. */
struct stencil_entries {
    int64_t length;
    const idx_t *offset;
    const val_t *val;
};

static inline struct stencil_entries stencil_at(const spry_stencil *stencil, int64_t number) {
    const ptr_t *ptr = (const ptr_t *)stencil->ptr;
    return (struct stencil_entries){ptr[number + 1] - ptr[number],
                                    (const idx_t *)stencil->offset + ptr[number],
                                    stencil->val ? (const val_t *)stencil->val + ptr[number] : NULL};
}

/* The first row behind row + period - 1, below `last`, that has another stencil than the one `period` rows before it; `last` if
   there is none. With a period of 1 all rows from `row` on have the same stencil; with 3, as where each node of a grid has three
   unknowns, every third. */
int64_t NAME(spry_stencil_run_end)(const spry_stencil *stencil, int64_t row, int64_t period, int64_t last);

/* ---- what stencils and shapes have in common: a shape begins with a stencil, so that both are matrix->stencil ---- */

_Static_assert(offsetof(spry_shape, rows) == 0, "both are members of a union");

/* Faults of the numbers, the offsets and the values that stencils have. */
spry_status NAME(spry_stencil_check)(spry_context *context, const spry_matrix *matrix, unsigned flags);

/* Parts of as many rows and entries, each beginning at a multiple of `step` rows. */
void NAME(spry_stencil_cut)(const spry_matrix *matrix, int64_t step, struct spry_split *split);

/* The outputs of the part from begin[0] to begin[1] of the product with the transpose. */
struct spry_window NAME(spry_stencil_span)(const spry_matrix *matrix, const struct spry_cut *begin);

/* The arrays that the layouts have in common; how many. */
int NAME(spry_stencil_arrays)(spry_matrix *matrix, spry_stencil *stencil, struct spry_array *array);

#endif

#endif
