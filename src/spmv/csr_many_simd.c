/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, with vector registers where columns lie side by side. */
#include "core/cpu.h"
#include "spmv/csr_many.h"
#include "spmv/simd.h"

/* Columns that are summed at once, in registers. Each column has SUMS sums, which entries go to in turn, as an addition
   takes longer than a load: the same in whatever company. */
#if LANES * SPRY_TMPL_TYPE == 512
#define MOST 4
#else
#define MOST 2
#endif
#define SUMS 4

/* Which columns: from `first` on, as many as fill `full` registers, and `left` more if there is a `rest`. All but `first`
   and `left` are constants where these functions end up. */
struct columns {
    int64_t first, left;
    int full;
    bool rest;
};

#define INLINE static inline __attribute__((always_inline))

/* x times an entry, added to `sum`. */
INLINE void add_entry(const struct many *m, int64_t k, struct columns c, vec *sum) {
    const val_t *x = m->x + (m->idx[k] - m->base) * m->x_step + c.first;
    const vec a = v_set(m->val[k]);
    for (int r = 0; r < c.full; r++)
        sum[r] = v_fma(a, v_load(x + r * LANES), sum[r]);
    if (c.rest)
        sum[c.full] = v_fma(a, v_load_first(x + c.full * LANES, c.left), sum[c.full]);
}

INLINE void store_sums(const struct many *m, int64_t i, struct columns c, const vec *sum) {
    const vec alpha = v_set(m->alpha), beta = v_set(m->beta);
    val_t *y = m->y + i * m->y_step + c.first;
    for (int r = 0; r < c.full + c.rest; r++) {
        const int64_t count = r < c.full ? LANES : c.left;
        vec result = v_mul(alpha, sum[r]);
        if (m->beta != 0)
            result = v_fma(beta, v_load_first(y + r * LANES, count), result);
        v_store_first(y + r * LANES, result, count);
    }
}

INLINE void columns_beside(const struct many *m, int64_t begin, int64_t end, struct columns c) {
    for (int64_t i = begin; i < end; i++) {
        vec sum[SUMS][MOST];
        for (int s = 0; s < SUMS; s++)
            for (int r = 0; r < c.full + c.rest; r++)
                sum[s][r] = v_zero();
        int64_t k = m->ptr[i] - m->base, last = m->ptr[i + 1] - m->base;
        for (; k + SUMS <= last; k += SUMS)
            for (int s = 0; s < SUMS; s++)
                add_entry(m, k + s, c, sum[s]);
        for (int s = 0; s < SUMS - 1; s++)
            if (k + s < last)
                add_entry(m, k + s, c, sum[s]);
        for (int r = 0; r < c.full + c.rest; r++)
            sum[0][r] = v_add(v_add(sum[0][r], sum[1][r]), v_add(sum[2][r], sum[3][r]));
        store_sums(m, i, c, sum[0]);
    }
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    if (m->x_next != 1 || m->y_next != 1) {
        all_apart(m, begin, end);
        return;
    }
    int64_t first = 0, left = m->columns % LANES;
    for (; m->columns - first >= MOST * LANES; first += MOST * LANES)
        columns_beside(m, begin, end, (struct columns){first, 0, MOST, false});
    for (; m->columns - first >= LANES; first += LANES)
        columns_beside(m, begin, end, (struct columns){first, 0, 1, false});
    if (left > 0)
        columns_beside(m, begin, end, (struct columns){first, left, 0, true});
}

#define KERNEL(name, FORMAT, OP)                                                                             \
    {                                                                                                        \
        SPRY_KERNEL(SIMD_NAME(name), FORMAT, OP),                                                            \
            .needs = SIMD_NEEDS, .many = true, .run = CODED(spry_csr_many_run), .part = (void (*)(void))part \
    }

static const struct spry_kernel kernels[] = {
    KERNEL("csr_many", SPRY_CSR, SPRY_N),
    KERNEL("csc_many", SPRY_CSC, SPRY_T),
};

extern const struct spry_kernel_list SIMD_LIST(csr_many);
const struct spry_kernel_list SIMD_LIST(csr_many) = {sizeof kernels / sizeof *kernels, kernels};
