/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast reductions, scans, histograms and axpby are, by every algorithm, beside what the memory does in the same
   run: primitive_speed [--backend=cpu|cuda] [--n=N] [--type=f32|f64|i32|i64]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/argument.h"
#include "common/complain.h"
#include "common/failure.h"
#include "common/number.h"
#include "common/output.h"
#include "common/random.h"
#include "measuring/rounds.h"
#include "measuring/site.h"
#include "primitives/row.h"

/* Time of one measurement of one row; every round has one. */
#define ROW_SECONDS 0.01

struct choices {
    struct site_options site;
    int64_t n;
    int first, last; /* numbers to go through */
    int rounds;
};

static const struct argp_option known[] = {
    {"n", 'n', "N", 0, "Numbers in an array (33554432)", 0},
    {"type", 't', "f32|f64|i32|i64", 0, "Type of the numbers (all four)", 0},
    {"rounds", 'r', "N", 0, "Rounds in which each row is measured once (7)", 0},
    {0},
};

static const char *number_name(int number) {
    return spry_number_name((spry_number)number);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct choices *choices = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &choices->site;
        return 0;
    case 'n':
        choices->n = argument_count("n", text, 1, (long long)1 << 36, state);
        return 0;
    case 't':
        choices->first = choices->last = argument_name("type", text, number_name, SPRY_NUMBER_COUNT, state);
        return 0;
    case 'r':
        choices->rounds = (int)argument_count("rounds", text, 1, ROUNDS_MOST, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- arrays ---- */

#define FILL_NUMBERS 1048576

/* Number i of an array: floating point from -1 to 1, or one of `values` integers, as good as random; 0 of 0 values. */
static void set_number(void *array, spry_number number, int64_t i, int64_t values, uint64_t *state) {
    const double real = values ? random_signed(state) : 0;
    const int64_t value = values ? (int64_t)(random_next(state) % (uint64_t)values) : 0;
    switch (number) {
    case SPRY_NUMBER_F32:
        ((float *)array)[i] = (float)real;
        return;
    case SPRY_NUMBER_F64:
        ((double *)array)[i] = real;
        return;
    case SPRY_NUMBER_I32:
        ((int32_t *)array)[i] = (int32_t)value;
        return;
    default:
        ((int64_t *)array)[i] = value;
    }
}

/* A new array with set_number's numbers. */
static spry_status new_array(spry_context *context, spry_number number, int64_t n, int64_t values,
                             void **array) {
    size_t size = spry_number_size(number);
    void *some = malloc(FILL_NUMBERS * size);
    uint64_t state = 1;
    spry_status status = some ? spry_array_new(context, (size_t)n * size, array) : SPRY_ERROR_MEMORY;
    for (int64_t begin = 0; begin < n && status == SPRY_OK; begin += FILL_NUMBERS) {
        int64_t end = n - begin < FILL_NUMBERS ? n : begin + FILL_NUMBERS;
        for (int64_t i = begin; i < end; i++)
            set_number(some, number, i - begin, values, &state);
        status = spry_array_put(context, (char *)*array + (size_t)begin * size, some,
                                (size_t)(end - begin) * size);
    }
    free(some);
    return status;
}

static void free_arrays(spry_context *context, struct primitive_arrays *arrays) {
    size_t bytes = (size_t)arrays->n * spry_number_size(arrays->number);
    spry_array_free(context, arrays->x, bytes);
    spry_array_free(context, arrays->w, bytes);
    spry_array_free(context, arrays->y, bytes);
    spry_array_free(context, arrays->zero, bytes);
    spry_array_free(context, arrays->result, PRIMITIVE_MANY * sizeof(int64_t));
}

static spry_status new_arrays(spry_context *context, struct primitive_arrays *arrays) {
    spry_number number = arrays->number;
    spry_status status = new_array(context, number, arrays->n, PRIMITIVE_FEW, &arrays->x);
    if (status == SPRY_OK)
        status = new_array(context, number, arrays->n, PRIMITIVE_MANY, &arrays->w);
    if (status == SPRY_OK)
        status = new_array(context, number, arrays->n, PRIMITIVE_FEW, &arrays->y);
    if (status == SPRY_OK)
        status = new_array(context, number, arrays->n, 0, &arrays->zero);
    if (status == SPRY_OK)
        status = spry_array_new(context, PRIMITIVE_MANY * sizeof(int64_t), &arrays->result);
    return status;
}

/* ---- measuring ---- */

static bool explain(const struct place *place, const struct row *row, spry_status status) {
    return complain("%s by %s: %s", row->what, row->by,
                    place->message[0] ? place->message : failure_text(row->context, status));
}

/* All rows side by side. */
static bool measure(struct place *place, struct rows *rows, int count) {
    static struct contender contenders[MOST_ROWS];
    const struct rounds rounds = {.least = count, .most = count, .batch = ROW_SECONDS};
    bool good = true;
    for (int r = 0; r < rows->count; r++)
        contenders[r] = (struct contender){.call = rows->row[r].call, .user = rows->row[r].user};
    (void)rounds_measure(place, contenders, rows->count, &rounds);
    for (int r = 0; r < rows->count; r++) {
        rows->row[r].time = contenders[r].time;
        if (contenders[r].status != SPRY_OK)
            good = explain(place, &rows->row[r], contenders[r].status);
    }
    return good;
}

static double rate(const struct row *row, double seconds) {
    return row->bytes / seconds * 1e-9;
}

/* The memory's own row, or what the device's memory was measured at. */
static double roof_gbs(const struct place *place, const struct rows *rows, enum roof roof) {
    for (int r = 0; r < rows->count; r++) {
        const struct row *row = &rows->row[r];
        if (!row->context && !row->peer && row->roof == roof)
            return rate(row, row->time.median);
    }
    return place->memory_gbs;
}

static void print_rows(const struct place *place, const struct rows *rows) {
    printf("%-22s %-18s %10s %8s %17s %9s\n", "", "", "ms", "GB/s", "(least to most)", "of memory");
    for (int r = 0; r < rows->count; r++) {
        const struct row *row = &rows->row[r];
        const struct spread *time = &row->time;
        double roof = roof_gbs(place, rows, row->roof);
        printf("%-22s %-18s %10.4f %8.1f %8.1f %8.1f %8.0f %%\n", row->what, row->by, time->median * 1e3,
               rate(row, time->median), rate(row, time->max), rate(row, time->min),
               100 * rate(row, time->median) / roof);
    }
}

/* Rows for one type of number: of the memory first, where it is the host's. */
static spry_status add_rows(struct place *place, const struct primitive_arrays *arrays,
                            struct roof_arrays *roofs, struct rows *rows) {
    size_t bytes = (size_t)arrays->n * spry_number_size(arrays->number);
    spry_context_options options = {
        .size = sizeof options,
        .backend = place->backend,
        .threads = spry_context_threads(place->context),
        .stream = spry_context_stream(place->context),
    };
    if (place->backend == SPRY_CUDA)
        rows_add_peer(rows, arrays, options.stream);
    else if (roof_open(roofs, options.threads, bytes))
        rows_add_roofs(rows, roofs);
    else
        return SPRY_ERROR_MEMORY;
    return rows_add_library(rows, arrays, &options);
}

static bool run(struct place *place, const struct choices *choices, spry_number number) {
    static struct rows rows;
    struct primitive_arrays arrays = {.number = number, .n = choices->n};
    struct roof_arrays roofs = {0};
    spry_status status = place->backend == SPRY_CUDA ? place->open_memory(place) : SPRY_OK;
    if (status == SPRY_OK)
        status = new_arrays(place->context, &arrays);
    if (status == SPRY_OK)
        status = add_rows(place, &arrays, &roofs, &rows);
    if (status != SPRY_OK)
        complain("%s", place_failure(place, status));
    bool good = status == SPRY_OK && measure(place, &rows, choices->rounds);
    if (good) {
        printf("\n%s, %s numbers, medians of %d rounds\n", spry_number_name(number),
               number_count(arrays.n).text, choices->rounds);
        print_rows(place, &rows);
    }
    rows_close(&rows);
    roof_close(&roofs);
    free_arrays(place->context, &arrays);
    return good;
}

/* Where it works; on a GPU with what its memory was measured at. */
static void print_head(struct place *place) {
    printf("%s", place->processor);
    if (place->backend == SPRY_CPU)
        printf(", %d threads", spry_context_threads(place->context));
    else if (place->open_memory(place) == SPRY_OK)
        printf(", memory %.0f GB/s (copy)", place->memory_gbs);
}

int main(int argc, char **argv) {
    struct choices choices = {.n = 33554432, .last = SPRY_NUMBER_COUNT - 1, .rounds = 7};
    static const struct argp_child children[] = {{&site_options_parser, 0, NULL, 0}, {0}};
    const struct argp parser = {.options = known,
                                .parser = parse,
                                .doc = "Time the primitives beside the memory.",
                                .children = children};
    struct site site;
    argp_parse(&parser, argc, argv, 0, NULL, &choices);
    if (!site_open(&choices.site, &site))
        return EXIT_FAILURE;
    print_head(&site.place);
    bool good = true;
    for (int number = choices.first; number <= choices.last && good; number++)
        good = run(&site.place, &choices, (spry_number)number);
    site_close(&site);
    return output_close() && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
