/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/argument.h"
#include "common/command.h"
#include "common/source_options.h"

enum {
    KEY_LIST = 256,
    KEY_CALIBRATE,
    KEY_COMPARE,
    KEY_CSV,
    KEY_HTML,
    KEY_JSON,
    KEY_KERNELS,
    KEY_MIN_TIME,
    KEY_PEERS,
    KEY_PRODUCTS,
    KEY_PROFILE,
    KEY_SCALING,
    KEY_WIDE
};

static const struct argp_option known[] = {
    {"formats", 'f', "LIST", 0,
     "Formats to compare, comma-separated:" ARGUMENT_FORMATS
     " (all of them); with parameters and codes as in sell:32:1024+f32",
     0},
    {"index", 'i', "i32|i32p64|i64", 0, "Type of the indices (the smallest that fits)", 0},
    {"backend", 'b', "cpu|cuda|all", 0, "Where to multiply (cpu); all: on the GPU too, where there is one",
     0},
    {"peers", KEY_PEERS, NULL, 0,
     "Rows for cuSPARSE on the same matrix (with --backend cuda or all); SPRY_CUSPARSE in the environment "
     "names "
     "its library, if not the usual one",
     0},
    {"threads", 'j', "N", 0, "Threads (all that this process may run on)", 0},
    {"transpose", 'T', NULL, 0, "Measure the product with the transpose", 0},
    {"min-time", KEY_MIN_TIME, "SECONDS", 0,
     "Time to spend on each row (0.2), or on each matrix with --calibrate (0.1)", 0},
    {"kernels", KEY_KERNELS, NULL, 0, "A row for every kernel that this machine runs", 0},
    {"scaling", KEY_SCALING, "MOST", OPTION_ARG_OPTIONAL,
     "Instead of comparing formats, multiply with 1, 2, 4 and so on to MOST threads (all that this process "
     "may run on), in CSR and what the selector picks unless --formats names others",
     0},
    {"products", KEY_PRODUCTS, "N", 0, "Products to pick a format for, conversion counted in (many)", 0},
    {"profile", KEY_PROFILE, "FILE", 0,
     "Machine profile to predict with (the calibrated one, else the library's own)", 0},
    {"calibrate", KEY_CALIBRATE, "FILE", OPTION_ARG_OPTIONAL,
     "Measure this machine, write its profile to FILE (~/.config/spry/cpu.json, or cuda.json), and exit", 0},
    {"csv", KEY_CSV, NULL, 0, "Print comma-separated values, one line a row", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object a matrix, each on one line", 0},
    {"html", KEY_HTML, "FILE", 0, "Write a report for a browser to FILE besides: tables, plots and words", 0},
    {"compare", KEY_COMPARE, NULL, 0,
     "Instead of measuring, compare what --json printed before and after: two FILEs; shows what became "
     "faster "
     "or slower by more than the batches are apart",
     0},
    {"wide", KEY_WIDE, NULL, 0, "Print all columns of the table, also those that the page is too narrow for",
     0},
    {"list", KEY_LIST, NULL, 0, "List the kernels and whether this machine runs them, and exit", 0},
    {0},
};

/* ---- values of options ---- */

/* In the order of the list of formats, those of one format in the order given. */
static void sort_by_format(struct options *options) {
    for (int i = 1; i < options->storage_count; i++)
        for (int j = i; j > 0 && options->storages[j].format < options->storages[j - 1].format; j--) {
            spry_storage later = options->storages[j - 1];
            options->storages[j - 1] = options->storages[j];
            options->storages[j] = later;
        }
}

static void read_formats(const char *list, struct options *options, struct argp_state *state) {
    options->formats_named = true;
    options->storage_count = argument_storages("formats", list, options->storages, OPTIONS_STORAGES, state);
    sort_by_format(options);
}

static const char *index_name(int index) {
    return spry_index_name((spry_index_type)index);
}

/* After the backends, all of them. */
static const char *backends_name(int i) {
    return i == SPRY_BACKEND_COUNT ? "all" : spry_backend_name((spry_backend)i);
}

static unsigned read_backends(const char *name, struct argp_state *state) {
    int i = argument_name("backend", name, backends_name, SPRY_BACKEND_COUNT + 1, state);
    return i == SPRY_BACKEND_COUNT ? (1u << SPRY_BACKEND_COUNT) - 1 : 1u << i;
}

/* What --min-time is where it is not given. */
#define ROW_SECONDS 0.2
#define MATRIX_SECONDS 0.1

static double read_seconds(const char *text, struct argp_state *state) {
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds > 0.0) || seconds > 3600.0)
        argp_error(state, "--min-time: '%s' is not a number of seconds over 0, to 3600", text);
    return seconds;
}

