/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chebyshev's iteration for A y = x from y = 0, preconditioned with the diagonal (Saad, “Iterative Methods for Sparse
 * Linear Systems”, 2nd edition, algorithm 12.1), as a fixed number of steps: a polynomial in D⁻¹ A times D⁻¹. On the
 * interval [a, b] it is as near to the inverse as one of its degree can be (Adams, Brezina, Hu, Tuminaro, “Parallel
 * multigrid smoothing: polynomial versus Gauss–Seidel”, Journal of Computational Physics 188, 2003). It adds up nothing
 * over the vector, so nothing waits for anything, and it is symmetric.
 *
 * With m = degree + 1 steps, of which the first needs no product, the residual polynomial on an eigenvalue λ of D⁻¹ A is
 * T_m((b + a − 2λ)/(b − a)) / T_m((b + a)/(b − a)). It is under 1, and the preconditioner positive definite, for
 * 0 < λ < a + b, and with an even degree for all λ > 0: that is safe even if b was estimated too low.
 *
 * Steps are of the form y_k = y_{k−1} + inertia (y_{k−1} − y_{k−2}) + gain D⁻¹/b (x − A y_{k−1}).
 */
#include "solve/diagonal.h"
#include "solve/spectrum.h"

/* The estimate is from below. */
#define SAFETY 1.1

struct chebyshev {
    void *inverse, *product, *other; /* D⁻¹ / b; A y; every second iterate, the others are in the result */
    double first_gain;
    struct {
        double inertia, gain;
    } step[SPRY_MAX_DEGREE];
};

/* The share of b at which the residual polynomial is about 0.3 all over the interval, for every degree: a higher one
   leaves out eigenvalues that the degree suffices for, a lower one damps none of them well. It is 1/30 for the degree 4,
   and that is what Trilinos' Ifpack2 has for all. */
static double default_share(int degree) {
    return 1 / (1.2 * (degree + 1) * (degree + 1));
}

/* For the interval from `share` to 1: Saad's ρ_k divided by δ, the half width of the interval, which may so be zero. */
static void set_steps(struct chebyshev *part, int degree, double share) {
    double middle = (1 + share) / 2, half = (1 - share) / 2, before = 1 / middle;
    part->first_gain = before;
    for (int k = 0; k < degree; k++) {
        double rho = 1 / (2 * middle - half * half * before);
        part->step[k].inertia = half * half * rho * before;
        part->step[k].gain = 2 * rho;
        before = rho;
    }
}

/* With D⁻¹ divided by b the numbers of the steps do not depend on the values of the matrix, so that what a CUDA graph
   has captured holds after an update too. For the same reason it has to be the same matrix. */
static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct chebyshev *part = precond->part;
    double largest = precond->options.largest;
    spry_status status = spry_invert_diagonal(context, csr, true, part->inverse);
    if (!status && largest == 0 && precond->n > 0) {
        status = spry_largest_eigenvalue(context, precond->matrix, part->inverse, &largest);
        largest *= SAFETY;
    }
    if (status || precond->n == 0)
        return status;
    return spry_axpby(context, (spry_number)precond->type, precond->n, 1 / largest, part->inverse, 0,
                      part->inverse);
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status = spry_allocate(context, 1, sizeof(struct chebyshev), &precond->part);
    if (status)
        return status;
    struct chebyshev *part = precond->part;
    const spry_precond_options *options = &precond->options;
    *part = (struct chebyshev){0};
    set_steps(part, options->degree,
              options->smallest > 0 ? options->smallest / options->largest : default_share(options->degree));
    void **const array[] = {&part->inverse, &part->product, &part->other};
    for (int i = 0; i < 3 && !status; i++)
        status = spry_allocate_array(context, (size_t)precond->n, spry_type_size(precond->type), array[i]);
    if (!status)
        status = spry_reserve(context, precond->matrix, SPRY_N);
    return status ? status : update(context, precond, csr);
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct spry_diagonal_code *code = spry_diagonal_code_for(context, precond->type, precond->index);
    const struct chebyshev *part = precond->part;
    int degree = precond->options.degree;
    /* Iterate k is in iterate[k % 2], and the last one in y. */
    void *const iterate[2] = {degree % 2 ? part->other : y, degree % 2 ? y : part->other};
    spry_status status = code->apply(context, precond->n, part->first_gain, part->inverse, x, 0, iterate[0]);
    for (int k = 0; k < degree && !status; k++) {
        const struct spry_chebyshev_step step = {
            .n = precond->n,
            .inertia = part->step[k].inertia,
            .gain = part->step[k].gain,
            .inverse = part->inverse,
            .x = x,
            .z = iterate[k % 2],
            .product = part->product,
            .next = iterate[(k + 1) % 2],
            .first = k == 0,
        };
        status = spry_spmv(context, SPRY_N, 1, precond->matrix, step.z, 0, part->product);
        if (!status)
            status = code->chebyshev(context, &step);
    }
    return status;
}

static void destroy(spry_precond *precond) {
    struct chebyshev *part = precond->part;
    if (!part)
        return;
    size_t n = (size_t)precond->n, size = spry_type_size(precond->type);
    spry_release(&precond->arrays, part->inverse, n, size);
    spry_release(&precond->arrays, part->product, n, size);
    spry_release(&precond->arrays, part->other, n, size);
    spry_release(&precond->allocator, part, 1, sizeof *part);
}

const struct spry_precond_code spry_chebyshev_code = {
    .name = "chebyshev",
    .keeps_matrix = true,
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
};
