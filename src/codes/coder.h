/* SPDX-License-Identifier: BSD-3-Clause */
/* Value codes: how the values of a matrix are kept. A code is a record for each backend, which encodes and decodes whole
   arrays (struct spry_value_coder), and what its kernels read: by a branch of codes/stored.h or of codes/stored.cuh, or with
   plain values that codes/decode.h gives them. */
#ifndef SPRY_CODER_H
#define SPRY_CODER_H

#include "core/backend.h"

/* f64 values as f32. */
extern const struct spry_value_coder spry_cpu_f32;
extern const struct spry_value_coder spry_cuda_f32;

/* Numbers of values in a table: of one, of one byte, of two. */
extern const struct spry_value_coder spry_cpu_constant, spry_cpu_dict8, spry_cpu_dict16;
extern const struct spry_value_coder spry_cuda_constant, spry_cuda_dict8, spry_cuda_dict16;

#endif
