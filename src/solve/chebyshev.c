/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chebyshev's iteration for A y = x from y = 0, preconditioned with C, which is the diagonal D unless the caller says
 * otherwise (Saad, “Iterative Methods for Sparse Linear Systems”, 2nd edition, algorithm 12.1), as a fixed number of steps:
 * a polynomial in C⁻¹ A times C⁻¹. On the interval [a, b] it is as near to the inverse as one of its degree can be (Adams,
 * Brezina, Hu, Tuminaro, “Parallel multigrid smoothing: polynomial versus Gauss–Seidel”, Journal of Computational Physics
 * 188, 2003). It adds up nothing over the vector, so nothing waits for anything, and it is symmetric.
 *
 * With m = degree + 1 steps, of which the first needs no product, the residual polynomial on an eigenvalue λ of C⁻¹ A is
 * T_m((b + a − 2λ)/(b − a)) / T_m((b + a)/(b − a)). It is under 1, and the preconditioner positive definite, for
 * 0 < λ < a + b, and with an even degree for all λ > 0: that is safe even if b was estimated too low.
 *
 * Iterates are y_{k+1} = y_k + inertia_k (y_k − y_{k−1}) + gain_k r_k, where r_k = C⁻¹/b (x − A y_k). They are not formed.
 * With E = C⁻¹ A/b, whose interval is that from a/b to 1, and its middle, residuals follow from each other alone:
 *
 *     r_{k+1} = gain_k (middle − E) r_k − inertia_k r_{k−1},
 *
 * for Jacobi one product with a matrix, in the place of r_{k−1}. The result is a sum of them, Σ weight_k r_k, which is
 * taken two at a time, when both are there: on the way, where the product's kernel can, and in a pass of its own elsewhere.
 */
#include "solve/diagonal.h"
#include "solve/spectrum.h"
#include "spmv/adding.h"

/* The estimate is from below. */
#define SAFETY 1.1

struct chebyshev {
    spry_precond *inner;   /* C⁻¹; null for Jacobi */
    void *scale;           /* D⁻¹ / b; for others, 1 / b everywhere */
    spry_matrix *matrix;   /* middle − D⁻¹ A/b; for others, −A/b */
    void *residual[2];     /* r_k is in the one with k % 2 */
    void *product, *image; /* for others: of the matrix, and C⁻¹ of it */
    double middle;
    struct {
        double inertia, gain;
    } step[SPRY_MAX_DEGREE + 1];
    double weight[SPRY_MAX_DEGREE + 1];
};

/* The share of b at which the residual polynomial is about 0.3 all over the interval, for every degree: a higher one
   leaves out eigenvalues that the degree suffices for, a lower one damps none of them well. It is 1/30 for the degree 4,
   and that is what Trilinos' Ifpack2 has for all. */
static double default_share(int degree) {
    return 1 / (1.2 * (degree + 1) * (degree + 1));
}

/* For the interval from `share` to 1: Saad's ρ_k divided by δ, the half width of the interval, which may so be zero. */
static void set_steps(struct chebyshev *part, int degree, double share) {
    double half = (1 - share) / 2, before = 2 / (1 + share);
    part->middle = (1 + share) / 2;
    part->step[0].inertia = 0;
    part->step[0].gain = before;
    for (int k = 1; k <= degree; k++) {
        double rho = 1 / (2 * part->middle - half * half * before);
        part->step[k].inertia = half * half * rho * before;
        part->step[k].gain = 2 * rho;
        before = rho;
    }
    /* What r_k makes of the iterate after it, inertia carries on to all later ones. */
    double carried = 1;
    for (int k = degree; k >= 0; k--) {
        part->weight[k] = part->step[k].gain * carried;
        carried = 1 + part->step[k].inertia * carried;
    }
}

static const struct spry_diagonal_code *code_of(const spry_context *context, const spry_precond *precond) {
    return spry_diagonal_code_for(context, precond->type, precond->index);
}

/* ---- values ---- */

