/* SPDX-License-Identifier: BSD-3-Clause */
/* For files that are compiled once per value type and index type. The build defines SPRY_TMPL_TYPE (32 or
   64), SPRY_TMPL_IDX and SPRY_TMPL_PTR (32 or 64) and SPRY_TMPL_SUFFIX, for example f64_i32. */
#ifndef SPRY_TMPL_H
#define SPRY_TMPL_H

#include <stdint.h>

#if SPRY_TMPL_TYPE == 32
typedef float val_t;
#define TMPL_TYPE SPRY_F32
#define TMPL_CODES 0
#else
typedef double val_t;
#define TMPL_TYPE SPRY_F64
/* Codes that layouts keep values of this type in, where they have any. */
#define TMPL_CODES (1u << SPRY_VALUES_F32)
#endif

#if SPRY_TMPL_IDX == 32
typedef int32_t idx_t;
typedef uint32_t unsigned_idx_t;
#else
typedef int64_t idx_t;
typedef uint64_t unsigned_idx_t;
#endif

#if SPRY_TMPL_PTR == 32
typedef int32_t ptr_t;
#define TMPL_INDEX SPRY_I32
#else
typedef int64_t ptr_t;
#if SPRY_TMPL_IDX == 32
#define TMPL_INDEX SPRY_I32P64
#else
#define TMPL_INDEX SPRY_I64
#endif
#endif

#define TMPL_PASTE_(name, suffix) name##_##suffix
#define TMPL_PASTE(name, suffix) TMPL_PASTE_(name, suffix)
/* The name of this instance: NAME(spry_csr_code) is spry_csr_code_f64_i32. */
#define NAME(name) TMPL_PASTE(name, SPRY_TMPL_SUFFIX)

#endif
