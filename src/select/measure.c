/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a format by trying: each is built and timed, and the fastest is kept. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "convert/convert.h"
#include "core/backend.h"
#include "select/measure.h"

/* Long enough for several products of a small matrix, few enough for a large one. */
#define MIN_TRIALS 3
#define TRIAL_SECONDS 2e-3
/* Products that "many" stands for when conversion is weighed against them. */
#define MANY 1e6
/* A format that outgrows CSR by more reads more than CSR could lose, so it is not worth building. */
#define GROWTH 3.0
/* A gain below this is within what two runs of the same kernel differ by. */
#define WORTH_IT 0.98

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Products that a device is given at a time, so that waiting for it does not count. */
#define DEVICE_BATCH 32

/* Time of one product, out of as many as are waited for at once. */
static spry_status time_batch(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                              double *seconds) {
    int batch = context->backend == SPRY_CPU ? 1 : DEVICE_BATCH;
    double start = now();
    spry_status status = SPRY_OK;
    for (int i = 0; i < batch && !status; i++)
        status = spry_spmv(context, SPRY_N, 1, matrix, x, 0, y);
    if (!status)
        status = context->code->synchronize(context);
    *seconds = (now() - start) / batch;
    return status;
}

/* Least time of one product. */
static spry_status time_product(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                                double *seconds) {
    double begin = now(), best = DBL_MAX;
    for (int trial = 0; trial < MIN_TRIALS || now() - begin < TRIAL_SECONDS; trial++) {
        double took;
        spry_status status = time_batch(context, matrix, x, y, &took);
        if (status)
            return status;
        best = took < best ? took : best;
    }
    *seconds = best;
    return SPRY_OK;
}

struct trial {
    const void *x;
    void *y;
    double products;
    double best; /* seconds for all products with the best matrix so far */
};

/* Keep the matrix of this format in *result if it beats what is there. */
static spry_status try_format(spry_context *context, const spry_matrix *csr, spry_format format,
                              const spry_convert_options *options, struct trial *trial,
                              spry_matrix **result) {
    spry_matrix *candidate;
    double seconds, begin = now();
    spry_status status = spry_from_hub(context, csr, format, options, &candidate);
    if (status)
        return status;
    /* CSR is what every candidate is made from: having it costs nothing. */
    double total = format == SPRY_CSR ? 0 : now() - begin;
    status = time_product(context, candidate, trial->x, trial->y, &seconds);
    total += seconds * trial->products;
    if (status || total >= trial->best) {
        spry_matrix_destroy(candidate);
        return status;
    }
    spry_matrix_destroy(*result);
    *result = candidate;
    trial->best = format == SPRY_CSR ? total * WORTH_IT : total;
    return SPRY_OK;
}

/* A format that does not suit the matrix, the memory or the context is no reason to fail. */
static bool is_passable(spry_status status) {
    return status == SPRY_ERROR_TOO_LARGE || status == SPRY_ERROR_MEMORY || status == SPRY_ERROR_OVERFLOW ||
           status == SPRY_ERROR_UNSUPPORTED;
}

static spry_status try_all(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                           struct trial *trial, spry_matrix **result) {
    spry_status first = try_format(context, csr, SPRY_CSR, options, trial, result);
    spry_status status = is_passable(first) ? SPRY_OK : first;
    for (int format = 0; format < SPRY_FORMAT_COUNT && !status; format++) {
        if (format == SPRY_CSR)
            continue;
        status = try_format(context, csr, (spry_format)format, options, trial, result);
        status = is_passable(status) ? SPRY_OK : status;
    }
    return *result ? status : first;
}

/* As try_all; what the trials had to say of formats that were passed over is not the caller's last error. */
static spry_status try_quietly(spry_context *context, const spry_matrix *csr,
                               const spry_convert_options *options, struct trial *trial,
                               spry_matrix **result) {
    char message[sizeof context->message];
    memcpy(message, context->message, sizeof message);
    spry_status status = try_all(context, csr, options, trial, result);
    if (!status)
        memcpy(context->message, message, sizeof message);
    return status;
}

spry_status spry_fastest(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                         spry_matrix **result) {
    size_t size = spry_type_size(csr->type);
    void *x = NULL, *y = NULL;
    /* x is zero: no kernel's speed depends on the values but for denormals. */
    spry_status status = spry_allocate_array(context, (size_t)csr->cols, size, &x);
    if (!status)
        status = spry_allocate_array(context, (size_t)csr->rows, size, &y);
    if (!status)
        status = context->code->scale(context, csr->type, csr->cols, 0, x);
    if (!status) {
        struct trial trial = {x, y, options->products > 0 ? options->products : MANY, DBL_MAX};
        spry_convert_options tight = *options;
        if (!(tight.max_growth > 0 && tight.max_growth < GROWTH))
            tight.max_growth = GROWTH;
        status = try_quietly(context, csr, &tight, &trial, result);
    }
    spry_release(&context->arrays, x, (size_t)csr->cols, size);
    spry_release(&context->arrays, y, (size_t)csr->rows, size);
    return status ? spry_matrix_abandon(result, status) : SPRY_OK;
}
