/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR to CSR: a copy with base 0 and sorted rows. */
#include <string.h>

#include "convert/turn.h"
#include "core/table.h"

static spry_status copy(spry_context *context, const spry_matrix *from, const spry_convert_options *options,
                        spry_matrix *to) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, to);
    if (status)
        return status;
    slices_t source = NAME(spry_slices_of)(from), target = NAME(spry_slices_of)(to);
    int base = source.base;
#pragma omp parallel num_threads(context->threads) if (source.nnz > context->grain)
    {
#pragma omp for nowait
        for (int64_t i = 0; i <= source.slices; i++)
            target.ptr[i] = source.ptr[i] - (ptr_t)base;
#pragma omp for
        for (int64_t k = 0; k < source.nnz; k++) {
            target.idx[k] = source.idx[k] - (idx_t)base;
            target.val[k] = source.val[k];
        }
    }
    return from->sorted ? SPRY_OK : NAME(spry_sort_slices)(context, &target);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    return copy(context, csr, options, matrix);
}

static bool same_pattern(const slices_t *a, const slices_t *b) {
    for (int64_t i = 0; i <= a->slices; i++)
        if (a->ptr[i] - a->base != b->ptr[i] - b->base)
            return false;
    for (int64_t k = 0; k < a->nnz; k++)
        if (a->idx[k] - a->base != b->idx[k] - b->base)
            return false;
    return true;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    (void)context;
    slices_t target = NAME(spry_slices_of)(matrix), source = NAME(spry_slices_of)(csr);
    if (!same_pattern(&target, &source))
        return SPRY_ERROR_PATTERN;
    memmove(target.val, source.val, (size_t)source.nnz * sizeof(val_t));
    return SPRY_OK;
}

const struct spry_convert_code NAME(spry_csr_convert) = {
    .from_csr = from_csr,
    .to_csr = copy,
    .update = update,
};
