/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Jacobi: the matrix without what lies outside blocks of equally many rows along its diagonal, inverted. */
#include <inttypes.h>

#include "solve/diagonal.h"

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    int block = precond->options.block;
    int64_t row;
    spry_status status = spry_diagonal_code_for(context, csr->type, csr->index)
                             ->invert_blocks(context, csr, block, precond->part, &row);
    if (status || row < 0)
        return status;
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "row %" PRId64 " (counted from 1): the block of %d rows that begins here is singular",
                     row + 1, precond->n - row < block ? (int)(precond->n - row) : block);
}

static size_t value_bytes(const spry_precond *precond) {
    return (size_t)precond->options.block * spry_type_size(precond->type);
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status =
        spry_allocate_array(context, (size_t)precond->n, value_bytes(precond), &precond->part);
    return status ? status : update(context, precond, csr);
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    return spry_diagonal_code_for(context, precond->type, precond->index)
        ->apply_blocks(context, precond->n, precond->options.block, precond->part, x, y);
}

static void destroy(spry_precond *precond) {
    spry_release(&precond->arrays, precond->part, (size_t)precond->n, value_bytes(precond));
}

const struct spry_precond_code spry_block_jacobi_code = {
    .name = "block-jacobi",
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
};
