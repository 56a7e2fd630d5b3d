/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps on a device, by value type. */
#include "solve/sweep_device.h"

static spry_status run(spry_context *context, spry_type type, enum spry_sweep sweep,
                       const struct spry_vectors *vectors, struct spry_state *state) {
    spry_sweep_function *run_typed = type == SPRY_F32 ? spry_sweep_cuda_f32 : spry_sweep_cuda_f64;
    return run_typed(context, sweep, vectors, state);
}

const struct spry_sweeps spry_cuda_sweeps = {run};
