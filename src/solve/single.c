/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A preconditioner in f32 for methods in f64: of any kind, made from the matrix rounded to f32, between two vectors that
 * are rounded on the way in and widened on the way out. Up to rounding, of a few units in the last place of f32, it is
 * one linear operator; and no method takes its residual from it, so that what f64 reaches is reached all the same.
 */
#include "core/backend.h"
#include "solve/precond.h"

struct single {
    spry_precond *inner;
    void *x, *y; /* f32, n */
};

/* The matrix in f32, in CSR. */
static spry_status narrow(spry_context *context, const spry_matrix *csr, spry_matrix **narrowed) {
    return spry_cast(context, csr, SPRY_F32, csr->index, narrowed);
}

/* As the caller keeps it, but that values in f32 are plain ones now. */
static spry_storage storage_of(const spry_precond *precond) {
    spry_storage storage = precond->storage;
    if (storage.values == SPRY_VALUES_F32)
        storage.values = SPRY_VALUES_PLAIN;
    return storage;
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    const spry_storage storage = storage_of(precond);
    spry_precond_options options = precond->options;
    spry_matrix *narrowed = NULL;
    spry_status status = spry_allocate(context, 1, sizeof(struct single), &precond->part);
    if (status)
        return status;
    struct single *part = precond->part;
    *part = (struct single){0};
    options.single = 0;
    status = spry_allocate_array(context, (size_t)precond->n, sizeof(float), &part->x);
    if (!status)
        status = spry_allocate_array(context, (size_t)precond->n, sizeof(float), &part->y);
    if (!status)
        status = narrow(context, csr, &narrowed);
    if (!status)
        status = spry_precond_make(context, narrowed, &storage, &options, &part->inner);
    spry_matrix_destroy(narrowed);
    precond->shift = spry_precond_shift(part->inner);
    return status;
}

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    const struct single *part = precond->part;
    spry_matrix *narrowed = NULL;
    spry_status status = narrow(context, csr, &narrowed);
    if (!status)
        status = spry_precond_update(context, part->inner, narrowed);
    spry_matrix_destroy(narrowed);
    precond->shift = spry_precond_shift(part->inner);
    return status;
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct single *part = precond->part;
    const struct spry_backend_code *code = context->code;
    spry_status status = code->cast_values(context, x, SPRY_F64, part->x, SPRY_F32, precond->n);
    if (!status)
        status = spry_precond_apply(context, part->inner, part->x, part->y);
    return status ? status : code->cast_values(context, part->y, SPRY_F32, y, SPRY_F64, precond->n);
}

static void destroy(spry_precond *precond) {
    struct single *part = precond->part;
    if (!part)
        return;
    spry_release(&precond->arrays, part->x, (size_t)precond->n, sizeof(float));
    spry_release(&precond->arrays, part->y, (size_t)precond->n, sizeof(float));
    spry_precond_destroy(part->inner);
    spry_release(&precond->allocator, part, 1, sizeof *part);
}

static spry_status reserve(spry_context *context, const spry_precond *precond) {
    const struct single *part = precond->part;
    return spry_precond_reserve(context, part->inner);
}

const struct spry_precond_code spry_single_code = {
    .name = "single",
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
    .reserve = reserve,
};
