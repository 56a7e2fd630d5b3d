/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CUDA backend runs on the device over whole arrays: see backend.h for what each must do. */
#ifndef SPRY_CUDA_ARRAYS_H
#define SPRY_CUDA_ARRAYS_H

#include "core/backend.h"

spry_status spry_cuda_scale(spry_context *context, spry_value_type type, int64_t n, double beta, void *y);
spry_status spry_cuda_copy_strided(spry_context *context, size_t size, int64_t n, const void *from,
                                   int64_t from_step, void *to, int64_t to_step);
/* `count` columns of values of so many bytes, 4 or 8, into rows of 2^bits, at most 32: value i of column c, which is
   x[i x_step + c x_next], goes to packed[(i << bits) + c]. What is past `count` in a row stays as it is. */
spry_status spry_cuda_copy_by_rows(spry_context *context, size_t size, int64_t rows, int bits, int count,
                                   const void *x, int64_t x_step, int64_t x_next, void *packed);
spry_status spry_cuda_cast_integers(spry_context *context, const void *from, size_t from_size, void *to,
                                    size_t to_size, int64_t n);
spry_status spry_cuda_cast_values(spry_context *context, const void *from, spry_value_type from_type,
                                  void *to, spry_value_type to_type, int64_t n);

#endif
