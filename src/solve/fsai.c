/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A factorised sparse approximate inverse (Kolotilin and Yeremin: see fsai_fill.c): M⁻¹ = Gᵀ G, where G is near the
 * inverse of A's Cholesky factor. G and Gᵀ are matrices like any other, each in the storage that multiplies fastest, so
 * that an application is two products, and nothing in it waits for anything. A is taken to be symmetric: the values of
 * G come from its lower triangle alone.
 */
#include "core/host.h"
#include "solve/diagonal.h"
#include "solve/triangle.h"

struct fsai {
    spry_matrix *lower, *upper; /* G, and Gᵀ */
    void *between;              /* value, n: G x */
};

/* ---- G, in CSR ---- */

static const struct spry_triangle_code *code_for(const spry_context *context, const spry_precond *precond) {
    return spry_triangle_code(context, precond->type, precond->index);
}

/* Without values, on the host. */
static spry_status find_pattern(spry_context *host, const spry_precond *precond, const spry_matrix *csr,
                                spry_matrix **factor) {
    const struct spry_fsai_extent extent = {precond->options.power, precond->options.entries};
    spry_matrix *copy = NULL;
    spry_status status = csr->backend == SPRY_CPU ? SPRY_OK : spry_matrix_copy_unfinished(host, csr, &copy);
    if (!status)
        status = code_for(host, precond)->fsai_pattern(host, copy ? copy : csr, &extent, factor);
    spry_matrix_destroy(copy);
    return status;
}

/* Without values, where the context works. */
static spry_status new_factor(spry_context *context, const spry_precond *precond, const spry_matrix *csr,
                              spry_matrix **factor) {
    spry_context *host;
    spry_matrix *found = NULL;
    spry_status status = spry_host_open(context, &host);
    if (!status)
        status = spry_host_close(
            context, host, find_pattern(host, precond, csr, context->backend == SPRY_CPU ? factor : &found));
    if (!status && found)
        status = spry_matrix_copy_unfinished(context, found, factor);
    spry_matrix_destroy(found);
    return status;
}

static spry_status fill(spry_context *context, const spry_precond *precond, const spry_matrix *csr,
                        const spry_matrix *factor) {
    return code_for(context, precond)
        ->fsai_fill(context, csr, precond->shift, precond->options.entries, factor);
}

/* Of the diagonal's inverse nothing is needed but that all of it is positive; applications write where it goes. */
static spry_status check_diagonal(spry_context *context, const spry_precond *precond,
                                  const spry_matrix *csr) {
    const struct fsai *part = precond->part;
    return spry_invert_diagonal(context, csr, true, part->between);
}

/* ---- as it is multiplied by ---- */

static spry_status store(spry_context *context, const spry_matrix *csr, bool values_change,
                         spry_matrix **stored) {
    const spry_convert_options options = {.size = sizeof options, .values_change = values_change};
    return spry_convert(context, csr, SPRY_AUTO, &options, stored);
}

/* New values, which leave the arrays where they are: what was captured of an application goes on reading them. */
static spry_status store_again(spry_context *context, const spry_matrix *csr, spry_matrix *stored) {
    const bool has_stencils = stored->format == SPRY_STENCIL;
    const void *before = has_stencils ? stored->stencil.val : NULL;
    spry_status status = spry_update_values(context, stored, csr);
    if (status || !has_stencils || stored->stencil.val == before)
        return status;
    return spry_fail(
        context, SPRY_ERROR_UNSUPPORTED,
        "a factor is kept as stencils, and its rows have new values that differ where they were the "
        "same: make the preconditioner anew, with values_change");
}

/* Call one of the above for G and for its transpose. */
static spry_status store_both(spry_context *context, const spry_precond *precond, spry_matrix *factor,
                              bool again) {
    struct fsai *part = precond->part;
    spry_matrix *transposed = NULL;
    const bool changes = precond->options.values_change != 0;
    spry_status status =
        again ? store_again(context, factor, part->lower) : store(context, factor, changes, &part->lower);
    if (!status)
        status = spry_transpose(context, factor, &transposed);
    if (!status)
        status = again ? store_again(context, transposed, part->upper)
                       : store(context, transposed, changes, &part->upper);
    spry_matrix_destroy(transposed);
    return status;
}

/* ---- the kind ---- */

static spry_status reserve(spry_context *context, const spry_precond *precond) {
    const struct fsai *part = precond->part;
    spry_status status = spry_reserve(context, part->lower, SPRY_N);
    return status ? status : spry_reserve(context, part->upper, SPRY_N);
}

static spry_status make(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_matrix *factor = NULL;
    spry_status status = new_factor(context, precond, csr, &factor);
    if (!status)
        status = fill(context, precond, csr, factor);
    if (!status)
        status = spry_matrix_finish(context, factor);
    if (!status)
        status = store_both(context, precond, factor, false);
    spry_matrix_destroy(factor);
    return status ? status : reserve(context, precond);
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    spry_status status = spry_allocate(context, 1, sizeof(struct fsai), &precond->part);
    if (status)
        return status;
    struct fsai *part = precond->part;
    *part = (struct fsai){0};
    precond->shift = precond->options.shift;
    status = spry_allocate_array(context, (size_t)precond->n, spry_type_size(precond->type), &part->between);
    if (!status)
        status = check_diagonal(context, precond, csr);
    return status ? status : make(context, precond, csr);
}

/* G comes back from its storage, for its pattern. */
static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    const struct fsai *part = precond->part;
    spry_matrix *factor = NULL;
    spry_status status = check_diagonal(context, precond, csr);
    if (!status)
        status = spry_convert(context, part->lower, SPRY_CSR, NULL, &factor);
    if (!status)
        status = fill(context, precond, csr, factor);
    if (!status)
        status = store_both(context, precond, factor, true);
    spry_matrix_destroy(factor);
    return status;
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct fsai *part = precond->part;
    spry_status status = spry_spmv(context, SPRY_N, 1, part->lower, x, 0, part->between);
    return status ? status : spry_spmv(context, SPRY_N, 1, part->upper, part->between, 0, y);
}

static void destroy(spry_precond *precond) {
    struct fsai *part = precond->part;
    if (!part)
        return;
    spry_matrix_destroy(part->lower);
    spry_matrix_destroy(part->upper);
    spry_release(&precond->arrays, part->between, (size_t)precond->n, spry_type_size(precond->type));
    spry_release(&precond->allocator, part, 1, sizeof *part);
}

const struct spry_precond_code spry_fsai_code = {
    .name = "fsai",
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
    .reserve = reserve,
};
