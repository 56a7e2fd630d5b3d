/* SPDX-License-Identifier: BSD-3-Clause */
/** @file spmv.h  The product y = alpha A x + beta y, and the table of the kernels that compute it. */
#ifndef SPRY_SPMV_H
#define SPRY_SPMV_H

#include "matrix.h"
#include "view.h"

/** One kernel of the table; a kernel that does not exist for a combination has no row. */
typedef struct spry_kernel spry_kernel;

/** What a row of the kernel table says. Later versions may have more members at its end. */
typedef struct spry_kernel_info {
    const char *name; /**< "csr", "csr_avx2": the format, then what the kernel needs or is */
    spry_format format;
    spry_op op;
    spry_backend backend;
    spry_value_type type;
    spry_index_type index;
    const char *needs;        /**< the CPU feature that it is written for, or "cuda"; "" for plain C */
    int nondeterministic;     /**< 1: adds in any order, so two runs may differ in the last bits */
    int many;                 /**< 1: for products with many columns */
    spry_value_code values;   /**< how the matrix keeps its values */
    spry_column_code columns; /**< how it keeps its columns */
} spry_kernel_info;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * y = alpha A x + beta y (SPRY_N) or y = alpha Aᵀ x + beta y (SPRY_T), with the best kernel that this
 * machine and the context that built the matrix allow.
 *
 * x has cols values (rows for SPRY_T), y has rows (cols), both of the matrix's type, to which alpha and
 * beta are rounded first; x and y must not overlap. With beta = 0, y is never read; with alpha = 0, neither
 * A nor x is. The same matrix, kernel and number of threads, or model of device, give the same bits, but for kernels
 * that add in any order, which only a context that allows it chooses.
 *
 * Every kernel multiplies an entry by its x first, adds up, and alpha multiplies sums of these products (of one of them
 * at least): alpha times an entry of A or of x is never formed. So y is finite where Σ |a x| and alpha Σ |a x| are,
 * and beta y, whatever alpha times an entry or a value of x would be. a x may overflow or vanish though alpha a x
 * would not.
 *
 * Sums are in the matrix's type, and rounding grows with the number of entries n that are added one after the other: up to
 * n ε Σ |a x|, where ε is half the distance of 1 from the next number. CSR with vector registers adds in several lanes, so
 * that n is a fraction of the row's entries; other kernels, and products that scatter, add all of a row's. In f32 that
 * matters for rows of millions: one of 10^7 equal entries is off by 8.8 % in ELL, HYB and JDS, and by 0.15 % in CSR with
 * AVX-512. Keep such matrices in f64.
 *
 * Many products with Aᵀ are fastest with a matrix of its own, made once by spry_transpose: SPRY_AUTO then chooses its format.
 *
 * Products that scatter are Aᵀ of all formats but CSC, A of CSC, and A of COO that is not in row order. On the CPU, to
 * share them among threads takes a look at all indices of the matrix, which is left to the first of them or to spry_reserve;
 * threads that come meanwhile wait. It comes out the same whichever context is first.
 *
 * Nothing is allocated but workspace of the context, which grows where this matrix is the first to need so much: by
 * spry_reserve or, without that, in the first product. On the CPU, products need it that scatter, and those with values in a
 * table or narrow columns, which they decode into it, some rows at a time; with CUDA, products that do not scatter find it in
 * the context that built the matrix.
 *
 * With a CUDA context, alpha and beta are on the host, x and y on the device, and the product is put into the
 * context's stream and not waited for. It can be captured in a CUDA graph, which may be replayed, in the order of
 * the context's other work, while the matrix and the context live; one of a product with stencils until
 * spry_update_values, which may put other arrays in the place of theirs.
 *
 * @return SPRY_OK; SPRY_ERROR_ARGUMENT for null pointers and a matrix that is not where the context works;
 *         SPRY_ERROR_UNSUPPORTED when every kernel for this matrix was disabled; SPRY_ERROR_MEMORY when workspace
 *         could not grow; SPRY_ERROR_DEVICE when CUDA refuses, or the stream is captured and workspace would have
 *         to grow
 */
SPRY_API spry_status spry_spmv(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                               const void *x, double beta, void *y);

