/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/factors.h"

#include <inttypes.h>

static spry_status new_factors(spry_context *context, spry_precond *precond) {
    spry_status status = spry_allocate(context, 1, sizeof(struct spry_factors), &precond->part);
    if (!status)
        *(struct spry_factors *)precond->part = (struct spry_factors){0};
    return status;
}

static spry_status open_copy(spry_context *context, const spry_matrix *csr, spry_matrix **copy) {
    spry_status status = spry_matrix_copy_unfinished(context, csr, copy);
    if (!status)
        (*copy)->sorted = true; /* as CSR matrices with base 0 that preconditioners are made from are */
    return status;
}

/* Eliminating with one of two entries in a place would be wrong; a substitution subtracts both. */
static spry_status check_places(spry_context *context, const struct spry_square_faults *faults,
                                bool distinct) {
    if (faults->missing >= 0)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "row %" PRId64 " (counted from 1) has no entry on the diagonal",
                         faults->missing + 1);
    if (distinct && faults->repeated >= 0)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "row %" PRId64 " (counted from 1) has two entries in one column: sum them first",
                         faults->repeated + 1);
    return SPRY_OK;
}

spry_status spry_factors_open(spry_context *context, spry_precond *precond, const spry_matrix *csr, bool copy,
                              bool upper) {
    struct spry_square_faults faults;
    struct spry_pattern pattern = {0};
    spry_status status = new_factors(context, precond);
    if (status)
        return status;
    struct spry_factors *factors = precond->part;
    struct spry_square *square = &factors->square;
    if (copy)
        status = open_copy(context, csr, &factors->matrix);
    if (!status)
        status = spry_square_open(context, copy ? factors->matrix : csr, square, &faults);
    if (!status)
        status = check_places(context, &faults, copy);
    if (!status)
        status = spry_pattern_open(context, square, &pattern);
    if (!status)
        status = spry_substitution_create(context, square, &pattern, SPRY_LOWER, NULL, &factors->lower);
    if (!status && upper)
        status =
            spry_substitution_create(context, square, &pattern, SPRY_UPPER, &factors->lower, &factors->upper);
    spry_pattern_close(context, &pattern);
    return status;
}

spry_status spry_factors_transpose(spry_context *context, struct spry_factors *factors) {
    static const spry_convert_options options;
    const spry_matrix *csr = factors->matrix;
    struct spry_square *square = &factors->transposed_square;
    struct spry_square_faults faults;
    struct spry_pattern pattern = {0};
    spry_status status = spry_matrix_new(context, SPRY_CSC, csr->type, csr->index, csr->rows, csr->cols,
                                         csr->nnz, &factors->transposed);
    if (!status)
        status = spry_convert_code(csr, SPRY_CSC)->from_csr(context, csr, &options, factors->transposed);
    if (!status)
        factors->transposed->sorted = true; /* as it was transposed */
    if (!status)
        status = spry_square_open(context, factors->transposed, square, &faults);
    if (!status)
        status = spry_pattern_open(context, square, &pattern);
    if (!status)
        status =
            spry_substitution_create(context, square, &pattern, SPRY_UPPER, &factors->lower, &factors->upper);
    spry_pattern_close(context, &pattern);
    return status;
}

spry_status spry_factors_apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct spry_factors *factors = precond->part;
    const struct spry_triangle_code *code = spry_triangle_code(context, precond->type, precond->index);
    spry_status status = code->solve(context, &factors->lower, x, NULL);
    return status ? status : code->solve(context, &factors->upper, factors->lower.z, y);
}

void spry_factors_destroy(spry_precond *precond) {
    struct spry_factors *factors = precond->part;
    if (!factors)
        return;
    spry_substitution_release(&factors->lower);
    spry_substitution_release(&factors->upper);
    spry_square_close(&precond->arrays, &factors->square);
    spry_square_close(&precond->arrays, &factors->transposed_square);
    spry_matrix_destroy(factors->matrix);
    spry_matrix_destroy(factors->transposed);
    spry_release(&precond->allocator, factors, 1, sizeof *factors);
}
