/* SPDX-License-Identifier: BSD-3-Clause */
/* COO in row order with vector registers: runs of entries of one row are summed a register at a time, as long as the last entry
   of a register is still of that row, and what is left one by one. */
#include "spmv/coo.h"
#include "spmv/simd.h"

static val_t runs(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                  val_t beta, val_t *y) {
    const int base = matrix->coo.base;
    const idx_t *row = matrix->coo.row, *col = matrix->coo.col;
    const val_t *val = matrix->coo.val;
    struct rows_done done = rows_begin(matrix, begin, alpha, beta, y);
    x -= base;
    for (int64_t k = begin; k < end;) {
        const idx_t i = row[k];
        val_t sum = 0;
        if (k + LANES <= end && row[k + LANES - 1] == i) {
            vec lanes = v_zero();
            for (; k + LANES <= end && row[k + LANES - 1] == i; k += LANES)
                lanes = v_fma(v_load(val + k), v_gather(x, col + k), lanes);
            sum = v_sum(lanes);
        }
        for (; k < end && row[k] == i; k++)
            sum += val[k] * x[col[k]];
        rows_put(&done, i - base, sum);
    }
    return rows_end(&done, matrix, end);
}

#define ROWS(INDEX)                                                                                          \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, SIMD_NAME("coo"), SPRY_COO, SPRY_N),                                           \
            .needs = SIMD_NEEDS, .takes = SHARED(spry_in_row_order), .run = SHARED(spry_coo_run),            \
            .work = SHARED(spry_coo_work), .part = (void (*)(void))runs                                      \
    }

SPRY_SHARED_LISTS(SIMD_KERNELS(coo), ROWS)
