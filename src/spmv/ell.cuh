/* SPDX-License-Identifier: BSD-3-Clause */
/* The walk along a row of ELL, for ELL and for that part of HYB. */
#ifndef SPRY_ELL_CUH
#define SPRY_ELL_CUH

#include "formats/formats.cuh"
#include "spmv/rounds.cuh"

extern "C" {
#include "analysis/work.h"
}

struct padded {
    int64_t rows, width, stride;
    const idx_t *len, *idx;
    const stored_t *val;
    const val_t *x;
};

static inline padded padded_of(const spry_matrix *matrix, const void *x) {
    const spry_ell *ell = &matrix->ell;
    return {matrix->rows,
            ell->width,
            ell->stride,
            as<idx_t>(ell->len),
            as<idx_t>(ell->idx),
            as<stored_t>(ell->val),
            static_cast<const val_t *>(x)};
}

/* Slots k, k + parts, … of a row, several of them at a time. Loads have no condition, for there are not enough
   predicate registers to have so many in flight: past the last slot they repeat it, which is not used. The first round
   of an eager walk asks for slots before the length is known, which saves waiting for one load; a row has slots at
   all, or it must not be eager. */
template <bool eager>
static __device__ inline val_t sum_part(const padded &a, int64_t i, int64_t length, int64_t k,
                                        const int parts) {
    const int64_t step = parts * a.stride;
    int64_t slot = k * a.stride + i, last = (eager ? a.width : length) - 1;
    val_t sum = 0;
    if (!eager && length == 0)
        return 0;
    do {
        const int64_t last_slot = last * a.stride + i;
        idx_t column[SPRY_ROUNDS_AHEAD];
        val_t value[SPRY_ROUNDS_AHEAD], factor[SPRY_ROUNDS_AHEAD];
#pragma unroll
        for (int s = 0; s < SPRY_ROUNDS_AHEAD; s++) {
            int64_t at = slot + s * step < last_slot ? slot + s * step : last_slot;
            column[s] = __ldg(a.idx + at);
            value[s] = __ldg(a.val + at);
        }
#pragma unroll
        for (int s = 0; s < SPRY_ROUNDS_AHEAD; s++)
            factor[s] = __ldg(a.x + column[s]);
#pragma unroll
        for (int s = 0; s < SPRY_ROUNDS_AHEAD; s++)
            if (k + s * parts < length)
                sum += value[s] * factor[s];
        k += SPRY_ROUNDS_AHEAD * parts;
        slot += SPRY_ROUNDS_AHEAD * step;
        last = length - 1;
    } while (k < length);
    return sum;
}

/* What the selector is told of ELL, or of that part of HYB: `work` of a record. */
extern "C" spry_terms NAME(spry_ell_work)(const spry_candidate *candidate);

#endif
