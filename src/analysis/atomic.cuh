/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts to which all threads of a grid add: CUDA's atomic functions know no int64_t. */
#ifndef SPRY_ATOMIC_CUH
#define SPRY_ATOMIC_CUH

#include "cuda/grid.cuh"

static __device__ inline void add_to(int64_t *total, int64_t more) {
    if (more > 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(total), (unsigned long long)more);
}

/* Neither is below zero. */
static __device__ inline void raise_to(int64_t *most, int64_t value) {
    atomicMax(reinterpret_cast<unsigned long long *>(most), (unsigned long long)value);
}

#endif
