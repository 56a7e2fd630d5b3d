/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, in plain C. The transpose of CSC is the same product. */
#include "spmv/csr_many.h"

#include "core/saturate.h"
#include "core/split.h"
#include "formats/major.h"

/* Rows that are worked on while their part of y, and the columns of x that they share, are near at hand. */
#define NEAR_ROWS 256

/* The first row of a share of the work: of the entries, and of the rows themselves. Rows are not cut, so how many share
   the work shows in no result. */
static int64_t first_row(const compressed_t *rows, int64_t work) {
    int64_t row = NAME(spry_major_on_path)(rows, work);
    return row + (rows->ptr[row] - rows->base + row < work);
}

spry_status CODED(spry_csr_many_run)(spry_context *context, const struct spry_kernel *kernel,
                                     const spry_matrix *matrix, const struct spry_product *product) {
    many_part *part = (many_part *)kernel->part;
    const compressed_t rows = NAME(spry_compressed_of)(matrix);
    const struct many m = {
        .ptr = rows.ptr,
        .idx = rows.idx,
        .val = matrix->csr.val,
        .x = product->x,
        .y = product->y,
        .alpha = (val_t)product->alpha,
        .beta = (val_t)product->beta,
        .columns = product->columns,
        .x_step = product->x_step,
        .x_next = product->x_next,
        .y_step = product->y_step,
        .y_next = product->y_next,
        .base = rows.base,
    };
    const int64_t work = rows.nnz + rows.major;
    const int parts = spry_part_count(context, spry_multiply_counts(work, m.columns));
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        const int64_t end = first_row(&rows, spry_share(work, p + 1, parts));
        for (int64_t i = first_row(&rows, spry_share(work, p, parts)); i < end; i += NEAR_ROWS)
            part(&m, i, end - i < NEAR_ROWS ? end : i + NEAR_ROWS);
    }
    return SPRY_OK;
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    all_apart(m, begin, end);
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("csr_many", SPRY_CSR, SPRY_N), .many = true, .run = CODED(spry_csr_many_run),
     .part = (void (*)(void))part},
    {SPRY_KERNEL("csc_many", SPRY_CSC, SPRY_T), .many = true, .run = CODED(spry_csr_many_run),
     .part = (void (*)(void))part},
};

extern const struct spry_kernel_list CODED(spry_kernels_csr_many);
const struct spry_kernel_list CODED(spry_kernels_csr_many) = {sizeof kernels / sizeof *kernels, kernels};
