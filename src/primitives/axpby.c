/* SPDX-License-Identifier: BSD-3-Clause */
/* y = alpha x + beta y in plain C, split among threads; sums of their shares are added in order. */
#include "core/team.h"
#include "primitives/axpby.h"

#include "core/split.h"

spry_status NAME(spry_axpby_run)(spry_context *context, const struct spry_axpby_call *call, share_t *part) {
    double partial[SPRY_MAX_THREADS], sum = 0;
    const num_t *x = call->x, *w = call->w;
    num_t *y = call->y;
    int parts = spry_part_count(context, call->n);
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        int64_t begin = spry_share(call->n, p, parts), count = spry_share(call->n, p + 1, parts) - begin;
        partial[p] =
            part(count, (num_t)call->alpha, x + begin, (num_t)call->beta, y + begin, w ? w + begin : NULL);
    }
    for (int p = 0; p < parts; p++)
        sum += partial[p];
    if (w)
        *(double *)call->result = sum;
    return SPRY_OK;
}

static spry_status run(spry_context *context, const struct spry_axpby_call *call) {
    return NAME(spry_axpby_run)(context, call, share);
}

static const struct spry_algorithm algorithms[] = {
    {.name = "axpby", .primitive = SPRY_AXPBY, .backend = SPRY_CPU, .number = TMPL_NUMBER, .axpby = run},
};

extern const struct spry_algorithm_list NAME(spry_algorithms_axpby);
const struct spry_algorithm_list NAME(spry_algorithms_axpby) = {sizeof algorithms / sizeof *algorithms,
                                                                algorithms};
