/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB: the product of the ELL part, then that of the COO part added to it. */
#include "spmv/parts.h"

/* What the second part adds to the first. */
static struct spry_product added(const struct spry_product *product) {
    struct spry_product more = *product;
    more.beta = 1;
    return more;
}

static spry_status part_run(spry_context *context, spry_op op, const spry_matrix *part,
                            const struct spry_product *product) {
    const struct spry_kernel *kernel = part->kernel[op];
    if (!kernel)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                         "every kernel for the %s part of a hyb matrix was disabled",
                         spry_format_name(part->format));
    return kernel->run(context, kernel, part, product);
}

spry_status SHARED(spry_hyb_run)(spry_context *context, const struct spry_kernel *kernel,
                                 const spry_matrix *matrix, const struct spry_product *product) {
    const struct spry_product more = added(product);
    spry_status status = SHARED(spry_rows_run)(context, kernel, matrix->hyb.ell, product);
    if (!status && matrix->hyb.coo->nnz > 0)
        status = part_run(context, SPRY_N, matrix->hyb.coo, &more);
    return status;
}

static spry_status transposed(spry_context *context, const struct spry_kernel *kernel,
                              const spry_matrix *matrix, const struct spry_product *product) {
    (void)kernel;
    const struct spry_product more = added(product);
    spry_status status = part_run(context, SPRY_T, matrix->hyb.ell, product);
    if (!status && matrix->hyb.coo->nnz > 0)
        status = part_run(context, SPRY_T, matrix->hyb.coo, &more);
    return status;
}

static bool parts_have_kernels(const spry_matrix *matrix) {
    return matrix->hyb.ell->kernel[SPRY_T] && matrix->hyb.coo->kernel[SPRY_T];
}

#define ROWS(INDEX)                                                                                          \
    { SPRY_KERNEL_OF(INDEX, "hyb", SPRY_HYB, SPRY_T), .takes = parts_have_kernels, .run = transposed }

SPRY_SHARED_LISTS(spry_kernels_hyb, ROWS)
