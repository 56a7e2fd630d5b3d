/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>

#include "rounds.h"
#include "vector.h"

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
        double start = timing_now();
        status = spry_convert(context, csr, format, NULL, matrix);
        samples[count] = timing_now() - start;
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
                          const spry_matrix *const *matrices, enum trial_kernels which, struct trial *trial) {
    for (size_t i = 0; i < spry_kernel_count() && trial->rivals < TRIAL_RIVALS; i++) {
        const spry_kernel *kernel = spry_kernel_at(i);
        const spry_matrix *matrix =
            is_rival(place, csr, kernel) ? matrices[spry_kernel_describe(kernel).format] : NULL;
        if (spry_kernel_takes(kernel, matrix) && (which == TRIAL_ALL || is_considered(kernel, matrix)))
            trial->rival[trial->rivals++] = (struct rival){.kernel = kernel};
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
        for (int r = 0; r < trial->rivals; r++)
            if (spry_ranking_choice(ranking, i)->kernel == trial->rival[r].kernel)
                trial->rival[r].expected = *spry_ranking_choice(ranking, i);
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
        spry_context_options options = {
            .backend = place->backend, .threads = spry_context_threads(place->context), .disable = names};
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
    spry_status status = (place->backend == SPRY_CPU ? rounds_measure(contenders, trial->rivals, seconds)
                                                     : time_alone(place, contenders, trial->rivals, seconds));
    for (int r = 0; r < trial->rivals; r++)
        trial->rival[r].seconds = contenders[r].seconds;
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

spry_status trial_run(struct place *place, const spry_matrix *csr, const struct options *options,
                      enum trial_kernels which, struct trial *trial) {
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
    gather_rivals(place, csr, all, which, trial);
    if (status == SPRY_OK)
        status = ask_of_each(place, csr, options->profile, trial);
    if (status == SPRY_OK)
        status = time_products(place, all, &vectors, options->min_time, trial);
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
