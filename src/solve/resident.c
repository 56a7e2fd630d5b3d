/* SPDX-License-Identifier: BSD-3-Clause */
/* Which systems are solved on the chip. */
#include "solve/resident.h"

#include <string.h>

#include "core/table.h"

/* Whole numbers that a value of this type can be. */
static int64_t largest_number(spry_value_type type) {
    return (int64_t)1 << (type == SPRY_F32 ? 24 : 53);
}

static bool may_stay(const spry_solver *solver) {
    return solver->context->code->updates->resident && solver->n > 0 && !solver->method->cycles &&
           !spry_solver_applies_precond(solver) && !spry_solver_ranks(solver) && solver->a.matrix &&
           !spry_is_disabled(solver->context, "resident");
}

/* Whether there is room for what the system takes at least. */
static bool has_room(const spry_solver *solver, const struct spry_resident *resident,
                     const struct spry_room *room) {
    const double value = (double)spry_type_size(solver->type), column = sizeof(uint32_t);
    return (double)solver->n * value * resident->arrays + (double)solver->a.matrix->nnz * (value + column) <=
           (double)room->bytes * room->blocks;
}

static spry_status settle(spry_solver *solver, struct spry_resident *resident) {
    spry_context *context = solver->context;
    struct spry_room room = {0};
    spry_status status = context->code->updates->resident->room(context, solver->type, &room);
    if (!status)
        status = spry_resident_make_list(solver, resident);
    if (status || !has_room(solver, resident, &room))
        return status;
    resident->iterations = solver->method->iterations;
    status = spry_resident_take_source(context, resident, solver->a.matrix);
    if (status || spry_matrix_slots(resident->source) > largest_number(solver->type))
        return status;
    return spry_resident_make_image(context, resident, &room);
}

spry_status spry_resident_settle(spry_solver *solver) {
    void *pointer;
    if (!may_stay(solver))
        return SPRY_OK;
    spry_status status = spry_allocate(solver->context, 1, sizeof *solver->resident, &pointer);
    if (status)
        return status;
    solver->resident = memset(pointer, 0, sizeof *solver->resident);
    status = settle(solver, solver->resident);
    if (status || !solver->resident->image)
        spry_resident_release(solver);
    return status;
}

void spry_resident_release(spry_solver *solver) {
    if (!solver->resident)
        return;
    spry_matrix_destroy(solver->resident->image);
    spry_matrix_destroy(solver->resident->copy);
    spry_release(&solver->context->allocator, solver->resident, 1, sizeof *solver->resident);
    solver->resident = NULL;
}

spry_status spry_resident_refresh(spry_solver *solver) {
    struct spry_resident *resident = solver->resident;
    if (!resident || !resident->copy || resident->updates == solver->a.matrix->updates)
        return SPRY_OK;
    return spry_resident_take_source(solver->context, resident, solver->a.matrix);
}

spry_status spry_resident_play(spry_solver *solver) {
    spry_matrix same = *solver->resident->source;
    const void *values = *spry_format_traits(&same)->values(&same);
    return solver->context->code->updates->resident->play(solver->context, solver->resident, values,
                                                          &solver->vectors, solver->state, solver->repeat);
}
