/* SPDX-License-Identifier: BSD-3-Clause */
/** @file types.h  The words the whole library is written in: formats, value and index types. */
#ifndef SPRY_TYPES_H
#define SPRY_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SPRY_API
#else
#define SPRY_API __attribute__((visibility("default")))
#endif

/*
 * Values of enumerations stay what they are, and new ones come behind them. What is no value of a type is its SPRY_NO_…,
 * which stays too. …_COUNT is how many values these headers know: a library that is newer may return others.
 */

/**
 * The one list of storage formats: X(NAME, name, title). The enumeration below, the table of format
 * code and everything that walks over formats (tests, benchmark, selector) are made from it.
 */
#define SPRY_FORMAT_LIST(X)                                                                                  \
    X(COO, coo, "coordinates: a row, a column, a value")                                                     \
    X(CSR, csr, "compressed sparse rows")                                                                    \
    X(CSC, csc, "compressed sparse columns")                                                                 \
    X(ELL, ell, "rows padded to one length, column-major")                                                   \
    X(HYB, hyb, "ELL up to a row length, COO for the rest")                                                  \
    X(JDS, jds, "rows sorted by length, jagged diagonals")                                                   \
    X(SELL, sell, "slices of rows, each padded to its longest, column-major")                                \
    X(STENCIL, stencil, "rows by number of their stencil: (offset, value) pairs that rows share")            \
    X(SHAPE, shape, "slices of rows by number of their shape: offsets that rows share")                      \
    X(BSR, bsr, "small blocks of rows and columns, each row-major, with masks where not all are full")       \
    X(DIA, dia, "slices of 32 rows by the diagonals that they have entries on")

/** How a matrix is stored. */
typedef enum spry_format {
#define SPRY_FORMAT_ENUM(NAME, name, title) SPRY_##NAME,
    SPRY_FORMAT_LIST(SPRY_FORMAT_ENUM)
#undef SPRY_FORMAT_ENUM
        SPRY_FORMAT_COUNT,
    SPRY_AUTO = -1, /**< let the library choose (spry_convert only) */
    SPRY_NO_FORMAT = -2
} spry_format;

/** Type of the values, and of x and y in a product. */
typedef enum spry_value_type { SPRY_F32, SPRY_F64, SPRY_TYPE_COUNT, SPRY_NO_TYPE = -1 } spry_value_type;

/** Types of numbers that reductions and scans take; the first two are those of spry_value_type. */
typedef enum spry_number {
    SPRY_NUMBER_F32,
    SPRY_NUMBER_F64,
    SPRY_NUMBER_I32,
    SPRY_NUMBER_I64,
    SPRY_NUMBER_COUNT,
    SPRY_NO_NUMBER = -1
} spry_number;

/** Types of the integer arrays. Columns and rows are "indices"; offsets into the nonzeros are "pointers". */
typedef enum spry_index_type {
    SPRY_I32,    /**< 32-bit indices and pointers: fewer than 2^31 rows, columns and nonzeros */
    SPRY_I32P64, /**< 32-bit indices, 64-bit pointers: fewer than 2^31 rows and columns, 2^62 nonzeros */
    SPRY_I64, /**< 64-bit indices and pointers: fewer than 2^62 of each, so that sums of two do not overflow */
    SPRY_INDEX_COUNT,
    SPRY_NO_INDEX = -1
} spry_index_type;

/** Which product: with the matrix as it is, or with its transpose. */
typedef enum spry_op { SPRY_N, SPRY_T, SPRY_OP_COUNT, SPRY_NO_OP = -1 } spry_op;

/** Where a context works, where the arrays of a matrix lie, and where a kernel runs. */
typedef enum spry_backend { SPRY_CPU, SPRY_CUDA, SPRY_BACKEND_COUNT, SPRY_NO_BACKEND = -1 } spry_backend;

#ifdef __cplusplus
extern "C" {
#endif

/** Lower-case name of a format ("csr"), or "?" for a value that is none. Static storage. */
SPRY_API const char *spry_format_name(spry_format format);
/** One line that says what a format is, or "?". Static storage. */
SPRY_API const char *spry_format_title(spry_format format);
/** The format with this name, in any case, or SPRY_NO_FORMAT when there is none. */
SPRY_API spry_format spry_format_by_name(const char *name);

/** "f32" or "f64"; "?" for a value that is none. */
SPRY_API const char *spry_type_name(spry_value_type type);
/** "f32", "f64", "i32" or "i64"; "?" for a value that is none. */
SPRY_API const char *spry_number_name(spry_number number);
/** Size of one number in bytes; 0 for a value that is none. */
SPRY_API size_t spry_number_size(spry_number number);
/** "i32", "i32p64" or "i64"; "?" for a value that is none. */
SPRY_API const char *spry_index_name(spry_index_type index);
/** "cpu" or "cuda"; "?" for a value that is none. */
SPRY_API const char *spry_backend_name(spry_backend backend);
/** Size of one value in bytes; 0 for a type that is none. */
SPRY_API size_t spry_type_size(spry_value_type type);
/** Size of one row or column index in bytes; 0 for a type that is none. */
SPRY_API size_t spry_index_size(spry_index_type index);
/** Size of one pointer (offset into the nonzeros) in bytes; 0 for a type that is none. */
SPRY_API size_t spry_pointer_size(spry_index_type index);

#ifdef __cplusplus
}
#endif

#endif
