/* SPDX-License-Identifier: BSD-3-Clause */
/* For files that are compiled once per number type. The build defines SPRY_TMPL_NUMBER, one of F32, F64, I32 and
   I64, and SPRY_TMPL_SUFFIX, for example f64 or cuda_f64. */
#ifndef SPRY_CORE_NUMBER_H
#define SPRY_CORE_NUMBER_H

#include <stdint.h>

#define TMPL_PASTE_(name, suffix) name##_##suffix
#define TMPL_PASTE(name, suffix) TMPL_PASTE_(name, suffix)
/* The name of this instance: NAME(spry_algorithms_reduce) is spry_algorithms_reduce_f64. */
#define NAME(name) TMPL_PASTE(name, SPRY_TMPL_SUFFIX)

#define TMPL_IS_F32 1
#define TMPL_IS_F64 2
#define TMPL_IS_I32 3
#define TMPL_IS_I64 4
#define TMPL_IS TMPL_PASTE(TMPL_IS, SPRY_TMPL_NUMBER)

/* num_t is the number, sum_t what sums of it are in, wrap_t what it is added in when integers wrap around. */
#if TMPL_IS == TMPL_IS_F32
typedef float num_t, wrap_t;
typedef double sum_t;
#elif TMPL_IS == TMPL_IS_F64
typedef double num_t, wrap_t, sum_t;
#elif TMPL_IS == TMPL_IS_I32
typedef int32_t num_t;
typedef uint32_t wrap_t;
typedef int64_t sum_t;
#else
typedef int64_t num_t, sum_t;
typedef uint64_t wrap_t;
#endif
#define TMPL_IS_FLOATING (TMPL_IS <= TMPL_IS_F64)
#define TMPL_NUMBER TMPL_PASTE(SPRY_NUMBER, SPRY_TMPL_NUMBER)

#endif