/* b. */
static spry_status find_largest(spry_context *context, const spry_precond *precond, const void *inverse,
                                double *largest) {
    const struct chebyshev *part = precond->part;
    const spry_operator diagonal = {.diagonal = inverse},
                        inner = part->inner ? spry_operator_of_precond(part->inner) : diagonal;
    *largest = precond->options.largest;
    if (*largest > 0)
        return SPRY_OK;
    spry_status status = spry_largest_eigenvalue(context, precond->matrix, inverse, &inner, largest);
    *largest *= SAFETY;
    return status;
}

static spry_status set_scale(spry_context *context, const spry_precond *precond, const spry_matrix *csr) {
    const struct chebyshev *part = precond->part;
    const int64_t n = precond->n;
    double largest;
    spry_status status = spry_invert_diagonal(context, csr, true, part->scale);
    if (!status && n > 0)
        status = find_largest(context, precond, part->scale, &largest);
    if (status || n == 0)
        return status;
    if (part->inner)
        return code_of(context, precond)->fill(context, n, 1 / largest, part->scale);
    return spry_axpby(context, (spry_number)precond->type, n, 1 / largest, part->scale, 0, part->scale);
}

/* The matrix of the steps, in CSR. */
static spry_status shifted(spry_context *context, const spry_precond *precond, const spry_matrix *csr,
                           spry_matrix **matrix) {
    const struct chebyshev *part = precond->part;
    spry_status status = spry_matrix_copy_unfinished(context, csr, matrix);
    return status ? status
                  : code_of(context, precond)
                        ->shift_rows(context, *matrix, part->inner ? 0 : part->middle, part->scale);
}

/* With the matrix divided by b the numbers of the steps do not depend on its values, so that what a CUDA graph has captured
   holds after an update too, unless the matrix is kept as stencils, which move. */
static spry_status take_values(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct chebyshev *part = precond->part;
    spry_matrix *made = NULL;
    spry_status status = set_scale(context, precond, csr);
    if (!status)
        status = shifted(context, precond, csr, &made);
    if (!status)
        status = part->matrix ? spry_update_values(context, part->matrix, made)
                              : spry_keep(context, made, &precond->storage, &part->matrix);
    spry_matrix_destroy(made);
    return status;
}

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct chebyshev *part = precond->part;
    if (part->inner) {
        spry_status status = spry_precond_update(context, part->inner, precond->matrix);
        if (status)
            return status;
        precond->shift = spry_precond_shift(part->inner);
    }
    return take_values(context, precond, csr);
}

/* ---- making and releasing ---- */

static spry_status create_inner(spry_context *context, spry_precond *precond) {
    struct chebyshev *part = precond->part;
    spry_precond_options options = precond->options;
    if (options.inner == SPRY_JACOBI)
        return SPRY_OK;
    options.kind = options.inner;
    options.inner = SPRY_JACOBI;
    spry_status status =
        spry_precond_make(context, precond->matrix, &precond->storage, &options, &part->inner);
    precond->shift = spry_precond_shift(part->inner);
    return status;
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
    status = create_inner(context, precond);
    void **const array[] = {&part->scale, &part->residual[0], &part->residual[1], &part->product,
                            &part->image};
    for (int i = 0; i < (part->inner ? 5 : 3) && !status; i++)
        status = spry_allocate_array(context, (size_t)precond->n, spry_type_size(precond->type), array[i]);
    return status ? status : take_values(context, precond, csr);
}

static void destroy(spry_precond *precond) {
    struct chebyshev *part = precond->part;
    if (!part)
        return;
    void *const array[] = {part->scale, part->residual[0], part->residual[1], part->product, part->image};
    for (int i = 0; i < 5; i++)
        spry_release(&precond->arrays, array[i], (size_t)precond->n, spry_type_size(precond->type));
    spry_matrix_destroy(part->matrix);
    spry_precond_destroy(part->inner);
    spry_release(&precond->allocator, part, 1, sizeof *part);
}

