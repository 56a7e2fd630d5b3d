/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines under MKL's names; compiled for float and for double, with SPRY_MKL_S as s or d and SPRY_MKL_L as S or D. */
#include <inttypes.h>
#include <stdio.h>

#include "sparse.h"

#if SPRY_MKL_BITS == 32
typedef float val_t;
#define NAME(f) f##_f32
#define TYPE SPRY_F32
#else
typedef double val_t;
#define NAME(f) f##_f64
#define TYPE SPRY_F64
#endif

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define LOWER(before, name) JOIN(before, SPRY_MKL_S, name)
#define UPPER(before, name) JOIN(before, SPRY_MKL_L, name)
/* The other names of a routine, as Fortran compilers make them. */
#define ALSO(type, lower, upper)                                                                             \
    SPRY_API type JOIN(lower, _, ) __attribute__((alias(TEXT(lower))));                                      \
    SPRY_API type upper __attribute__((alias(TEXT(lower))));

typedef void csrmv(const char *, const MKL_INT *, const MKL_INT *, const val_t *, const char *, const val_t *,
                   const MKL_INT *, const MKL_INT *, const MKL_INT *, const val_t *, const val_t *, val_t *);
typedef void csrmm(const char *, const MKL_INT *, const MKL_INT *, const MKL_INT *, const val_t *,
                   const char *, const val_t *, const MKL_INT *, const MKL_INT *, const MKL_INT *,
                   const val_t *, const MKL_INT *, const val_t *, val_t *, const MKL_INT *);
typedef void csrgemv(const char *, const MKL_INT *, const val_t *, const MKL_INT *, const MKL_INT *,
                     const val_t *, val_t *);
typedef void csrtrsv(const char *, const char *, const char *, const MKL_INT *, const val_t *,
                     const MKL_INT *, const MKL_INT *, const val_t *, val_t *);

/* Whether to wrap the arrays for this product: rows lie side by side, pointers count as columns do, and there are several columns,
   for which spry_spmm reads the matrix once. To wrap takes 23 µs and another pass, so that it pays with many entries only. */
static bool is_worth_wrapping(const struct sparse *a, const spry_view *y) {
    return a->kind == 'G' && a->rows > 0 && a->end == a->begin + 1 && a->begin[0] == a->base && y->cols > 2 &&
           row_end(a, a->rows - 1) > 10000;
}

/* Tell what is wrong, if it is. */
static bool is_wrong(bool wrong, const char *routine, int argument, const char *sentence) {
    if (wrong)
        spry_mkl_fail(routine, argument, sentence);
    return wrong;
}

static spry_status multiply_csr(spry_context *context, const struct sparse *a, double alpha,
                                const spry_view *x, double beta, const spry_view *y) {
    const spry_csr arrays = {(void *)a->begin, (void *)a->idx, (void *)a->val, a->base};
    const spry_op op = a->transposed ? SPRY_T : SPRY_N;
    spry_matrix *matrix;
    spry_status status = spry_wrap_csr(context, TYPE, sizeof(MKL_INT) == 8 ? SPRY_I64 : SPRY_I32, a->rows,
                                       a->cols, &arrays, &matrix);
    if (status)
        return status;
    status = spry_spmm(context, op, alpha, matrix, x, beta, y);
    spry_matrix_destroy(matrix);
    return status;
}

static void multiply(const char *routine, const struct sparse *a, val_t alpha, const spry_view *x, val_t beta,
                     const spry_view *y) {
    spry_context *context = spry_mkl_context();
    spry_status status = SPRY_OK;
    if (is_wrong(!context, routine, 0, "there is no memory for a context"))
        return;
    if (spry_mkl_multiply_kept(context, a, alpha, x, beta, y, &status)) {
        if (status)
            spry_mkl_fail(routine, 0,
                          status == SPRY_ERROR_INVALID ? "a column is outside the matrix"
                                                       : spry_message(context));
    } else if (!is_worth_wrapping(a, y)) {
        NAME(spry_mkl_rows)(context, a, alpha, x, beta, y);
    } else {
        status = multiply_csr(context, a, alpha, x, beta, y);
        if (status)
            spry_mkl_fail(routine, 0, spry_message(context));
    }
}

