/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSR that are alike, as stencils and shapes share them. */
#ifndef SPRY_CONVERT_KINDS_H
#define SPRY_CONVERT_KINDS_H

#include "core/tmpl.h"

#include "formats/major.h"
#include "formats/stencil.h"

/* A row's entries, columns counted from `base`. */
struct row {
    int64_t number, length, base;
    const idx_t *idx;
    const val_t *val;
};

static inline struct row row_of(const compressed_t *rows, int64_t i) {
    int64_t first = rows->ptr[i] - rows->base;
    return (struct row){i, major_length(rows, i), rows->base, rows->idx + first, rows->val + first};
}

static inline int64_t offset_of(const struct row *row, int64_t k) {
    return row->idx[k] - row->base - row->number;
}

/* Take and fill the arrays that say which rows are alike in their offsets and, `with_values`, their values: numbers, pointers,
   offsets and values of a new matrix, whose `stencil` this is and which has no other arrays yet. SPRY_ERROR_UNSUPPORTED where different
   rows have the same key, whatever the salt; SPRY_ERROR_OVERFLOW where numbers do not hold that many. */
spry_status NAME(spry_make_kinds)(spry_context *context, const compressed_t *rows, bool with_values,
                                  spry_matrix *matrix, spry_stencil *stencil);

/* Whether each row has the offsets, and `with_values` the values, that its number stands for. */
bool NAME(spry_are_of_kinds)(const spry_context *context, const compressed_t *rows,
                             const spry_stencil *stencil, bool with_values);

#endif