/**
 * Y = alpha A X + beta Y (SPRY_N) or Y = alpha Aᵀ X + beta Y (SPRY_T), for as many columns as X and Y have: spry_spmv for
 * each of them, but where a kernel for many columns reads the matrix once for several.
 *
 * X has cols rows (rows for SPRY_T) and Y has rows (cols); values are of the matrix's type. They may be by rows or by
 * columns, with whatever stride, as spry_view_of_rows and spry_view_of_columns say; Y has strides that are not zero, no
 * two of its values are at one place, and it does not overlap X. Rows side by side (spry_view_of_rows) are fastest.
 *
 * A kernel for many columns has the threads of this context on the CPU, all others those of the context that built the matrix.
 *
 * The same matrix, views, kernel and number of threads, or model of device, give the same bits. A column has those of
 * spry_spmv where it is alone or there is no kernel for many. On the CPU, where there is one, a column's bits depend neither on
 * how many others there are nor on the number of threads: in CSR and the transpose of CSC on whether the columns of X lie side
 * by side, and in SELL on nothing, so that they are those of spry_spmv.
 *
 * Where there is none, and values of a column are not one after the other, workspace of the context has room for a column
 * of X and one of Y besides what spry_reserve sees to. On a device, where X does not lie by rows, there may be a copy of up to
 * 32 columns of it.
 *
 * @return as spry_spmv; SPRY_ERROR_ARGUMENT also for views whose sizes do not match, or whose offset and strides lead to
 *         where no memory is
 */
SPRY_API spry_status spry_spmm(spry_context *context, spry_op op, double alpha, const spry_matrix *matrix,
                               const spry_view *x, double beta, const spry_view *y);

/**
 * y = A x and *result = Σ w[i] y[i], a double where the context works, as solvers need it: w and y, of rows values each,
 * are not read again where the kernel can add up on the way. w may be x. Otherwise as spry_spmv.
 */
SPRY_API spry_status spry_spmv_dot(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                                   const void *w, void *result);

/** Let the context have the workspace that this product needs, and for SPRY_N spry_spmv_dot too, so that it allocates
 *  nothing; and do what is left to the first product of the matrix that scatters. SPRY_ERROR_MEMORY. */
SPRY_API spry_status spry_reserve(spry_context *context, const spry_matrix *matrix, spry_op op);

/** As spry_spmv, with one kernel of the table, which also says which operation it is. SPRY_ERROR_UNSUPPORTED
 *  when it cannot take this matrix or this machine, by the context's choices, does not run it. */
SPRY_API spry_status spry_spmv_with(spry_context *context, const spry_kernel *kernel, double alpha,
                                    const spry_matrix *matrix, const void *x, double beta, void *y);

/** Number of rows of the kernel table. */
SPRY_API size_t spry_kernel_count(void);
/** Row i of the kernel table, i < spry_kernel_count(); null past the end. */
SPRY_API const spry_kernel *spry_kernel_at(size_t i);
/** Fill the `size` bytes of a description: what spry_kernel_describe does with the size that the caller was compiled with.
 *  What the library does not know of is 0. Nothing is done where `info` is null. */
SPRY_API void spry_kernel_get_info(const spry_kernel *kernel, spry_kernel_info *info, size_t size);
/** What a kernel is. Null is none: names are empty, and the rest is 0 or the SPRY_NO_… of its type. */
static inline spry_kernel_info spry_kernel_describe(const spry_kernel *kernel) {
    spry_kernel_info info;
    spry_kernel_get_info(kernel, &info, sizeof info);
    return info;
}
/** Whether this machine, with this context's choices, runs the kernel: 1 or 0. 0 where one is null. */
SPRY_API int spry_kernel_runs(const spry_context *context, const spry_kernel *kernel);
/** The kernel that spry_spmv takes for a matrix: chosen when the matrix was built, by the choices of the
 *  context that built it. Null when they left none, or for null. */
SPRY_API const spry_kernel *spry_kernel_for(const spry_matrix *matrix, spry_op op);
/** Whether a kernel is for this matrix, that is, for its format, types and order: 1 or 0. 0 where one is null. */
SPRY_API int spry_kernel_takes(const spry_kernel *kernel, const spry_matrix *matrix);

#ifdef __cplusplus
}
#endif

#endif
