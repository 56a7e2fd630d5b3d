/* SPDX-License-Identifier: BSD-3-Clause */
/* How good the selector's picks are, and what they take: select_speed [--backend=cpu|cuda] [--type=f32|f64]
   [--profile=FILE] [--storages=LIST] FILE... (files or generated matrices, as for spbench). Prints a JSON object a matrix, each
   on a line, and what they come to on standard error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/argument.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/output.h"
#include "common/progress.h"
#include "common/source_options.h"
#include "measuring/draft.h"
#include "measuring/site.h"
#include "measuring/trial.h"

/* So many rounds at least that an odd one out does not move the median. */
#define LEAST_ROUNDS 7
/* Time for the products of one matrix in all formats, unless told otherwise, and for choosing. */
#define PRODUCT_SECONDS 1.5
#define SELECT_SECONDS 0.05

/* ---- the command line ---- */

struct options {
    struct source_options reading;
    struct site_options site;
    const char *profile;
    double min_time;                       /* seconds */
    spry_storage storages[TRIAL_STORAGES]; /* besides the formats */
    int storage_count;
    char **inputs;
    int input_count;
};

enum { KEY_PROFILE = 256, KEY_SECONDS, KEY_STORAGES };

static const struct argp_option known[] = {
    {"profile", KEY_PROFILE, "FILE", 0, "Machine profile to predict with (the library's own)", 0},
    {"seconds", KEY_SECONDS, "SECONDS", 0,
     "Time for the products of one matrix in all formats (1.5); on a GPU 0.1 will do", 0},
    {"storages", KEY_STORAGES, "LIST", 0,
     "Storages to compare besides the formats, such as csr+dict8,sell+dict8 (none)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state) {
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->reading;
        state->child_inputs[1] = &options->site;
        return 0;
    case KEY_PROFILE:
        options->profile = value;
        return 0;
    case KEY_SECONDS:
        options->min_time = argument_number("seconds", value, 0.0, INFINITY, state);
        return 0;
    case KEY_STORAGES:
        options->storage_count =
            argument_storages("storages", value, options->storages, TRIAL_STORAGES, state);
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

/* ---- one matrix ---- */

struct judged {
    const struct source *source;
    const struct options *options;
    struct place *place;
    const json_t *machine; /* its profile, of which name and size count */
    spry_matrix *csr;      /* in that place */
    struct trial trial;
    double select_seconds;
    double regret; /* of the pick: its time over the best; NaN when there is nothing to multiply */
    const struct attempt *pick, *best;
};

static spry_status select_format(void *user) {
    struct judged *judged = user;
    trial_free(&judged->trial);
    return spry_select(judged->place->context, judged->csr, NULL, &judged->trial.ranking);
}

/* The attempt that stands for a place of the ranking, if it was made. */
static const struct attempt *attempt_at(const struct trial *trial, int place) {
    const struct attempt *attempt =
        trial_attempt(trial, &spry_ranking_choice(trial->ranking, place)->storage);
    return attempt && attempt->kernel ? attempt : NULL;
}

/* The pick is the first of the ranking that could be made, as for spry_convert; storages that are not compared aside. */
static void judge(struct judged *judged) {
    const struct trial *trial = &judged->trial;
    int first = 0;
    while (!attempt_at(trial, first))
        first++;
    judged->pick = judged->best = attempt_at(trial, first);
    for (int i = 0; i < trial->attempts; i++)
        if (trial->of[i].kernel && trial->of[i].seconds < judged->best->seconds)
            judged->best = &trial->of[i];
    judged->regret = spry_matrix_nnz(judged->csr) > 0 ? judged->pick->seconds / judged->best->seconds : NAN;
}

static spry_status try_matrix(struct judged *judged) {
    struct spread spread;
    const struct trial_options options = {.seconds = judged->options->min_time,
                                          .rounds = LEAST_ROUNDS,
                                          .profile = judged->options->profile,
                                          .all_kernels = true,
                                          .storages = judged->options->storages,
                                          .storage_count = judged->options->storage_count};
    spry_status status = trial_bring(judged->place, &judged->csr);
    progress_show("%s: measuring", judged->source->name);
    if (status == SPRY_OK)
        status = trial_run(judged->place, judged->csr, &options, &judged->trial);
    if (status == SPRY_OK)
        status = timing_measure(select_format, judged, SELECT_SECONDS, &spread);
    progress_clear();
    if (status == SPRY_OK) {
        judged->select_seconds = spread.median;
        judge(judged);
    }
    return status;
}

/* Products with CSR that choosing takes as long as. */
static double select_products(const struct judged *judged) {
    return judged->select_seconds / judged->trial.of[SPRY_CSR].seconds;
}

/* ---- as JSON ---- */

#define MICRO 1e6

static json_t *terms_json(const spry_choice *choice) {
    json_t *terms = json_object();
    for (int i = 0; spry_term_name(i); i++)
        if (choice->amount[i] > 0)
            json_object_set_new(terms, spry_term_name(i), json_number(choice->amount[i]));
    return terms;
}

static json_t *kernel_json(const struct rival *rival) {
    const spry_choice *expected = &rival->expected;
    return json_pack("{s:s, s:o, s:o, s:o}", "kernel", spry_kernel_describe(rival->kernel).name, "seconds_us",
                     json_number(rival->seconds * MICRO), "predicted_us",
                     json_number(expected->kernel ? expected->seconds * MICRO : NAN), "terms",
                     terms_json(expected));
}

/* Those of an attempt, in the order of the table. */
static json_t *kernels_json(const struct trial *trial, const struct attempt *attempt) {
    json_t *kernels = json_array();
    for (int r = 0; r < trial->rivals; r++)
        if (&trial->of[trial->rival[r].attempt] == attempt)
            json_array_append_new(kernels, kernel_json(&trial->rival[r]));
    return kernels;
}

/* A layout and its codes: parameters are the library's. */
struct label {
    char text[SPRY_STORAGE_TEXT];
};

static struct label label_of(const spry_storage *storage) {
    struct label label;
    spry_storage_text(
        &(spry_storage){.format = storage->format, .values = storage->values, .columns = storage->columns},
        label.text, sizeof label.text);
    return label;
}

static json_t *format_json(const spry_choice *choice, const struct trial *trial) {
    const struct attempt *attempt = trial_attempt(trial, &choice->storage);
    const spry_kernel *kernel = attempt->kernel ? attempt->kernel : choice->kernel;
    bool made = attempt->kernel;
    return json_pack("{s:s, s:s?, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "format",
                     label_of(&choice->storage).text, "kernel",
                     kernel ? spry_kernel_describe(kernel).name : NULL, "possible", choice->possible, "bytes",
                     json_number(made ? attempt->bytes : choice->bytes), "slots", json_number(choice->slots),
                     "seconds_us", json_number(made ? attempt->seconds * MICRO : NAN), "predicted_us",
                     json_number(choice->kernel ? choice->seconds * MICRO : NAN), "convert_us",
                     json_number(made ? attempt->convert_seconds * MICRO : NAN), "predicted_convert_us",
                     json_number(choice->convert_seconds * MICRO), "kernels", kernels_json(trial, attempt));
}

/* Whether a place of the ranking is that of a storage that was compared: the one that was made, if any, or else the first of those in
   its layout and code stands for all. */
static bool is_compared(const struct trial *trial, int place) {
    const spry_choice *choice = spry_ranking_choice(trial->ranking, place);
    const struct attempt *attempt = trial_attempt(trial, &choice->storage);
    if (!attempt || memcmp(&attempt->storage, &choice->storage, sizeof choice->storage) == 0)
        return attempt;
    bool first = true;
    for (int i = 0; i < spry_ranking_count(trial->ranking) && first; i++) {
        const spry_storage *other = &spry_ranking_choice(trial->ranking, i)->storage;
        const bool same = memcmp(&attempt->storage, other, sizeof *other) == 0;
        first = !same && (i >= place || trial_attempt(trial, other) != attempt);
    }
    return first;
}

/* In the order of the ranking. */
static json_t *formats_json(const struct trial *trial) {
    json_t *formats = json_array();
    for (int i = 0; i < spry_ranking_count(trial->ranking); i++) {
        const spry_choice *choice = spry_ranking_choice(trial->ranking, i);
        if (is_compared(trial, i))
            json_array_append_new(formats, format_json(choice, trial));
    }
    return formats;
}

static bool print_line(const struct judged *judged) {
    const spry_matrix *csr = judged->csr;
    spry_context *context = judged->place->context;
    const char *disabled = getenv("SPRY_DISABLE");
    json_t *object = json_pack(
        "{s:o, s:I, s:I, s:I, s:s, s:s, s:i, s:O, s:O, s:O, s:s, s:s, s:o, s:o, s:s, s:s, s:o, s:o}", "name",
        json_text(judged->source->name), "rows", (json_int_t)spry_matrix_rows(csr), "cols",
        (json_int_t)spry_matrix_cols(csr), "nnz", (json_int_t)spry_matrix_nnz(csr), "backend",
        spry_backend_name(judged->place->backend), "type", spry_type_name(spry_matrix_type(csr)), "threads",
        spry_context_threads(context), "machine", json_object_get(judged->machine, "machine"), "processors",
        json_object_get(judged->machine, "processors"), "memory_gbs",
        json_object_get(judged->machine, "memory_gbs"), "disabled", disabled ? disabled : "", "profile",
        spry_profile_machine(context), "select_us", json_number(judged->select_seconds * MICRO), "formats",
        formats_json(&judged->trial), "pick", label_of(&judged->pick->storage).text, "best",
        label_of(&judged->best->storage).text, "regret", json_number(judged->regret), "select_products",
        json_number(select_products(judged)));
    bool good = json_print_line(object) == 0;
    fflush(stdout);
    return good;
}

/* ---- all of them ---- */

/* Of the matrices that have entries. */
struct total {
    int count, near;
    double log_regret, worst_regret, log_products, worst_products;
};

/* A regret that nobody would notice. */
#define NEAR 1.05

static void add(struct total *total, const struct judged *judged) {
    double products = select_products(judged);
    if (isnan(judged->regret))
        return;
    total->count++;
    total->near += judged->regret <= NEAR;
    total->log_regret += log(judged->regret);
    total->worst_regret = fmax(total->worst_regret, judged->regret);
    total->log_products += log(products);
    total->worst_products = fmax(total->worst_products, products);
}

static void print_total(const struct total *total) {
    double count = total->count;
    if (total->count > 0)
        fprintf(
            stderr,
            "%d matrices: regret %.4f in the mean, %.2f at worst, %.1f %% within 5 %%; choosing takes %.2f "
            "products in the mean, %.1f at worst\n",
            total->count, exp(total->log_regret / count), total->worst_regret, 100 * total->near / count,
            exp(total->log_products / count), total->worst_products);
}

/* The matrix as the library holds it in CSR, in place of the one that was read. */
static spry_status make_csr(spry_context *host, struct source *source, spry_matrix **csr) {
    spry_status status = spry_convert(host, source->matrix, SPRY_CSR, NULL, csr);
    spry_matrix_destroy(source->matrix);
    source->matrix = NULL;
    return status;
}

static bool judge_input(struct site *site, const json_t *machine, const struct options *options,
                        const char *input, struct total *total) {
    struct place *place = &site->place;
    struct source source;
    struct judged judged = {.source = &source, .options = options, .place = place, .machine = machine};
    char message[1024];
    progress_show("%s: reading", input);
    if (source_open(site->host, input, &options->reading, &source, message, sizeof message) != SPRY_OK)
        return complain("%s", message);
    spry_status status = make_csr(site->host, &source, &judged.csr);
    if (status == SPRY_OK)
        status = try_matrix(&judged);
    bool good = status == SPRY_OK || complain("%s: %s", input, place_failure(place, status));
    if (good) {
        add(total, &judged);
        good = print_line(&judged) || complain("%s: no memory for the line", input);
    }
    trial_free(&judged.trial);
    spry_matrix_destroy(judged.csr);
    return good;
}

static bool judge_inputs(struct site *site, const struct options *options) {
    struct place *place = &site->place;
    struct total total = {0};
    char message[1024];
    spry_status status = options->profile ? spry_load_profile(place->context, options->profile) : SPRY_OK;
    if (status != SPRY_OK)
        return complain("%s", place_failure(place, status));
    json_t *machine = draft_profile(place, message, sizeof message);
    bool good = machine || complain("%s", message);
    for (int i = 0; i < options->input_count && machine; i++)
        good &= judge_input(site, machine, options, options->inputs[i], &total);
    print_total(&total);
    json_decref(machine);
    return good;
}

static bool run(const struct options *options) {
    struct site site;
    if (!site_open(&options->site, &site))
        return false;
    bool good = judge_inputs(&site, options);
    site_close(&site);
    return good;
}

int main(int argc, char **argv) {
    static const struct argp_child children[] = {
        {&source_options_parser, 0, NULL, 0}, {&site_options_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        known,    parse,         "FILE...", "Judge the formats that the selector picks.\vgenerators",
        children, argument_help, NULL,
    };
    struct options options = {.min_time = PRODUCT_SECONDS};
    argp_parse(&parser, argc, argv, 0, NULL, &options);
    bool good = run(&options);
    return output_close() && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
