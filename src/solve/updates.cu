/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates on a device: one launch each, at the end of which the last block has the sums and takes the step. */
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

template <auto at, auto step, int sums, bool hold>
static __global__ void __launch_bounds__(BLOCK)
    walk(int64_t n, vectors v, spry_state *state, spry_reduction_space *space) {
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
            step(state, only);
    } else if constexpr (sums == 2) {
        if (grid_sum<2, BLOCK>(sum, space) && threadIdx.x == 0)
            step(state, sum);
    }
}

/* What stands for the step of a update without sums. */
static __device__ inline void no_step(spry_state *, const double *) {
}

template <auto at, auto step, int sums, bool hold>
static void launch(spry_context *context, const spry_vectors *v, spry_state *state) {
    walk<at, step, sums, hold><<<reduction_blocks(context, v->n, BLOCK), BLOCK, 0, context->device->stream>>>(
        v->n, typed_vectors(v), state, context->device->reduction);
}

typedef void launcher(spry_context *context, const spry_vectors *v, spry_state *state);

#define STEP_0(name) no_step
#define STEP_1(name) step_##name
#define STEP_2(name) step_##name
#define ROW(name, sums, hold) launch<at_##name, STEP_##sums(name), sums, hold>,
static launcher *const launchers[SPRY_UPDATE_COUNT] = {SPRY_UPDATE_LIST(ROW)};

extern "C" spry_status NAME(spry_update)(spry_context *context, enum spry_update update,
                                         const struct spry_vectors *vectors, struct spry_state *state) {
    launchers[update](context, vectors, state);
    return launched(context, "a update over vectors");
}
