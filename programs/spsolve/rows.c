/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/rows.h"

#include "common/integer.h"
#include "common/vector.h"

struct rows rows_of(const spry_matrix *csr) {
    spry_index_type index = spry_matrix_index(csr);
    return (struct rows){
        .arrays = spry_matrix_csr(csr),
        .type = spry_matrix_type(csr),
        .of_pointer = spry_pointer_size(index),
        .of_index = spry_index_size(index),
        .count = spry_matrix_rows(csr),
    };
}

int64_t rows_begin(const struct rows *rows, int64_t i) {
    return integer_at(rows->arrays->ptr, rows->of_pointer, i);
}

int64_t rows_column(const struct rows *rows, int64_t entry) {
    return integer_at(rows->arrays->idx, rows->of_index, entry);
}

double rows_value(const struct rows *rows, int64_t entry) {
    return vector_at(rows->type, rows->arrays->val, entry);
}
