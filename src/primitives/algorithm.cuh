/* SPDX-License-Identifier: BSD-3-Clause */
/* What device code of the primitives is written with: compiled once per number type, in terms of core/number.h. */
#ifndef SPRY_ALGORITHM_CUH
#define SPRY_ALGORITHM_CUH

#include "cuda/grid.cuh"

extern "C" {
#include "core/number.h"
}

/* The fields of an algorithm's record that follow from where it stands. */
#define SPRY_CUDA_ALGORITHM(name_, PRIMITIVE)                                                                \
    .name = name_, .primitive = PRIMITIVE, .backend = SPRY_CUDA, .number = TMPL_NUMBER

#endif
