/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods are built from: products, preconditioners, updates, sums over ranks. */
#include "solve/resident.h"
#include "solve/solver.h"

/* A caller's function that fails need not write a message: there is none meanwhile, so that an older one is not taken for its. */
static spry_status apply(spry_solver *solver, const spry_operator *applied, const void *x, void *y) {
    spry_context *context = solver->context;
    const char before = context->message[0];
    context->message[0] = '\0';
    spry_status status = applied->apply(context, applied->user, x, y);
    if (context->message[0] != '\0')
        return status;
    context->message[0] = before;
    return status
               ? spry_fail(context, status, "the %s failed: %s",
                           applied == &solver->a ? "operator" : "preconditioner", spry_status_string(status))
               : SPRY_OK;
}

spry_status spry_solver_apply(spry_solver *solver, const void *x, void *y) {
    if (solver->listing) {
        spry_resident_list_product(solver->listing, x, y);
        return SPRY_OK;
    }
    return apply(solver, &solver->a, x, y);
}

bool spry_solver_applies_precond(const spry_solver *solver) {
    return spry_solver_is_preconditioned(solver) && !solver->precond.diagonal;
}

spry_status spry_solver_precondition(spry_solver *solver, const void *r, void *z) {
    if (!solver->precond.diagonal)
        return apply(solver, &solver->precond, r, z);
    struct spry_vectors vectors = {
        .n = solver->n, .r = (void *)(uintptr_t)r, .z = z, .d = solver->precond.diagonal};
    return spry_solver_update_over(solver, SPRY_UPDATE_multiply, &vectors);
}

spry_status spry_solver_update_over(spry_solver *solver, enum spry_update update,
                                    const struct spry_vectors *vectors) {
    spry_context *context = solver->context;
    if (solver->listing) {
        spry_resident_list_update(solver->listing, update, vectors);
        return SPRY_OK;
    }
    return context->code->updates->run(context, solver->type, update, vectors, solver->state,
                                       spry_solver_ranks(solver));
}

const struct spry_ranks *spry_solver_ranks(const spry_solver *solver) {
    return solver->ranks.sum ? &solver->ranks : NULL;
}

spry_status spry_solver_add_up(spry_solver *solver, int count, void *values) {
    spry_context *context = solver->context;
    const struct spry_ranks *ranks = spry_solver_ranks(solver);
    if (!ranks)
        return SPRY_OK;
    if (solver->type == SPRY_F64)
        return spry_add_up(context, ranks, count, values);
    spry_status status =
        context->code->cast_values(context, values, solver->type, ranks->values, SPRY_F64, count);
    if (!status)
        status = spry_add_up(context, ranks, count, ranks->values);
    return status ? status
                  : context->code->cast_values(context, ranks->values, SPRY_F64, values, solver->type, count);
}

spry_status spry_solver_update(spry_solver *solver, enum spry_update update) {
    return spry_solver_update_over(solver, update, &solver->vectors);
}

spry_status spry_solver_step(spry_solver *solver, enum spry_update update) {
    return spry_solver_update_over(solver, update, &(struct spry_vectors){.n = 0});
}
