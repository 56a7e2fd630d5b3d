/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves on the chip of a device, for each value type. */
#ifndef SPRY_RESIDENT_DEVICE_H
#define SPRY_RESIDENT_DEVICE_H

#include "solve/resident.h"

typedef spry_status spry_resident_room_function(spry_context *context, struct spry_room *room);
spry_resident_room_function spry_resident_room_cuda_f32, spry_resident_room_cuda_f64;

typedef spry_status spry_resident_play_function(spry_context *context, const struct spry_resident *resident,
                                                const void *values, const struct spry_vectors *vectors,
                                                struct spry_state *state, int repeat);
spry_resident_play_function spry_resident_play_cuda_f32, spry_resident_play_cuda_f64;

#endif
