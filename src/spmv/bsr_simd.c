/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR with vector registers: the places of a block, one after the other, are lanes, and each has a sum of its own over the
   blocks of a row, so that the columns of a block are only added up once for all of them. Blocks that are not full are added
   entry by entry, to sums of their own. */
#include "core/cpu.h"
#include "spmv/bsr.h"
#include "spmv/simd.h"

/* Registers of sums at once: of larger blocks, a row is gone through again for the next ones. */
#define SUMS 4
/* Places of a block, rounded up to whole registers. */
#define PLACES (SPRY_BLOCK_MOST * SPRY_BLOCK_MOST + LANES)

/* The places of a block, and which of its columns each belongs to. */
struct pattern {
    int32_t column[PLACES];
    int registers;
};

static struct pattern pattern_of(const struct blocks *a) {
    struct pattern pattern = {.registers = (a->places + LANES - 1) / LANES};
    for (int place = 0; place < PLACES; place++)
        pattern.column[place] = place % a->width;
    return pattern;
}

static inline bool is_full(const struct blocks *a, int64_t b, uint64_t full) {
    return !a->mask || mask_at(a, b) == full;
}

/* The sums of `count` registers from number `first` on, over the full blocks of row i of blocks. The count is a constant
   wherever this ends up. */
static inline __attribute__((always_inline)) void sum_places(const struct blocks *a,
                                                             const struct pattern *pattern, int64_t i,
                                                             const val_t *x, int first, int count,
                                                             val_t *place) {
    const uint64_t full = spry_bsr_full_mask(a->places);
    const int last = a->places - (first + count - 1) * LANES;
    const int32_t *column = pattern->column + first * LANES;
    vec sum[SUMS];
    for (int s = 0; s < count; s++)
        sum[s] = v_zero();
    for (int64_t b = a->ptr[i]; b < a->ptr[i + 1]; b++) {
        const stored_t *val = block_values(a, b) + first * LANES;
        const val_t *factor = x + (int64_t)a->idx[b] * a->width;
        if (!is_full(a, b, full))
            continue;
        for (int s = 0; s < count; s++) {
            v_prefetch(val + s * LANES + SPRY_AHEAD);
            const vec value =
                s < count - 1 ? v_load_stored(val + s * LANES) : v_load_stored_first(val + s * LANES, last);
            sum[s] = v_fma(value, v_spread(factor, a->width, column + s * LANES), sum[s]);
        }
    }
    for (int s = 0; s < count; s++)
        v_store(place + s * LANES, sum[s]);
}

static void sum_full_blocks(const struct blocks *a, const struct pattern *pattern, int64_t i, const val_t *x,
                            val_t *place) {
    for (int first = 0; first < pattern->registers; first += SUMS)
        switch (pattern->registers - first) {
        case 1:
            sum_places(a, pattern, i, x, first, 1, place + first * LANES);
            break;
        case 2:
            sum_places(a, pattern, i, x, first, 2, place + first * LANES);
            break;
        case 3:
            sum_places(a, pattern, i, x, first, 3, place + first * LANES);
            break;
        default:
            sum_places(a, pattern, i, x, first, SUMS, place + first * LANES);
        }
}

static void sum_partial_blocks(const struct blocks *a, int64_t i, const val_t *x, val_t *sum) {
    const uint64_t full = spry_bsr_full_mask(a->places);
    for (int64_t b = a->ptr[i]; b < a->ptr[i + 1]; b++)
        if (mask_at(a, b) != full)
            add_partial_block(a, b, x, sum);
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const struct blocks a = blocks_of(matrix);
    const struct pattern pattern = pattern_of(&a);
    for (int64_t i = begin; i < end; i++) {
        val_t sum[SPRY_BLOCK_MOST] = {0}, place[PLACES];
        sum_full_blocks(&a, &pattern, i, x, place);
        for (int r = 0; r < a.height; r++)
            for (int c = 0; c < a.width; c++)
                sum[r] += place[r * a.width + c];
        if (a.mask)
            sum_partial_blocks(&a, i, x, sum);
        put_rows(&a, i, sum, alpha, beta, y);
    }
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return CODED(spry_bsr_work)(candidate, LANES);
}

static const struct spry_kernel kernels[] = {
    SPRY_DECODING_VALUES(TMPL_INDEX, SIMD_NAME("bsr"), SPRY_BSR, SPRY_N, .needs = SIMD_NEEDS,
                         .run = CODED(spry_bsr_run), .partials = SHARED(spry_partials), .work = work,
                         .part = (void (*)(void))rows),
};

extern const struct spry_kernel_list SIMD_LIST(bsr);
const struct spry_kernel_list SIMD_LIST(bsr) = {sizeof kernels / sizeof *kernels, kernels};
