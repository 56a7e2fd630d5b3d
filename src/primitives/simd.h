/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for what <primitive>_simd.c has, which is compiled once per instruction set. */
#ifndef SPRY_PRIMITIVES_SIMD_H
#define SPRY_PRIMITIVES_SIMD_H

#include "core/cpu.h"
#include "core/number.h"

#if defined(__ARM_NEON)
#define SIMD_NAME(primitive) primitive "_neon"
#define SIMD_NEEDS SPRY_CPU_NEON
#define SIMD_LIST(primitive) NAME(spry_algorithms_##primitive##_neon)
#elif defined(__AVX512F__)
#define SIMD_NAME(primitive) primitive "_avx512"
#define SIMD_NEEDS SPRY_CPU_AVX512
#define SIMD_LIST(primitive) NAME(spry_algorithms_##primitive##_avx512)
#else
#define SIMD_NAME(primitive) primitive "_avx2"
#define SIMD_NEEDS SPRY_CPU_AVX2
#define SIMD_LIST(primitive) NAME(spry_algorithms_##primitive##_avx2)
#endif

#endif
