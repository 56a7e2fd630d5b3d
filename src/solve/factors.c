/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/factors.h"

#include <inttypes.h>

#include "convert/convert.h"

static spry_status new_factors(spry_context *context, spry_precond *precond) {
    spry_status status = spry_allocate(context, 1, sizeof(struct spry_factors), &precond->part);
    if (!status)
        *(struct spry_factors *)precond->part = (struct spry_factors){0};
    return status;
}

/* Eliminating with one of two entries in a place would be wrong; a substitution subtracts both. */
static spry_status check_places(spry_context *context, const struct spry_square_faults *faults,
                                bool distinct) {
    spry_status status = spry_square_check_diagonal(context, faults);
    if (!status && distinct && faults->repeated >= 0)
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "row %" PRId64 " (counted from 1) has two entries in one column: sum them first",
                           faults->repeated + 1);
    return status;
}

static spry_status open_triangle(spry_context *context, spry_precond *precond,
                                 const struct spry_square *square, const struct spry_pattern *pattern,
                                 spry_triangle triangle) {
    struct spry_factors *factors = precond->part;
    struct spry_substitution *substitution = factors->substitution;
    const bool ordered = triangle == SPRY_LOWER && factors->matrix;
    spry_status status = SPRY_OK;
    if (precond->options.sweeps > 0)
        status = spry_sweeps_open(context, square, pattern, triangle, &factors->sweeps[triangle]);
    if (!status && (precond->options.sweeps == 0 || ordered))
        status = spry_substitution_create(context, square, pattern, triangle,
                                          triangle == SPRY_UPPER ? &substitution[SPRY_LOWER] : NULL,
                                          &substitution[triangle]);
    return status;
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
        status = spry_matrix_copy_unfinished(context, csr, &factors->matrix);
    if (!status)
        status = spry_square_open(context, copy ? factors->matrix : csr, square, &faults);
    if (!status)
        status = check_places(context, &faults, copy);
    if (!status)
        status = spry_pattern_open(context, square, &pattern);
    if (!status)
        status = open_triangle(context, precond, square, &pattern, SPRY_LOWER);
    if (!status && upper)
        status = open_triangle(context, precond, square, &pattern, SPRY_UPPER);
    spry_pattern_close(context, &pattern);
    return status;
}

spry_status spry_factors_transpose(spry_context *context, spry_precond *precond) {
    struct spry_factors *factors = precond->part;
    const spry_matrix *csr = factors->matrix;
    struct spry_square *square = &factors->transposed_square;
    struct spry_square_faults faults;
    struct spry_pattern pattern = {0};
    spry_status status = spry_matrix_new(context, SPRY_CSC, csr->type, csr->index, csr->rows, csr->cols,
                                         csr->nnz, &factors->transposed);
    if (!status)
        status = spry_convert_code(csr, SPRY_CSC)
                     ->from_csr(context, csr, &spry_keep_duplicates, factors->transposed);
    if (!status)
        status = spry_square_open(context, factors->transposed, square, &faults);
    if (!status)
        status = spry_pattern_open(context, square, &pattern);
    if (!status)
        status = open_triangle(context, precond, square, &pattern, SPRY_UPPER);
    spry_pattern_close(context, &pattern);
    return status;
}

spry_status spry_factors_fill(spry_context *context, spry_precond *precond, spry_triangle triangle,
                              const struct spry_square *square, const struct spry_scaling *scaling) {
    struct spry_factors *factors = precond->part;
    if (precond->options.sweeps == 0)
        return spry_substitution_fill(context, square, scaling, &factors->substitution[triangle]);
    return spry_sweeps_fill(context, square, scaling, factors->matrix ? NULL : &precond->storage,
                            &factors->sweeps[triangle]);
}

static spry_status apply_sweeps(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct spry_factors *factors = precond->part;
    const struct spry_sweeps *lower = &factors->sweeps[SPRY_LOWER], *upper = &factors->sweeps[SPRY_UPPER];
    const int count = precond->options.sweeps;
    void *between = lower->triangle.z, *work = upper->triangle.z;
    spry_status status = spry_sweep(context, lower, count, x, work, between);
    return status ? status : spry_sweep(context, upper, count, between, work, y);
}

spry_status spry_factors_apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct spry_factors *factors = precond->part;
    const struct spry_substitution *lower = &factors->substitution[SPRY_LOWER],
                                   *upper = &factors->substitution[SPRY_UPPER];
    const struct spry_triangle_code *code = spry_triangle_code(context, precond->type, precond->index);
    if (precond->options.sweeps > 0)
        return apply_sweeps(context, precond, x, y);
    spry_status status = code->solve(context, lower, x, NULL);
    return status ? status : code->solve(context, upper, lower->z, y);
}

spry_status spry_factors_reserve(spry_context *context, const spry_precond *precond) {
    const struct spry_factors *factors = precond->part;
    spry_status status = SPRY_OK;
    for (int triangle = 0; triangle < SPRY_TRIANGLE_COUNT && !status; triangle++)
        if (factors->sweeps[triangle].matrix)
            status = spry_reserve(context, factors->sweeps[triangle].matrix, SPRY_N);
    return status;
}

void spry_factors_destroy(spry_precond *precond) {
    struct spry_factors *factors = precond->part;
    if (!factors)
        return;
    for (int triangle = 0; triangle < SPRY_TRIANGLE_COUNT; triangle++) {
        spry_substitution_release(&factors->substitution[triangle]);
        spry_sweeps_release(&factors->sweeps[triangle]);
    }
    spry_square_close(&precond->arrays, &factors->square);
    spry_square_close(&precond->arrays, &factors->transposed_square);
    spry_matrix_destroy(factors->matrix);
    spry_matrix_destroy(factors->transposed);
    spry_release(&precond->allocator, factors, 1, sizeof *factors);
}
