/* SPDX-License-Identifier: BSD-3-Clause */
/* Value codes: how the values of a matrix are kept. A code is one file a backend, which encodes and decodes whole arrays
   (struct spry_value_coder), and
   a branch of codes/stored.h, by which kernels read a value. */
#ifndef SPRY_CODER_H
#define SPRY_CODER_H

#include "core/backend.h"

/* f64 values as f32. */
extern const struct spry_value_coder spry_cpu_f32;
extern const struct spry_value_coder spry_cuda_f32;

#endif
