/* SPDX-License-Identifier: BSD-3-Clause */
/** @file matrix.h  Matrices: opaque handles over open arrays. */
#ifndef SPRY_MATRIX_H
#define SPRY_MATRIX_H

#include "context.h"
#include "storage.h"

/**
 * A sparse matrix in one format. It is immutable but for spry_update_values: everything that a product
 * needs is prepared when it is built, so any number of threads may multiply by it at once.
 */
typedef struct spry_matrix spry_matrix;

/*
 * The arrays of each format. Values are float or double by the matrix's spry_value_type; "index" arrays hold
 * rows or columns, "pointer" arrays hold offsets into the nonzeros, both by its spry_index_type. `base` is
 * what the caller counts from, 0 or 1; only matrices that wrap arrays, and copies of them by spry_matrix_copy, have base 1;
 * pointers count from it too. These structs are closed (see sized.h).
 */

/** COO: entry k is val[k] at (row[k], col[k]), in any order. */
typedef struct spry_coo {
    void *row; /**< index, nnz */
    void *col; /**< index, nnz */
    void *val; /**< value, nnz */
    int base;
} spry_coo;

/** CSR: row i has the entries ptr[i] … ptr[i+1]-1. */
typedef struct spry_csr {
    void *ptr; /**< pointer, rows + 1 */
    void *idx; /**< index, nnz: columns */
    void *val; /**< value, nnz */
    int base;
} spry_csr;

/** CSC: column j has the entries ptr[j] … ptr[j+1]-1. */
typedef struct spry_csc {
    void *ptr; /**< pointer, cols + 1 */
    void *idx; /**< index, nnz: rows */
    void *val; /**< value, nnz */
    int base;
} spry_csc;

/**
 * ELL: entry k of row i is at k * stride + i, for k < len[i]. Padding (k >= len[i]) has value zero and
 * repeats the row's last column (0 in an empty row), so that it may be read without harm.
 */
typedef struct spry_ell {
    int64_t width;  /**< slots a row: length of the longest row */
    int64_t stride; /**< slots from one column of the layout to the next; rows rounded up */
    void *len;      /**< index, stride: entries of each row; zero past the last row */
    void *idx;      /**< index, width * stride: columns */
    void *val;      /**< value, width * stride */
} spry_ell;

/** HYB: the first `width` entries of each row in ELL, what is left in COO, sorted by row. */
typedef struct spry_hyb {
    const spry_matrix *ell; /**< SPRY_ELL, same size */
    const spry_matrix *coo; /**< SPRY_COO, same size */
} spry_hyb;

/**
 * JDS: rows sorted by falling length (equal lengths in their order); diagonal d has the d-th entry of
 * every row that is longer than d, at ptr[d] … ptr[d+1]-1, in sorted order.
 */
typedef struct spry_jds {
    int64_t diagonals; /**< length of the longest row */
    void *perm;        /**< index, rows: sorted position -> row */
    void *ptr;         /**< pointer, diagonals + 1 */
    void *idx;         /**< index, nnz: columns */
    void *val;         /**< value, nnz */
} spry_jds;

/**
 * SELL-C-σ: rows in slices of `height`, each slice as wide as its longest row and stored column by column. Within each
 * `window` rows, they are sorted by falling length (equal lengths in their order). Entry k of the row at position p is at
 * ptr[p / height] * unit + k * height + p % height, for k < len[p]; that row is perm[p], or p itself where window is 1.
 * Padding (k >= len[p]) of a caller's arrays is not looked at. Where the library made it, it has value zero and repeats the row's
 * last column, which a product may read x at, and no more.
 */
typedef struct spry_sell {
    int64_t height; /**< rows of a slice (C), 1 to 1024 */
    int64_t window; /**< rows that are sorted together (σ): 1, none, or a multiple of height */
    int64_t slots;  /**< for entries, padding included */
    int64_t unit;   /**< slots that one step of ptr stands for: 1 or height */
    void *ptr;      /**< pointer, slices + 1; there are rows / height slices, rounded up */
    void *len;      /**< index, slices * height: entries at each position; zero past the last row */
    void *idx;      /**< index, slots: columns */
    void *val;      /**< value, slots */
    void *perm;     /**< index, rows: position -> row; null with window 1 */
} spry_sell;

