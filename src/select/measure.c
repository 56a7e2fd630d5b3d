/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a format by trying: those that look best are built and timed. */
#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "convert/convert.h"
#include "core/backend.h"
#include "core/clock.h"
#include "select/select.h"

/* Long enough for several products of a small matrix, few enough for a large one. */
#define MIN_TRIALS 3
#define TRIAL_SECONDS 2e-3
/* A gain below this is within what two runs of the same kernel differ by. */
#define WORTH_IT 0.98

/* Products that a device is given at a time, so that waiting for it does not count. */
#define DEVICE_BATCH 32

/* Time of one product, out of as many as are waited for at once. */
static spry_status time_batch(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                              double *seconds) {
    int batch = context->backend == SPRY_CPU ? 1 : DEVICE_BATCH;
    double start = spry_now();
    spry_status status = SPRY_OK;
    for (int i = 0; i < batch && !status; i++)
        status = spry_spmv(context, SPRY_N, 1, matrix, x, 0, y);
    if (!status)
        status = context->code->synchronize(context);
    *seconds = (spry_now() - start) / batch;
    return status;
}

/* Least time of one product. */
static spry_status time_product(spry_context *context, const spry_matrix *matrix, const void *x, void *y,
                                double *seconds) {
    double begin = spry_now(), best = DBL_MAX;
    for (int trial = 0; trial < MIN_TRIALS || spry_now() - begin < TRIAL_SECONDS; trial++) {
        double took;
        spry_status status = time_batch(context, matrix, x, y, &took);
        if (status)
            return status;
        best = took < best ? took : best;
    }
    *seconds = best;
    return SPRY_OK;
}

/* Vectors to multiply with: x is zero, as no kernel's speed depends on the values but for denormals. */
struct vectors {
    void *x, *y;
};

static spry_status new_vectors(spry_context *context, const spry_matrix *csr, struct vectors *vectors) {
    size_t size = spry_type_size(csr->type);
    *vectors = (struct vectors){NULL, NULL};
    spry_status status = spry_allocate_array(context, (size_t)csr->cols, size, &vectors->x);
    if (!status)
        status = spry_allocate_array(context, (size_t)csr->rows, size, &vectors->y);
    return status ? status : context->code->scale(context, csr->type, csr->cols, 0, vectors->x);
}

/* What came of the trials so far; where one failed, products may still be under way. */
static spry_status free_vectors(spry_context *context, const spry_matrix *csr, const struct vectors *vectors,
                                spry_status status) {
    size_t size = spry_type_size(csr->type);
    spry_status waited = context->code->synchronize(context);
    spry_release(&context->arrays, vectors->x, (size_t)csr->cols, size);
    spry_release(&context->arrays, vectors->y, (size_t)csr->rows, size);
    return status ? status : waited;
}

/* Make a format, with all that a product needs. CSR is timed where it is. */
static spry_status make(spry_context *context, const struct spry_hub *hub, const spry_convert_options *how,
                        const spry_storage *storage, spry_matrix **made) {
    spry_status status = spry_is_hub(storage) ? spry_hub_lend(context, hub, made)
                                              : spry_from_hub(context, hub->csr, storage, how, made);
    return status ? status : context->code->reserve(context, *made, SPRY_N, 0, NULL);
}

/* Make a format that is not CSR, and note how long that takes: where it should be short, and so easily disturbed, the lesser of
   two times. */
static spry_status time_making(spry_context *context, const struct spry_hub *hub,
                               const spry_convert_options *how, spry_choice *choice, spry_matrix **made) {
    const int trials = choice->convert_seconds < TRIAL_SECONDS ? 2 : 1;
    spry_status status = SPRY_OK;
    double least = DBL_MAX;
    for (int trial = 0; trial < trials && !status; trial++) {
        spry_matrix_destroy(*made);
        *made = NULL;
        double begin = spry_now();
        status = make(context, hub, how, &choice->storage, made);
        double took = spry_now() - begin;
        least = took < least ? took : least;
    }
    if (!status)
        choice->convert_seconds = least;
    return status;
}

