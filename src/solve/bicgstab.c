/* SPDX-License-Identifier: BSD-3-Clause */
/* BiCGSTAB, preconditioned from the right, so that its residual is that of A x = b. */
#include "solve/solver.h"

/* Without a preconditioner, M⁻¹ p and M⁻¹ r are p and r themselves. */
static spry_status prepare(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    void **needed[] = {&v->u, &v->r, &v->p, &v->q, &v->t, &v->z, &v->s};
    spry_status status = spry_solver_vectors(solver, spry_solver_is_preconditioned(solver) ? 7 : 5, needed);
    if (!spry_solver_is_preconditioned(solver)) {
        v->z = v->p;
        v->s = v->r;
    }
    return status;
}

static spry_status start(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    spry_status status = spry_solver_update(solver, SPRY_UPDATE_bicgstab_begin);
    return status || !spry_solver_applies_precond(solver) ? status
                                                          : spry_solver_precondition(solver, v->p, v->z);
}

static spry_status piece(spry_solver *solver, int k) {
    struct spry_vectors *v = &solver->vectors;
    (void)k;
    spry_status status = spry_solver_apply(solver, v->z, v->q);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_bicgstab_first);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_bicgstab_half);
    if (!status && spry_solver_applies_precond(solver))
        status = spry_solver_precondition(solver, v->r, v->s);
    if (!status)
        status = spry_solver_apply(solver, v->s, v->t);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_bicgstab_second);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_bicgstab_update);
    if (!status)
        status = spry_solver_update(solver, SPRY_UPDATE_bicgstab_direction);
    return status || !spry_solver_applies_precond(solver) ? status
                                                          : spry_solver_precondition(solver, v->p, v->z);
}

const struct spry_method_code spry_bicgstab_method = {"bicgstab", 1, false, prepare, start, piece};