/**
 * Stencils: many rows of a matrix from a grid say the same thing, value by value, relative to their diagonal. Each such row
 * is the number of its stencil, a list of offsets (column − row) and values: entry k of row i is
 * val[ptr[s] + k] at column i + offset[ptr[s] + k], with s = number[i], for k < ptr[s+1] − ptr[s]. Stencils are numbered by
 * the first row that has them, when the matrix is made. A row that is like no other has a stencil of its own, so any matrix can be
 * kept so. The arrays move with spry_update_values.
 */
typedef struct spry_stencil {
    int64_t count;       /**< stencils */
    int64_t entries;     /**< of all of them together */
    int64_t number_size; /**< bytes of a number: 1, 2 or 4, the fewest that `count` needs */
    void *number;        /**< unsigned integer of that size, rows: the stencil of each row */
    void *ptr;           /**< pointer, count + 1 */
    void *offset;        /**< index, entries: column − row, which may be below zero */
    void *val;           /**< value, entries */
} spry_stencil;

/**
 * Shapes: as stencils, but rows have values of their own, and share the offsets only. Values lie in slices of `height` rows, as
 * in SELL: entry k of row i is val[first[i / height] + k * height + i % height] at column i + offset[ptr[s] + k], with
 * s = number[i]. Slots past a row's end are padding, which is not looked at; where the library made it, it is zero.
 */
typedef struct spry_shape {
    spry_stencil rows; /**< the numbers of rows and the offsets; `val` is null */
    int64_t height;    /**< rows of a slice: a power of two, to 512 */
    int64_t slots;     /**< for values, padding included */
    void *first;       /**< pointer, slices + 1: first slot of each of rows / height slices, rounded up */
    void *val;         /**< value, slots */
} spry_shape;

/**
 * BSR: the matrix in blocks of `height` × `width`, of which those with an entry are stored. Row i of blocks has the blocks
 * ptr[i] … ptr[i+1]-1, and block b stands in column idx[b] of blocks. Row r and column c of it are at val[(b * height + r) *
 * width + c], and are an entry if bit r * width + c of mask[b] is set. All other places are padding, which is not looked at;
 * where the library made it, it has value zero. Blocks at the last row and column may reach past them. Entries that occur
 * twice are in blocks of the same column, one behind the other.
 */
typedef struct spry_bsr {
    int64_t height; /**< rows of a block, 1 to 8 */
    int64_t width;  /**< columns of a block, 1 to 8 */
    int64_t blocks;
    /** bytes of a mask: 1, 2, 4 or 8, the least that have height * width bits; 0: there are no masks */
    int64_t mask_bytes;
    void *ptr;  /**< pointer, rows of blocks + 1; there are rows / height of them, rounded up */
    void *idx;  /**< index, blocks: columns of blocks */
    void *val;  /**< value, blocks * height * width */
    void *mask; /**< unsigned integer of mask_bytes, blocks; null where each place is an entry */
} spry_bsr;

/** Rows of a slice of spry_dia: as many as a mask has bits. */
#define SPRY_DIA_ROWS 32

/**
 * DIA by slices: each SPRY_DIA_ROWS rows keep the diagonals that they have an entry on, as DIA does of a whole matrix. Slice s has
 * the diagonals first[s] … first[s+1]-1, by rising offset. Of diagonal d in slice s, row i = SPRY_DIA_ROWS s + r has an entry if bit r
 * of mask[d] is set: at column i + offset[d], with the value val[SPRY_DIA_ROWS d + r]. All other places are padding, which is not
 * looked at; where the library made it, it is zero. Entries that occur twice are on diagonals of the same offset, one behind the
 * other.
 */
typedef struct spry_dia {
    int64_t diagonals; /**< of all slices together */
    void *first;       /**< pointer, slices + 1; there are rows / SPRY_DIA_ROWS of them, rounded up */
    void *offset;      /**< index, diagonals: column − row, which may be below zero */
    void *mask;        /**< 32-bit unsigned integer, diagonals */
    void *val;         /**< value, SPRY_DIA_ROWS diagonals */
} spry_dia;