/* Make a format and time it. */
static spry_status try_choice(spry_context *context, const struct spry_hub *hub,
                              const spry_convert_options *how, const struct vectors *vectors,
                              spry_choice *choice, spry_matrix **made) {
    spry_status status = spry_is_hub(&choice->storage) ? make(context, hub, how, &choice->storage, made)
                                                       : time_making(context, hub, how, choice, made);
    if (status)
        return status;
    choice->kernel = (*made)->kernel[SPRY_N];
    choice->possible = true;
    return time_product(context, *made, vectors->x, vectors->y, &choice->measured_seconds);
}

/* The best matrix so far, and what it comes to. */
struct winner {
    spry_matrix *matrix;
    spry_storage storage; /* as it was ranked */
    double total;
};

/* CSR is tried first, and what is not clearly faster does not take its place. */
static spry_status contest(spry_context *context, const struct spry_hub *hub, const spry_convert_options *how,
                           const struct vectors *vectors, double products, spry_choice *choice,
                           struct winner *winner) {
    spry_matrix *made = NULL;
    spry_status status = try_choice(context, hub, how, vectors, choice, &made);
    if (status) {
        spry_matrix_destroy(made);
        choice->possible = false;
        choice->measured_seconds = 0;
        return spry_is_passable(status) ? SPRY_OK : status;
    }
    double total = spry_choice_total(choice, products);
    if (winner->matrix && total >= winner->total) {
        spry_matrix_destroy(made);
        return SPRY_OK;
    }
    spry_matrix_destroy(winner->matrix);
    *winner =
        (struct winner){made, choice->storage, spry_is_hub(&choice->storage) ? WORTH_IT * total : total};
    return SPRY_OK;
}

static spry_status contest_all(spry_context *context, const struct spry_hub *hub,
                               const spry_convert_options *how, const struct vectors *vectors, int count,
                               spry_ranking *ranking, struct winner *winner) {
    spry_status status = SPRY_OK;
    for (int i = 0; i < ranking->count && !status; i++)
        if (spry_is_hub(&ranking->choice[i].storage))
            status = contest(context, hub, how, vectors, ranking->products, &ranking->choice[i], winner);
    for (int i = 0; i < ranking->count && count > 0 && !status; i++) {
        spry_choice *choice = &ranking->choice[i];
        count--;
        if (choice->possible && !spry_is_hub(&choice->storage))
            status = contest(context, hub, how, vectors, ranking->products, choice, winner);
    }
    return status;
}

/* The winner comes first, also where others are as fast. */
static void rank_measured(spry_ranking *ranking, const spry_storage *winner) {
    ranking->measured = true;
    spry_ranking_order(ranking);
    int place = 0;
    while (memcmp(&ranking->choice[place].storage, winner, sizeof *winner) != 0)
        place++;
    spry_choice choice = ranking->choice[place];
    memmove(&ranking->choice[1], &ranking->choice[0], (size_t)place * sizeof choice);
    ranking->choice[0] = choice;
}

spry_status spry_measure(spry_context *context, struct spry_hub *hub, const spry_convert_options *how,
                         const spry_select_options *options, spry_ranking *ranking, spry_matrix **result) {
    struct vectors vectors;
    struct winner winner = {.matrix = NULL};
    struct spry_kept_message message;
    /* What the trials had to say of formats that were passed over is not the caller's last error. */
    spry_keep_message(context, &message);
    spry_status status = new_vectors(context, hub->csr, &vectors);
    if (!status)
        status = contest_all(context, hub, how, &vectors, options->measure, ranking, &winner);
    status = free_vectors(context, hub->csr, &vectors, status);
    if (!status && winner.matrix) {
        spry_restore_message(context, &message);
        rank_measured(ranking, &winner.storage);
    } else if (!status) {
        status = spry_fail(context, SPRY_ERROR_MEMORY, "none of the formats could be made");
    }
    if (!status && result && spry_is_hub(&winner.storage))
        status = spry_hub_give(context, hub, winner.matrix);
    if (status || !result)
        spry_matrix_destroy(winner.matrix);
    else
        *result = winner.matrix;
    return status;
}
