/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast matrices take new values (spry_update_values), beside making them anew and a product:
   update_speed [--backend=cpu|cuda] [--threads=N] [--type=f32|f64] FILE... (files or generated matrices, as for spbench). */
#include <stdio.h>
#include <stdlib.h>

#include "common/argument.h"
#include "common/complain.h"
#include "common/output.h"
#include "common/source_options.h"
#include "measuring/rounds.h"
#include "measuring/site.h"
#include "measuring/trial.h"

/* Each call has so many turns, of a millisecond or one call. */
#define ROUNDS 15
#define TURN_SECONDS 1e-3

struct options {
    struct source_options reading;
    struct site_options site;
    char **inputs;
    int input_count;
};

static error_t parse(int key, char *value, struct argp_state *state) {
    struct options *options = state->input;
    (void)value;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->reading;
        state->child_inputs[1] = &options->site;
        return 0;
    case ARGP_KEY_ARGS:
        options->inputs = state->argv + state->next;
        options->input_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no FILE was given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one storage ---- */

/* A matrix in CSR and the same in another storage, and vectors for their products. */
struct run {
    struct place *place;
    const spry_matrix *csr;
    spry_storage storage;
    spry_matrix *matrix;
    void *x, *y;
};

static spry_status update(void *user) {
    const struct run *run = user;
    return spry_update_values(run->place->context, run->matrix, run->csr);
}

static spry_status convert(void *user) {
    const struct run *run = user;
    spry_matrix *made;
    const spry_status status = spry_convert_to(run->place->context, run->csr, &run->storage, NULL, &made);
    spry_matrix_destroy(made);
    return status;
}

static spry_status multiply(void *user) {
    const struct run *run = user;
    return spry_spmv(run->place->context, SPRY_N, 1, run->matrix, run->x, 0, run->y);
}

static spry_status measure(struct run *run) {
    static const struct rounds rounds = {.least = ROUNDS, .most = ROUNDS, .batch = TURN_SECONDS};
    spry_context *context = run->place->context;
    struct contender contenders[] = {{.call = update, .user = run, .context = context},
                                     {.call = convert, .user = run, .context = context},
                                     {.call = multiply, .user = run, .context = context}};
    char text[SPRY_STORAGE_TEXT];
    /* By the host's clock on a GPU too, as the first two wait for the device. */
    const spry_status status = rounds_measure(NULL, contenders, 3, &rounds);
    if (status != SPRY_OK)
        return status;
    spry_storage_text(&run->storage, text, sizeof text);
    const double new_values = contenders[0].time.median, made = contenders[1].time.median,
                 product = contenders[2].time.median;
    printf("%-14s %11.1f %11.1f %11.1f %10.2f %10.1f\n", text, new_values * 1e6, made * 1e6, product * 1e6,
           new_values / made, new_values / product);
    return SPRY_OK;
}

/* A storage that this matrix cannot have is left out. */
static spry_status measure_storage(struct run *run) {
    spry_context *context = run->place->context;
    spry_status status = spry_convert_to(context, run->csr, &run->storage, NULL, &run->matrix);
    if (status == SPRY_ERROR_TOO_LARGE || status == SPRY_ERROR_UNSUPPORTED)
        return SPRY_OK;
    if (status == SPRY_OK)
        status = measure(run);
    spry_matrix_destroy(run->matrix);
    return status;
}

/* ---- one matrix ---- */

static spry_status measure_storages(struct run *run) {
    spry_status status = SPRY_OK;
    printf("%-14s %11s %11s %11s %10s %10s\n", "storage", "update, us", "convert, us", "product, us",
           "/ convert", "/ product");
    for (int format = 0; format < SPRY_FORMAT_COUNT && status == SPRY_OK; format++) {
        run->storage = (spry_storage){.format = (spry_format)format};
        status = measure_storage(run);
    }
    run->storage = (spry_storage){.format = SPRY_SELL, .columns = SPRY_COLUMNS_NARROW};
    return status == SPRY_OK ? measure_storage(run) : status;
}

static spry_status measure_csr(struct place *place, const spry_matrix *csr) {
    const spry_value_type type = spry_matrix_type(csr);
    const int64_t rows = spry_matrix_rows(csr), cols = spry_matrix_cols(csr);
    struct run run = {.place = place, .csr = csr};
    spry_status status = place_vector_new(place, type, cols, &run.x);
    if (status == SPRY_OK)
        status = place_vector_new(place, type, rows, &run.y);
    if (status == SPRY_OK)
        status = measure_storages(&run);
    place_vector_free(place, type, rows, run.y);
    place_vector_free(place, type, cols, run.x);
    return status;
}

static bool measure_input(struct site *site, const struct options *options, const char *input) {
    struct place *place = &site->place;
    struct source source;
    spry_matrix *csr = NULL;
    char message[1024];
    if (source_open(site->host, input, &options->reading, &source, message, sizeof message) != SPRY_OK)
        return complain("%s", message);
    spry_status status = spry_convert(site->host, source.matrix, SPRY_CSR, NULL, &csr);
    spry_matrix_destroy(source.matrix);
    if (status == SPRY_OK)
        status = trial_bring(place, &csr);
    if (status == SPRY_OK) {
        printf("%s: %lld nonzeros, %s\n", source.name, (long long)spry_matrix_nnz(csr),
               spry_type_name(spry_matrix_type(csr)));
        status = measure_csr(place, csr);
    }
    spry_matrix_destroy(csr);
    return status == SPRY_OK || complain("%s: %s", input, place_failure(place, status));
}

static bool run(const struct options *options) {
    struct site site;
    bool good = true;
    if (!site_open(&options->site, &site))
        return false;
    printf("%s, %d threads\n", site.place.processor, spry_context_threads(site.place.context));
    for (int i = 0; i < options->input_count; i++)
        good &= measure_input(&site, options, options->inputs[i]);
    site_close(&site);
    return good;
}

int main(int argc, char **argv) {
    static const struct argp_child children[] = {
        {&source_options_parser, 0, NULL, 0}, {&site_options_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        NULL,      parse,
        "FILE...", "Time how matrices take new values, beside making them anew and a product.\vgenerators",
        children,  argument_help,
        NULL,
    };
    struct options options = {.input_count = 0};
    argp_parse(&parser, argc, argv, 0, NULL, &options);
    bool good = run(&options);
    return output_close() && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
