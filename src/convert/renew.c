/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/renew.h"

#include "core/team.h"

/* Units that a thread takes at a time, at most: of hundreds of rows, so that few cache lines are shared with others, and what a
   processor fetches ahead is used. Fewer where there are few, so that each thread has several turns. */
#define UNITS_MOST 64
#define TURNS 8

static int64_t units_at_a_time(int64_t units, int threads) {
    const int64_t even = units / ((int64_t)threads * TURNS);
    return even < 1 ? 1 : even < UNITS_MOST ? even : UNITS_MOST;
}

spry_status NAME(spry_renew)(const spry_context *context, const compressed_t *rows, const spry_matrix *matrix,
                             const struct NAME(spry_renewal) * renewal) {
    const int threads = spry_team_over(context, rows->nnz);
    const int64_t some = units_at_a_time(renewal->units, threads);
    int differs = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, some) reduction(| : differs)
        for (int64_t unit = 0; unit < renewal->units; unit++)
            differs = differs || !renewal->is_same(rows, matrix, unit);
        if (!differs)
#pragma omp for schedule(dynamic, some)
            for (int64_t unit = 0; unit < renewal->units; unit++)
                renewal->take(rows, matrix, unit);
    }
    return differs ? SPRY_ERROR_PATTERN : SPRY_OK;
}

bool NAME(spry_same_lengths)(const spry_context *context, const compressed_t *a, const compressed_t *b) {
    const ptr_t apart = (ptr_t)(a->base - b->base);
    int differs = 0;
#pragma omp parallel for num_threads(spry_team_over(context, a->major)) reduction(| : differs)
    for (int64_t i = 0; i <= a->major; i++)
        differs |= a->ptr[i] - b->ptr[i] != apart;
    return !differs;
}

static bool same_indices(const spry_context *context, const compressed_t *a, const compressed_t *b) {
    const idx_t apart = (idx_t)(a->base - b->base);
    int differs = 0;
#pragma omp parallel for num_threads(spry_team_over(context, a->nnz)) reduction(| : differs)
    for (int64_t k = 0; k < a->nnz; k++)
        differs |= a->idx[k] - b->idx[k] != apart;
    return !differs;
}

spry_status NAME(spry_renew_compressed)(const spry_context *context, const compressed_t *source,
                                        const compressed_t *target) {
    if (!NAME(spry_same_lengths)(context, source, target) || !same_indices(context, source, target))
        return SPRY_ERROR_PATTERN;
#pragma omp parallel for num_threads(spry_team_over(context, source->nnz))
    for (int64_t k = 0; k < source->nnz; k++)
        target->val[k] = source->val[k];
    return SPRY_OK;
}
