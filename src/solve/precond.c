/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners as they are called: arguments are checked, the matrix becomes CSR, then the kind's code runs. */
#include "solve/precond.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "convert/convert.h"
#include "core/backend.h"
#include "core/sized.h"
#include "core/word.h"

static const struct spry_precond_code *const kinds[SPRY_PRECOND_COUNT] = {
    [SPRY_JACOBI] = &spry_jacobi_code, [SPRY_BLOCK_JACOBI] = &spry_block_jacobi_code,
    [SPRY_SSOR] = &spry_ssor_code,     [SPRY_ILU0] = &spry_ilu0_code,
    [SPRY_IC0] = &spry_ic0_code,       [SPRY_CHEBYSHEV] = &spry_chebyshev_code,
    [SPRY_FSAI] = &spry_fsai_code,
};

SPRY_SIZED(spry_precond_options, shift, colours);
static const spry_convert_options sum_duplicates = {.duplicates = SPRY_SUM};

const char *spry_precond_name(spry_precond_kind kind) {
    return (unsigned)kind < SPRY_PRECOND_COUNT ? kinds[kind]->name : "?";
}

spry_precond_kind spry_precond_by_name(const char *name) {
    int kind = 0;
    while (kind < SPRY_PRECOND_COUNT && (!name || !spry_is_word(name, strlen(name), kinds[kind]->name)))
        kind++;
    return kind < SPRY_PRECOND_COUNT ? (spry_precond_kind)kind : SPRY_NO_PRECOND;
}

/* ---- checks ---- */

static spry_status check_bounds(spry_context *context, double smallest, double largest) {
    if (smallest >= 0 && largest >= smallest && isfinite(largest))
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_ARGUMENT,
                     "spry_precond_create: smallest is %g and largest %g, expected positive numbers in this "
                     "order, or 0 for largest to have it estimated, and for smallest to be a share of it",
                     smallest, largest);
}

/* A number from 1 to `most`, or 0 for the usual one. */
static spry_status check_count(spry_context *context, const char *name, int given, int most, int usual) {
    if (given >= 0 && given <= most)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_ARGUMENT,
                     "spry_precond_create: %s is %d, expected 1 %s %d, or 0 for %d", name, given,
                     most == 2 ? "or" : "to", most, usual);
}

static spry_status check_counts(spry_context *context, const spry_precond_options *options) {
    spry_status status = check_count(context, "block", options->block, SPRY_MAX_BLOCK, SPRY_DEFAULT_BLOCK);
    if (!status)
        status = check_count(context, "degree", options->degree, SPRY_MAX_DEGREE, SPRY_DEFAULT_DEGREE);
    if (!status)
        status = check_count(context, "power", options->power, SPRY_MAX_POWER, SPRY_DEFAULT_POWER);
    if (!status)
        status = check_count(context, "entries", options->entries, SPRY_MAX_ENTRIES, SPRY_DEFAULT_ENTRIES);
    return status;
}

static spry_status check_options(spry_context *context, const spry_precond_options *options) {
    if ((unsigned)options->kind >= SPRY_PRECOND_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_precond_create: invalid kind of preconditioner %d", (int)options->kind);
    spry_status status = check_counts(context, options);
    if (status)
        return status;
    if (!(options->omega >= 0 && options->omega < 2))
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_precond_create: omega is %g, expected over 0 to under 2, or 0 for 1",
                         options->omega);
    if (!(options->shift >= 0 && isfinite(options->shift)))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_precond_create: shift is %g, expected 0 or more",
                         options->shift);
    if (options->sweeps < 0 || options->sweeps > SPRY_MAX_SWEEPS)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_precond_create: sweeps is %d, expected 1 to %d, or 0 for triangular solves",
                         options->sweeps, SPRY_MAX_SWEEPS);
    if ((unsigned)options->inner >= SPRY_PRECOND_COUNT)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_precond_create: inner is %d, expected a kind of preconditioner",
                         (int)options->inner);
    if (options->inner == SPRY_CHEBYSHEV)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_precond_create: inner is chebyshev, expected another kind of preconditioner");
    return check_bounds(context, options->smallest, options->largest);
}

static spry_status check_matrix(spry_context *context, const spry_matrix *matrix, const char *call) {
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the matrix is null", call);
    if (matrix->rows != matrix->cols)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "%s: the matrix is %" PRId64 " × %" PRId64 ", expected a square one", call,
                         matrix->rows, matrix->cols);
    return spry_check_place(context, matrix, call);
}

spry_status spry_precond_check_place(spry_context *context, const spry_precond *precond, const char *call) {
    if (!precond)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the preconditioner is null", call);
    return spry_check_device(context, precond->backend, precond->device, call, "the preconditioner", "");
}

/* Whether the CSR matrix that a matrix became can have new values for a preconditioner. */
static spry_status check_update(spry_context *context, const spry_precond *precond, const spry_matrix *csr) {
    if (csr->type != precond->type || csr->index != precond->index)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_precond_update: the matrix is %s %s, expected %s %s",
                         spry_type_name(csr->type), spry_index_name(csr->index),
                         spry_type_name(precond->type), spry_index_name(precond->index));
    if (csr->rows != precond->n || csr->nnz != precond->nnz)
        return spry_fail(context, SPRY_ERROR_PATTERN,
                         "spry_precond_update: %" PRId64 " rows with %" PRId64 " entries, expected %" PRId64
                         " with %" PRId64,
                         csr->rows, csr->nnz, precond->n, precond->nnz);
    return SPRY_OK;
}

