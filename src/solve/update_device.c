/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates on a device, and solves on its chip, by value type. */
#include "solve/resident_device.h"
#include "solve/update_device.h"

static spry_status run(spry_context *context, spry_value_type type, enum spry_update update,
                       const struct spry_vectors *vectors, struct spry_state *state,
                       const struct spry_ranks *ranks) {
    spry_update_function *run_typed = type == SPRY_F32 ? spry_update_cuda_f32 : spry_update_cuda_f64;
    return run_typed(context, update, vectors, state, ranks);
}

static spry_status room(spry_context *context, spry_value_type type, struct spry_room *found) {
    return (type == SPRY_F32 ? spry_resident_room_cuda_f32 : spry_resident_room_cuda_f64)(context, found);
}

static spry_status play(spry_context *context, const struct spry_resident *resident, const void *values,
                        const struct spry_vectors *vectors, struct spry_state *state, int repeat) {
    spry_resident_play_function *play_typed =
        resident->image->type == SPRY_F32 ? spry_resident_play_cuda_f32 : spry_resident_play_cuda_f64;
    return play_typed(context, resident, values, vectors, state, repeat);
}

static const struct spry_resident_code resident = {room, play};
const struct spry_updates spry_cuda_updates = {run, &resident};
