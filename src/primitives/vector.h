/* SPDX-License-Identifier: BSD-3-Clause */
/* One vector register of `real` numbers, float or double. Files that include this define that type and how many bits it has,
   REAL_BITS; the file behind each instruction set has the same names:

   vec, LANES            the register and how many values it holds
   v_zero, v_set(a)      all lanes zero, all lanes a
   v_load, v_store       all lanes
   v_load_first(p, n)    the first n values, zero beyond, which is not read; n may be below zero or above
                         LANES, up to 255, so that it takes no branch to load what a row still has
   v_mul, v_add          lane by lane; v_fma(a, b, c) is a b + c
   v_sum(v)              sum of the lanes */
#ifndef SPRY_PRIMITIVES_VECTOR_H
#define SPRY_PRIMITIVES_VECTOR_H

#if defined(__ARM_NEON)
#include "primitives/vector_neon.h"
#else
#include "primitives/vector_x86.h"
#endif

#endif
