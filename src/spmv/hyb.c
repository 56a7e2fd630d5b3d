/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB: the product of the ELL part, then that of the COO part added to it. */
#include "spmv/parts.h"

void NAME(spry_hyb_run)(const struct spry_kernel *kernel, const spry_matrix *matrix, double alpha,
                        const void *x, double beta, void *y, void *scratch) {
    NAME(spry_rows_run)(kernel, matrix->hyb.ell, alpha, x, beta, y, scratch);
    if (matrix->hyb.coo->nnz > 0)
        NAME(spry_coo_run)(kernel, matrix->hyb.coo, alpha, x, 1, y, scratch);
}

static void transposed(const struct spry_kernel *kernel, const spry_matrix *matrix, double alpha,
                       const void *x, double beta, void *y, void *scratch) {
    (void)kernel;
    const spry_matrix *ell = matrix->hyb.ell, *coo = matrix->hyb.coo;
    ell->kernel[SPRY_T]->run(ell->kernel[SPRY_T], ell, alpha, x, beta, y, scratch);
    if (coo->nnz > 0)
        coo->kernel[SPRY_T]->run(coo->kernel[SPRY_T], coo, alpha, x, 1, y, scratch);
}

static bool parts_have_kernels(const spry_matrix *matrix) {
    return matrix->hyb.ell->kernel[SPRY_T] && matrix->hyb.coo->kernel[SPRY_T];
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("hyb", SPRY_HYB, SPRY_T), .takes = parts_have_kernels, .run = transposed},
};

const struct spry_kernel_list NAME(spry_kernels_hyb) = {sizeof kernels / sizeof *kernels, kernels};
