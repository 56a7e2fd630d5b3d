/* SPDX-License-Identifier: BSD-3-Clause */
/* JDS with vector registers: a sorted position to a lane. Neighbours are about as long, so there is neither
   padding nor a branch that is hard to predict. */
#include "core/cpu.h"
#include "spmv/simd.h"

/* Sorted positions whose entries are asked for ahead: each diagonal is a stream of its own, and there are
   more of them than the hardware's prefetch follows. */
#define ROWS_AHEAD 64
/* Two registers are in work, as one alone would wait for each sum. */
#define BLOCK (2 * LANES)

/* Positions i … i + count - 1 from diagonal d on, which not all of them reach; sum has those before it. */
static void ragged(const spry_jds *jds, int64_t d, int64_t i, int64_t count, const val_t *x, val_t *sum) {
    const ptr_t *ptr = jds->ptr;
    const idx_t *idx = jds->idx;
    const val_t *val = jds->val;
    for (int64_t r = 0; r < count; r += LANES) {
        int64_t left = count - r < LANES ? count - r : LANES;
        vec total = v_load(sum + r);
        for (int64_t e = d; e < jds->diagonals; e++) {
            int64_t live = ptr[e + 1] - ptr[e] - i - r, at = ptr[e] + i + r;
            if (live <= 0)
                break;
            live = live < left ? live : left;
            total = live == LANES
                        ? v_fma(v_load(val + at), v_gather(x, idx + at), total)
                        : v_fma(v_load_first(val + at, live), v_gather_first(x, idx + at, live), total);
        }
        v_store(sum + r, total);
    }
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const spry_jds *jds = &matrix->jds;
    const ptr_t *ptr = jds->ptr;
    const idx_t *perm = jds->perm, *idx = jds->idx;
    const val_t *val = jds->val;
    for (int64_t i = begin; i < end; i += BLOCK) {
        int64_t count = end - i < BLOCK ? end - i : BLOCK, d = 0;
        vec a = v_zero(), b = v_zero();
        for (; count == BLOCK && d < jds->diagonals && ptr[d + 1] - ptr[d] >= i + BLOCK; d++) {
            const val_t *v = val + ptr[d] + i;
            const idx_t *at = idx + ptr[d] + i;
            v_prefetch(v + ROWS_AHEAD);
            v_prefetch(v + ROWS_AHEAD + LANES);
            v_prefetch(at + ROWS_AHEAD);
            a = v_fma(v_load(v), v_gather(x, at), a);
            b = v_fma(v_load(v + LANES), v_gather(x, at + LANES), b);
        }
        val_t sum[BLOCK];
        v_store(sum, a);
        v_store(sum + LANES, b);
        ragged(jds, d, i, count, x, sum);
        for (int64_t r = 0; r < count; r++)
            y[perm[i + r]] = spry_blend(alpha, sum[r], beta, &y[perm[i + r]]);
    }
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return NAME(spry_jds_work)(candidate, LANES);
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL(SIMD_NAME("jds"), SPRY_JDS, SPRY_N), .needs = SIMD_NEEDS, .run = NAME(spry_rows_run),
     .work = work, .part = (void (*)(void))rows},
};

extern const struct spry_kernel_list SIMD_LIST(jds);
const struct spry_kernel_list SIMD_LIST(jds) = {sizeof kernels / sizeof *kernels, kernels};
