/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast products with many vectors are, beside MKL's or, on a GPU, cuSPARSE's:
   spmm_speed [--backend=cpu|cuda] [--formats=LIST] [--columns=LIST] FILE... (files or generated matrices, as for spbench). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/argument.h"
#include "common/complain.h"
#include "common/number.h"
#include "common/output.h"
#include "common/source.h"
#include "measuring/rounds.h"
#include "measuring/site.h"
#include "spmm/race.h"

#define MOST_COUNTS 16
#define MOST_COLUMNS 1024

/* ---- the command line ---- */

struct choices {
    struct site_options site;
    spry_storage storages[RACE_MATRICES];
    int storage_count;
    int rounds;
    int columns[MOST_COUNTS], counts;
    char **inputs;
    int input_count;
};

static const struct argp_option known[] = {
    {"formats", 'f', "LIST", 0,
     "What Spry multiplies in, comma-separated:" ARGUMENT_FORMATS
     ", with parameters and codes as in sell:8:512+f32 (csr)",
     0},
    {"columns", 'c', "LIST", 0, "How many vectors at once, comma-separated (1,2,4,8,32)", 0},
    {"rounds", 'r', "N", 0, "Rounds in which each is timed once (9)", 0},
    {0},
};

static void read_columns(char *list, struct choices *choices, struct argp_state *state) {
    char *rest;
    choices->counts = 0;
    for (char *item = strtok_r(list, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        if (choices->counts == MOST_COUNTS)
            argp_error(state, "--columns: more than %d numbers", MOST_COUNTS);
        choices->columns[choices->counts++] = (int)argument_count("columns", item, 1, MOST_COLUMNS, state);
    }
    if (choices->counts == 0)
        argp_error(state, "--columns: the list is empty");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct choices *choices = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &choices->site;
        return 0;
    case 'f':
        choices->storage_count = argument_storages("formats", text, choices->storages, RACE_MATRICES, state);
        return 0;
    case 'c':
        read_columns(text, choices, state);
        return 0;
    case 'r':
        choices->rounds = (int)argument_count("rounds", text, 1, ROUNDS_MOST, state);
        return 0;
    case ARGP_KEY_ARGS:
        choices->inputs = state->argv + state->next;
        choices->input_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no FILE was given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what comes of it ---- */

/* Of ratios: their number, and the sum of their logarithms. */
struct mean {
    int count;
    double logarithms;
};

static void mean_add(struct mean *mean, double ratio) {
    if (isnan(ratio))
        return;
    mean->count++;
    mean->logarithms += log(ratio);
}

static double mean_of(const struct mean *mean) {
    return exp(mean->logarithms / mean->count);
}

/* What is summed up over the matrices, for each storage, and in one place more for the fastest of all. */
struct totals {
    struct mean peer[MOST_COUNTS][RACE_MATRICES + 1][ORDERS]; /* time of the fastest peer over Spry's */
    struct mean fastest[MOST_COUNTS][RACE_MATRICES + 1];      /* over that of Spry's faster order */
    struct mean vector[RACE_MATRICES][ORDERS];                /* time of one column over spry_spmv's */
};

static void add_ratios(struct totals *totals, int at, int storage, double peer, const double spry[ORDERS]) {
    for (int order = 0; order < ORDERS; order++)
        mean_add(&totals->peer[at][storage][order], peer / spry[order]);
    mean_add(&totals->fastest[at][storage], peer / fmin(spry[BY_ROWS], spry[BY_COLUMNS]));
}

static void add(struct totals *totals, int at, int storages, const struct result *result) {
    double fastest[ORDERS] = {NAN, NAN};
    for (int s = 0; s < storages; s++) {
        add_ratios(totals, at, s, result->best_peer, result->spry[s]);
        for (int order = 0; order < ORDERS; order++) {
            mean_add(&totals->vector[s][order], result->spry[s][order] / result->vector[s]);
            fastest[order] = fmin(fastest[order], result->spry[s][order]);
        }
    }
    add_ratios(totals, at, RACE_MATRICES, result->best_peer, fastest);
}

/* ---- what is printed ---- */

struct storage_name {
    char text[SPRY_STORAGE_TEXT];
};

static struct storage_name name_of(const struct choices *choices, int storage) {
    struct storage_name name = {"the fastest"};
    if (storage < choices->storage_count)
        spry_storage_text(&choices->storages[storage], name.text, sizeof name.text);
    return name;
}

static void print_head(const struct place *place, const struct choices *choices, const struct peers *peers) {
    printf("Y = A X, f64, %s", place->processor);
    if (place->backend == SPRY_CPU)
        printf(", threads: %d", spry_context_threads(place->context));
    printf("; medians of %d rounds\n", choices->rounds);
    for (int i = 0; i < peers->count; i++) {
        int v[3];
        peers->peer[i]->version(v);
        printf("  %-10s %d.%d.%d, %s\n", peers->peer[i]->name, v[0], v[1], v[2], peers->peer[i]->call);
    }
    if (peers->count == 0)
        printf("  no other library to compare with\n");
    printf("Microseconds of one product with X and Y by rows and by columns; ratio: time of the fastest peer "
           "over that\n"
           "of Spry.\n\n%-22s %12s %7s %-16s %10s %10s %10s %-18s %7s %7s\n",
           "matrix", "nonzeros", "columns", "storage", "rows", "columns", "peer", "", "rows", "columns");
}

/* A line for a storage. */
static void print_times(const double spry[ORDERS], const struct result *result) {
    printf(" %10s %10s", number_short(1e6 * spry[BY_ROWS]).text, number_short(1e6 * spry[BY_COLUMNS]).text);
    if (result->peer) {
        char which[64];
        snprintf(which, sizeof which, "%s, %s", result->peer->name,
                 result->peer_order == BY_ROWS ? "rows" : "columns");
        printf(" %10s %-18s %7.2f %7.2f", number_short(1e6 * result->best_peer).text, which,
               result->best_peer / spry[BY_ROWS], result->best_peer / spry[BY_COLUMNS]);
    }
    putchar('\n');
}

static void print_result(const struct choices *choices, const char *name, int64_t nnz, int columns,
                         const struct result *result) {
    for (int s = 0; s < choices->storage_count; s++) {
        if (isnan(result->spry[s][BY_ROWS]))
            continue;
        printf("%-22.22s %12s %7d %-16s", name, number_count(nnz).text, columns, name_of(choices, s).text);
        print_times(result->spry[s], result);
    }
    fflush(stdout);
}

static void print_peers(const struct choices *choices, const struct totals *totals, int at, int storage) {
    const struct mean *fastest = &totals->fastest[at][storage], *peer = totals->peer[at][storage];
    if (fastest->count > 0)
        printf("columns %2d, %-16s %.3f by rows, %.3f by columns, %.3f by the faster of them (%d matrices)\n",
               choices->columns[at], name_of(choices, storage).text, mean_of(&peer[BY_ROWS]),
               mean_of(&peer[BY_COLUMNS]), mean_of(fastest), fastest->count);
}

static void print_totals(const struct choices *choices, const struct totals *totals) {
    bool any_peer = false;
    for (int at = 0; at < choices->counts; at++)
        any_peer |= totals->fastest[at][RACE_MATRICES].count > 0;
    if (any_peer)
        printf("\nTime of the fastest peer over that of Spry, geometric mean\n");
    for (int at = 0; at < choices->counts; at++) {
        for (int s = 0; s < choices->storage_count; s++)
            print_peers(choices, totals, at, s);
        if (choices->storage_count > 1)
            print_peers(choices, totals, at, RACE_MATRICES);
    }
    for (int s = 0; s < choices->storage_count; s++) {
        const struct mean *vector = totals->vector[s];
        if (vector[BY_ROWS].count > 0)
            printf("\nTime of one column over that of spry_spmv, %s, geometric mean: %.3f by rows, %.3f by "
                   "columns "
                   "(%d matrices)\n",
                   name_of(choices, s).text, mean_of(&vector[BY_ROWS]), mean_of(&vector[BY_COLUMNS]),
                   vector[BY_ROWS].count);
    }
}

/* ---- one matrix ---- */

/* What all inputs share. */
struct run {
    const struct choices *choices;
    struct site *site;
    struct place *place; /* of the site */
    struct peers peers;
    struct totals totals;
    bool wrong;   /* a product of Spry's was */
    bool refused; /* a matrix could not have a storage */
};

static spry_status measure_columns(struct run *run, const struct reference *reference,
                                   spry_matrix *const *matrix, const spry_matrix *csr, int columns,
                                   struct result *result) {
    struct operands operands;
    spry_status status = operands_open(run->place, reference, columns, &operands);
    if (status == SPRY_OK)
        status = race_run(&operands, matrix, run->choices->storage_count, csr, &run->peers,
                          run->choices->rounds, result);
    operands_close(&operands);
    return status;
}

/* A storage that the matrix cannot have is left out, and that is told. */
static void convert(struct run *run, const char *name, const spry_matrix *csr, spry_matrix **matrix) {
    for (int s = 0; s < run->choices->storage_count; s++)
        if (spry_convert_to(run->place->context, csr, &run->choices->storages[s], NULL, &matrix[s]) !=
            SPRY_OK)
            run->refused = !complain("%s: %s", name, spry_message(run->place->context));
}

static spry_status measure(struct run *run, const char *name, const struct reference *reference,
                           const spry_matrix *csr) {
    const struct choices *choices = run->choices;
    spry_matrix *matrix[RACE_MATRICES] = {NULL};
    struct result result;
    spry_status status = SPRY_OK;
    convert(run, name, csr, matrix);
    for (int at = 0; at < choices->counts && status == SPRY_OK; at++) {
        status = measure_columns(run, reference, matrix, csr, choices->columns[at], &result);
        run->wrong |= !result.right;
        if (status == SPRY_OK && result.right) {
            print_result(choices, name, spry_matrix_nnz(csr), choices->columns[at], &result);
            add(&run->totals, at, choices->storage_count, &result);
        }
    }
    for (int s = 0; s < choices->storage_count; s++)
        spry_matrix_destroy(matrix[s]);
    return status;
}

/* The exact product is the host's, all others are where the place is. */
static spry_status measure_source(struct run *run, const struct source *source) {
    struct reference reference = {.x = NULL};
    spry_matrix *csr = NULL, *there = NULL;
    spry_status status = spry_convert(run->site->host, source->matrix, SPRY_CSR, NULL, &csr);
    if (status == SPRY_OK)
        status = reference_open(run->site->host, csr, &reference);
    if (status == SPRY_OK && run->place->backend != SPRY_CPU)
        status = spry_matrix_copy(run->place->context, csr, &there);
    if (status == SPRY_OK)
        status = measure(run, source->name, &reference, there ? there : csr);
    reference_close(&reference);
    spry_matrix_destroy(there);
    spry_matrix_destroy(csr);
    return status;
}

static bool measure_input(struct run *run, const char *input) {
    const struct source_options options = {.type = SPRY_F64, .index_set = true, .index = SPRY_I32};
    struct source source;
    char message[1024];
    if (source_open(run->site->host, input, &options, &source, message, sizeof message) != SPRY_OK)
        return complain("%s", message);
    spry_status status = measure_source(run, &source);
    spry_matrix_destroy(source.matrix);
    return status == SPRY_OK || complain("%s: %s", input, place_failure(run->place, status));
}

/* ---- the program ---- */

static bool measure_inputs(struct run *run) {
    const struct choices *choices = run->choices;
    bool good = true;
    spry_status status = run->place->open_memory(run->place);
    if (status != SPRY_OK)
        return complain("%s", place_failure(run->place, status));
    peers_start(&run->peers, run->place->backend, spry_context_threads(run->place->context));
    print_head(run->place, choices, &run->peers);
    for (int i = 0; i < choices->input_count; i++)
        good &= measure_input(run, choices->inputs[i]);
    print_totals(choices, &run->totals);
    peers_stop(&run->peers);
    return good && !run->wrong && !run->refused;
}

int main(int argc, char **argv) {
    static const struct argp_child children[] = {{&site_options_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        known,     parse,
        "FILE...", "Time products with many vectors, beside other libraries.\vgenerators",
        children,  argument_help,
        NULL,
    };
    struct choices choices = {.storages = {{.format = SPRY_CSR}},
                              .storage_count = 1,
                              .rounds = 9,
                              .columns = {1, 2, 4, 8, 32},
                              .counts = 5};
    struct site site;
    struct run run = {.choices = &choices, .site = &site, .place = &site.place};
    argp_parse(&parser, argc, argv, 0, NULL, &choices);
    if (!site_open(&choices.site, &site))
        return EXIT_FAILURE;
    bool good = measure_inputs(&run);
    site_close(&site);
    return output_close() && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
