/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/trial.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/vector.h"
#include "measuring/rounds.h"

/* Conversions are repeated while they are short, for a median. */
#define CONVERSIONS 5
#define CONVERSION_SECONDS 0.05

/* ---- what is multiplied ---- */

struct vectors {
    void *x, *y;
    size_t x_bytes, y_bytes;
};

/* A vector where the products are; on the CPU in memory that its threads touch first. */
static spry_status new_vector(struct place *place, spry_value_type type, int64_t count, void **vector) {
    void *host = vector_new(type, count, spry_context_threads(place->context));
    size_t bytes = (size_t)count * spry_type_size(type);
    if (!host)
        return SPRY_ERROR_MEMORY;
    vector_randomise(type, host, count);
    *vector = host;
    if (place->backend == SPRY_CPU)
        return SPRY_OK;
    *vector = NULL;
    spry_status status = spry_array_new(place->context, bytes, vector);
    if (status == SPRY_OK)
        status = spry_array_put(place->context, *vector, host, bytes);
    free(host);
    return status;
}

static void free_vector(struct place *place, void *vector, size_t bytes) {
    if (place->backend == SPRY_CPU)
        free(vector);
    else
        spry_array_free(place->context, vector, bytes);
}

static spry_status new_vectors(struct place *place, const spry_matrix *csr, struct vectors *vectors) {
    spry_value_type type = spry_matrix_type(csr);
    int64_t rows = spry_matrix_rows(csr), cols = spry_matrix_cols(csr);
    *vectors = (struct vectors){.x_bytes = (size_t)cols * spry_type_size(type),
                                .y_bytes = (size_t)rows * spry_type_size(type)};
    spry_status status = new_vector(place, type, cols, &vectors->x);
    return status == SPRY_OK ? new_vector(place, type, rows, &vectors->y) : status;
}

/* ---- conversions ---- */

/* The same conversion several times, and the last matrix of them. */
static spry_status convert(spry_context *context, const spry_matrix *csr, spry_format format,
                           spry_matrix **matrix, double *seconds) {
    double samples[CONVERSIONS], total = 0.0;
    spry_status status = SPRY_OK;
    int count = 0;
    while (status == SPRY_OK && count < CONVERSIONS && total < CONVERSION_SECONDS) {
        spry_matrix_destroy(*matrix);
        double start = clock_now();
        status = spry_convert(context, csr, format, NULL, matrix);
        samples[count] = clock_now() - start;
        total += samples[count++];
    }
    *seconds = timing_spread(samples, count).median;
    return status;
}

/* All formats but CSR, which is there: null for those that cannot be made. */
static void make_all(struct place *place, const spry_matrix *csr, spry_matrix **made, struct trial *trial) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        if (format != SPRY_CSR)
            (void)convert(place->context, csr, (spry_format)format, &made[format],
                          &trial->of[format].convert_seconds);
}

/* ---- products ---- */

struct product {
    spry_context *context;
    const spry_matrix *matrix;
    const struct vectors *vectors;
};

static spry_status multiply(void *user) {
    const struct product *product = user;
    const struct vectors *vectors = product->vectors;
    return spry_spmv(product->context, SPRY_N, 1.0, product->matrix, vectors->x, 0.0, vectors->y);
}

/* Events on the device do not mind what the host's clock sees: there is no need for rounds. */
static spry_status time_alone(struct place *place, struct contender *contenders, int count, double seconds) {
    struct spread warm, cold;
    spry_status status = place->open_memory(place);
    for (int i = 0; i < count && status == SPRY_OK; i++) {
        status = place->time(place, contenders[i].call, contenders[i].user, seconds / count, &warm, &cold);
        contenders[i].seconds = warm.median;
    }
    return status;
}

static spry_status time_products(struct place *place, const spry_matrix *const *matrices,
                                 const struct vectors *vectors, double seconds, struct trial *trial) {
    struct product products[SPRY_FORMAT_COUNT];
    struct contender contenders[SPRY_FORMAT_COUNT];
    struct attempt *attempts[SPRY_FORMAT_COUNT];
    int count = 0;
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        const spry_matrix *matrix = matrices[format];
        const spry_kernel *kernel = matrix ? spry_kernel_for(matrix, SPRY_N) : NULL;
        if (!kernel)
            continue;
        attempts[count] = &trial->of[format];
        attempts[count]->kernel = kernel;
        attempts[count]->bytes = (double)spry_matrix_bytes(matrix);
        products[count] = (struct product){place->context, matrix, vectors};
        contenders[count] = (struct contender){.call = multiply, .user = &products[count]};
        count++;
    }
    spry_status status = (place->backend == SPRY_CPU ? rounds_measure(contenders, count, seconds)
                                                     : time_alone(place, contenders, count, seconds));
    for (int i = 0; i < count; i++)
        attempts[i]->seconds = contenders[i].seconds;
    return status;
}

/* ---- all of it ---- */

spry_status trial_bring(struct place *place, spry_matrix **matrix) {
    spry_matrix *there;
    if (place->backend == SPRY_CPU)
        return SPRY_OK;
    spry_status status = spry_matrix_copy(place->context, *matrix, &there);
    if (status != SPRY_OK)
        return status;
    spry_matrix_destroy(*matrix);
    *matrix = there;
    return SPRY_OK;
}

spry_status trial_run(struct place *place, const spry_matrix *csr, double seconds, struct trial *trial) {
    spry_matrix *made[SPRY_FORMAT_COUNT] = {NULL};
    const spry_matrix *all[SPRY_FORMAT_COUNT];
    struct vectors vectors = {NULL, NULL, 0, 0};
    *trial = (struct trial){.ranking = NULL};
    spry_status status = spry_select(place->context, csr, NULL, &trial->ranking);
    if (status == SPRY_OK)
        status = new_vectors(place, csr, &vectors);
    if (status == SPRY_OK)
        make_all(place, csr, made, trial);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        all[format] = format == SPRY_CSR ? csr : made[format];
    if (status == SPRY_OK)
        status = time_products(place, all, &vectors, seconds, trial);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        spry_matrix_destroy(made[format]);
    free_vector(place, vectors.x, vectors.x_bytes);
    free_vector(place, vectors.y, vectors.y_bytes);
    return status;
}

void trial_free(struct trial *trial) {
    spry_ranking_destroy(trial->ranking);
    trial->ranking = NULL;
}
