/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/trial.h"

#include <math.h>
#include <stdlib.h>

#include "common/vector.h"
#include "measuring/preparation.h"
#include "measuring/rounds.h"

/* So many rounds that an odd one out does not move the median; fewer when they are long. */
#define MOST_ROUNDS 31
#define LEAST_ROUNDS 7
/* Long against what the clock and the first call take, short against what disturbs a machine. */
#define BATCH_SECONDS 1e-3

/* ---- what is multiplied ---- */

struct vectors {
    spry_value_type type;
    int64_t x_count, y_count;
    void *x, *y;
};

static spry_status fill_x(struct place *place, const struct vectors *vectors) {
    size_t bytes = (size_t)vectors->x_count * spry_type_size(vectors->type);
    void *host = malloc(bytes + 1);
    if (!host)
        return SPRY_ERROR_MEMORY;
    vector_randomise(vectors->type, host, vectors->x_count);
    spry_status status = spry_array_put(place->context, vectors->x, host, bytes);
    free(host);
    return status;
}

static spry_status new_vectors(struct place *place, const spry_matrix *csr, struct vectors *vectors) {
    *vectors = (struct vectors){
        .type = spry_matrix_type(csr), .x_count = spry_matrix_cols(csr), .y_count = spry_matrix_rows(csr)};
    spry_status status = place_vector_new(place, vectors->type, vectors->x_count, &vectors->x);
    if (status == SPRY_OK)
        status = place_vector_new(place, vectors->type, vectors->y_count, &vectors->y);
    return status == SPRY_OK ? fill_x(place, vectors) : status;
}

static void free_vectors(struct place *place, const struct vectors *vectors) {
    place_vector_free(place, vectors->type, vectors->x_count, vectors->x);
    place_vector_free(place, vectors->type, vectors->y_count, vectors->y);
}

/* ---- conversions ---- */

/* All formats but CSR, which is there: null for those that cannot be made. */
static void make_all(struct place *place, const spry_matrix *csr, spry_matrix **made, struct trial *trial) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        if (format != SPRY_CSR)
            (void)preparation_convert(place->context, csr, &(spry_storage){.format = (spry_format)format},
                                      &made[format], &trial->of[format].convert_seconds);
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

/* Side by side; events on the device do not mind what the host does, so one round is enough there. */
static spry_status time_all(struct place *place, struct contender *contenders, int count, double seconds) {
    const double share = seconds / count;
    const struct rounds by_clock = {LEAST_ROUNDS, MOST_ROUNDS, seconds,
                                    fmin(share / MOST_ROUNDS, BATCH_SECONDS)},
                        by_events = {1, 1, 0, share};
    if (place->backend == SPRY_CPU)
        return rounds_measure(place, contenders, count, &by_clock);
    spry_status status = place->open_memory(place);
    return status == SPRY_OK ? rounds_measure(place, contenders, count, &by_events) : status;
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
    spry_status status = time_all(place, contenders, count, seconds);
    for (int i = 0; i < count; i++)
        attempts[i]->seconds = contenders[i].time.median;
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
    struct vectors vectors = {.x = NULL};
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
    free_vectors(place, &vectors);
    return status;
}

void trial_free(struct trial *trial) {
    spry_ranking_destroy(trial->ranking);
    trial->ranking = NULL;
}
