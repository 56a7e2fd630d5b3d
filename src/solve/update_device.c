/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates on a device, by value type. */
#include "solve/update_device.h"

static spry_status run(spry_context *context, spry_value_type type, enum spry_update update,
                       const struct spry_vectors *vectors, struct spry_state *state,
                       const struct spry_ranks *ranks) {
    spry_update_function *run_typed = type == SPRY_F32 ? spry_update_cuda_f32 : spry_update_cuda_f64;
    return run_typed(context, update, vectors, state, ranks);
}

const struct spry_updates spry_cuda_updates = {run};
