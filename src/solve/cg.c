/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients. The product adds up p · A p on the way, where its kernel can. With a diagonal preconditioner, or none,
   z is never stored: updates make it from r. */
#include "solve/solver.h"
#include "spmv/dot.h"

static int64_t count_partials(const spry_solver *solver) {
    return solver->a.matrix ? spry_dot_partials(solver->a.matrix) : 0;
}

static spry_status prepare(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    void **needed[] = {&v->r, &v->p, &v->q, &v->z};
    spry_status status = spry_solver_vectors(solver, spry_solver_applies_precond(solver) ? 4 : 3, needed);
    if (!status && count_partials(solver) > 0)
        status = spry_solver_array(solver, count_partials(solver), sizeof(double), (void **)&v->partial);
    return status;
}

/* q = A p, and the curvature p · q. */
static spry_status multiply(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    spry_status status;
    if (!v->partial || solver->listing) {
        status = spry_solver_apply(solver, v->p, v->q);
        return status ? status : spry_solver_update(solver, SPRY_UPDATE_cg_curvature);
    }
    struct spry_vectors sums = {.n = count_partials(solver), .partial = v->partial};
    status = spry_spmv_partials(solver->context, solver->a.matrix, v->p, v->q, v->p, v->partial);
    return status ? status : spry_solver_update_over(solver, SPRY_UPDATE_cg_partials, &sums);
}

static spry_status start(spry_solver *solver) {
    spry_status status = SPRY_OK;
    if (spry_solver_applies_precond(solver))
        status = spry_solver_precondition(solver, solver->vectors.r, solver->vectors.z);
    return status ? status : spry_solver_update(solver, SPRY_UPDATE_cg_begin);
}

static spry_status piece(spry_solver *solver, int k) {
    struct spry_vectors *v = &solver->vectors;
    (void)k;
    const bool applies = spry_solver_applies_precond(solver);
    spry_status status = multiply(solver);
    if (!status)
        status = spry_solver_update(solver, applies ? SPRY_UPDATE_cg_advance : SPRY_UPDATE_cg_update);
    if (!status && applies)
        status = spry_solver_precondition(solver, v->r, v->z);
    if (!status && applies)
        status = spry_solver_update(solver, SPRY_UPDATE_cg_product);
    return status ? status : spry_solver_update(solver, SPRY_UPDATE_cg_direction);
}

const struct spry_method_code spry_cg_method = {"cg", 1, false, prepare, start, piece};
