/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, in plain C. The transpose of CSC is the same product. */
#include "spmv/csr_many.h"

#include "core/saturate.h"
#include "core/split.h"

/* The first row that has no less than so many entries and rows before it. Rows are not cut, so how many threads share the
   work shows in no result. */
static int64_t first_row(const struct csr_rows *rows, int64_t work) {
    int64_t low = 0, high = rows->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (csr_begin(rows, middle) - rows->matrix->csr.base + middle < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

spry_status CODED(spry_csr_many_run)(spry_context *context, const struct spry_kernel *kernel,
                                     const spry_matrix *matrix, const struct spry_product *product) {
    many_part *part = (many_part *)kernel->part;
    const int base = matrix->csr.base;
    const struct csr_rows rows = {matrix, kernel->op == SPRY_N ? matrix->rows : matrix->cols,
                                  (const idx_t *)matrix->csr.idx - base,
                                  (const stored_t *)matrix->csr.val - base};
    struct many m = many_of(product, &rows);
    m.x -= base * m.x_step;
    const int64_t work = matrix->nnz + rows.count;
    const int parts = spry_part_count(context, spry_multiply_counts(work, m.columns));
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        const int64_t end = first_row(&rows, spry_share(work, p + 1, parts));
        for (int64_t i = first_row(&rows, spry_share(work, p, parts)); i < end; i += SPRY_MANY_NEAR)
            part(&m, i, end - i < SPRY_MANY_NEAR ? end : i + SPRY_MANY_NEAR);
    }
    return SPRY_OK;
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    all_columns(m, begin, end, csr_columns);
}

#define ROWS(INDEX)                                                                                          \
    {SPRY_KERNEL_OF(INDEX, "csr_many", SPRY_CSR, SPRY_N), .many = true, .run = CODED(spry_csr_many_run),     \
     .part = (void (*)(void))part},                                                                          \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, "csc_many", SPRY_CSC, SPRY_T), .many = true, .run = CODED(spry_csr_many_run),  \
                                                             .part = (void (*)(void))part                    \
    }

SPRY_SHARED_LISTS(spry_kernels_csr_many, ROWS)
