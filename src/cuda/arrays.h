/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CUDA backend runs on the device over whole arrays: see backend.h for what each must do. */
#ifndef SPRY_CUDA_ARRAYS_H
#define SPRY_CUDA_ARRAYS_H

#include "core/backend.h"

spry_status spry_cuda_scale(spry_context *context, spry_value_type type, int64_t n, double beta, void *y);
spry_status spry_cuda_copy_strided(spry_context *context, size_t size, int64_t n, const void *from,
                                   int64_t from_step, void *to, int64_t to_step);
spry_status spry_cuda_cast_integers(spry_context *context, const void *from, size_t from_size, void *to,
                                    size_t to_size, int64_t n);
spry_status spry_cuda_cast_values(spry_context *context, const void *from, spry_value_type from_type,
                                  void *to, spry_value_type to_type, int64_t n);

#endif