/* ---- calls ---- */

static bool has_triangles(spry_precond_kind kind) {
    return kind == SPRY_SSOR || kind == SPRY_ILU0 || kind == SPRY_IC0;
}

/* The methods apply a diagonal on the way, in f64. */
static const struct spry_precond_code *code_for(const spry_matrix *matrix,
                                                const spry_precond_options *options) {
    const bool single = options->single && matrix->type == SPRY_F64 && options->kind != SPRY_JACOBI;
    if (single)
        return &spry_single_code;
    return options->colours && has_triangles(options->kind) ? &spry_coloured_code : kinds[options->kind];
}

static spry_status new_precond(spry_context *context, const spry_matrix *matrix, const spry_storage *storage,
                               const spry_precond_options *options, spry_precond **result) {
    void *pointer;
    spry_status status = spry_allocate(context, 1, sizeof(spry_precond), &pointer);
    if (status)
        return status;
    spry_precond *precond = pointer;
    *precond = (spry_precond){
        .code = code_for(matrix, options),
        .options = *options,
        .backend = context->backend,
        .device = context->device_number,
        .n = matrix->rows,
        .type = matrix->type,
        .index = matrix->index,
        .storage = *storage,
        .allocator = context->allocator,
        .arrays = context->arrays,
    };
    if (!options->block)
        precond->options.block = SPRY_DEFAULT_BLOCK;
    if (!options->degree)
        precond->options.degree = SPRY_DEFAULT_DEGREE;
    if (!options->power)
        precond->options.power = SPRY_DEFAULT_POWER;
    if (!options->entries)
        precond->options.entries = SPRY_DEFAULT_ENTRIES;
    if (options->omega == 0)
        precond->options.omega = 1;
    *result = precond;
    return SPRY_OK;
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *matrix) {
    struct spry_hub hub;
    spry_status status = spry_hub_open(context, matrix, &sum_duplicates, &hub);
    if (status)
        return status;
    precond->nnz = hub.csr->nnz;
    precond->matrix = matrix;
    status = precond->code->create(context, precond, hub.csr);
    precond->matrix = NULL;
    if (!status)
        status = context->code->synchronize(context);
    spry_hub_close(&hub);
    return status;
}

spry_status spry_precond_make(spry_context *context, const spry_matrix *matrix, const spry_storage *storage,
                              const spry_precond_options *options, spry_precond **result) {
    *result = NULL;
    spry_status status = new_precond(context, matrix, storage, options, result);
    if (status)
        return status;
    status = create(context, *result, matrix);
    if (status) {
        spry_precond_destroy(*result);
        *result = NULL;
    }
    return status;
}

spry_status spry_precond_create(spry_context *context, const spry_matrix *matrix,
                                const spry_precond_options *given, spry_precond **result) {
    spry_precond_options options;
    if (!context || !result)
        return spry_no_result(context, "spry_precond_create");
    *result = NULL;
    spry_status status = spry_take(context, &spry_precond_options_sized, given, &options);
    if (!status)
        status = check_options(context, &options);
    if (!status)
        status = check_matrix(context, matrix, "spry_precond_create");
    if (status)
        return status;
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    return spry_precond_make(context, matrix, &storage, &options, result);
}

void spry_precond_destroy(spry_precond *precond) {
    if (!precond)
        return;
    spry_backend_code(precond->backend)->synchronize_device(precond->device);
    precond->code->destroy(precond);
    spry_allocator allocator = precond->allocator;
    spry_release(&allocator, precond, 1, sizeof *precond);
}

spry_status spry_precond_update(spry_context *context, spry_precond *precond, const spry_matrix *matrix) {
    static const char call[] = "spry_precond_update";
    struct spry_hub hub;
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    spry_status status = spry_precond_check_place(context, precond, call);
    if (!status)
        status = check_matrix(context, matrix, call);
    if (!status)
        status = spry_hub_open(context, matrix, &sum_duplicates, &hub);
    if (status)
        return status;
    precond->matrix = matrix;
    precond->updates++;
    status = check_update(context, precond, hub.csr);
    if (!status)
        status = precond->code->update(context, precond, hub.csr);
    precond->matrix = NULL;
    if (!status)
        status = context->code->synchronize(context);
    spry_hub_close(&hub);
    return status;
}

spry_status spry_precond_apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    spry_status status = spry_precond_check_place(context, precond, "spry_precond_apply");
    if (status || precond->n == 0)
        return status;
    if (!x || !y)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_precond_apply: a vector is null");
    return precond->code->apply(context, precond, x, y);
}

spry_status spry_precond_reserve(spry_context *context, const spry_precond *precond) {
    return precond->code->reserve ? precond->code->reserve(context, precond) : SPRY_OK;
}

double spry_precond_shift(const spry_precond *precond) {
    return precond ? precond->shift : 0;
}
