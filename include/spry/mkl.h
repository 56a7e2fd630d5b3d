/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mkl.h  The CSR routines of MKL's older interface ("Sparse BLAS Level 2 and 3"), which oneMKL 2026 has no more. */
#ifndef SPRY_MKL_H
#define SPRY_MKL_H

#include <stdint.h>

#include "types.h"

/** As in MKL's headers: int with libspry_mkl_lp64, and with libspry_mkl_ilp64, for which MKL_ILP64 is defined, int64_t. */
#ifndef MKL_INT
#ifdef MKL_ILP64
#define MKL_INT int64_t
#else
#define MKL_INT int
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Each routine is there for float (s) and double (d), under the names that MKL gives it: mkl_dcsrmv, mkl_dcsrmv_ and MKL_DCSRMV.
 * Arguments are those of MKL's documentation:
 *
 * transa      N, or T and C for the transpose; letters may be small
 * matdescra   [0] G general, S or H symmetric, T triangular, A skew-symmetric, D diagonal; [1] L or U, the triangle that is
 *             looked at where it is not general; [2] U: the diagonal is taken as ones (S, T, D); [3] C: columns count from 0,
 *             else from 1
 * pntrb, pntre  entries pntrb[i] − pntrb[0] … pntre[i] − pntrb[0] − 1 are those of row i; there may be others between them
 * ia          of m + 1 pointers, which count as the columns in ja do: from 1, or from 0 in mkl_cspblas_…
 *
 * Arguments that cannot be are told by spry_mkl_on_error, and results are not touched then. Pointers are not checked: none of
 * them may be null. The arrays of a matrix are not looked at before they are used, just as in MKL: columns outside the matrix
 * lead anywhere. Routines may be called by any number of threads at once.
 */
#define SPRY_MKL_DECLARE(type, csrmv, csrmm, csrgemv, csrgemv_0, csrtrsv, csrtrsv_0)                         \
    /* y = alpha op(A) x + beta y, A of m rows and k columns */                                              \
    SPRY_API void csrmv(const char *transa, const MKL_INT *m, const MKL_INT *k, const type *alpha,           \
                        const char *matdescra, const type *val, const MKL_INT *indx, const MKL_INT *pntrb,   \
                        const MKL_INT *pntre, const type *x, const type *beta, type *y);                     \
    /* C = alpha op(A) B + beta C, C of n columns; B and C by columns if [3] is F, and by rows if it is C */ \
    SPRY_API void csrmm(const char *transa, const MKL_INT *m, const MKL_INT *n, const MKL_INT *k,            \
                        const type *alpha, const char *matdescra, const type *val, const MKL_INT *indx,      \
                        const MKL_INT *pntrb, const MKL_INT *pntre, const type *b, const MKL_INT *ldb,       \
                        const type *beta, type *c, const MKL_INT *ldc);                                      \
    /* y = op(A) x, A of m rows and columns; the second one counts from 0 */                                 \
    SPRY_API void csrgemv(const char *transa, const MKL_INT *m, const type *a, const MKL_INT *ia,            \
                          const MKL_INT *ja, const type *x, type *y);                                        \
    SPRY_API void csrgemv_0(const char *transa, const MKL_INT *m, const type *a, const MKL_INT *ia,          \
                            const MKL_INT *ja, const type *x, type *y);                                      \
    /* op(A) y = x with the triangle `uplo` of A, and a diagonal of ones if `diag` is U; the same */         \
    SPRY_API void csrtrsv(const char *uplo, const char *transa, const char *diag, const MKL_INT *m,          \
                          const type *a, const MKL_INT *ia, const MKL_INT *ja, const type *x, type *y);      \
    SPRY_API void csrtrsv_0(const char *uplo, const char *transa, const char *diag, const MKL_INT *m,        \
                            const type *a, const MKL_INT *ia, const MKL_INT *ja, const type *x, type *y);

#define SPRY_MKL_DECLARE_LOWER(type, s, end)                                                                 \
    SPRY_MKL_DECLARE(type, mkl_##s##csrmv##end, mkl_##s##csrmm##end, mkl_##s##csrgemv##end,                  \
                     mkl_cspblas_##s##csrgemv##end, mkl_##s##csrtrsv##end, mkl_cspblas_##s##csrtrsv##end)
#define SPRY_MKL_DECLARE_UPPER(type, S)                                                                      \
    SPRY_MKL_DECLARE(type, MKL_##S##CSRMV, MKL_##S##CSRMM, MKL_##S##CSRGEMV, MKL_CSPBLAS_##S##CSRGEMV,       \
                     MKL_##S##CSRTRSV, MKL_CSPBLAS_##S##CSRTRSV)

SPRY_MKL_DECLARE_LOWER(float, s, )
SPRY_MKL_DECLARE_LOWER(float, s, _)
SPRY_MKL_DECLARE_UPPER(float, S)
SPRY_MKL_DECLARE_LOWER(double, d, )
SPRY_MKL_DECLARE_LOWER(double, d, _)
SPRY_MKL_DECLARE_UPPER(double, D)

/**
 * Promise that the matrices whose values begin at `val` stay as they are, arrays and values, until spry_mkl_forget. The first
 * product with one of them then makes a copy in the format that should be fastest (of the transpose, where that is asked for),
 * and later ones multiply by that. Without a promise each product reads the caller's arrays: nothing is taken for known because
 * it lies where something else did. Triangular solves read the arrays in any case.
 *
 * The environment variable SPRY_MKL_KEEP=1 promises this for all matrices of a program, which then must not give the memory of one
 * to another. At most SPRY_MKL_MOST copies are kept; products with further matrices read the arrays.
 *
 * @return 0, or 1 where there is no memory
 */
SPRY_API int spry_mkl_promise(const void *val);
/** Take a promise back and release what was kept by it, or, if `val` is null, all. Waits for products that run. */
SPRY_API void spry_mkl_forget(const void *val);
/** Copies that are kept at present. */
SPRY_API int spry_mkl_kept(void);
/** How many copies are kept at most: a figure of this header, as the library was compiled with. */
#define SPRY_MKL_MOST 64

/**
 * Called with the routine's name ("mkl_dcsrmv"), the number of the argument that cannot be, counted from 1, or 0 where it is
 * none of them, and a sentence.
 */
typedef void spry_mkl_handler(const char *routine, int argument, const char *sentence);
/** Have errors told to a function, from the thread that made the call. Null, and the beginning: one line to stderr, as MKL has it. */
SPRY_API void spry_mkl_on_error(spry_mkl_handler *handler);

#ifdef __cplusplus
}
#endif

#endif
