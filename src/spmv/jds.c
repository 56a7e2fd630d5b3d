/* SPDX-License-Identifier: BSD-3-Clause */
/* JDS in plain C. A block of sorted positions is summed along the diagonals; as lengths fall, the
   positions that still have an entry are the first ones of the block. */
#include "formats/pointer.h"
#include "spmv/parts.h"

/* One cache line of the narrowest array. */
#define BLOCK 16

/* What diagonal d has for the positions from i to i + count - 1: its first slot, and how many of them it reaches. */
struct reach {
    int64_t first, count;
};

static struct reach reach_of(const spry_matrix *matrix, int64_t d, int64_t i, int64_t count) {
    const int64_t first = pointer_at(matrix, matrix->jds.ptr, d) + i,
                  over = pointer_at(matrix, matrix->jds.ptr, d + 1) - first;
    return (struct reach){first, over < 0 ? 0 : over < count ? over : count};
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const spry_jds *jds = &matrix->jds;
    const idx_t *perm = jds->perm, *idx = jds->idx;
    const val_t *val = jds->val;
    for (int64_t i = begin; i < end; i += BLOCK) {
        int64_t count = end - i < BLOCK ? end - i : BLOCK;
        val_t sum[BLOCK] = {0};
        for (int64_t d = 0; d < jds->diagonals; d++) {
            const struct reach live = reach_of(matrix, d, i, count);
            if (live.count == 0)
                break;
            __builtin_prefetch(val + live.first + SPRY_JDS_AHEAD);
            __builtin_prefetch(idx + live.first + SPRY_JDS_AHEAD);
            for (int64_t r = 0; r < live.count; r++)
                sum[r] += val[live.first + r] * x[idx[live.first + r]];
        }
        for (int64_t r = 0; r < count; r++)
            y[perm[i + r]] = spry_blend(alpha, sum[r], beta, &y[perm[i + r]]);
    }
}

/* Sorted, rows of a group are about as long as each other; each value of y goes to a place of its own, and each diagonal
   is a stream. */
union spry_terms SHARED(spry_jds_work)(const struct spry_candidate *candidate, int lanes) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    double rows = (double)features->rows, entries = (double)features->nnz;
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    amounts.streams = spry_unfollowed(entries / rows) * (amounts.far + amounts.near * parts);
    amounts.steps = (entries / lanes + (double)features->longest) / parts;
    amounts.critical = spry_steps_left(features->longest, amounts.steps);
    amounts.units = rows / lanes / parts;
    amounts.entries = rows / parts;
    return amounts;
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return SHARED(spry_jds_work)(candidate, BLOCK);
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                    val_t *out) {
    const spry_jds *jds = &matrix->jds;
    const idx_t *perm = jds->perm, *idx = jds->idx;
    const val_t *val = jds->val;
    for (int64_t i = cut[0].unit; i < cut[1].unit; i += BLOCK) {
        int64_t left = cut[1].unit - i, count = left < BLOCK ? left : BLOCK;
        for (int64_t d = 0; d < jds->diagonals; d++) {
            const struct reach live = reach_of(matrix, d, i, count);
            if (live.count == 0)
                break;
            for (int64_t r = 0; r < live.count; r++)
                out[idx[live.first + r]] += alpha * (val[live.first + r] * x[perm[i + r]]);
        }
    }
}

#define ROWS(INDEX)                                                                                          \
    {SPRY_KERNEL_OF(INDEX, "jds", SPRY_JDS, SPRY_N), .run = SHARED(spry_rows_run), .work = work,             \
     .part = (void (*)(void))rows},                                                                          \
    {                                                                                                        \
        SPRY_KERNEL_OF(INDEX, "jds", SPRY_JDS, SPRY_T), .run = SHARED(spry_scatter_run),                     \
                                                        .part = (void (*)(void))scatter                      \
    }

SPRY_SHARED_LISTS(spry_kernels_jds, ROWS)
