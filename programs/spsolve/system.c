/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/system.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/failure.h"
#include "common/output.h"
#include "common/progress.h"
#include "common/vector.h"

/* A residual that is no more than so many times too large is near. */
#define NEAR 1e3

bool system_check(struct system *system, const spry_context *context, spry_status status) {
    if (status != SPRY_OK)
        failure_explain(context, status, system->shown, system->message, sizeof system->message);
    return status == SPRY_OK;
}

const spry_matrix *system_matrix(const struct system *system) {
    return system->other ? system->other : system->csr;
}

size_t system_bytes(const struct system *system) {
    return (size_t)system->n * spry_type_size(system->place->options->reading.type);
}

/* ---- the matrix ---- */

static spry_status convert(struct system *system, const spry_matrix *read) {
    const struct workplace *place = system->place;
    spry_context *context = place->context;
    spry_matrix *there = NULL;
    double start = clock_now();
    spry_status status = SPRY_OK;
    if (context != place->host)
        status = spry_matrix_copy(context, read, &there);
    if (status == SPRY_OK)
        status = spry_convert(context, there ? there : read, SPRY_CSR, NULL, &system->csr);
    const spry_storage *storage = &place->options->storage;
    if (status == SPRY_OK && storage->format == SPRY_AUTO)
        status = spry_convert(context, system->csr, SPRY_AUTO, NULL, &system->other);
    else if (status == SPRY_OK && (storage->format != SPRY_CSR || storage->values != SPRY_VALUES_PLAIN ||
                                   storage->columns != SPRY_COLUMNS_PLAIN))
        status = spry_convert_to(context, system->csr, storage, NULL, &system->other);
    spry_matrix_destroy(there);
    system->seconds = clock_now() - start;
    return status;
}

spry_status system_on_host(struct system *system, const spry_matrix **csr) {
    spry_status status = SPRY_OK;
    if (spry_matrix_backend(system->csr) != SPRY_CPU && !system->host_csr)
        status = spry_matrix_copy(system->place->host, system->csr, &system->host_csr);
    *csr = system->host_csr ? system->host_csr : system->csr;
    return status;
}

static bool check_square(struct system *system, const spry_matrix *read) {
    int64_t rows = spry_matrix_rows(read), cols = spry_matrix_cols(read);
    if (rows != cols)
        snprintf(system->message, sizeof system->message,
                 "%s: the matrix is %" PRId64 " x %" PRId64 "; spsolve needs a square one", system->shown,
                 rows, cols);
    return rows == cols;
}

/* Whether x can be written, and not over what the system is read from. */
static bool check_output(struct system *system) {
    const struct solve_options *options = system->place->options;
    const char *output = options->output;
    if (!output)
        return true;
    if (!output_check(output, system->message, sizeof system->message))
        return false;
    const bool overwrites = !output_is_standard(output) &&
                            (source_is_of(system->input, output) ||
                             (options->rhs == RHS_FILE && source_is_of(options->rhs_file, output)));
    if (overwrites)
        snprintf(system->message, sizeof system->message,
                 "%s: it is read from, so the solution is not written there", output);
    return !overwrites;
}

bool system_open(struct system *system, const struct workplace *place, const char *input) {
    struct source source;
    *system = (struct system){.place = place, .input = input, .shown = source_title(input)};
    if (!check_output(system))
        return false;
    progress_show("%s: reading", system->shown);
    if (source_open(place->host, input, &place->options->reading, &source, system->message,
                    sizeof system->message) != SPRY_OK)
        return false;
    system->generated = source.generated;
    system->info = source.info;
    system->n = spry_matrix_rows(source.matrix);
    progress_show("%s: converting", system->shown);
    bool good = check_square(system, source.matrix) &&
                system_check(system, place->context, convert(system, source.matrix));
    spry_matrix_destroy(source.matrix);
    return good;
}

/* ---- the right-hand side ---- */

/* b = A x for a random x, which is kept. */
static spry_status multiply_exact(struct system *system) {
    spry_context *context = system->place->context;
    size_t bytes = system_bytes(system);
    vector_randomise(system->place->options->reading.type, system->exact, system->n);
    spry_status status = spry_array_put(context, system->x, system->exact, bytes);
    if (status == SPRY_OK)
        status = spry_spmv(context, SPRY_N, 1.0, system->csr, system->x, 0.0, system->b);
    if (status == SPRY_OK)
        status = spry_array_get(context, system->b, system->work, bytes);
    return status;
}

/* A file is read as a matrix of one column, and the product of that with a vector of one 1 is b. */
static spry_status gather_column(struct system *system, const spry_matrix *column) {
    const struct workplace *place = system->place;
    const double one = 1.0;
    const float one_f32 = 1.0F;
    const void *x = place->options->reading.type == SPRY_F32 ? (const void *)&one_f32 : &one;
    spry_status status = spry_spmv(place->host, SPRY_N, 1.0, column, x, 0.0, system->work);
    if (status == SPRY_OK)
        status = spry_array_put(place->context, system->b, system->work, system_bytes(system));
    return status;
}

static bool read_column(struct system *system) {
    const struct workplace *place = system->place;
    const char *file = place->options->rhs_file;
    struct source source;
    if (source_is_missing(file)) {
        snprintf(system->message, sizeof system->message,
                 "--rhs: '%s' is neither exact, ones nor random, and there is no such file", file);
        return false;
    }
    if (source_open(place->host, file, &place->options->reading, &source, system->message,
                    sizeof system->message) != SPRY_OK)
        return false;
    int64_t rows = spry_matrix_rows(source.matrix), cols = spry_matrix_cols(source.matrix);
    bool good = rows == system->n && cols == 1;
    if (good)
        good = system_check(system, place->host, gather_column(system, source.matrix));
    else
        snprintf(system->message, sizeof system->message,
                 "%s: the right-hand side is %" PRId64 " x %" PRId64 "; this matrix needs one of %" PRId64
                 " x 1",
                 source_shown(&source), rows, cols, system->n);
    spry_matrix_destroy(source.matrix);
    return good;
}