static const char not_square[] = "a matrix that is symmetric or antisymmetric has as many columns as rows";

static bool transposes(const char *transa, bool *transposed) {
    const char letter = spry_mkl_letter(transa, "NTC");
    *transposed = letter != 'N';
    return letter != 0;
}

void LOWER(mkl_, csrmv)(const char *transa, const MKL_INT *m, const MKL_INT *k, const val_t *alpha,
                        const char *matdescra, const val_t *val, const MKL_INT *indx, const MKL_INT *pntrb,
                        const MKL_INT *pntre, const val_t *x, const val_t *beta, val_t *y) {
    static const char routine[] = TEXT(LOWER(mkl_, csrmv));
    struct sparse a = {*m, *k, val, indx, pntrb, pntre, .type = TYPE};
    if (is_wrong(!transposes(transa, &a.transposed), routine, 1, "transa is none of N, T and C"))
        return;
    if (is_wrong(*m < 0 || *k < 0, routine, *m < 0 ? 2 : 3, "a number of rows or columns is below zero"))
        return;
    if (is_wrong(!spry_mkl_describe(&a, matdescra), routine, 5, "matdescra describes no matrix"))
        return;
    if (is_wrong(mirrors(&a) && *k != *m, routine, 3, not_square))
        return;
    const spry_view from = spry_view_of_columns((void *)x, a.transposed ? *m : *k, 1, a.transposed ? *m : *k);
    const spry_view to = spry_view_of_columns(y, a.transposed ? *k : *m, 1, a.transposed ? *k : *m);
    multiply(routine, &a, *alpha, &from, *beta, &to);
}
ALSO(csrmv, LOWER(mkl_, csrmv), UPPER(MKL_, CSRMV))

static spry_view view_of(const struct sparse *a, const val_t *data, int64_t rows, int64_t cols, int64_t ld) {
    return a->base ? spry_view_of_columns((void *)data, rows, cols, ld)
                   : spry_view_of_rows((void *)data, rows, cols, ld);
}

void LOWER(mkl_, csrmm)(const char *transa, const MKL_INT *m, const MKL_INT *n, const MKL_INT *k,
                        const val_t *alpha, const char *matdescra, const val_t *val, const MKL_INT *indx,
                        const MKL_INT *pntrb, const MKL_INT *pntre, const val_t *b, const MKL_INT *ldb,
                        const val_t *beta, val_t *c, const MKL_INT *ldc) {
    static const char routine[] = TEXT(LOWER(mkl_, csrmm));
    struct sparse a = {*m, *k, val, indx, pntrb, pntre, .type = TYPE};
    if (is_wrong(!transposes(transa, &a.transposed), routine, 1, "transa is none of N, T and C"))
        return;
    const int below = *m < 0 ? 2 : *n < 0 ? 3 : *k < 0 ? 4 : 0;
    if (is_wrong(below, routine, below, "a number of rows or columns is below zero"))
        return;
    if (is_wrong(!spry_mkl_describe(&a, matdescra), routine, 6, "matdescra describes no matrix"))
        return;
    if (is_wrong(mirrors(&a) && *k != *m, routine, 4, not_square))
        return;
    const int64_t from_rows = a.transposed ? *m : *k, to_rows = a.transposed ? *k : *m;
    if (is_wrong(*ldb < (a.base ? from_rows : *n), routine, 12,
                 "ldb is smaller than what lies side by side in b"))
        return;
    if (is_wrong(*ldc < (a.base ? to_rows : *n), routine, 15,
                 "ldc is smaller than what lies side by side in c"))
        return;
    const spry_view from = view_of(&a, b, from_rows, *n, *ldb), to = view_of(&a, c, to_rows, *n, *ldc);
    multiply(routine, &a, *alpha, &from, *beta, &to);
}
ALSO(csrmm, LOWER(mkl_, csrmm), UPPER(MKL_, CSRMM))

