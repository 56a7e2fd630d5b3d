/* SPDX-License-Identifier: BSD-3-Clause */
/* MINRES. The residual itself is kept up too, so that its norm is the true one with a preconditioner as well. */
#include "solve/solver.h"

static spry_status prepare(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    void **needed[] = {&v->r, &v->p, &v->q, &v->s, &v->t, &v->u, &v->w, &v->z};
    spry_status status = spry_solver_vectors(solver, spry_solver_is_preconditioned(solver) ? 8 : 7, needed);
    if (!spry_solver_is_preconditioned(solver))
        v->z = v->t; /* as each piece finds it */
    return status;
}

/* z = M⁻¹ v, unless the next update does it: without a preconditioner, z is that vector. */
static spry_status precondition(spry_solver *solver, void *v) {
    if (!spry_solver_is_preconditioned(solver))
        solver->vectors.z = v;
    return spry_solver_applies_precond(solver) ? spry_solver_precondition(solver, v, solver->vectors.z)
                                               : SPRY_OK;
}

static spry_status start(spry_solver *solver) {
    spry_status status = spry_solver_update(solver, SPRY_UPDATE_minres_start);
    if (!status)
        status = precondition(solver, solver->vectors.t);
    return status ? status : spry_solver_update(solver, SPRY_UPDATE_minres_begin);
}

static void exchange(void **a, void **b) {
    void *c = *a;
    *a = *b;
    *b = c;
}

static spry_status iterate(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    spry_status status = spry_solver_update(solver, SPRY_UPDATE_minres_scale);
    if (!status)
        status = spry_solver_apply(solver, v->p, v->q);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_minres_alpha);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_minres_next);
    if (!status)
        status = precondition(solver, v->s);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_minres_beta);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_minres_update);
    exchange(&v->s, &v->t);
    exchange(&v->u, &v->w);
    return status;
}

/* Two iterations, after which all vectors are in their places again. */
static spry_status piece(spry_solver *solver, int k) {
    (void)k;
    spry_status status = iterate(solver);
    return status ? status : iterate(solver);
}

const struct spry_method_code spry_minres_method = {"minres", 2, false, prepare, start, piece};
