/* SPDX-License-Identifier: BSD-3-Clause */
/* What device code is written with. Like the C files, it is compiled once per pair of value and index type, in
   terms of val_t, idx_t and ptr_t; kernels whose layouts have value codes once more for each, with stored_t.

   Several files are compiled at once (cuda/meson.build). So what each has of its own is in a namespace with its name, constants
   are of the language and not of the preprocessor, and what others call has C linkage. */
#ifndef SPRY_CUDA_KERNEL_CUH
#define SPRY_CUDA_KERNEL_CUH

#include "cuda/grid.cuh"

extern "C" {
#include "core/tmpl.h"
}

/* An array of a format or a plan, as what it is. */
template <class T>
static __host__ __device__ inline T *as(void *array) {
    return static_cast<T *>(array);
}

/* a b, rounded before it is added to something. Here and by fma, kernels that are compiled more than once say which products are: left
   to the compiler, those for codes could have other bits than those for plain values. */
static __device__ inline float times(float a, float b) {
    return __fmul_rn(a, b);
}
static __device__ inline double times(double a, double b) {
    return __dmul_rn(a, b);
}

/* alpha sum + beta *y, where y is not read if beta is zero. */
static __device__ inline val_t blend(val_t alpha, val_t sum, val_t beta, const val_t *y) {
    return beta == 0 ? alpha * sum : fma(alpha, sum, times(beta, *y));
}

#endif
