/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries that a symmetric file leaves out. */
#include "io/entry.h"

static void copy_value(const spry_matrix *matrix, int64_t from, int64_t to, bool negate) {
    if (matrix->type == SPRY_F64) {
        double *val = matrix->coo.val;
        val[to] = negate ? -val[from] : val[from];
    } else {
        float *val = matrix->coo.val;
        val[to] = negate ? -val[from] : val[from];
    }
}

void spry_mirror(const struct body *body, const struct piece *piece) {
    const spry_matrix *matrix = body->matrix;
    size_t size = spry_index_size(matrix->index);
    int64_t to = piece->to;
    bool negate = body->header->info.symmetry == SPRY_SKEW_SYMMETRIC;
    for (int64_t k = piece->first; k < piece->first + piece->count; k++) {
        int64_t row = load_integer(matrix->coo.row, size, k), col = load_integer(matrix->coo.col, size, k);
        if (row == col)
            continue;
        store_position(matrix, to, col, row);
        copy_value(matrix, k, to++, negate);
    }
}
