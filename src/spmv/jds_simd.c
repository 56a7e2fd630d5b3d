/* SPDX-License-Identifier: BSD-3-Clause */
/* JDS with vector registers: a sorted position to a lane. Neighbours are about as long, so there is neither
   padding nor a branch that is hard to predict. */
#include "formats/pointer.h"
#include "spmv/simd.h"

/* Two registers are in work, as one alone would wait for each sum. */
#define BLOCK (2 * LANES)
/* Positions that are summed up one after the other where no more of a register are left, and one of them has so many entries more. */
#define FEW_LIVE (LANES / 2)
#define LONG_TAIL 16
#define TAIL_SUMS 4

static bool reaches(const spry_matrix *matrix, int64_t d, int64_t i) {
    const void *ptr = matrix->jds.ptr;
    return d < matrix->jds.diagonals && pointer_at(matrix, ptr, d + 1) - pointer_at(matrix, ptr, d) > i;
}

/* What position i has from diagonal d on. As lengths fall, a diagonal that reaches it is behind others that do. */
static val_t sum_along(const spry_matrix *matrix, int64_t d, int64_t i, const val_t *x) {
    const spry_jds *jds = &matrix->jds;
    const idx_t *idx = jds->idx;
    const val_t *val = jds->val;
    val_t sum[TAIL_SUMS] = {0};
    for (; reaches(matrix, d + TAIL_SUMS - 1, i); d += TAIL_SUMS)
        for (int s = 0; s < TAIL_SUMS; s++) {
            const int64_t at = pointer_at(matrix, jds->ptr, d + s) + i;
            sum[s] += val[at] * x[idx[at]];
        }
    for (; reaches(matrix, d, i); d++) {
        const int64_t at = pointer_at(matrix, jds->ptr, d) + i;
        sum[0] += val[at] * x[idx[at]];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Add to *sum what positions i … i + count - 1, no more than there are lanes, have on diagonals from d on, as long as more than
   `few` of them have something. Where that ends. */
static inline int64_t add_while(const spry_matrix *matrix, int64_t d, int64_t i, int64_t count, int64_t few,
                                const val_t *x, vec *sum) {
    const spry_jds *jds = &matrix->jds;
    const idx_t *idx = jds->idx;
    const val_t *val = jds->val;
    vec total = *sum;
    for (; d < jds->diagonals; d++) {
        const int64_t at = pointer_at(matrix, jds->ptr, d) + i;
        int64_t live = pointer_at(matrix, jds->ptr, d + 1) - at;
        live = live < count ? live : count;
        if (live <= few)
            break;
        total = live == LANES ? v_fma(v_load(val + at), v_gather(x, idx + at), total)
                              : v_fma(v_load_first(val + at, live), v_gather_first(x, idx + at, live), total);
    }
    *sum = total;
    return d;
}

/* Positions i … i + count - 1 from diagonal d on, which not all of them reach; sum has those before it. */
static void ragged(const spry_matrix *matrix, int64_t d, int64_t i, int64_t count, const val_t *x,
                   val_t *sum) {
    for (int64_t r = 0; r < count; r += LANES) {
        const int64_t left = count - r < LANES ? count - r : LANES;
        vec total = v_load(sum + r);
        const int64_t e = add_while(matrix, d, i + r, left, FEW_LIVE, x, &total);
        const bool is_live = reaches(matrix, e, i + r),
                   is_long = is_live && reaches(matrix, e + LONG_TAIL, i + r);
        if (is_live && !is_long)
            add_while(matrix, e, i + r, left, 0, x, &total);
        v_store(sum + r, total);
        for (int64_t l = 0; is_long && l < left && l < FEW_LIVE; l++)
            sum[r + l] += sum_along(matrix, e, i + r + l, x);
    }
}

/* `asks`, a constant: entries are asked for ahead, as diagonals are more streams than a processor follows by itself. */
INLINE void all_rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                     val_t beta, val_t *y, bool asks) {
    const spry_jds *jds = &matrix->jds;
    const idx_t *perm = jds->perm, *idx = jds->idx;
    const val_t *val = jds->val;
    for (int64_t i = begin; i < end; i += BLOCK) {
        int64_t count = end - i < BLOCK ? end - i : BLOCK, d = 0, next = pointer_at(matrix, jds->ptr, 0);
        vec a = v_zero(), b = v_zero();
        for (; count == BLOCK && d < jds->diagonals; d++) {
            const int64_t first = next + i;
            next = pointer_at(matrix, jds->ptr, d + 1);
            if (next - first < BLOCK)
                break;
            const val_t *v = val + first;
            const idx_t *at = idx + first;
            if (asks) {
                v_prefetch_lines(v + SPRY_JDS_AHEAD, BLOCK * (int64_t)sizeof *v);
                v_prefetch_lines(at + SPRY_JDS_AHEAD, BLOCK * (int64_t)sizeof *at);
            }
            a = v_fma(v_load(v), v_gather(x, at), a);
            b = v_fma(v_load(v + LANES), v_gather(x, at + LANES), b);
        }
        val_t sum[BLOCK];
        v_store(sum, a);
        v_store(sum + LANES, b);
        ragged(matrix, d, i, count, x, sum);
        for (int64_t r = 0; r < count; r++)
            y[perm[i + r]] = spry_blend(alpha, sum[r], beta, &y[perm[i + r]]);
    }
}

/* Beside the gather instruction, which loads, and to ask is a load, what is in a cache is not asked for. */
static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
#ifdef SPRY_SIMD_GATHER
    const bool asks = matrix->plan.far;
#else
    const bool asks = true;
#endif
    SIMD_FAR(asks, all_rows, matrix, begin, end, alpha, x, beta, y);
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return SHARED(spry_jds_work)(candidate, LANES);
}

#define ROWS(INDEX)                                                                                          \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, SIMD_NAME("jds"), SPRY_JDS, SPRY_N),                                           \
            .needs = SIMD_NEEDS, .run = SHARED(spry_rows_run), .work = work, .part = (void (*)(void))rows    \
    }

SPRY_SHARED_LISTS(SIMD_KERNELS(jds), ROWS)
