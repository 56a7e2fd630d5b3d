/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates on a device: one launch each, at the end of which the last block has the sums and takes the step. */
#include "cuda/early.cuh"
#include "primitives/reduce.cuh"

extern "C" {
#include "solve/update_device.h"
}
#include "solve/updates.h"

#define BLOCK 256

/* All blocks see the same state: it is changed by the last block alone, when the others have done. */
static __device__ inline bool passes_over(const spry_state *state, bool hold) {
    return state->outcome != SPRY_RUNNING || (hold && state->hold);
}

/* What a step is to have: the sums of this launch, then what an earlier step has kept. It takes them at once or,
   where ranks solve together, leaves them in `shared_values`, with the wish to end behind them, to be added up first.
   */
template <auto step, int sums, int shared>
static __device__ inline void conclude(const double (&sum)[sums], spry_state *state, double *shared_values) {
    double value[SPRY_UPDATE_VALUES];
    for (int s = 0; s < sums; s++)
        value[s] = sum[s];
    value[sums] = state->kept;
    if (!shared_values) {
        step(state, value);
        return;
    }
    for (int s = 0; s < shared; s++)
        shared_values[s] = value[s];
    shared_values[shared] = state->wish;
}

template <auto at, auto step, int sums, bool hold, int shared>
static __global__ void __launch_bounds__(BLOCK)
    walk(int64_t n, vectors v, spry_state *state, spry_reduction_space *space, double *shared_values) {
    await_earlier();
    const spry_scalars c = state->scalars; /* asked for before it is known whether it is needed */
    if (passes_over(state, hold))
        return;
    double sum[SPRY_UPDATE_SUMS] = {};
    FOR_ALL(i, 0, n) {
        struct sums here = at(v, c, i);
        sum[0] += here.first;
        sum[1] += here.second;
    }
    if constexpr (sums == 1) {
        double only[1] = {sum[0]};
        if (grid_sum<1, BLOCK>(only, space) && threadIdx.x == 0)
            conclude<step, 1, shared>(only, state, shared_values);
    } else if constexpr (sums == 2) {
        if (grid_sum<2, BLOCK>(sum, space) && threadIdx.x == 0)
            conclude<step, 2, shared>(sum, state, shared_values);
    }
}

/* The step, once its values are those of all ranks. */
template <auto step, bool hold, int shared>
static __global__ void take_step(spry_state *state, const double *shared_values) {
    await_earlier();
    if (passes_over(state, hold))
        return;
    state->cancelled |= shared_values[shared] > 0;
    step(state, shared_values);
}

/* What stands for the step of an update without sums. */
static __device__ inline void no_step(spry_state *, const double *) {
}

template <auto at, auto step, int sums, bool hold, int shared>
static spry_status launch(spry_context *context, const spry_vectors *v, spry_state *state,
                          const spry_ranks *ranks) {
    double *values = ranks && shared > 0 ? ranks->values : nullptr;
    launch_early(context, reduction_blocks(context, v->n, BLOCK), BLOCK, walk<at, step, sums, hold, shared>,
                 v->n, typed_vectors(v), state, context->device->reduction, values);
    spry_status status = launched(context, "an update over vectors");
    if (status || !values)
        return status;
    status = spry_add_up(context, ranks, shared + 1, values);
    if (status)
        return status;
    launch_early(context, 1, 1, take_step<step, hold, shared>, state, values);
    return launched(context, "the step of an update");
}

typedef spry_status launcher(spry_context *context, const spry_vectors *v, spry_state *state,
                             const spry_ranks *ranks);

#define STEP_0(name) no_step
#define STEP_1(name) step_##name
#define STEP_2(name) step_##name
#define ROW(name, sums, hold, shared) launch<at_##name, STEP_##sums(name), sums, hold, shared>,
static launcher *const launchers[SPRY_UPDATE_COUNT] = {SPRY_UPDATE_LIST(ROW)};

extern "C" spry_status NAME(spry_update)(spry_context *context, enum spry_update update,
                                         const struct spry_vectors *vectors, struct spry_state *state,
                                         const struct spry_ranks *ranks) {
    return launchers[update](context, vectors, state, ranks);
}
