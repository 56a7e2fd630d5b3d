/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions in plain C: each thread's share, then the shares in order. */
#include "core/team.h"
#include "primitives/reduce.h"

#include "core/split.h"

static void join(partial_t *all, const partial_t *more) {
    for (int k = 0; k < SUMS; k++)
        all->sum[k] += more->sum[k];
    all->greatest = greater(all->greatest, more->greatest);
}

static sum_t result_of(enum spry_reduction reduction, const partial_t *all) {
#if TMPL_IS_FLOATING
    if (reduction == SPRY_REDUCE_NORM2)
        return root_of_squares(all->sum);
#endif
    return reduction == SPRY_REDUCE_MAX_ABS ? value_of(all->greatest) : (sum_t)all->sum[0];
}

spry_status NAME(spry_reduce_run)(spry_context *context, const struct spry_reduce_call *call,
                                  share_t *const *share) {
    partial_t partial[SPRY_MAX_THREADS];
    const num_t *x = call->x, *y = call->y;
    int parts = spry_part_count(context, call->n);
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        int64_t begin = spry_share(call->n, p, parts), count = spry_share(call->n, p + 1, parts) - begin;
        partial[p] = share[call->reduction](count, x + begin, y + begin);
    }
    for (int p = 1; p < parts; p++)
        join(&partial[0], &partial[p]);
    *(sum_t *)call->result = result_of(call->reduction, &partial[0]);
    return SPRY_OK;
}

static spry_status run(spry_context *context, const struct spry_reduce_call *call) {
    return NAME(spry_reduce_run)(context, call, shares);
}

static const struct spry_algorithm algorithms[] = {
    {.name = "reduce", .primitive = SPRY_REDUCE, .backend = SPRY_CPU, .number = TMPL_NUMBER, .reduce = run},
};

extern const struct spry_algorithm_list NAME(spry_algorithms_reduce);
const struct spry_algorithm_list NAME(spry_algorithms_reduce) = {sizeof algorithms / sizeof *algorithms,
                                                                 algorithms};
