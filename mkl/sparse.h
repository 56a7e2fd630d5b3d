/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as a caller of MKL describes it, and what is done with it. */
#ifndef SPRY_MKL_SPARSE_H
#define SPRY_MKL_SPARSE_H

#include <spry/mkl.h>
#include <spry/spry.h>
#include <stdbool.h>

struct sparse {
    int64_t rows, cols;
    const void *val;
    const MKL_INT *idx, *begin, *end; /* of each row, from begin[0] on */
    int base;                         /* what columns count from */
    spry_value_type type;
    char kind; /* G, S, T, A or D */
    bool lower, unit, transposed;
};

/* The letters that arguments may be; 0 where they are none. */
char spry_mkl_letter(const char *text, const char *letters);
/* Fill in what a description says; false if it cannot be. */
bool spry_mkl_describe(struct sparse *a, const char *matdescra);

/* Tell the caller's function, or stderr. */
void spry_mkl_fail(const char *routine, int argument, const char *sentence);

/* A context of the calling thread, which trusts arrays; null where there is no memory. */
spry_context *spry_mkl_context(void);

/* Row i begins and ends at these entries. */
static inline int64_t row_begin(const struct sparse *a, int64_t i) {
    return (int64_t)a->begin[i] - a->begin[0];
}
static inline int64_t row_end(const struct sparse *a, int64_t i) {
    return (int64_t)a->end[i] - a->begin[0];
}

/* Whether the entry at (i, j) counts. A diagonal of ones is not among the entries. */
static inline bool counts(const struct sparse *a, int64_t i, int64_t j) {
    if (a->kind == 'G')
        return true;
    if (i == j)
        return a->kind != 'A' && !a->unit;
    return a->kind != 'D' && (a->lower ? j < i : j > i);
}

/* Whether there are ones on the diagonal that are not stored. */
static inline bool has_ones(const struct sparse *a) {
    return a->unit && a->kind != 'G' && a->kind != 'A';
}

/* Whether entries off the diagonal stand for one in the other triangle too. */
static inline bool mirrors(const struct sparse *a) {
    return a->kind == 'S' || a->kind == 'A';
}

/* Y = alpha op(A) X + beta Y, where the arrays are, for matrices that Spry has no format for. */
void spry_mkl_rows_f32(const spry_context *context, const struct sparse *a, double alpha, const spry_view *x,
                       double beta, const spry_view *y);
void spry_mkl_rows_f64(const spry_context *context, const struct sparse *a, double alpha, const spry_view *x,
                       double beta, const spry_view *y);

/* op(A) as a matrix of its own. SPRY_ERROR_INVALID: a column is outside. */
spry_status spry_mkl_expand_f32(spry_context *context, const struct sparse *a, spry_matrix **matrix);
spry_status spry_mkl_expand_f64(spry_context *context, const struct sparse *a, spry_matrix **matrix);

/* Solve op(A) y = x. Returns a row without a diagonal, or with a zero there, counted from 0; -1 if there is none. */
int64_t spry_mkl_solve_f32(const struct sparse *a, const float *x, float *y);
int64_t spry_mkl_solve_f64(const struct sparse *a, const double *x, double *y);

/* Multiply by the copy that is kept of a matrix whose values were promised: false where there is none to multiply by. */
bool spry_mkl_multiply_kept(spry_context *context, const struct sparse *a, double alpha, const spry_view *x,
                            double beta, const spry_view *y, spry_status *status);

#endif
