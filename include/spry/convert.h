/* SPDX-License-Identifier: BSD-3-Clause */
/** @file convert.h  Any format to any other, through CSR. */
#ifndef SPRY_CONVERT_H
#define SPRY_CONVERT_H

#include "matrix.h"

/** What to do with entries at the same row and column. */
typedef enum spry_duplicates {
    SPRY_SUM,   /**< add them up, in the order given */
    SPRY_KEEP,  /**< keep each as an entry of its own, in the order given */
    SPRY_REFUSE /**< fail with SPRY_ERROR_DUPLICATE and say where */
} spry_duplicates;

/** Choices for a conversion. 0 stands for each default. */
typedef struct spry_convert_options {
    SPRY_SIZE(spry_convert_options); /**< sizeof(spry_convert_options), see sized.h */
    /** Duplicates are looked at when the source is COO; other formats are taken as they are. */
    spry_duplicates duplicates;
    /** SPRY_AUTO: how many formats to build and to time, the first ones of what spry_select ranks, and CSR besides. 0: none,
     *  the prediction decides. */
    int measure;
    /**
     * ELL, HYB, SELL, shapes, BSR and DIA: largest allowed size as a multiple of the matrix in CSR; past it the
     * conversion fails with SPRY_ERROR_TOO_LARGE, before memory is asked for. 0: 10. Results under 16 MiB always pass.
     */
    double fill_limit;
    /** HYB: the quantile of the row lengths that becomes the width of the ELL part, over 0, to 1. 0: two
     * thirds. */
    double hyb_quantile;
    /** SPRY_AUTO: how many products the caller will run, conversion counted in. 0: many. */
    double products;
    /** SPRY_AUTO: 1: the caller will give the matrix other values (spry_update_values), so they are kept as they are, though
     *  columns may be in a code; 0: in a code, or as stencils, where that should be faster. Then new values that the code cannot keep are
     *  refused, and stencils are made anew, up to one a row, where rows are no longer alike. In programs that were compiled before this member came,
     *  options have it as 1. */
    int64_t values_change;
} spry_convert_options;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Make a copy of `source` in another format, with sorted rows and base 0. Values and pattern are kept
 * exactly, explicit zeros too; a round trip through any format gives the same CSR arrays, through COO with duplicates only with
 * SPRY_KEEP on the way back.
 *
 * SPRY_AUTO takes the storage that spry_select ranks first for products y = A x, which may keep values in a code, and columns. Where it turns
 * out that a code does not keep them all, as a sample said that it would, it takes the next. With options->measure, it builds that
 * many storages, and CSR, times a few products with each in this context, and keeps the fastest: never one that was
 * slower than CSR.
 *
 * @param options  may be null
 * @return SPRY_ERROR_ARGUMENT for a format or options out of range, and a matrix that is not where the context works;
 *         SPRY_ERROR_TOO_LARGE; SPRY_ERROR_DUPLICATE; SPRY_ERROR_UNSUPPORTED for SPRY_AUTO without a kernel or a profile
 *         to choose by, and, which is as good as never, for stencils and shapes when different rows have the same hash;
 *         SPRY_ERROR_OVERFLOW for more slots than the pointers count, and, on a device, for COO and CSR that are not
 *         sorted when a row and a column together take more than 64 bits; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_convert(spry_context *context, const spry_matrix *source, spry_format format,
                                  const spry_convert_options *options, spry_matrix **result);

/**
 * As spry_convert, into a storage with the parameters and the code that it names; the format SPRY_AUTO is not among them.
 *
 * @return also SPRY_ERROR_ARGUMENT for parameters that the layout does not allow; SPRY_ERROR_UNSUPPORTED for codes that it
 *         does not have, or that the values do not allow, which the message says
 */
SPRY_API spry_status spry_convert_to(spry_context *context, const spry_matrix *source,
                                     const spry_storage *storage, const spry_convert_options *options,
                                     spry_matrix **result);

/**
 * Make a copy of `source` in the same format with other value and index types. f64 to f32 rounds to
 * nearest, and what is too large for it becomes infinite. Rows come out sorted, with base 0; duplicates are
 * kept; HYB is split anew. A value code (csr+dict8) stays where the value type does; where that changes, values come out plain, and
 * spry_convert_to can encode them again.
 *
 * @return SPRY_ERROR_OVERFLOW when an index or the number of nonzeros does not fit; SPRY_ERROR_ARGUMENT for types that are
 *         none, and a matrix that is not where the context works; SPRY_ERROR_UNSUPPORTED for stencils and shapes, as
 *         spry_convert; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_cast(spry_context *context, const spry_matrix *source, spry_value_type type,
                               spry_index_type index, spry_matrix **result);

/**
 * Make the transpose of `source` as a matrix of its own, in the same format. Shares nothing with it.
 * Rows come out sorted, with base 0; duplicates are kept; HYB is split anew; columns in a code that cannot hold those of the
 * transpose come out plain. Where the transpose would take more than 10 times its size in CSR, as ELL does of a matrix with a full
 * column, and more times that than `source` takes, it comes out in plain CSR: spry_matrix_format and spry_matrix_storage tell.
 *
 * @return SPRY_ERROR_OVERFLOW when a row of the result is too long for its format; SPRY_ERROR_ARGUMENT for a matrix that is
 *         not where the context works; SPRY_ERROR_UNSUPPORTED for stencils and shapes as spry_convert; SPRY_ERROR_MEMORY; SPRY_ERROR_DEVICE
 */
SPRY_API spry_status spry_transpose(spry_context *context, const spry_matrix *source, spry_matrix **result);

#ifdef __cplusplus
}
#endif

#endif
