/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps on a device, for each value type. */
#ifndef SPRY_SWEEP_DEVICE_H
#define SPRY_SWEEP_DEVICE_H

#include "core/internal.h"
#include "solve/sweep.h"

typedef spry_status spry_sweep_function(spry_context *context, enum spry_sweep sweep,
                                        const struct spry_vectors *vectors, struct spry_state *state);
spry_sweep_function spry_sweep_cuda_f32, spry_sweep_cuda_f64;

#endif
