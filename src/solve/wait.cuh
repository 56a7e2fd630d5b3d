/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that wait for each other within one launch, instead of a launch for each level (Liu, Li, Hogg, Duff and
 * Vinter, "A synchronization-free algorithm for parallel sparse triangular solves", Euro-Par 2016). Rows are in the
 * order of their levels and blocks begin in the order of their numbers, so what a row waits for has begun before it,
 * and the row whose turn it is waits for nothing.
 */
#ifndef SPRY_SOLVE_WAIT_CUH
#define SPRY_SOLVE_WAIT_CUH

#include "cuda/kernel.cuh"

/* A value that is not there yet is a NaN with all bits set. One word says both whether a value is there and what
   it is, so readers need no fence. */
#if SPRY_TMPL_TYPE == 32
typedef unsigned word_t;
static __device__ inline word_t to_word(val_t value) {
    return __float_as_uint(value);
}
static __device__ inline val_t from_word(word_t word) {
    return __uint_as_float(word);
}
#else
typedef unsigned long long word_t;
static __device__ inline word_t to_word(val_t value) {
    return (word_t)__double_as_longlong(value);
}
static __device__ inline val_t from_word(word_t word) {
    return __longlong_as_double((long long)word);
}
#endif
#define NOT_YET (~(word_t)0)

/* Let n values be not yet there. */
static inline spry_status clear_words(spry_context *context, void *values, int64_t n) {
    return spry_cuda_check(context,
                           cudaMemsetAsync(values, 0xff, (size_t)n * sizeof(val_t), context->device->stream),
                           "clearing a solution");
}

/* A value that happens to be that NaN becomes another one. */
static __device__ inline void publish(volatile word_t *place, val_t value) {
    const word_t word = to_word(value);
    *place = word == NOT_YET ? word >> 1 : word;
}

/* Flags of rows that are done: what a warp wrote before it raises one is seen by those who waited for it. All lanes
   call both. */
static __device__ inline void raise_flag(volatile int *flag) {
    __threadfence();
    __syncwarp();
    if (lane_number() == 0)
        *flag = 1;
}

static __device__ inline void await_flag(const volatile int *flag) {
    while (*flag == 0)
        ;
    __threadfence();
    __syncwarp();
}

#endif
