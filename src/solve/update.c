/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates on the CPU: dealt out among threads, in parts that depend on the context alone. */
#include "core/split.h"
#include "core/team.h"
#include "solve/update_cpu.h"

extern const struct spry_update_table spry_updates_f32, spry_updates_f64;
#if defined(__x86_64__)
extern const struct spry_update_table spry_updates_avx2_f32, spry_updates_avx2_f64, spry_updates_avx512_f32,
    spry_updates_avx512_f64;
#endif

/* The plainest first; a later one that the machine runs is better. */
static const struct spry_update_table *const tables[SPRY_TYPE_COUNT][4] = {
#if defined(__x86_64__)
    [SPRY_F32] = {&spry_updates_f32, &spry_updates_avx2_f32, &spry_updates_avx512_f32},
    [SPRY_F64] = {&spry_updates_f64, &spry_updates_avx2_f64, &spry_updates_avx512_f64},
#else
    [SPRY_F32] = {&spry_updates_f32},
    [SPRY_F64] = {&spry_updates_f64},
#endif
};

static const struct spry_update_code *best(const spry_context *context, spry_value_type type,
                                           enum spry_update update) {
    const struct spry_update_table *found = tables[type][0];
    for (int i = 1; tables[type][i]; i++)
        if ((tables[type][i]->needs & ~context->cpu_features) == 0)
            found = tables[type][i];
    return &found->update[update];
}

/* Each part has a cache line of its own. */
struct part {
    _Alignas(SPRY_ALIGNMENT) double sum[SPRY_UPDATE_SUMS];
};

/* Add up over ranks what the step needs, and whether one of them wishes to end. */
static spry_status share(spry_context *context, const struct spry_ranks *ranks, int shared,
                         struct spry_state *state, double *value) {
    if (!ranks || shared == 0)
        return SPRY_OK;
    value[shared] = state->wish;
    spry_status status = spry_add_up(context, ranks, shared + 1, value);
    state->cancelled |= value[shared] > 0;
    return status;
}

static spry_status run(spry_context *context, spry_value_type type, enum spry_update update,
                       const struct spry_vectors *vectors, struct spry_state *state,
                       const struct spry_ranks *ranks) {
    const struct spry_update_code *code = best(context, type, update);
    const int64_t n = vectors->n;
    const int parts = spry_part_count(context, n);
    struct part part[SPRY_MAX_THREADS];
    if (state->outcome != SPRY_RUNNING || (code->hold && state->hold))
        return SPRY_OK;
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++)
        code->walk(vectors, &state->scalars, spry_share(n, p, parts), spry_share(n, p + 1, parts),
                   part[p].sum);
    if (!code->step)
        return SPRY_OK;
    double value[SPRY_UPDATE_VALUES];
    for (int s = 0; s < SPRY_UPDATE_SUMS; s++) {
        value[s] = part[0].sum[s];
        for (int p = 1; p < parts; p++)
            value[s] += part[p].sum[s];
    }
    value[code->sums] = state->kept;
    spry_status status = share(context, ranks, code->shared, state, value);
    if (!status)
        code->step(state, value);
    return status;
}

const struct spry_updates spry_cpu_updates = {run, NULL};
