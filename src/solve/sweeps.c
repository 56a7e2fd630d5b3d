/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/sweeps.h"

#include "solve/diagonal.h"

spry_status spry_sweeps_open(spry_context *context, const struct spry_square *square,
                             const struct spry_pattern *pattern, spry_triangle triangle,
                             struct spry_sweeps *sweeps) {
    *sweeps = (struct spry_sweeps){0};
    return spry_substitution_by_row(context, square, pattern, triangle, &sweeps->triangle);
}

/* G in CSR, over the arrays of the triangle. */
static spry_matrix csr_of(const spry_context *context, const struct spry_substitution *triangle) {
    return (spry_matrix){.backend = context->backend,
                         .device = context->device_number,
                         .format = SPRY_CSR,
                         .type = triangle->type,
                         .index = triangle->index,
                         .rows = triangle->order.n,
                         .cols = triangle->order.n,
                         .nnz = triangle->nnz,
                         .sorted = true,
                         .csr = {.ptr = triangle->ptr, .idx = triangle->idx, .val = triangle->val}};
}

spry_status spry_sweeps_fill(spry_context *context, const struct spry_square *square,
                             const struct spry_scaling *scaling, const spry_storage *storage,
                             struct spry_sweeps *sweeps) {
    /* G is what a substitution subtracts and then divides, in one. */
    const struct spry_scaling ready = {.weight =
                                           -scaling->weight * (scaling->inverse != 0 ? scaling->inverse : 1),
                                       .inverse = scaling->inverse,
                                       .divide_rows = scaling->divide_rows || scaling->inverse != 0};
    spry_status status = spry_substitution_fill(context, square, &ready, &sweeps->triangle);
    if (status)
        return status;
    const spry_matrix csr = csr_of(context, &sweeps->triangle);
    return sweeps->matrix ? spry_update_values(context, sweeps->matrix, &csr)
                          : spry_keep(context, &csr, storage, &sweeps->matrix);
}

/* z_0 = D⁻¹ b. */
static spry_status begin(spry_context *context, const struct spry_substitution *triangle, const void *b,
                         void *z) {
    const int64_t n = triangle->order.n;
    if (!triangle->inverse)
        return spry_axpby(context, (spry_number)triangle->type, n, 1, b, 0, z);
    return spry_diagonal_code_for(context, triangle->type, triangle->index)
        ->apply(context, n, 1, triangle->inverse, b, 0, z);
}

spry_status spry_sweep(spry_context *context, const struct spry_sweeps *sweeps, int count, const void *b,
                       void *z, void *x) {
    /* z_k is in place[k % 2], and the last one in x. */
    void *const place[2] = {count % 2 ? z : x, count % 2 ? x : z};
    spry_status status = begin(context, &sweeps->triangle, b, place[0]);
    for (int k = 0; k < count && !status; k++) {
        status = begin(context, &sweeps->triangle, b, place[(k + 1) % 2]);
        if (!status)
            status = spry_spmv(context, SPRY_N, 1, sweeps->matrix, place[k % 2], 1, place[(k + 1) % 2]);
    }
    return status;
}

void spry_sweeps_release(struct spry_sweeps *sweeps) {
    spry_substitution_release(&sweeps->triangle);
    spry_matrix_destroy(sweeps->matrix);
    *sweeps = (struct spry_sweeps){0};
}
