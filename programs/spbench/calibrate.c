/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/columns.h"
#include "common/failure.h"
#include "common/generate.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "measuring/draft.h"
#include "measuring/trial.h"
#include "spbench/replace.h"
#include "spbench/reprice.h"

/*
 * Each term of a product's cost is large for some of these: short rows and long ones, even and uneven, a few
 * that are full and many that are empty, columns near the diagonal and anywhere, many more columns than rows, blocks. More than a
 * third are made of others, shuffled, as saddle points or normal equations: prices that were fitted to grids and random columns
 * alone do not rank what people have. As many are small, diagonals among them: what a call, a row and a diagonal cost is told by these
 * alone. The others fit the nearest cache or the last one, but for a few, which take longest. Sizes take turns, so that a machine that
 * is too slow for all has seen of everything.
 */
static const char *const specs[] = {
    "poisson2d:30",
    "saddle:random:4000:9000:5",
    "hollow:120:1:1",
    "normal:uneven:3000:1:30",
    "uneven:30000:3:8",
    "hollow:2000:1:1",
    "shuffled:poisson2d:150",
    "saddle:poisson2d:100",
    "hollow:20000:1:1",
    "rmat:14",
    "normal:random:9000:4000:8",
    "hollow:300000:1:1",
    "shuffled:uneven:8000:2:40",
    "shuffled:hollow:4000:1:1",
    "saddle:mesh:7",
    "normal:poisson3d:16",
    "random:60:60:3",
    "poisson3d:30",
    "shuffled:rmat:13",
    "random:200000:200000:1",
    "saddle:rmat:12:4",
    "27pt:32",
    "random:9000:3000:2",
    "normal:hollow:6000:5:20",
    "shuffled:27pt:14",
    "random:200:200:4",
    "mesh:6",
    "random:40:40:20",
    "saddle:uneven:8000:2:40",
    "normal:random:300:5000:60",
    "random:60:600:20",
    "shuffled:random:40000:40000:4",
    "rmat:10",
    "random:800:200:6",
    "random:2000:200000:300",
    "normal:poisson2d:120",
    "poisson2d:8",
    "shuffled:mesh:12:2",
    "rmat:17:4",
    "poisson2d:15",
    "uneven:5000:8:12",
    "shuffled:poisson2d:20",
    "shuffled:spiked:6000:4:6",
    "rmat:16:8",
    "poisson3d:6",
    "poisson3d:20",
    "shuffled:hollow:30000:3:6",
    "uneven:100:1:6",
    "random:500:60000:800",
    "banded:100000:2",
    "uneven:400:1:12",
    "27pt:48",
    "uneven:1000:2:9",
    "shuffled:poisson3d:30",
    "random:800:9000:90",
    "shuffled:uneven:300:2:40",
    "spiked:2000:3:1",
    "uneven:20000:1:30",
    "saddle:poisson2d:7",
    "normal:banded:5000:6",
    "shuffled:uneven:3000:1:300",
    "saddle:uneven:300:1:6",
    "saddle:random:500:8000:60",
    "hollow:200000:5:6",
    "saddle:random:80:200:4",
    "mesh:16:2",
    "normal:random:60:40:4",
    "shuffled:mesh:16:1",
    "random:10000:10000:5",
    "normal:random:300:200:4",
    "poisson2d:250",
    "shuffled:banded:6000:6",
    "normal:uneven:100:1:10",
    "saddle:convection2d:60",
    "banded:60000:40",
    "rmat:6",
    "random:600000:600000:6",
    "normal:27pt:10",
    "rmat:8",
    "shuffled:rmat:15:3",
    "mesh:2",
    "uneven:5000:20:400",
    "banded:4000:30",
    "mesh:3:2",
    "normal:hollow:30000:3:6",
    "shuffled:random:9000:4000:8",
    "banded:100:4",
    "spiked:10000:3:40",
    "random:100:20000:1000",
    "banded:500:6",
    "normal:uneven:1000:1:100",
    "saddle:normal:poisson2d:60",
    "hollow:200:3:5",
    "poisson2d:100",
    "hollow:2000:4:6",
    "spiked:250000:6:3",
    "shuffled:convection2d:200",
    "spiked:300:3:1",
    "uneven:4000:3:9",
    "mesh:10:2",
    "spiked:1000:4:2",
    "uneven:100000:5:30",
    "hollow:500000:3:5",
    "convection2d:20",
    "convection2d:180",
    "27pt:6",
};
#define SPECS ((int)(sizeof specs / sizeof *specs))
/* Each once with values of either type. */
#define MATRICES (SPECS * SPRY_TYPE_COUNT)

