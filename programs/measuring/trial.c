/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/vector.h"
#include "measuring/preparation.h"
#include "measuring/rounds.h"

/* More would not move a median. */
#define MOST_ROUNDS 31
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

/* One matrix for each attempt; null for those that cannot be made. */
struct made {
    const spry_matrix *csr; /* the caller's, which is the one in CSR */
    spry_matrix *matrix[TRIAL_ATTEMPTS];
};

static const spry_matrix *matrix_of(const struct made *made, int attempt) {
    return attempt == SPRY_CSR ? made->csr : made->matrix[attempt];
}

static void name_storages(const struct trial_options *options, struct trial *trial) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        trial->of[trial->attempts++].storage = (spry_storage){.format = (spry_format)format};
    for (int i = 0; i < options->storage_count && i < TRIAL_STORAGES; i++)
        trial->of[trial->attempts++].storage = options->storages[i];
}

/* All but CSR, which is there. */
static void make_all(struct place *place, struct made *made, struct trial *trial) {
    for (int i = 0; i < trial->attempts; i++) {
        struct attempt *attempt = &trial->of[i];
        const spry_storage wanted = attempt->storage;
        if (i != SPRY_CSR)
            (void)preparation_convert(place->context, made->csr, &wanted, SPRY_N, &made->matrix[i],
                                      &attempt->convert_seconds);
        if (matrix_of(made, i))
            spry_matrix_storage(matrix_of(made, i), &attempt->storage);
    }
}

/* ---- kernels ---- */

static bool is_rival(const struct place *place, const spry_matrix *csr, const spry_kernel *kernel) {
    const spry_kernel_info info = spry_kernel_describe(kernel);
    return spry_kernel_runs(place->context, kernel) && info.op == SPRY_N && !info.many &&
           !info.nondeterministic && info.type == spry_matrix_type(csr) &&
           info.index == spry_matrix_index(csr);
}

/* Those that can be timed: they take a matrix that was made. */
static void gather_rivals(const struct place *place, const struct made *made, struct trial *trial) {
    for (int i = 0; i < trial->attempts; i++)
        for (size_t k = 0; k < spry_kernel_count() && trial->rivals < TRIAL_RIVALS; k++) {
            const spry_kernel *kernel = spry_kernel_at(k);
            if (is_rival(place, made->csr, kernel) && spry_kernel_takes(kernel, matrix_of(made, i)))
                trial->rival[trial->rivals++] = (struct rival){.kernel = kernel, .attempt = i};
        }
}

/* Longer than the names of all kernels that a matrix has. */
#define NAMES 16384

/* All rivals but the one with this number in its attempt, to be disabled; false when none has as many. */
static bool name_others(const struct trial *trial, int number, char *names) {
    int seen[TRIAL_ATTEMPTS] = {0};
    bool any = false;
    size_t length = 0;
    names[0] = '\0';
    for (int r = 0; r < trial->rivals && length < NAMES; r++) {
        const struct rival *rival = &trial->rival[r];
        if (seen[rival->attempt]++ == number)
            any = true;
        else
            length += (size_t)snprintf(names + length, NAMES - length, ",%s",
                                       spry_kernel_describe(rival->kernel).name);
    }
    return any && length < NAMES;
}