/** What spry_validate looks at beyond sizes, ranges and pointers, which it always checks. */
typedef enum spry_validate_flags {
    SPRY_CHECK_SORTED = 1,  /**< columns rise within each row (rows within each column for CSC) */
    SPRY_CHECK_FINITE = 2,  /**< no value is NaN or infinite */
    SPRY_CHECK_DISTINCT = 4 /**< no row and column occurs twice (needs sorted entries: implies SORTED) */
} spry_validate_flags;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Wrap the caller's arrays, which lie where the context works, without a copy. The arrays must live, and their
 * pattern must stay as it is, until the matrix is destroyed; values may be changed in place between products, by
 * the caller or with spry_update_values, which writes into the arrays. The arrays are checked as by
 * spry_validate(…, 0) first, unless the context was told to trust them. `nnz` of CSR and CSC is taken from their pointers.
 *
 * @param rows, cols  size; each from 0 to 2^31 − 1 with 32-bit indices, to 2^62 − 1 with 64-bit ones
 * @param arrays      the arrays; the struct is copied, the arrays are not
 * @return SPRY_ERROR_INVALID with the first fault in the message; SPRY_ERROR_OVERFLOW for a size that the
 *         index type does not hold; SPRY_ERROR_ARGUMENT; SPRY_ERROR_MEMORY
 */
SPRY_API spry_status spry_wrap_coo(spry_context *context, spry_value_type type, spry_index_type index,
                                   int64_t rows, int64_t cols, int64_t nnz, const spry_coo *arrays,
                                   spry_matrix **matrix);
/** As spry_wrap_coo, for CSR. */
SPRY_API spry_status spry_wrap_csr(spry_context *context, spry_value_type type, spry_index_type index,
                                   int64_t rows, int64_t cols, const spry_csr *arrays, spry_matrix **matrix);
/** As spry_wrap_coo, for CSC. */
SPRY_API spry_status spry_wrap_csc(spry_context *context, spry_value_type type, spry_index_type index,
                                   int64_t rows, int64_t cols, const spry_csc *arrays, spry_matrix **matrix);

/**
 * As spry_wrap_coo, for sliced ELL: rows are not sorted, so `window` is 1, or 0 for the same, and `perm` is null. `len`
 * may be null: then each row ends at its first column below zero, as in arrays for cusparseCreateSlicedEll (with `unit`
 * = 1) and in Ginkgo's SELL-P (`unit` = `height` times its stride factor of 1), and the lengths, one index a row, are the
 * matrix's own. `slots` may be 0: the pointers tell; another number must be what they tell.
 */
SPRY_API spry_status spry_wrap_sell(spry_context *context, spry_value_type type, spry_index_type index,
                                    int64_t rows, int64_t cols, const spry_sell *arrays,
                                    spry_matrix **matrix);

/**
 * As spry_wrap_coo, for blocks. `mask` may be null: then each place of each block is an entry, and rows and columns are
 * multiples of `height` and `width`, as in arrays for cusparseCreateBsr with row-major blocks. `blocks` and `mask_bytes` may be
 * 0: the pointers and the size of a block tell; other numbers must be what they tell.
 */
SPRY_API spry_status spry_wrap_bsr(spry_context *context, spry_value_type type, spry_index_type index,
                                   int64_t rows, int64_t cols, const spry_bsr *arrays, spry_matrix **matrix);

/**
 * Release a matrix, not the arrays it wraps. Null is allowed. All work on its CUDA device is waited for, whichever is the
 * thread's current one: not while a stream of that device is being captured.
 */
SPRY_API void spry_matrix_destroy(spry_matrix *matrix);

/**
 * Make a copy of a matrix in the same format where `context` works: from the host to a device, back, from one
 * device to another, or beside the source. Arrays are copied as they are.
 *
 * @return SPRY_ERROR_MEMORY; SPRY_ERROR_OVERFLOW; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_matrix_copy(spry_context *context, const spry_matrix *source, spry_matrix **copy);

/*
 * What a matrix is. A null one is on the CPU, has 0 of everything, no arrays, and SPRY_NO_FORMAT, SPRY_NO_TYPE and
 * SPRY_NO_INDEX for a format and types.
 */

/** Where the arrays of a matrix lie. Calls that take a matrix and a context want them on the same backend (and
 *  device), all but spry_matrix_copy. */
