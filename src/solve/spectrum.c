/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest eigenvalue of M⁻¹ A by a few steps of conjugate gradients with M as preconditioner, whose numbers are the
 * tridiagonal matrix that Lanczos' method gives (Saad, “Iterative Methods for Sparse Linear Systems”,
 * 2nd edition, 6.7.3). It is there long before the solution would be.
 */
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>

#include "solve/diagonal.h"

/* Of Poisson's equation, of elasticity and of networks the largest eigenvalue is found within 5 % in so many. */
#define STEPS 16

struct tridiagonal {
    int n;
    double diagonal[STEPS], beside[STEPS]; /* beside[k]: between k and k + 1 */
};

/* Whether all eigenvalues are smaller than x: then, and only then, all pivots of T − x I are negative. */
static bool is_above(const struct tridiagonal *t, double x) {
    double pivot = t->diagonal[0] - x;
    for (int k = 1; k < t->n && pivot < 0; k++)
        pivot = t->diagonal[k] - x - t->beside[k - 1] * t->beside[k - 1] / pivot;
    return pivot < 0;
}

static double largest_of(const struct tridiagonal *t) {
    double low = 0, high = 0;
    for (int k = 0; k < t->n; k++) {
        double radius = (k > 0 ? t->beside[k - 1] : 0) + (k + 1 < t->n ? t->beside[k] : 0);
        high = fmax(high, t->diagonal[k] + radius);
    }
    for (int halving = 0; halving < 40; halving++) {
        double middle = (low + high) / 2;
        if (is_above(t, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Vectors of the iteration, and where its sums are. */
struct iteration {
    const spry_matrix *matrix;
    const void *inverse; /* of the diagonal */
    const spry_operator *precond;
    void *residual, *direction, *product, *sum;
};

static spry_status dot(spry_context *context, const struct iteration *it, const void *x, const void *y,
                       double *result) {
    const spry_matrix *a = it->matrix;
    spry_status status = spry_dot(context, (spry_number)a->type, a->rows, x, y, it->sum);
    return status ? status : context->code->copy(context, result, it->sum, sizeof *result);
}

/* z = M⁻¹ r, where the product was, and *rz = r · z. */
static spry_status precondition(spry_context *context, const struct iteration *it, double *rz) {
    const spry_matrix *a = it->matrix;
    const spry_operator *m = it->precond;
    spry_status status = m->diagonal
                             ? spry_diagonal_code_for(context, a->type, a->index)
                                   ->apply(context, a->rows, 1, m->diagonal, it->residual, 0, it->product)
                             : m->apply(context, m->user, it->residual, it->product);
    if (!status)
        status = dot(context, it, it->residual, it->product, rz);
    if (!status && !isfinite(*rz))
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "values of the matrix or the preconditioner are not finite, or too large: "
                           "r · M⁻¹ r is %g for some r",
                           *rz);
    if (!status && *rz < 0)
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "the preconditioner is not positive definite: r · M⁻¹ r is %g for some r", *rz);
    return status;
}

static spry_status curvature(spry_context *context, const struct iteration *it, double *pap) {
    spry_status status = spry_spmv(context, SPRY_N, 1, it->matrix, it->direction, 0, it->product);
    if (!status)
        status = dot(context, it, it->direction, it->product, pap);
    if (!status && !isfinite(*pap))
        status =
            spry_fail(context, SPRY_ERROR_INVALID,
                      "values of the matrix are not finite, or too large: p · A p is %g for some p", *pap);
    if (!status && *pap <= 0)
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "the matrix is not positive definite: p · A p is %g for some p", *pap);
    return status;
}

/* The first direction is the first residual, preconditioned. That has as much of each row when it is measured by the diagonal,
   however different the rows are in size: else few of them would be all that f32 sees. */
static spry_status begin(spry_context *context, const struct iteration *it, double *rz) {
    const spry_matrix *a = it->matrix;
    spry_status status = spry_diagonal_code_for(context, a->type, a->index)
                             ->noise(context, a->rows, it->inverse, it->residual);
    if (!status)
        status = precondition(context, it, rz);
    return status ? status
                  : context->code->copy(context, it->direction, it->product,
                                        (size_t)a->rows * spry_type_size(a->type));
}

static spry_status iterate(spry_context *context, const struct iteration *it, struct tridiagonal *t) {
    const spry_matrix *a = it->matrix;
    spry_number number = (spry_number)a->type;
    double rz = 0, pap, kept = 0;
    spry_status status = begin(context, it, &rz);
    const double enough = rz * (a->type == SPRY_F32 ? FLT_EPSILON : DBL_EPSILON);
    for (t->n = 0; !status && t->n < STEPS && rz > enough;) {
        status = curvature(context, it, &pap);
        if (status)
            break;
        double alpha = rz / pap, before = rz;
        status = spry_axpby(context, number, a->rows, -alpha, it->product, 1, it->residual);
        if (!status)
            status = precondition(context, it, &rz);
        double beta = rz / before;
        if (!status)
            status = spry_axpby(context, number, a->rows, 1, it->product, beta, it->direction);
        t->diagonal[t->n] = 1 / alpha + kept;
        t->beside[t->n++] = sqrt(beta) / alpha;
        kept = beta / alpha;
    }
    return status;
}

spry_status spry_largest_eigenvalue(spry_context *context, const spry_matrix *matrix, const void *inverse,
                                    const spry_operator *precond, double *largest) {
    struct iteration it = {.matrix = matrix, .inverse = inverse, .precond = precond};
    void **const array[] = {&it.residual, &it.direction, &it.product, &it.sum};
    size_t vector = (size_t)matrix->rows * spry_type_size(matrix->type);
    const size_t bytes[] = {vector, vector, vector, sizeof(double)};
    struct tridiagonal t = {0};
    spry_status status = SPRY_OK;
    for (int i = 0; i < 4 && !status; i++)
        status = spry_array_new(context, bytes[i], array[i]);
    if (!status)
        status = iterate(context, &it, &t);
    for (int i = 0; i < 4; i++)
        spry_array_free(context, *array[i], bytes[i]);
    if (status)
        return status;
    *largest = largest_of(&t);
    return *largest > 0 && isfinite(*largest)
               ? SPRY_OK
               : spry_fail(context, SPRY_ERROR_INVALID, "the largest eigenvalue of M⁻¹ A comes out as %g",
                           *largest);
}
