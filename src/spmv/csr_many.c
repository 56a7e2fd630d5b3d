/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, in plain C. The transpose of CSC is the same product. */
#include "spmv/csr_many.h"

static void part(const struct many *m, int64_t begin, int64_t end) {
    all_apart(m, begin, end);
}

static spry_status run(spry_context *context, const struct spry_kernel *kernel, const spry_matrix *matrix,
                       const struct spry_product *product) {
    return run_many(context, kernel, matrix, product, part);
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("csr_many", SPRY_CSR, SPRY_N), .many = true, .run = run},
    {SPRY_KERNEL("csc_many", SPRY_CSC, SPRY_T), .many = true, .run = run},
};

extern const struct spry_kernel_list NAME(spry_kernels_csr_many);
const struct spry_kernel_list NAME(spry_kernels_csr_many) = {sizeof kernels / sizeof *kernels, kernels};
