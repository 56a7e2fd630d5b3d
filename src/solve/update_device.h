/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates on a device, for each value type. */
#ifndef SPRY_UPDATE_DEVICE_H
#define SPRY_UPDATE_DEVICE_H

#include "core/internal.h"
#include "solve/update.h"

typedef spry_status spry_update_function(spry_context *context, enum spry_update update,
                                         const struct spry_vectors *vectors, struct spry_state *state,
                                         const struct spry_ranks *ranks);
spry_update_function spry_update_cuda_f32, spry_update_cuda_f64;

#endif