/* What is said of a kernel with the storage that it is timed with; of another one where that is not compared. */
static void note_expected(const spry_choice *choice, struct trial *trial) {
    for (int r = 0; r < trial->rivals; r++) {
        struct rival *rival = &trial->rival[r];
        bool same = memcmp(&choice->storage, &trial->of[rival->attempt].storage, sizeof choice->storage) == 0;
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

/* Keep those that something is expected of: where a kernel has no prices, the library does not choose it. */
static void drop_unexpected(struct trial *trial) {
    int kept = 0;
    for (int r = 0; r < trial->rivals; r++)
        if (trial->rival[r].expected.kernel)
            trial->rival[kept++] = trial->rival[r];
    trial->rivals = kept;
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
static spry_status time_all(struct place *place, struct contender *contenders, int count,
                            const struct trial_options *options) {
    const double share = options->seconds / count;
    const struct rounds by_clock = {
        .least = options->rounds,
        .most = MOST_ROUNDS,
        .seconds = options->seconds,
        .batch = fmin(share / MOST_ROUNDS, BATCH_SECONDS),
        .behind = options->behind,
    };
    const struct rounds by_events = {.least = 1, .most = 1, .batch = share};
    if (place->backend == SPRY_CPU)
        return rounds_measure(place, contenders, count, &by_clock);
    spry_status status = place->open_memory(place);
    return status == SPRY_OK ? rounds_measure(place, contenders, count, &by_events) : status;
}

/* A storage takes as long as the kernel that the library takes for it. */
static void note_attempts(const struct made *made, struct trial *trial) {
    for (int r = 0; r < trial->rivals; r++) {
        const struct rival *rival = &trial->rival[r];
        const spry_matrix *matrix = matrix_of(made, rival->attempt);
        struct attempt *attempt = &trial->of[rival->attempt];
        if (spry_kernel_for(matrix, SPRY_N) != rival->kernel)
            continue;
        attempt->kernel = rival->kernel;
        attempt->bytes = (double)spry_matrix_bytes(matrix);
        attempt->seconds = rival->seconds;
    }
}

static spry_status time_products(struct place *place, const struct made *made, const struct vectors *vectors,
                                 const struct trial_options *options, struct trial *trial) {
    struct product products[TRIAL_RIVALS];
    struct contender contenders[TRIAL_RIVALS];
    for (int r = 0; r < trial->rivals; r++) {
        const struct rival *rival = &trial->rival[r];
        products[r] =
            (struct product){place->context, rival->kernel, matrix_of(made, rival->attempt), vectors};
        contenders[r] = (struct contender){.call = multiply, .user = &products[r]};
    }
    spry_status status = time_all(place, contenders, trial->rivals, options);
    for (int r = 0; r < trial->rivals; r++) {
        const struct spread *time = &contenders[r].time;
        trial->rival[r].seconds = time->median;
        trial->turns += time->batches;
        trial->disturbed += time->disturbed;
    }
    note_attempts(made, trial);
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

/* Whether two storages differ in no more than their parameters. */
static bool is_alike(const spry_storage *a, const spry_storage *b) {
    return a->format == b->format && a->values == b->values && a->columns == b->columns;
}

const struct attempt *trial_attempt(const struct trial *trial, const spry_storage *storage) {
    const struct attempt *found = NULL;
    for (int i = 0; i < trial->attempts; i++) {
        const struct attempt *attempt = &trial->of[i];
        if (memcmp(&attempt->storage, storage, sizeof *storage) == 0)
            return attempt;
        if (!found && is_alike(&attempt->storage, storage))
            found = attempt;
    }
    return found;
}

spry_status trial_run(struct place *place, const spry_matrix *csr, const struct trial_options *options,
                      struct trial *trial) {
    struct made made = {.csr = csr};
    struct vectors vectors = {.x = NULL};
    *trial = (struct trial){.ranking = NULL};
    name_storages(options, trial);
    spry_status status = spry_select(place->context, csr, NULL, &trial->ranking);
    if (status == SPRY_OK)
        status = new_vectors(place, csr, &vectors);
    if (status == SPRY_OK)
        make_all(place, &made, trial);
    gather_rivals(place, &made, trial);
    if (status == SPRY_OK)
        status = ask_of_each(place, csr, options->profile, trial);
    if (!options->all_kernels)
        drop_unexpected(trial);
    if (status == SPRY_OK)
        status = time_products(place, &made, &vectors, options, trial);
    for (int i = 0; i < trial->attempts; i++)
        spry_matrix_destroy(made.matrix[i]);
    free_vectors(place, &vectors);
    return status;
}

void trial_free(struct trial *trial) {
    spry_ranking_destroy(trial->ranking);
    trial->ranking = NULL;
}