/* Matrices that are not begun after so many times what the products of one may take are left out: 50 s,
   when that is the usual 0.1 s, so that all is done in a minute. Those of large ones take longer, and making them. */
#define MOST_TIMES 500
/* With more rounds, times are better and matrices fewer, which tell more. Kernels that are never taken need no good times. */
#define LEAST_ROUNDS 3
#define BEHIND 2.0

/* One time of each kernel of each matrix, at most. */
struct samples {
    struct sample at[MATRICES * TRIAL_RIVALS];
    size_t count;
};

struct calibration {
    spry_context *host;
    struct place *place;
    const struct options *options;
    struct samples products[SPRY_TYPE_COUNT], conversions;
    int matrix_count;
    long turns, disturbed; /* as in struct trial */
    double seconds;        /* that measuring took */
    char *message;
    size_t message_size;
};

static bool fail(struct calibration *calibration, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct calibration *calibration, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(calibration->message, calibration->message_size, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether there was no error with the profile's file. */
static bool went_well(struct calibration *calibration, const char *path, int error) {
    return error == 0 || fail(calibration, "%s: %s", path, strerror(error));
}

/* ---- measuring ---- */

/* Terms of a conversion's cost, in the order of the amounts below. */
static const char *conversion_term(int i) {
    static const char *const names[] = {"start", "bytes", "rows", "encoding"};
    return i < (int)(sizeof names / sizeof *names) ? names[i] : NULL;
}

static void add(struct samples *samples, struct sample sample) {
    samples->at[samples->count++] = sample;
}

static void note_conversion(struct calibration *calibration, const spry_matrix *csr,
                            const spry_choice *choice, const struct attempt *attempt) {
    const int alone = (int)calibration->conversions.count; /* none competes with another */
    struct sample sample = {
        .name = spry_format_name(choice->format),
        .contest = alone,
        .heat = alone,
        .amount = {1, (double)spry_matrix_bytes(csr) + choice->bytes, (double)spry_matrix_rows(csr)},
        .seconds = attempt->convert_seconds,
        .predicted = choice->convert_seconds,
    };
    add(&calibration->conversions, sample);
}

static void note_product(struct calibration *calibration, const struct rival *rival) {
    const spry_kernel_info info = spry_kernel_describe(rival->kernel);
    struct sample sample = {
        .name = info.name,
        .contest = calibration->matrix_count,
        .heat = calibration->matrix_count * TRIAL_RIVALS + rival->attempt,
        .seconds = rival->seconds,
        .predicted = rival->expected.seconds,
    };
    memcpy(sample.amount, rival->expected.amount, sizeof sample.amount);
    add(&calibration->products[info.type], sample);
}

/* A conversion is that to the storage that was made, which one of the kernels is the library's for. One that puts columns into a code
   goes by the prices of one that does not: they are of the bytes of its arrays. */
static bool is_conversion(const struct attempt *attempt, const spry_choice *expected) {
    return attempt->kernel == expected->kernel && expected->format != SPRY_CSR &&
           attempt->storage.columns == SPRY_COLUMNS_PLAIN;
}

static void note(struct calibration *calibration, const spry_matrix *csr, const struct trial *trial) {
    for (int r = 0; r < trial->rivals; r++) {
        const spry_choice *expected = &trial->rival[r].expected;
        const struct attempt *attempt = &trial->of[trial->rival[r].attempt];
        note_product(calibration, &trial->rival[r]);
        if (is_conversion(attempt, expected))
            note_conversion(calibration, csr, expected, attempt);
    }
    calibration->turns += trial->turns;
    calibration->disturbed += trial->disturbed;
    calibration->matrix_count++;
}

/* What the library compares on a CPU besides the formats, with kernels that have prices of their own. */
static const spry_storage narrow = {.format = SPRY_SELL, .columns = SPRY_COLUMNS_NARROW};

static spry_status measure(struct calibration *calibration, const char *spec, spry_value_type type) {
    spry_matrix *csr;
    struct trial trial = {.ranking = NULL};
    const struct trial_options options = {.seconds = calibration->options->min_time,
                                          .rounds = LEAST_ROUNDS,
                                          .behind = BEHIND,
                                          .profile = calibration->options->profile,
                                          .storages = &narrow,
                                          .storage_count = calibration->place->backend == SPRY_CPU};
    spry_status status = generate_matrix(calibration->host, spec, type, &csr);
    if (status == SPRY_OK)
        status = trial_bring(calibration->place, &csr);
    if (status == SPRY_OK)
        status = trial_run(calibration->place, csr, &options, &trial);
    if (status == SPRY_OK)
        note(calibration, csr, &trial);
    trial_free(&trial);
    spry_matrix_destroy(csr);
    return status;
}

/* What there is no memory for is left out. */
static bool measure_all(struct calibration *calibration) {
    double begin = clock_now(), most = MOST_TIMES * calibration->options->min_time;
    for (int i = 0; i < MATRICES && clock_now() - begin < most; i++) {
        /* Types alternate, and in the second pass through the matrices each has the other one. */
        const char *spec = specs[i % SPECS];
        spry_value_type type = (spry_value_type)((i % SPECS + i / SPECS) % SPRY_TYPE_COUNT);
        progress_show("calibrating: %d of %d, %s %s", i + 1, MATRICES, spec, spry_type_name(type));
        spry_status status = measure(calibration, spec, type);
        if (interrupt_seen())
            return fail(calibration, "interrupted during '%s': no profile was written", progress_last());
        if (status != SPRY_OK && status != SPRY_ERROR_MEMORY)
            return fail(calibration, "%s: %s", spec, place_failure(calibration->place, status));
    }
    progress_clear();
    calibration->seconds = clock_now() - begin;
    return true;
}

/* ---- the profile ---- */

static bool write_profile(struct calibration *calibration, const json_t *profile, const char *path) {
    char *text = json_dumps(profile, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    int error = text ? replace_file(path, text) : ENOMEM;
    free(text);
    return went_well(calibration, path, error);
}

/* Those of both together, by how many samples each has. */
static void merge(struct reprice_report *sum, const struct reprice_report *more) {
    const size_t samples = sum->samples + more->samples;
    const double share = samples > 0 ? (double)more->samples / (double)samples : 0;
    const struct reprice_report old = *sum;
    sum->samples = samples;
    sum->before.error += share * (more->before.error - old.before.error);
    sum->now.error += share * (more->now.error - old.now.error);
    sum->before.regret = pow(old.before.regret, 1 - share) * pow(more->before.regret, share);
    sum->now.regret = pow(old.now.regret, 1 - share) * pow(more->now.regret, share);
}

/* No byte comes from a device's memory faster than its maker says. That of a CPU is one measurement, which others may surpass. */
static void find_least(const struct calibration *calibration, const json_t *profile,
                       double least[FIT_TERMS]) {
    const double gbs = json_number_value(json_object_get(profile, "memory_gbs"));
    for (int i = 0; i < FIT_TERMS; i++) {
        const char *name = spry_term_name(i);
        const bool bounded = calibration->place->backend != SPRY_CPU && name && strcmp(name, "far") == 0;
        least[i] = bounded ? 1e-9 / gbs : 0;
    }
}

/* A profile of this very machine was fitted to more matrices than are measured here: its prices are kept nearer than another's, which
   may be far off. Chosen by what ranked best where neither had seen the times. */
#define NEAR_OWN 3e-2
#define NEAR_OTHERS 3e-3

static double nearness_of(const struct calibration *calibration, const char *machine) {
    const char *measured_on = spry_profile_machine(calibration->place->context);
    return measured_on && strcmp(measured_on, machine) == 0 ? NEAR_OWN : NEAR_OTHERS;
}

static bool reprice_products(struct calibration *calibration, json_t *profile, double nearness,
                             struct reprice_report *report) {
    json_t *types = json_object_get(profile, "kernels");
    double least[FIT_TERMS];
    bool good = true;
    find_least(calibration, profile, least);
    *report = (struct reprice_report){.before.regret = 1, .now.regret = 1};
    for (int type = 0; type < SPRY_TYPE_COUNT && good; type++) {
        struct samples *samples = &calibration->products[type];
        struct reprice_report of_type = {0};
        json_t *kernels = json_object_get(types, spry_type_name((spry_value_type)type));
        good = reprice(kernels, spry_term_name, least, nearness, samples->at, samples->count, &of_type);
        merge(report, &of_type);
    }
    return good;
}

static void print_errors(const char *what, const struct reprice_report *report) {
    columns_labelled(what, "%zu times, whose predictions were off by %.1f %% before and are by %.1f %% now",
                     report->samples, 100 * report->before.error, 100 * report->now.error);
}

/* Half a percent of turns is what an idle system's own work takes. */
#define QUIET_SHARE 0.005

static void print_quiet(const struct calibration *calibration) {
    const double share =
        calibration->turns > 0 ? (double)calibration->disturbed / (double)calibration->turns : 0;
    if (share > QUIET_SHARE)
        columns_labelled("disturbed",
                         "%.1f %% of the turns, by other programs: prices are better measured while nothing "
                         "else runs",
                         100 * share);
}

static void print_report(const struct calibration *calibration, const char *machine,
                         const struct reprice_report *products, const struct reprice_report *conversions,
                         const char *path) {
    columns_labelled("machine", "%s", machine);
    columns_labelled("measured", "%d matrices in %.0f s", calibration->matrix_count, calibration->seconds);
    print_quiet(calibration);
    print_errors("products", products);
    columns_labelled("picks", "took %.3f times as long as the fastest before, and %.3f times now",
                     products->before.regret, products->now.regret);
    print_errors("conversions", conversions);
    columns_whole("written to", path);
    columns_labelled("", "%s",
                     calibration->options->calibrate_file
                         ? "for spry_load_profile, spbench --profile and spsolve --profile"
                         : "which spbench and spsolve go by from now on");
}

static bool conclude(struct calibration *calibration, json_t *profile, const char *path) {
    struct reprice_report products, conversions = {0};
    const char *machine = json_string_value(json_object_get(profile, "machine"));
    const double nearness = nearness_of(calibration, machine);
    if (!reprice_products(calibration, profile, nearness, &products) ||
        !reprice(json_object_get(profile, "conversions"), conversion_term, NULL, nearness,
                 calibration->conversions.at, calibration->conversions.count, &conversions))
        return fail(calibration, "no memory for the profile");
    if (!write_profile(calibration, profile, path))
        return false;
    print_report(calibration, machine, &products, &conversions, path);
    return true;
}

static bool find_path(struct calibration *calibration, char *standard, size_t size, const char **path) {
    spry_context *context = calibration->place->context;
    *path = calibration->options->calibrate_file;
    if (*path)
        return true;
    *path = standard;
    spry_status status = spry_profile_path(context, standard, size);
    return status == SPRY_OK || fail(calibration, "%s", failure_text(context, status));
}

bool calibrate(spry_context *host, struct place *place, const struct options *options, char *message,
               size_t size) {
    char standard[4096];
    const char *path;
    struct calibration *calibration = calloc(1, sizeof *calibration);
    if (!calibration) {
        snprintf(message, size, "%s", strerror(ENOMEM));
        return false;
    }
    calibration->host = host;
    calibration->place = place;
    calibration->options = options;
    calibration->message = message;
    calibration->message_size = size;
    bool good = find_path(calibration, standard, sizeof standard, &path) &&
                went_well(calibration, path, replace_check(path)) && measure_all(calibration);
    json_t *profile = good ? draft_profile(place, message, size) : NULL;
    good = profile && conclude(calibration, profile, path);
    json_decref(profile);
    free(calibration);
    return good;
}
