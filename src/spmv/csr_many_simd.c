/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, with vector registers where columns lie side by side. */
#include "spmv/csr_many.h"
#include "spmv/many_simd.h"

/* Ask for entries that lie ahead, if they come from memory. Beside a row of X for each, a branch takes no time. */
INLINE void ask_ahead(const struct csr_rows *rows, int64_t k) {
    if (!rows->matrix->plan.far)
        return;
    v_prefetch(rows->val + k + SPRY_AHEAD);
    v_prefetch(rows->idx + k + SPRY_AHEAD);
}

/* Entries of a row go to four sums in turn, as an addition takes longer than a load: a column has the same bits in whatever
   company. */
INLINE void beside(const struct many *m, int64_t begin, int64_t end, struct beside c) {
    const struct csr_rows *rows = m->rows;
    const idx_t *idx = rows->idx;
    const stored_t *val = rows->val;
    const val_t *x = m->x + c.first;
    const int64_t step = m->x_step;
    for (int64_t i = begin; i < end; i++) {
        vec sum[4][MANY_REGISTERS];
        for (int r = 0; r < c.registers; r++)
            sum[0][r] = sum[1][r] = sum[2][r] = sum[3][r] = v_zero();
        int64_t k = csr_begin(rows, i), last = csr_begin(rows, i + 1);
        for (; k + 4 <= last; k += 4) {
            ask_ahead(rows, k);
            add_entry(val[k], x + idx[k] * step, c, sum[0]);
            add_entry(val[k + 1], x + idx[k + 1] * step, c, sum[1]);
            add_entry(val[k + 2], x + idx[k + 2] * step, c, sum[2]);
            add_entry(val[k + 3], x + idx[k + 3] * step, c, sum[3]);
        }
        ask_ahead(rows, k);
        if (k < last)
            add_entry(val[k], x + idx[k] * step, c, sum[0]);
        if (k + 1 < last)
            add_entry(val[k + 1], x + idx[k + 1] * step, c, sum[1]);
        if (k + 2 < last)
            add_entry(val[k + 2], x + idx[k + 2] * step, c, sum[2]);
        for (int r = 0; r < c.registers; r++)
            sum[0][r] = v_add(v_add(sum[0][r], sum[1][r]), v_add(sum[2][r], sum[3][r]));
        put_beside(m, i, c, sum[0]);
    }
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    if (m->x_next == 1)
        all_beside(m, begin, end, beside);
    else
        all_columns(m, begin, end, csr_columns);
}

#define ROWS(INDEX)                                                                                          \
    SPRY_DECODING(INDEX, SIMD_NAME("csr_many"), SPRY_CSR, SPRY_N, .needs = SIMD_NEEDS, .many = true,         \
                  .run = CODED(spry_csr_many_run), .part = (void (*)(void))part),                            \
        SPRY_DECODING(INDEX, SIMD_NAME("csc_many"), SPRY_CSC, SPRY_T, .needs = SIMD_NEEDS, .many = true,     \
                      .run = CODED(spry_csr_many_run), .part = (void (*)(void))part)

SPRY_SHARED_LISTS(SIMD_KERNELS(csr_many), ROWS)
