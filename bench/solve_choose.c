/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve_choose.h"

#include <string.h>

#include "vector.h"

/* What of a matrix decides. */
struct traits {
    bool symmetric, by_file; /* by_file: its file says so, it was not looked at */
    bool full, positive;     /* no zero on the diagonal; none there that is not positive */
};

static int64_t integer_at(size_t size, const void *array, int64_t i) {
    return size == sizeof(int32_t) ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}

/* The sum of the entries on the diagonal of row i; 0 where there are none. */
static double diagonal_at(const spry_matrix *csr, int64_t i) {
    const spry_csr *arrays = spry_matrix_csr(csr);
    spry_index index = spry_matrix_index(csr);
    size_t of_pointer = spry_pointer_size(index), of_index = spry_index_size(index);
    int64_t end = integer_at(of_pointer, arrays->ptr, i + 1);
    double sum = 0.0;
    for (int64_t k = integer_at(of_pointer, arrays->ptr, i); k < end; k++)
        if (integer_at(of_index, arrays->idx, k) == i)
            sum += vector_at(spry_matrix_type(csr), arrays->val, k);
    return sum;
}

static void look_at_diagonal(const spry_matrix *csr, struct traits *traits) {
    traits->full = traits->positive = true;
    for (int64_t i = 0; i < spry_matrix_rows(csr); i++) {
        double value = diagonal_at(csr, i);
        traits->full &= value != 0.0;
        traits->positive &= value > 0.0;
    }
}

/* Rows are sorted in both, so equal matrices have equal arrays. */
static bool same_arrays(const spry_matrix *one, const spry_matrix *other) {
    const spry_csr *a = spry_matrix_csr(one), *b = spry_matrix_csr(other);
    spry_index index = spry_matrix_index(one);
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

static void choose_method(const struct traits *traits, struct choice *choice) {
    choice->method = traits->symmetric && traits->positive ? SPRY_CG : SPRY_GMRES;
    choice->why_method = !traits->symmetric  ? "the matrix is not symmetric"
                         : !traits->positive ? "the diagonal is not positive throughout"
                         : traits->by_file   ? "the file says symmetric, and the diagonal is positive"
                                           : "the matrix equals its transpose, and the diagonal is positive";
}

/* CG and MINRES want a positive definite preconditioner, the others one that can be inverted. */
static void choose_precond(const struct traits *traits, struct choice *choice) {
    bool definite = choice->method == SPRY_CG || choice->method == SPRY_MINRES;
    bool good = definite ? traits->positive : traits->full;
    choice->precond = good ? SPRY_JACOBI : SPRY_PRECOND_COUNT;
    choice->why_precond = good       ? "the diagonal has no zeros"
                          : definite ? "the diagonal is not positive throughout"
                                     : "the diagonal has zeros";
}

static spry_status choose(spry_context *host, const spry_matrix *csr, const spry_file_info *info,
                          const struct solve_options *options, struct choice *choice) {
    struct traits traits;
    spry_status status = SPRY_OK;
    look_at_diagonal(csr, &traits);
    if (!options->method_set)
        status = look_for_symmetry(host, csr, info, &traits);
    if (status != SPRY_OK)
        return status;
    if (!options->method_set)
        choose_method(&traits, choice);
    if (!options->precond_set)
        choose_precond(&traits, choice);
    return SPRY_OK;
}

spry_status solve_choose(spry_context *host, const spry_matrix *csr, const spry_file_info *info,
                         const struct solve_options *options, struct choice *choice) {
    spry_matrix *copy = NULL;
    spry_status status = SPRY_OK;
    *choice = (struct choice){.method = options->solver.method, .precond = options->precond.kind};
    if (options->method_set && options->precond_set)
        return SPRY_OK;
    if (spry_matrix_backend(csr) != SPRY_CPU)
        status = spry_matrix_copy(host, csr, &copy);
    if (status == SPRY_OK)
        status = choose(host, copy ? copy : csr, info, options, choice);
    spry_matrix_destroy(copy);
    return status;
}
