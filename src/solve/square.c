/* SPDX-License-Identifier: BSD-3-Clause */
/* Square matrices whose diagonal is known, and their patterns on the host. */
#include "solve/triangle.h"

#include <inttypes.h>

spry_status spry_square_open(spry_context *context, const spry_matrix *csr, struct spry_square *square,
                             struct spry_square_faults *faults) {
    *square = (struct spry_square){
        .n = csr->rows, .nnz = csr->nnz, .type = csr->type, .index = csr->index, .csr = csr->csr};
    spry_status status =
        spry_allocate_array(context, (size_t)csr->rows, spry_pointer_size(csr->index), &square->diagonal);
    return status ? status
                  : spry_triangle_code(context, csr->type, csr->index)->locate(context, square, faults);
}

void spry_square_close(const spry_allocator *arrays, struct spry_square *square) {
    spry_release(arrays, square->diagonal, (size_t)square->n, spry_pointer_size(square->index));
    square->diagonal = NULL;
}

spry_status spry_square_check_diagonal(spry_context *context, const struct spry_square_faults *faults) {
    return faults->missing < 0 ? SPRY_OK
                               : spry_fail(context, SPRY_ERROR_INVALID,
                                           "row %" PRId64 " (counted from 1) has no entry on the diagonal",
                                           faults->missing + 1);
}

/* ---- patterns ---- */

static spry_status fetch(spry_context *context, const void *array, int64_t count, size_t size, void **host) {
    spry_status status = spry_allocate(context, (size_t)count, size, host);
    return status ? status : context->code->copy(context, *host, array, (size_t)count * size);
}

spry_status spry_pattern_open(spry_context *context, const struct spry_square *square,
                              struct spry_pattern *pattern) {
    *pattern = (struct spry_pattern){.n = square->n,
                                     .nnz = square->nnz,
                                     .ptr_size = spry_pointer_size(square->index),
                                     .idx_size = spry_index_size(square->index)};
    if (context->backend == SPRY_CPU) {
        pattern->ptr = square->csr.ptr;
        pattern->idx = square->csr.idx;
        return SPRY_OK;
    }
    spry_status status = fetch(context, square->csr.ptr, square->n + 1, pattern->ptr_size, &pattern->ptr);
    return status ? status : fetch(context, square->csr.idx, square->nnz, pattern->idx_size, &pattern->idx);
}

void spry_pattern_close(spry_context *context, struct spry_pattern *pattern) {
    if (context->backend == SPRY_CPU)
        return;
    spry_release(&context->allocator, pattern->ptr, (size_t)pattern->n + 1, pattern->ptr_size);
    spry_release(&context->allocator, pattern->idx, (size_t)pattern->nnz, pattern->idx_size);
}