static bool make_rhs(struct system *system) {
    const struct solve_options *options = system->place->options;
    spry_context *context = system->place->context;
    switch (options->rhs) {
    case RHS_EXACT:
        return system_check(system, context, multiply_exact(system));
    case RHS_FILE:
        return read_column(system);
    case RHS_ONES:
        vector_fill(options->reading.type, system->work, system->n, 1.0);
        break;
    case RHS_RANDOM:
        vector_randomise(options->reading.type, system->work, system->n);
        break;
    }
    return system_check(system, context,
                        spry_array_put(context, system->b, system->work, system_bytes(system)));
}

/* |v − w|, w of zeros where it is null. */
static double distance(spry_value_type type, int64_t n, const void *v, const void *w) {
    double squares = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double difference = vector_at(type, v, i) - (w ? vector_at(type, w, i) : 0.0);
        squares += difference * difference;
    }
    return sqrt(squares);
}

bool system_make_vectors(struct system *system) {
    const struct solve_options *options = system->place->options;
    spry_context *context = system->place->context;
    spry_value_type type = options->reading.type;
    system->work = vector_new(type, system->n, system->place->host);
    if (options->rhs == RHS_EXACT)
        system->exact = vector_new(type, system->n, system->place->host);
    spry_status status = SPRY_ERROR_MEMORY;
    if (system->work && (system->exact || options->rhs != RHS_EXACT))
        status = spry_array_new(context, system_bytes(system), &system->b);
    if (status == SPRY_OK)
        status = spry_array_new(context, system_bytes(system), &system->x);
    if (!system_check(system, context, status) || !make_rhs(system))
        return false;
    system->norm_b = distance(type, system->n, system->work, NULL);
    return true;
}

bool system_error(struct system *system, double *error) {
    spry_context *context = system->place->context;
    spry_value_type type = system->place->options->reading.type;
    *error = (double)NAN;
    if (!system->exact)
        return true;
    spry_status status = spry_array_get(context, system->x, system->work, system_bytes(system));
    if (status == SPRY_OK)
        *error = distance(type, system->n, system->work, system->exact) /
                 distance(type, system->n, system->exact, NULL);
    return system_check(system, context, status);
}

double system_threshold(const struct system *system) {
    const spry_solver_options *options = &system->place->options->solver;
    return fmax(options->relative * system->norm_b, options->absolute);
}

bool system_rhs_is_finite(const struct system *system) {
    return isfinite(system->norm_b);
}

bool system_is_near(const struct system *system, double norm) {
    const bool narrow = system->place->options->reading.type == SPRY_F32;
    const double least = (narrow ? FLT_EPSILON : DBL_EPSILON) * system->norm_b;
    return isfinite(norm) && norm <= NEAR * fmax(system_threshold(system), least);
}

spry_status system_set_zero(struct system *system) {
    vector_fill(system->place->options->reading.type, system->work, system->n, 0.0);
    return spry_array_put(system->place->context, system->x, system->work, system_bytes(system));
}

spry_status system_residual(struct system *system, void *rest, double *norm) {
    spry_context *context = system->place->context;
    spry_value_type type = system->place->options->reading.type;
    spry_status status = spry_spmv(context, SPRY_N, 1.0, system_matrix(system), system->x, 0.0, rest);
    if (status == SPRY_OK)
        status = spry_axpby(context, (spry_number)type, system->n, 1.0, system->b, -1.0, rest);
    if (status == SPRY_OK)
        status = spry_array_get(context, rest, system->work, system_bytes(system));
    *norm = distance(type, system->n, system->work, NULL);
    return status;
}

/* The n values in `work` as a matrix of one column, every value in its place; `idx` has room for n rows. */
static bool write_column(struct system *system, int64_t *idx) {
    const struct workplace *place = system->place;
    int64_t n = system->n, ptr[2] = {0, n};
    const spry_csc arrays = {.ptr = ptr, .idx = idx, .val = system->work};
    spry_matrix *column = NULL;
    for (int64_t i = 0; i < n; i++)
        idx[i] = i;
    spry_status status =
        spry_wrap_csc(place->host, place->options->reading.type, SPRY_I64, n, 1, &arrays, &column);
    bool good = system_check(system, place->host, status) &&
                output_write(place->host, place->options->output, place->standard, column, system->message,
                             sizeof system->message);
    spry_matrix_destroy(column);
    return good;
}

bool system_write(struct system *system) {
    spry_context *context = system->place->context;
    int64_t *idx = malloc((size_t)(system->n + 1) * sizeof *idx);
    spry_status status =
        idx ? spry_array_get(context, system->x, system->work, system_bytes(system)) : SPRY_ERROR_MEMORY;
    bool good = system_check(system, context, status) && write_column(system, idx);
    free(idx);
    return good;
}

void system_close(struct system *system) {
    spry_array_free(system->place->context, system->b, system_bytes(system));
    spry_array_free(system->place->context, system->x, system_bytes(system));
    spry_matrix_destroy(system->host_csr);
    spry_matrix_destroy(system->other);
    spry_matrix_destroy(system->csr);
    free(system->exact);
    free(system->work);
}