SPRY_API spry_backend spry_matrix_backend(const spry_matrix *matrix);
/** Storage format; never SPRY_AUTO. */
SPRY_API spry_format spry_matrix_format(const spry_matrix *matrix);
/** How a matrix is stored: its layout with all parameters, and its codes. */
SPRY_API void spry_matrix_storage(const spry_matrix *matrix, spry_storage *storage);
/** Type of the values. */
SPRY_API spry_value_type spry_matrix_type(const spry_matrix *matrix);
/** Types of the integer arrays. */
SPRY_API spry_index_type spry_matrix_index(const spry_matrix *matrix);
/** Number of rows. */
SPRY_API int64_t spry_matrix_rows(const spry_matrix *matrix);
/** Number of columns. */
SPRY_API int64_t spry_matrix_cols(const spry_matrix *matrix);
/** Number of stored entries: explicit zeros and duplicates count, padding does not. */
SPRY_API int64_t spry_matrix_nnz(const spry_matrix *matrix);
/** Number of slots for entries, padding included; spry_matrix_slots / spry_matrix_nnz is the fill ratio. */
SPRY_API int64_t spry_matrix_slots(const spry_matrix *matrix);
/** Exact bytes of the format's arrays, whoever owns them. */
SPRY_API size_t spry_matrix_bytes(const spry_matrix *matrix);
/** Those of them that are padding alone: what slots without an entry take in arrays with an item for each slot. A product has
 *  no use for them. */
SPRY_API size_t spry_matrix_padding(const spry_matrix *matrix);

/** The arrays of a matrix in that format, to be read only; null when it is in another format. */
SPRY_API const spry_coo *spry_matrix_coo(const spry_matrix *matrix);
SPRY_API const spry_csr *spry_matrix_csr(const spry_matrix *matrix);
SPRY_API const spry_csc *spry_matrix_csc(const spry_matrix *matrix);
SPRY_API const spry_ell *spry_matrix_ell(const spry_matrix *matrix);
SPRY_API const spry_hyb *spry_matrix_hyb(const spry_matrix *matrix);
SPRY_API const spry_jds *spry_matrix_jds(const spry_matrix *matrix);
SPRY_API const spry_sell *spry_matrix_sell(const spry_matrix *matrix);
SPRY_API const spry_stencil *spry_matrix_stencil(const spry_matrix *matrix);
SPRY_API const spry_shape *spry_matrix_shape(const spry_matrix *matrix);
SPRY_API const spry_bsr *spry_matrix_bsr(const spry_matrix *matrix);
SPRY_API const spry_dia *spry_matrix_dia(const spry_matrix *matrix);

/**
 * Check a matrix in full and name its first fault (index out of range, pointers not monotone, and what
 * `flags`, an or of spry_validate_flags, asks for) in the context's message, in the caller's base.
 *
 * @return SPRY_ERROR_INVALID; SPRY_ERROR_MEMORY, as JDS needs a byte a row to check its permutation, and what a
 *         device has no code for (all but sizes, ranges and pointers of COO, CSR and CSC) is checked in a copy
 *         on the host
 */
SPRY_API spry_status spry_validate(spry_context *context, const spry_matrix *matrix, unsigned flags);

/**
 * Replace the values of `matrix`, in any format, by those of `csr`, a CSR matrix with the same size,
 * types and pattern, in any order within its rows, whatever order `matrix` has (time stepping, Newton). Of duplicates,
 * the first gets the value of the first. No product with `matrix` may run meanwhile. Fastest where both have the same
 * order.
 *
 * @return SPRY_ERROR_ARGUMENT for a null pointer, a matrix that is not where the context works, and a `csr` that is in
 *         another format or has other types than `matrix`; SPRY_ERROR_PATTERN when sizes or patterns differ: `matrix` is
 *         then as it was, as it is after SPRY_ERROR_MEMORY;
 *         SPRY_ERROR_UNSUPPORTED for a COO matrix that is not in row-major order, a CSC matrix whose
 *         columns are not sorted, and a SELL or BSR matrix whose rows are not (change wrapped values in place instead); also where the
 *         matrix has its values in a code, as SPRY_AUTO may have chosen, that cannot keep one of the new ones: the message says
 *         which code and which value, and the matrix is as it was (see spry_convert_options.values_change)
 */
SPRY_API spry_status spry_update_values(spry_context *context, spry_matrix *matrix, const spry_matrix *csr);

#ifdef __cplusplus
}
#endif

#endif
