/* SPDX-License-Identifier: BSD-3-Clause */
/** @file storage.h  How a matrix is stored, in full: its layout, the layout's parameters, and how columns and values are kept. */
#ifndef SPRY_STORAGE_H
#define SPRY_STORAGE_H

#include "status.h"
#include "types.h"

/** Parameters that a layout has, at most. */
#define SPRY_STORAGE_PARAMETERS 4

/**
 * The one list of value codes: X(NAME, name, title). A code keeps the values of a matrix in another way than one after the
 * other, without any loss: products have the same bits. Values are different when a bit of them is, as those of 0 and -0; what
 * pads a layout is no value.
 */
#define SPRY_VALUE_CODE_LIST(X)                                                                              \
    X(PLAIN, plain, "each value as it is")                                                                   \
    X(F32, f32, "f64 values that are all exact in f32, kept as f32")                                         \
    X(CONSTANT, constant, "one value, the same for all entries")                                             \
    X(DICT8, dict8, "at most 256 different values: a byte for each entry")                                   \
    X(DICT16, dict16, "at most 65536 different values: two bytes for each entry")

/** How values are kept. */
typedef enum spry_value_code {
#define SPRY_VALUE_CODE_ENUM(NAME, name, title) SPRY_VALUES_##NAME,
    SPRY_VALUE_CODE_LIST(SPRY_VALUE_CODE_ENUM)
#undef SPRY_VALUE_CODE_ENUM
        SPRY_VALUE_CODE_COUNT,
    SPRY_NO_VALUES = -1
} spry_value_code;

/**
 * The one list of column codes: X(NAME, name, title). A code keeps the columns of a matrix in another way than one after the
 * other, without any loss: products have the same bits. In CSC, which keeps rows, it is for those.
 */
#define SPRY_COLUMN_CODE_LIST(X)                                                                             \
    X(PLAIN, plain, "each column as it is")                                                                  \
    X(NARROW, narrow, "two bytes for each entry, counted from the first column of 32 rows, or of a slice")

/** How columns are kept. */
typedef enum spry_column_code {
#define SPRY_COLUMN_CODE_ENUM(NAME, name, title) SPRY_COLUMNS_##NAME,
    SPRY_COLUMN_CODE_LIST(SPRY_COLUMN_CODE_ENUM)
#undef SPRY_COLUMN_CODE_ENUM
        SPRY_COLUMN_CODE_COUNT,
    SPRY_NO_COLUMNS = -1
} spry_column_code;

/**
 * A storage. Zero-initialise it, then set what you need: {.format = SPRY_SELL} is SELL with the library's own parameters. It
 * has room for what later versions add, so it does not grow. In text it is the layout's name, its parameters behind colons,
 * and its codes behind a + each, in any order: "csr", "sell:8:256", "sell:32:1024+f32", "csr+narrow", "sell:32:1+narrow+dict8".
 * Parameters may be left out from the last one on, and a code where columns or values are plain.
 */
typedef struct spry_storage {
    spry_format format; /**< the layout */
    spry_value_code values;
    /** By layout; 0: the library chooses. SELL: height of a slice (C), 1 to 1024, and window of rows that are sorted (σ):
     *  1, none, or a multiple of the height, which has to be given then. Shape: height of a slice, a power of two to 512. BSR:
     *  height and width of a block, 1 to 8; with a width the height has to be given. The other layouts have none. */
    int64_t parameter[SPRY_STORAGE_PARAMETERS];
    spry_column_code columns;
    int reserved_code;   /**< zero */
    int64_t reserved[3]; /**< zero */
} spry_storage;

/** Characters that the text of a storage takes at most, the final zero included. */
#define SPRY_STORAGE_TEXT 128

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read a storage from text.
 *
 * @param end  null, or where reading ended: behind the storage, or where it is not understood, also when there is more text
 * @return SPRY_ERROR_SYNTAX when the text, all of it, is no storage, or a parameter is too large for 64 bits; *storage is as
 *         it was then. SPRY_ERROR_ARGUMENT when `text` or `storage` is null
 */
SPRY_API spry_status spry_storage_parse(const char *text, spry_storage *storage, const char **end);

/** Write a storage as text, with its parameters up to the last that is set, its column code and its value code; "?" for one
 *  whose format is none. Writes at most
 *  `size` bytes, the final zero included. */
SPRY_API void spry_storage_text(const spry_storage *storage, char *text, size_t size);

/** Lower-case name of a value code ("f32"), or "?" for a value that is none. Static storage. */
SPRY_API const char *spry_value_code_name(spry_value_code code);

/** Lower-case name of a column code ("narrow"), or "?" for a value that is none. Static storage. */
SPRY_API const char *spry_column_code_name(spry_column_code code);

#ifdef __cplusplus
}
#endif

#endif
