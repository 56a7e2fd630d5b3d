/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                                      SPRY_N, &made[format], &trial->of[format].convert_seconds);
}

/* ---- kernels ---- */

static bool is_rival(const struct place *place, const spry_matrix *csr, const spry_kernel *kernel) {
    const spry_kernel_info info = spry_kernel_describe(kernel);
    return spry_kernel_runs(place->context, kernel) && info.op == SPRY_N && !info.many &&
           !info.nondeterministic && info.type == spry_matrix_type(csr) &&
           info.index == spry_matrix_index(csr);
}

/* Whether the library chooses among this kernel and others: those of CSR are compared, of other formats it has one. */
static bool is_considered(const spry_kernel *kernel, const spry_matrix *matrix) {
    return spry_matrix_format(matrix) == SPRY_CSR || spry_kernel_for(matrix, SPRY_N) == kernel;
}

/* Those that can be timed: their format was made, and they take the matrix. */
static void gather_rivals(const struct place *place, const spry_matrix *csr,
                          const spry_matrix *const *matrices, bool all, struct trial *trial) {
    for (size_t i = 0; i < spry_kernel_count() && trial->rivals < TRIAL_RIVALS; i++) {
        const spry_kernel *kernel = spry_kernel_at(i);
        const spry_matrix *matrix =
            is_rival(place, csr, kernel) ? matrices[spry_kernel_describe(kernel).format] : NULL;
        if (spry_kernel_takes(kernel, matrix) && (all || is_considered(kernel, matrix))) {
            struct rival *rival = &trial->rival[trial->rivals++];
            *rival = (struct rival){.kernel = kernel};
            spry_matrix_storage(matrix, &rival->storage);
        }
    }
}

/* Longer than the names of all kernels that a matrix has. */
#define NAMES 4096

/* All rivals but the one with this number among those of its format, to be disabled; false when no format has as many. */
static bool name_others(const struct trial *trial, int number, char *names) {
    int seen[SPRY_FORMAT_COUNT] = {0};
    bool any = false;
    size_t length =
        (size_t)snprintf(names, NAMES, "%s", getenv("SPRY_DISABLE") ? getenv("SPRY_DISABLE") : "");
    for (int r = 0; r < trial->rivals && length < NAMES; r++) {
        const spry_kernel_info info = spry_kernel_describe(trial->rival[r].kernel);
        if (seen[info.format]++ == number)
            any = true;
        else
            length += (size_t)snprintf(names + length, NAMES - length, ",%s", info.name);
    }
    return any && length < NAMES;
}

/* What is said of a kernel with the storage that it is timed with; of another one where that is not compared. */
static void note_expected(const spry_choice *choice, struct trial *trial) {
    for (int r = 0; r < trial->rivals; r++) {
        struct rival *rival = &trial->rival[r];
        bool same = memcmp(&choice->storage, &rival->storage, sizeof rival->storage) == 0;
        if (choice->kernel == rival->kernel && (same || !rival->expected.kernel))
            rival->expected = *choice;
    }
}

/* What a context that has no others says of some kernels. */
static spry_status ask(spry_context *context, const spry_matrix *csr, struct trial *trial) {
    spry_matrix *same;
    spry_ranking *ranking = NULL;
    spry_status status =
        spry_wrap_csr(context, spry_matrix_type(csr), spry_matrix_index(csr), spry_matrix_rows(csr),
                      spry_matrix_cols(csr), spry_matrix_csr(csr), &same);
    if (status == SPRY_OK)
        status = spry_select(context, same, NULL, &ranking);
    for (int i = 0; i < spry_ranking_count(ranking); i++)
        note_expected(spry_ranking_choice(ranking, i), trial);
    spry_ranking_destroy(ranking);
    spry_matrix_destroy(same);
    return status == SPRY_ERROR_UNSUPPORTED ? SPRY_OK : status;
}

/* The library says what it expects of the kernel that it would take: so each is asked for where it is the only one of
   its format. */
static spry_status ask_of_each(const struct place *place, const spry_matrix *csr, const char *profile,
                               struct trial *trial) {
    char names[NAMES];
    spry_status status = SPRY_OK;
    for (int number = 0; status == SPRY_OK && name_others(trial, number, names); number++) {
        spry_context *context;
        spry_context_options options = {.size = sizeof options,
                                        .backend = place->backend,
                                        .threads = spry_context_threads(place->context),
                                        .disable = names};
        status = spry_context_create(&context, &options);
        if (status == SPRY_OK && profile)
            status = spry_load_profile(context, profile);
        if (status == SPRY_OK)
            status = ask(context, csr, trial);
        spry_context_destroy(context);
    }
    return status;
}

/* ---- products ---- */

struct product {
    spry_context *context;
    const spry_kernel *kernel;
    const spry_matrix *matrix;
    const struct vectors *vectors;
};

static spry_status multiply(void *user) {
    const struct product *product = user;
    const struct vectors *vectors = product->vectors;
    return spry_spmv_with(product->context, product->kernel, 1.0, product->matrix, vectors->x, 0.0,
                          vectors->y);
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

/* A format takes as long as the kernel that the library takes for it. */
static void note_formats(const spry_matrix *const *matrices, struct trial *trial) {
    for (int r = 0; r < trial->rivals; r++) {
        const struct rival *rival = &trial->rival[r];
        const spry_format format = spry_kernel_describe(rival->kernel).format;
        if (spry_kernel_for(matrices[format], SPRY_N) != rival->kernel)
            continue;
        trial->of[format].kernel = rival->kernel;
        trial->of[format].bytes = (double)spry_matrix_bytes(matrices[format]);
        trial->of[format].seconds = rival->seconds;
    }
}

static spry_status time_products(struct place *place, const spry_matrix *const *matrices,
                                 const struct vectors *vectors, double seconds, struct trial *trial) {
    struct product products[TRIAL_RIVALS];
    struct contender contenders[TRIAL_RIVALS];
    for (int r = 0; r < trial->rivals; r++) {
        const spry_kernel *kernel = trial->rival[r].kernel;
        products[r] =
            (struct product){place->context, kernel, matrices[spry_kernel_describe(kernel).format], vectors};
        contenders[r] = (struct contender){.call = multiply, .user = &products[r]};
    }
    spry_status status = time_all(place, contenders, trial->rivals, seconds);
    for (int r = 0; r < trial->rivals; r++)
        trial->rival[r].seconds = contenders[r].time.median;
    note_formats(matrices, trial);
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

spry_status trial_run(struct place *place, const spry_matrix *csr, const struct trial_options *options,
                      struct trial *trial) {
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
    gather_rivals(place, csr, all, options->all_kernels, trial);
    if (status == SPRY_OK)
        status = ask_of_each(place, csr, options->profile, trial);
    if (status == SPRY_OK)
        status = time_products(place, all, &vectors, options->seconds, trial);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        spry_matrix_destroy(made[format]);
    free_vectors(place, &vectors);
    return status;
}

void trial_free(struct trial *trial) {
    spry_ranking_destroy(trial->ranking);
    trial->ranking = NULL;
}