/* ---- argp ---- */

bool options_want_several(const struct options *options) {
    return options->backends & (options->backends - 1);
}

/* Options that say what else to measure, where or how: with --scaling they would be passed over. */
static void check_scaling(const struct options *options, struct argp_state *state) {
    const struct {
        bool given;
        const char *option, *why;
    } others[] = {
        {options->list, "--list", "it measures nothing"},
        {options->calibrate, "--calibrate", "it takes no matrix"},
        {options->kernels, "--kernels", "it has the kernel that the library takes for as many threads"},
        {options->threads > 0, "--threads", "--scaling=MOST says how many there are"},
        {options->peers, "--peers", "it is about threads of the CPU"},
        {options->backends != 1u << SPRY_CPU, "--backend", "it is about threads of the CPU"},
        {options->output == OUTPUT_CSV, "--csv", "--json has all of it"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            argp_error(state, "--scaling: not together with %s: %s", others[i].option, others[i].why);
    for (int i = 0; i < options->input_count; i++) {
        const char *input = options->inputs[i];
        if (input[strspn(input, "0123456789")] == '\0' && access(input, F_OK) != 0)
            argp_error(state, "--scaling: there is no file '%s'; --scaling=%s sets the most threads", input,
                       input);
    }
}

/* Modes that measure no FILE, bit by bit. */
enum { CALIBRATES = 1, COMPARES = 2, LISTS = 4 };

/* Options beside such a mode that it has no use for, and would pass over. */
static void check_mode(const struct options *options, unsigned mode, const char *name, const char *why,
                       struct argp_state *state) {
    const struct source_options *reading = &options->reading;
    const struct {
        bool given;
        const char *option;
        unsigned modes; /* that it is for */
    } others[] = {
        {options->list, "--list", LISTS},
        {options->calibrate, "--calibrate", CALIBRATES},
        {options->compare, "--compare", COMPARES},
        {options->scaling, "--scaling", 0},
        {options->formats_named, "--formats", 0},
        {options->kernels, "--kernels", 0},
        {options->peers, "--peers", 0},
        {options->backends != 1u << SPRY_CPU, "--backend", CALIBRATES},
        {options->threads > 0, "--threads", CALIBRATES},
        {options->op == SPRY_T, "--transpose", 0},
        {reading->type_set, "--type", 0},
        {reading->index_set, "--index", 0},
        {reading->real_part, "--real-part", 0},
        {reading->unpack_limit > 0, "--unpack-limit", 0},
        {options->min_time > 0.0, "--min-time", CALIBRATES},
        {options->products > 0.0, "--products", 0},
        {options->profile, "--profile", CALIBRATES},
        {options->output == OUTPUT_CSV, "--csv", 0},
        {options->output == OUTPUT_JSON, "--json", 0},
        {options->wide, "--wide", COMPARES},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given && !(others[i].modes & mode))
            argp_error(state, "%s: not together with %s: %s", name, others[i].option, why);
}

static void check_compare(const struct options *options, struct argp_state *state) {
    check_mode(options, COMPARES, "--compare", "it reads what was measured, and prints a table", state);
    if (options->input_count != 2)
        argp_error(state, "--compare: takes two files of --json, the one before and the one after, not %d",
                   options->input_count);
}

static void check_calibrate(const struct options *options, struct argp_state *state) {
    if (options->input_count > 0)
        argp_error(state, "--calibrate: takes no matrix; --calibrate=FILE names the profile's file");
    check_mode(options, CALIBRATES, "--calibrate", "it measures matrices of its own, and writes a profile",
               state);
    if (options_want_several(options))
        argp_error(state, "--calibrate: needs --backend cpu or cuda");
}

static void check_list(const struct options *options, struct argp_state *state) {
    if (options->input_count > 0)
        argp_error(state, "--list: takes no matrix");
    check_mode(options, LISTS, "--list", "it measures nothing, and prints the table of kernels", state);
}

static void check_html(const struct options *options, struct argp_state *state) {
    const char *other = options->list        ? "--list"
                        : options->calibrate ? "--calibrate"
                        : options->scaling   ? "--scaling"
                                             : NULL;
    if (other)
        argp_error(state, "--html: not together with %s: a report is on formats that are compared", other);
    if (strcmp(options->html, "") == 0 || strcmp(options->html, "-") == 0)
        argp_error(state, "--html: '%s' is no name for a file", options->html);
}

static void check(const struct options *options, struct argp_state *state) {
    if (options->html)
        check_html(options, state);
    if (options->compare)
        check_compare(options, state);
    if (options->scaling)
        check_scaling(options, state);
    if (options->calibrate)
        check_calibrate(options, state);
    if (options->list)
        check_list(options, state);
    if (options->input_count == 0 && !options->list && !options->calibrate)
        argp_error(state, "no FILE was given");
    if (options->peers && !(options->backends & (1u << SPRY_CUDA)))
        argp_error(state, "--peers: needs --backend cuda or all");
    if (options->profile && options_want_several(options))
        argp_error(state, "--profile: needs --backend cpu or cuda, as a profile is of one of them");
}

static error_t read_option(int key, char *value, struct argp_state *state) {
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->reading;
        return 0;
    case 'f':
        read_formats(value, options, state);
        return 0;
    case 'i':
        options->reading.index =
            (spry_index_type)argument_name("index", value, index_name, SPRY_INDEX_COUNT, state);
        options->reading.index_set = true;
        return 0;
    case 'b':
        options->backends = read_backends(value, state);
        return 0;
    case KEY_PEERS:
        options->peers = true;
        return 0;
    case 'j':
        options->threads = argument_threads(value, state);
        return 0;
    case 'T':
        options->op = SPRY_T;
        return 0;
    case KEY_MIN_TIME:
        options->min_time = read_seconds(value, state);
        return 0;
    case KEY_CALIBRATE:
        options->calibrate = true;
        options->calibrate_file = value ? argument_file("--calibrate", value, state) : NULL;
        return 0;
    case KEY_PRODUCTS:
        options->products = argument_number("products", value, 0.0, INFINITY, state);
        return 0;
    case KEY_PROFILE:
        options->profile = argument_file("--profile", value, state);
        return 0;
    case KEY_KERNELS:
        options->kernels = true;
        return 0;
    case KEY_SCALING:
        options->scaling = true;
        options->scaling_most = value ? (int)argument_count("scaling", value, 1, SPRY_MAX_THREADS, state) : 0;
        return 0;
    case KEY_CSV:
        options->output = OUTPUT_CSV;
        return 0;
    case KEY_JSON:
        options->output = OUTPUT_JSON;
        return 0;
    case KEY_HTML:
        options->html = value;
        return 0;
    case KEY_COMPARE:
        options->compare = true;
        return 0;
    case KEY_WIDE:
        options->wide = true;
        return 0;
    case KEY_LIST:
        options->list = true;
        return 0;
    case ARGP_KEY_ARG:
        options->inputs[options->input_count++] = argument_file("FILE", value, state);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        if (options->min_time == 0.0)
            options->min_time = options->calibrate ? MATRIX_SECONDS : ROW_SECONDS;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int options_read(int argc, char **argv, struct options *options) {
    static const struct argp_child children[] = {{&source_options_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        known,
        read_option,
        "FILE...",
        "Compare storage formats for the product of a sparse matrix with a vector on this machine."
        "\vExit status: 0 when every input was measured and every product was right, or --compare found "
        "something to compare; 1 when not; 64 for a wrong command line; 130 after Ctrl-C.",
        children,
        argument_help,
        NULL,
    };
    *options = (struct options){
        .storage_count = SPRY_FORMAT_COUNT,
        .op = SPRY_N,
        .backends = 1u << SPRY_CPU,
    };
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        options->storages[format].format = (spry_format)format;
    options->inputs = malloc((size_t)argc * sizeof *options->inputs);
    options->command = command_text(argc, argv);
    if (!options->inputs || !options->command)
        return ENOMEM;
    return argp_parse(&parser, argc, argv, 0, NULL, options);
}