/* ---- applying ---- */

/* r_0. */
static spry_status begin(spry_context *context, const spry_precond *precond, const void *x) {
    const struct chebyshev *part = precond->part;
    spry_status status = part->inner ? spry_precond_apply(context, part->inner, x, part->image) : SPRY_OK;
    return status ? status
                  : code_of(context, precond)
                        ->apply(context, precond->n, 1, part->scale, part->inner ? part->image : x, 0,
                                part->residual[0]);
}

/* r_k, in the place of r_{k−2}. */
static spry_status go_on(spry_context *context, const spry_precond *precond, int k) {
    const struct chebyshev *part = precond->part;
    const void *here = part->residual[(k + 1) % 2];
    void *next = part->residual[k % 2];
    const double gain = part->step[k - 1].gain, inertia = part->step[k - 1].inertia;
    if (!part->inner)
        return spry_spmv(context, SPRY_N, gain, part->matrix, here, -inertia, next);
    spry_status status = spry_spmv(context, SPRY_N, 1, part->matrix, here, 0, part->product);
    if (!status)
        status = spry_precond_apply(context, part->inner, part->product, part->image);
    const struct spry_combination sum = {.n = precond->n,
                                         .a = gain,
                                         .b = gain * part->middle,
                                         .c = -inertia,
                                         .u = part->image,
                                         .v = here,
                                         .y = next};
    return status ? status : code_of(context, precond)->combine(context, &sum);
}

/* What y becomes once r_k is there: every second time terms k and k − 1 are added or, where it is the last of an odd number, k
   alone. */
static struct spry_addition terms_at(const spry_precond *precond, int k, void *y) {
    const struct chebyshev *part = precond->part;
    const bool alone = k == precond->options.degree && k % 2 == 0;
    if (k % 2 == 0 && !alone)
        return (struct spry_addition){.z = NULL};
    return (struct spry_addition){
        .a = part->weight[k], .b = alone ? 0 : part->weight[k - 1], .c = k > 1 ? 1 : 0, .z = y};
}

static spry_status add_terms(spry_context *context, const spry_precond *precond, int k,
                             const struct spry_addition *terms) {
    const struct chebyshev *part = precond->part;
    const struct spry_combination sum = {.n = precond->n,
                                         .a = terms->a,
                                         .b = terms->b,
                                         .c = terms->c,
                                         .u = part->residual[k % 2],
                                         .v = terms->b == 0 ? NULL : part->residual[(k + 1) % 2],
                                         .y = terms->z};
    return code_of(context, precond)->combine(context, &sum);
}

/* r_k and the terms, by a kernel that adds. */
static spry_status go_on_adding(spry_context *context, const spry_precond *precond, int k,
                                const struct spry_addition *terms) {
    const struct chebyshev *part = precond->part;
    return spry_spmv_adding(context, part->step[k - 1].gain, part->matrix, part->residual[(k + 1) % 2],
                            -part->step[k - 1].inertia, part->residual[k % 2], terms);
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct chebyshev *part = precond->part;
    const bool adds = !part->inner && spry_spmv_adds(part->matrix);
    spry_status status = begin(context, precond, x);
    for (int k = 1; k <= precond->options.degree && !status; k++) {
        const struct spry_addition terms = terms_at(precond, k, y);
        if (terms.z && adds) {
            status = go_on_adding(context, precond, k, &terms);
            continue;
        }
        status = go_on(context, precond, k);
        if (terms.z && !status)
            status = add_terms(context, precond, k, &terms);
    }
    return status;
}

static spry_status reserve(spry_context *context, const spry_precond *precond) {
    const struct chebyshev *part = precond->part;
    spry_status status = spry_reserve(context, part->matrix, SPRY_N);
    return status || !part->inner ? status : spry_precond_reserve(context, part->inner);
}

const struct spry_precond_code spry_chebyshev_code = {
    .name = "chebyshev",
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
    .reserve = reserve,
};
