/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, in plain C. The transpose of CSC is the same product. */
#include "spmv/csr_many.h"

#include "core/saturate.h"
#include "core/split.h"
#include "formats/major.h"

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
    const struct csr_rows arrays = {rows.ptr, (const idx_t *)rows.idx - rows.base,
                                    (const stored_t *)matrix->csr.val - rows.base};
    struct many m = many_of(product, &arrays);
    m.x -= rows.base * m.x_step;
    const int64_t work = rows.nnz + rows.major;
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

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("csr_many", SPRY_CSR, SPRY_N), .many = true, .run = CODED(spry_csr_many_run),
     .part = (void (*)(void))part},
    {SPRY_KERNEL("csc_many", SPRY_CSC, SPRY_T), .many = true, .run = CODED(spry_csr_many_run),
     .part = (void (*)(void))part},
};

extern const struct spry_kernel_list CODED(spry_kernels_csr_many);
const struct spry_kernel_list CODED(spry_kernels_csr_many) = {sizeof kernels / sizeof *kernels, kernels};
