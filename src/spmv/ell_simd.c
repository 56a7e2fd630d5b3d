/* SPDX-License-Identifier: BSD-3-Clause */
/* ELL with vector registers: a row to a lane. */
#include "spmv/depth_simd.h"
#include "spmv/follow.h"
#include "spmv/put.h"

/* Rows whose entries are asked for ahead: each column of the layout is a stream of its own, and there are
   more of them than the prefetch of a Zen follows. */
#define ROWS_AHEAD 64

/* Rows that are summed side by side where they are about as long: as many as a cache line has 32-bit columns of, so that each line is
   asked for once, and no sum waits for another. */
#define BLOCK 16
#define REGISTERS (BLOCK / LANES)
/* Where they are not, the longest of them is by so many entries at most longer than the shortest. */
#define APART 4

/* Ask for the lines of `count` rows that lie ahead, a constant, if the matrix comes from memory: `far`, here and below, another. */
INLINE void ask_ahead(const idx_t *idx, const val_t *val, int64_t count, bool far) {
    if (!far)
        return;
    v_prefetch_lines(val + ROWS_AHEAD, count * (int64_t)sizeof *val);
    v_prefetch_lines(idx + ROWS_AHEAD, count * (int64_t)sizeof *idx);
}

/* The first `count` entries of LANES rows, which all of them have; `follow`: their columns may follow each other. */
INLINE vec sum_all(const idx_t *idx, const val_t *val, int64_t stride, int64_t count, const val_t *x,
                   bool follow, bool far) {
    vec sum = v_zero();
    for (int64_t k = 0; k < count; k++, idx += stride, val += stride) {
        ask_ahead(idx, val, LANES, far);
        sum = v_fma(v_load(val), v_take(x, idx, follow), sum);
    }
    return sum;
}

/* The rows i … i + LANES - 1; padding lies past their lengths. */
INLINE vec sum_rows(const spry_ell *ell, int64_t i, const val_t *x, bool far) {
    const idx_t *len = (const idx_t *)ell->len + i, *idx = (const idx_t *)ell->idx + i;
    const val_t *val = (const val_t *)ell->val + i;
    int64_t stride = ell->stride;
    const struct depth depth = v_depth(len, LANES);
    vec sum = may_follow(idx, stride, depth.shortest)
                  ? sum_all(idx, val, stride, depth.shortest, x, true, far)
                  : sum_all(idx, val, stride, depth.shortest, x, false, far);
    for (int64_t k = depth.shortest; k < depth.longest; k++) {
        ask_ahead(idx + k * stride, val + k * stride, LANES, far);
        sum = v_fma_longer(v_load(val + k * stride), v_gather(x, idx + k * stride), sum, len, k);
    }
    return sum;
}

/* y = alpha A x + beta y of the rows i … i + BLOCK - 1, which go so far; `follow`, a constant, as above. */
INLINE void block(const spry_ell *ell, int64_t i, struct depth depth, val_t alpha, const val_t *x, val_t beta,
                  bool follow, bool far, val_t *y) {
    const idx_t *len = (const idx_t *)ell->len + i, *idx = (const idx_t *)ell->idx + i;
    const val_t *val = (const val_t *)ell->val + i;
    vec sum[REGISTERS];
    for (int r = 0; r < REGISTERS; r++)
        sum[r] = v_zero();
    for (int64_t k = 0; k < depth.shortest; k++, idx += ell->stride, val += ell->stride) {
        ask_ahead(idx, val, BLOCK, far);
        for (int r = 0; r < REGISTERS; r++)
            sum[r] = v_fma(v_load(val + r * LANES), v_take(x, idx + r * LANES, follow), sum[r]);
    }
    for (int64_t k = depth.shortest; k < depth.longest; k++, idx += ell->stride, val += ell->stride) {
        ask_ahead(idx, val, BLOCK, far);
        for (int r = 0; r < REGISTERS; r++)
            sum[r] = v_fma_longer(v_load(val + r * LANES), v_gather(x, idx + r * LANES), sum[r],
                                  len + r * LANES, k);
    }
    for (int r = 0; r < REGISTERS; r++)
        put_rows(sum[r], alpha, beta, y + i + r * LANES);
}

