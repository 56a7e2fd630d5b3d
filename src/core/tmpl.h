/* SPDX-License-Identifier: BSD-3-Clause */
/* For files that are compiled once per value type and index type. The build defines SPRY_TMPL_TYPE (32 or
   64), SPRY_TMPL_IDX and SPRY_TMPL_PTR (32 or 64) and SPRY_TMPL_SUFFIX, for example f64_i32. Kernel files that hardly read
   pointers are compiled once for both widths of these: there is no SPRY_TMPL_PTR then, and no ptr_t. */
#ifndef SPRY_TMPL_H
#define SPRY_TMPL_H

#include <stdint.h>

/* Codes of columns, where layouts have any. */
#define TMPL_COLUMN_CODES (1u << SPRY_COLUMNS_NARROW)

/* Codes with a table are for values of any type. */
#define TMPL_TABLES (1u << SPRY_VALUES_CONSTANT | 1u << SPRY_VALUES_DICT8 | 1u << SPRY_VALUES_DICT16)

/* A value, and TMPL_CODES: the codes that layouts keep values of this type in, where they have any. */
#if SPRY_TMPL_TYPE == 32
typedef float val_t;
#define TMPL_TYPE SPRY_F32
#define TMPL_CODES TMPL_TABLES
#else
typedef double val_t;
#define TMPL_TYPE SPRY_F64
#define TMPL_CODES (1u << SPRY_VALUES_F32 | TMPL_TABLES)
#endif

#if SPRY_TMPL_IDX == 32
typedef int32_t idx_t;
typedef uint32_t unsigned_idx_t;
#define TMPL_SHARED x32
#else
typedef int64_t idx_t;
typedef uint64_t unsigned_idx_t;
#define TMPL_SHARED x64
#endif

#ifdef SPRY_TMPL_PTR
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
#endif

#define TMPL_PASTE_(name, suffix) name##_##suffix
#define TMPL_PASTE(name, suffix) TMPL_PASTE_(name, suffix)
/* The name of this instance: NAME(spry_csr_code) is spry_csr_code_f64_i32. */
#define NAME(name) TMPL_PASTE(name, SPRY_TMPL_SUFFIX)

/* The name of what there is for these types: INDEXED(f, i32p64) is f_f64_i32p64. */
#define TMPL_INDEXED_(name, type, index) name##_f##type##_##index
#define TMPL_INDEXED(name, type, index) TMPL_INDEXED_(name, type, index)
#define INDEXED(name, index) TMPL_INDEXED(name, SPRY_TMPL_TYPE, index)

/* The name of what both widths of pointers share: SHARED(spry_scatter_run) is spry_scatter_run_f64_x32. */
#define SHARED(name) INDEXED(name, TMPL_SHARED)

#endif
