/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GMRES, restarted and preconditioned from the right, so that its residual is that of A x = b. New vectors are made
 * orthogonal to all earlier ones at once, and once again (classical Gram-Schmidt twice is as good as it gets: Giraud,
 * Langou, Rozloznik and van den Eshof, "Rounding error analysis of the classical Gram-Schmidt orthogonalization
 * process", Numerische Mathematik 101, 2005): four products with the basis, which are fast.
 */
#include "core/saturate.h"
#include "primitives/gemm_workspace.h"
#include "solve/solver.h"

/* Arrays of m-values and m × m-values in one piece of memory; those of the vectors' type take no more than doubles. */
static spry_status prepare_small(spry_solver *solver) {
    const int64_t m = solver->options.restart;
    struct spry_state *seen = &solver->seen;
    void *small;
    spry_status status = spry_solver_array(solver, m * m + 6 * (m + 1), sizeof(double), &small);
    if (status)
        return status;
    seen->restart = (int)m;
    seen->triangle = small;
    seen->cosines = seen->triangle + m * m;
    seen->sines = seen->cosines + m + 1;
    seen->g = seen->sines + m + 1;
    seen->h = seen->g + m + 1;
    seen->again = seen->g + 2 * (m + 1);
    seen->y = seen->g + 3 * (m + 1);
    return SPRY_OK;
}

static spry_status prepare(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    void **needed[] = {&v->r, &v->q, &v->t, &v->z};
    int64_t count = spry_multiply_counts(solver->n, solver->options.restart + 1);
    spry_status status = prepare_small(solver);
    if (!status)
        status = spry_gemm_reserve(solver->context);
    if (!status)
        status = spry_solver_vectors(solver, spry_solver_is_preconditioned(solver) ? 4 : 3, needed);
    if (!spry_solver_is_preconditioned(solver))
        v->z = v->t;
    return status ? status : spry_solver_array(solver, count, spry_type_size(solver->type), &solver->basis);
}

static void *basis_vector(const spry_solver *solver, int k) {
    return (char *)solver->basis + (int64_t)k * solver->n * (int64_t)spry_type_size(solver->type);
}

static spry_view basis_of(const spry_solver *solver, int columns) {
    return spry_view_of_columns(solver->basis, solver->n, columns, solver->n);
}

/* The first vector of the basis, from r. */
static spry_status start(spry_solver *solver) {
    solver->vectors.w = basis_vector(solver, 0);
    return spry_solver_update(solver, SPRY_UPDATE_gmres_first);
}

/* h = Vᵀ w, w -= V h for the first vectors of the basis. */
static spry_status orthogonalise(spry_solver *solver, int columns, void *h) {
    spry_context *context = solver->context;
    spry_view basis = basis_of(solver, columns), transposed = spry_view_transpose(basis);
    spry_view w = spry_view_of_columns(solver->vectors.w, solver->n, 1, solver->n);
    spry_view products = spry_view_of_columns(h, columns, 1, columns);
    spry_status status = spry_gemm(context, solver->type, 1, &transposed, &w, 0, &products);
    if (!status)
        status = spry_solver_add_up(solver, columns, h);
    return status ? status : spry_gemm(context, solver->type, -1, &basis, &products, 1, &w);
}

/* Vector k + 1 of the basis, and column k of the Hessenberg matrix. */
static spry_status extend(spry_solver *solver, int k) {
    struct spry_vectors *v = &solver->vectors;
    void *last = basis_vector(solver, k), *z = last;
    spry_status status = SPRY_OK;
    v->w = basis_vector(solver, k + 1);
    if (spry_solver_is_preconditioned(solver)) {
        z = v->z;
        status = spry_solver_precondition(solver, last, z);
    }
    if (!status)
        status = spry_solver_apply(solver, z, v->w);
    if (!status)
        status = orthogonalise(solver, k + 1, solver->seen.h);
    if (!status)
        status = orthogonalise(solver, k + 1, solver->seen.again);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_gmres_norm);
    return status ? status : spry_solver_update(solver, SPRY_UPDATE_gmres_scale);
}

/* x += M⁻¹ V y, whatever y then says, and a first vector for the next cycle. */
static spry_status close_cycle(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    const int m = solver->options.restart;
    spry_view basis = basis_of(solver, m), y = spry_view_of_columns(solver->seen.y, m, 1, m);
    spry_view t = spry_view_of_columns(v->t, solver->n, 1, solver->n);
    spry_status status = spry_solver_step(solver, SPRY_UPDATE_gmres_solve);
    if (!status)
        status = spry_gemm(solver->context, solver->type, 1, &basis, &y, 0, &t);
    if (!status && spry_solver_is_preconditioned(solver))
        status = spry_solver_precondition(solver, v->t, v->z);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_gmres_correct);
    if (!status)
        status = spry_solver_apply(solver, v->x, v->q);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_gmres_restart);
    return status ? status : start(solver);
}

/* What a failure leaves of a vector, which may be NaN, is taken away: zero times that would not be zero in later cycles that do not
   get so far. */
static spry_status piece(spry_solver *solver, int k) {
    spry_context *context = solver->context;
    if (k == solver->options.restart)
        return close_cycle(solver);
    spry_status status = extend(solver, k);
    if (status)
        (void)context->code->scale(context, solver->type, solver->n, 0, solver->vectors.w);
    return status;
}

const struct spry_method_code spry_gmres_method = {"gmres", 1, true, prepare, start, piece};