/* Whether BLOCK rows that are not equally long are summed side by side all the same. Two registers take as long one after the other. */
static inline bool are_close(const idx_t *len) {
    if (REGISTERS <= 2)
        return false;
    const struct depth depth = v_depth(len, BLOCK);
    return depth.longest - depth.shortest <= APART;
}

/* The same of such rows. */
INLINE void close_rows(const spry_ell *ell, int64_t i, val_t alpha, const val_t *x, val_t beta, bool far,
                       val_t *y) {
    const struct depth depth = v_depth((const idx_t *)ell->len + i, BLOCK);
    if (may_follow((const idx_t *)ell->idx + i, ell->stride, depth.shortest))
        block(ell, i, depth, alpha, x, beta, true, far, y);
    else
        block(ell, i, depth, alpha, x, beta, false, far, y);
}

/* By themselves, so that registers are dealt out for equally long ones alone. */
static __attribute__((noinline)) void near_close_rows(const spry_ell *ell, int64_t i, val_t alpha,
                                                      const val_t *x, val_t beta, val_t *y) {
    close_rows(ell, i, alpha, x, beta, false, y);
}

static __attribute__((noinline)) void far_close_rows(const spry_ell *ell, int64_t i, val_t alpha,
                                                     const val_t *x, val_t beta, val_t *y) {
    close_rows(ell, i, alpha, x, beta, true, y);
}

INLINE void all_rows(const spry_ell *ell, int64_t begin, int64_t end, val_t alpha, const val_t *x, val_t beta,
                     val_t *y, bool far) {
    const idx_t *len = ell->len, *idx = ell->idx;
    int64_t i = begin;
    for (; i + BLOCK <= end; i += BLOCK) {
        const struct depth even = {len[i], len[i]};
        if (v_equal(len + i, BLOCK)) {
            if (may_follow(idx + i, ell->stride, len[i]))
                block(ell, i, even, alpha, x, beta, true, far, y);
            else
                block(ell, i, even, alpha, x, beta, false, far, y);
        } else if (are_close(len + i)) {
            (far ? far_close_rows : near_close_rows)(ell, i, alpha, x, beta, y);
        } else {
            for (int r = 0; r < BLOCK; r += LANES)
                put_rows(sum_rows(ell, i + r, x, far), alpha, beta, y + i + r);
        }
    }
    for (; i + LANES <= end; i += LANES)
        put_rows(sum_rows(ell, i, x, far), alpha, beta, y + i);
    if (i < end)
        put_first(sum_rows(ell, i, x, far), end - i, alpha, beta, y + i);
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    SIMD_FAR(matrix->plan.far, all_rows, &matrix->ell, begin, end, alpha, x, beta, y);
}

static union spry_terms work(const struct spry_candidate *candidate) {
    union spry_terms amounts = SHARED(spry_ell_work)(candidate, LANES);
    amounts.gathers = amounts.steps * spry_apart_share(candidate->features, LANES);
    return amounts;
}

static union spry_terms hyb_work(const struct spry_candidate *candidate) {
    union spry_terms amounts = work(candidate);
    SHARED(spry_spill_work)(candidate, &amounts);
    return amounts;
}

#define ROWS(INDEX)                                                                                          \
    {SPRY_KERNEL_OF(INDEX, SIMD_NAME("ell"), SPRY_ELL, SPRY_N),                                              \
     .needs = SIMD_NEEDS,                                                                                    \
     .run = SHARED(spry_rows_run),                                                                           \
     .partials = SHARED(spry_partials),                                                                      \
     .work = work,                                                                                           \
     .part = (void (*)(void))rows},                                                                          \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, SIMD_NAME("hyb"), SPRY_HYB, SPRY_N),                                           \
            .needs = SIMD_NEEDS, .run = SHARED(spry_hyb_run), .work = hyb_work, .part = (void (*)(void))rows \
    }

SPRY_SHARED_LISTS(SIMD_KERNELS(ell), ROWS)
