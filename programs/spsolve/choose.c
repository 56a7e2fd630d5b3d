/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/choose.h"

#include <math.h>
#include <string.h>

#include "spsolve/rows.h"

/* The sum of the entries on the diagonal of row i; 0 where there are none. */
static double diagonal_at(const struct rows *rows, int64_t i) {
    double sum = 0.0;
    for (int64_t k = rows_begin(rows, i); k < rows_begin(rows, i + 1); k++)
        if (rows_column(rows, k) == i)
            sum += rows_value(rows, k);
    return sum;
}

static void look_at_diagonal(const spry_matrix *csr, struct traits *traits) {
    struct rows rows = rows_of(csr);
    traits->rows = rows.count;
    traits->full = traits->positive = true;
    for (int64_t i = 0; i < rows.count; i++) {
        double value = diagonal_at(&rows, i);
        traits->full &= value != 0.0;
        traits->positive &= value > 0.0;
    }
}

static bool is_finite(const spry_matrix *csr) {
    struct rows rows = rows_of(csr);
    const int64_t nnz = rows_begin(&rows, rows.count);
    int64_t k = 0;
    while (k < nnz && isfinite(rows_value(&rows, k)))
        k++;
    return k == nnz;
}

/* Rows are sorted in both, so equal matrices have equal arrays. */
static bool same_arrays(const spry_matrix *one, const spry_matrix *other) {
    const spry_csr *a = spry_matrix_csr(one), *b = spry_matrix_csr(other);
    spry_index_type index = spry_matrix_index(one);
    size_t rows = (size_t)spry_matrix_rows(one), nnz = (size_t)spry_matrix_nnz(one);
    return memcmp(a->ptr, b->ptr, (rows + 1) * spry_pointer_size(index)) == 0 &&
           (nnz == 0 || (memcmp(a->idx, b->idx, nnz * spry_index_size(index)) == 0 &&
                         memcmp(a->val, b->val, nnz * spry_type_size(spry_matrix_type(one))) == 0));
}

/* What a file calls symmetric is; Hermitian matrices have a symmetric real part. Others are compared with their
   transposes. */
static spry_status look_for_symmetry(spry_context *host, const spry_matrix *csr, const spry_file_info *info,
                                     struct traits *traits) {
    spry_matrix *transpose = NULL;
    traits->symmetric = traits->by_file =
        info->symmetry == SPRY_SYMMETRIC || info->symmetry == SPRY_HERMITIAN;
    if (traits->symmetric)
        return SPRY_OK;
    spry_status status = spry_transpose(host, csr, &transpose);
    if (status == SPRY_OK)
        traits->symmetric = same_arrays(csr, transpose);
    spry_matrix_destroy(transpose);
    return status;
}

static const char *reason_of_method(const struct traits *traits) {
    return !traits->symmetric  ? "the matrix is not symmetric"
           : !traits->positive ? "the matrix is symmetric, and its diagonal is not positive throughout"
           : traits->by_file   ? "the file says symmetric, and the diagonal is positive"
                               : "the matrix equals its transpose, and the diagonal is positive";
}

static const char *reason_of_precond(int precond) {
    return precond == SPRY_CHEBYSHEV        ? "a polynomial, in f32, costs a GPU little beside an iteration"
           : precond == SPRY_JACOBI         ? "the diagonal has no zeros"
           : precond == PRECOND_EQUILIBRATE ? "it makes rows alike, whatever the diagonal is"
                                            : "the diagonal has zeros";
}

static spry_status look(struct system *system, struct traits *traits) {
    const spry_matrix *csr;
    spry_status status = system_on_host(system, &csr);
    if (status != SPRY_OK)
        return status;
    look_at_diagonal(csr, traits);
    traits->finite = is_finite(csr);
    return look_for_symmetry(system->place->host, csr, &system->info, traits);
}

bool solve_look(struct system *system, struct choice *choice) {
    *choice = (struct choice){.why_method = NULL};
    return system_check(system, system->place->host, look(system, &choice->traits));
}

bool solve_choose(struct system *system, struct choice *choice) {
    const struct solve_options *options = system->place->options;
    if (!solve_look(system, choice))
        return false;
    chain_make(&choice->chain, &choice->traits, options);
    if (!options->method_set)
        choice->why_method = reason_of_method(&choice->traits);
    if (!options->precond_set)
        choice->why_precond = reason_of_precond(choice->chain.step[0].precond);
    return true;
}