static void gemv(const char *routine, int base, const char *transa, const MKL_INT *m, const val_t *val,
                 const MKL_INT *ia, const MKL_INT *ja, const val_t *x, val_t *y) {
    struct sparse a = {*m, *m, val, ja, ia, ia + 1, base, TYPE, 'G', false, false, false};
    if (is_wrong(!transposes(transa, &a.transposed), routine, 1, "transa is none of N, T and C"))
        return;
    if (is_wrong(*m < 0, routine, 2, "a number of rows is below zero"))
        return;
    const spry_view from = spry_view_of_columns((void *)x, *m, 1, *m),
                    to = spry_view_of_columns(y, *m, 1, *m);
    multiply(routine, &a, 1, &from, 0, &to);
}

void LOWER(mkl_, csrgemv)(const char *transa, const MKL_INT *m, const val_t *a, const MKL_INT *ia,
                          const MKL_INT *ja, const val_t *x, val_t *y) {
    gemv(TEXT(LOWER(mkl_, csrgemv)), 1, transa, m, a, ia, ja, x, y);
}
ALSO(csrgemv, LOWER(mkl_, csrgemv), UPPER(MKL_, CSRGEMV))

void LOWER(mkl_cspblas_, csrgemv)(const char *transa, const MKL_INT *m, const val_t *a, const MKL_INT *ia,
                                  const MKL_INT *ja, const val_t *x, val_t *y) {
    gemv(TEXT(LOWER(mkl_cspblas_, csrgemv)), 0, transa, m, a, ia, ja, x, y);
}
ALSO(csrgemv, LOWER(mkl_cspblas_, csrgemv), UPPER(MKL_CSPBLAS_, CSRGEMV))

static void trsv(const char *routine, int base, const char *uplo, const char *transa, const char *diag,
                 const MKL_INT *m, const val_t *val, const MKL_INT *ia, const MKL_INT *ja, const val_t *x,
                 val_t *y) {
    const char triangle = spry_mkl_letter(uplo, "LU"), ones = spry_mkl_letter(diag, "NU");
    struct sparse a = {*m, *m, val, ja, ia, ia + 1, base, TYPE, 'T', triangle == 'L', ones == 'U', false};
    if (is_wrong(!triangle, routine, 1, "uplo is neither L nor U"))
        return;
    if (is_wrong(!transposes(transa, &a.transposed), routine, 2, "transa is none of N, T and C"))
        return;
    if (is_wrong(!ones, routine, 3, "diag is neither N nor U"))
        return;
    if (is_wrong(*m < 0, routine, 4, "a number of rows is below zero"))
        return;
    const int64_t singular = NAME(spry_mkl_solve)(&a, x, y);
    char sentence[80];
    if (singular < 0)
        return;
    snprintf(sentence, sizeof sentence, "row %" PRId64 " has nothing, or zero, on the diagonal",
             singular + base);
    spry_mkl_fail(routine, 5, sentence);
}

void LOWER(mkl_, csrtrsv)(const char *uplo, const char *transa, const char *diag, const MKL_INT *m,
                          const val_t *a, const MKL_INT *ia, const MKL_INT *ja, const val_t *x, val_t *y) {
    trsv(TEXT(LOWER(mkl_, csrtrsv)), 1, uplo, transa, diag, m, a, ia, ja, x, y);
}
ALSO(csrtrsv, LOWER(mkl_, csrtrsv), UPPER(MKL_, CSRTRSV))

void LOWER(mkl_cspblas_, csrtrsv)(const char *uplo, const char *transa, const char *diag, const MKL_INT *m,
                                  const val_t *a, const MKL_INT *ia, const MKL_INT *ja, const val_t *x,
                                  val_t *y) {
    trsv(TEXT(LOWER(mkl_cspblas_, csrtrsv)), 0, uplo, transa, diag, m, a, ia, ja, x, y);
}
ALSO(csrtrsv, LOWER(mkl_cspblas_, csrtrsv), UPPER(MKL_CSPBLAS_, CSRTRSV))
