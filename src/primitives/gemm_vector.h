/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector registers of numbers, as the dense product sees them: those of primitives/vector.h, and v_store_first(p, v, n), which writes
   the first n <= LANES. */
#ifndef SPRY_GEMM_VECTOR_H
#define SPRY_GEMM_VECTOR_H

#include <string.h>

#include "core/number.h"

typedef num_t real;
#if TMPL_IS == TMPL_IS_F64
#define REAL_BITS 64
#else
#define REAL_BITS 32
#endif

#include "primitives/vector.h"

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
