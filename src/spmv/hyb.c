/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB: the product of the ELL part, and that of the COO part added to it. */
#include "core/team.h"
#include "spmv/coo.h"

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

/* Each thread multiplies by its rows of the ELL part and, while their y is near at hand, by what they spill. */
static void run_together(NAME(spry_rows_part) * rows, NAME(spry_runs_part) * runs, const spry_matrix *matrix,
                         const struct spry_product *product) {
    const struct spry_split *split = &matrix->plan.split[SPRY_N];
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta, *x = product->x;
    val_t *y = product->y;
#pragma omp parallel for num_threads(spry_team(split->parts)) schedule(static, 1)
    for (int p = 0; p < split->parts; p++) {
        const struct spry_cut *begin = &split->cut[p], *end = begin + 1;
        rows(matrix->hyb.ell, begin->unit, end->unit, alpha, x, beta, y);
        runs(matrix->hyb.coo, begin->entry, end->entry, alpha, x, 1, y);
    }
}

/* Where parts of whole rows are not even, the COO part has those of its own. */
spry_status SHARED(spry_hyb_run)(spry_context *context, const struct spry_kernel *kernel,
                                 const spry_matrix *matrix, const struct spry_product *product) {
    const spry_matrix *coo = matrix->hyb.coo;
    const struct spry_kernel *runs = coo->kernel[SPRY_N];
    if (coo->nnz > 0 && runs && matrix->plan.split[SPRY_N].parts > 1) {
        run_together((NAME(spry_rows_part) *)kernel->part, (NAME(spry_runs_part) *)runs->part, matrix,
                     product);
        return SPRY_OK;
    }
    const struct spry_product more = added(product);
    spry_status status = SHARED(spry_rows_run)(context, kernel, matrix->hyb.ell, product);
    return !status && coo->nnz > 0 ? part_run(context, SPRY_N, coo, &more) : status;
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
