/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/blocks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

/* The most that so wide an integer of the library counts. */
static int64_t most_of(size_t width) {
    return width == sizeof(int32_t) ? INT32_MAX : INT64_MAX / 2;
}

static bool holds(size_t width, int64_t count, int copies, const char *what, const spry_matrix *csr,
                  char *why, size_t size) {
    int64_t together;
    if (__builtin_mul_overflow(count, copies, &together))
        together = INT64_MAX;
    if (together <= most_of(width))
        return true;
    snprintf(why, size, "%d copies have %s %s, more than %s counts%s", copies, number_count(together).text,
             what, spry_index_name(spry_matrix_index(csr)),
             width == sizeof(int32_t) ? "; --index i64 has room" : "");
    return false;
}

bool blocks_fit(const spry_matrix *csr, int copies, char *why, size_t size) {
    spry_index_type index = spry_matrix_index(csr);
    return holds(spry_index_size(index), spry_matrix_rows(csr), copies, "rows", csr, why, size) &&
           holds(spry_index_size(index), spry_matrix_cols(csr), copies, "columns", csr, why, size) &&
           holds(spry_pointer_size(index), spry_matrix_nnz(csr), copies, "nonzeros", csr, why, size);
}

/* `count` integers of this width, each with `add` added, to place `at` of an array of such. */
static void copy_shifted(void *to, int64_t at, const void *from, int64_t count, size_t width, int64_t add) {
    if (width == sizeof(int32_t))
        for (int64_t i = 0; i < count; i++)
            ((int32_t *)to)[at + i] = ((const int32_t *)from)[i] + (int32_t)add;
    else
        for (int64_t i = 0; i < count; i++)
            ((int64_t *)to)[at + i] = ((const int64_t *)from)[i] + add;
}

/* A thread a copy, where there can be as many. The pointers of a copy begin where those of the one before end. */
static void fill(const spry_context *context, const spry_matrix *csr, int copies, const spry_csr *to) {
    const spry_csr *from = spry_matrix_csr(csr);
    spry_index_type index = spry_matrix_index(csr);
    int64_t rows = spry_matrix_rows(csr), cols = spry_matrix_cols(csr), nnz = spry_matrix_nnz(csr);
    size_t pointer = spry_pointer_size(index), bytes = (size_t)nnz * spry_type_size(spry_matrix_type(csr));
#pragma omp parallel for num_threads(spry_context_team(context))
    for (int i = 0; i < copies; i++) {
        copy_shifted(to->ptr, i * rows, from->ptr, rows, pointer, i * nnz);
        copy_shifted(to->idx, i * nnz, from->idx, nnz, spry_index_size(index), i * cols);
        if (bytes > 0)
            memcpy((char *)to->val + (size_t)i * bytes, from->val, bytes);
    }
    copy_shifted(to->ptr, copies * rows, (const char *)from->ptr + (size_t)rows * pointer, 1, pointer,
                 (copies - 1) * nnz);
}

spry_status blocks_make(spry_context *context, const spry_matrix *csr, int copies, struct blocks *blocks) {
    spry_index_type index = spry_matrix_index(csr);
    spry_value_type type = spry_matrix_type(csr);
    int64_t rows = copies * spry_matrix_rows(csr), cols = copies * spry_matrix_cols(csr);
    /* One more than there are entries, so that no array is empty. */
    size_t slots = (size_t)copies * (size_t)spry_matrix_nnz(csr) + 1;
    spry_csr *arrays = &blocks->arrays;
    arrays->ptr = malloc(((size_t)rows + 1) * spry_pointer_size(index));
    arrays->idx = malloc(slots * spry_index_size(index));
    arrays->val = malloc(slots * spry_type_size(type));
    if (!arrays->ptr || !arrays->idx || !arrays->val)
        return SPRY_ERROR_MEMORY;
    fill(context, csr, copies, arrays);
    return spry_wrap_csr(context, type, index, rows, cols, arrays, &blocks->matrix);
}

void blocks_free(struct blocks *blocks) {
    spry_matrix_destroy(blocks->matrix);
    free(blocks->arrays.ptr);
    free(blocks->arrays.idx);
    free(blocks->arrays.val);
    *blocks = (struct blocks){.matrix = NULL};
}
