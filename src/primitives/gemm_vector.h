/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One vector register of numbers, as the dense product sees it:
 *
 * vec, LANES            the register and how many values it holds
 * v_load, v_store       all lanes; v_load_first(p, n), v_store_first(p, v, n) the first n <= LANES: zero beyond, and
 *                       nothing there is read or written
 * v_set(a)              all lanes a
 * v_mul, v_fma          lane by lane; v_fma(a, b, c) is a b + c
 * v_sum(v)              sum of the lanes
 */
#ifndef SPRY_GEMM_VECTOR_H
#define SPRY_GEMM_VECTOR_H

#include <string.h>

#include "core/number.h"

#if defined(__ARM_NEON)
#include "primitives/gemm_neon.h"
#else
#include "primitives/gemm_x86.h"
#endif

/* By halves, through memory: masked stores take AMD's cores ten times as long, and delay loads of what is beside. */
static inline void v_store_first(num_t *p, vec v, int n) {
    num_t lane[LANES];
    int i = 0;
    v_store(lane, v);
#pragma GCC unroll 5
    for (int some = LANES; some > 0; some /= 2)
        if (n & some) {
            memcpy(p + i, lane + i, (size_t)some * sizeof *p);
            i += some;
        }
}

#endif
