/* SPDX-License-Identifier: BSD-3-Clause */
/* Several host threads share matrices, each with a context of its own. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/scenarios.h"
#include "support/vector.h"

#define HOSTS 4
#define RUNS 5

#define TEAM 3

static void expect(bool right, const char *what, spry_format format) {
    check(right, "%s, %s", what, spry_format_name(format));
}

/* One host thread's share of the work. */
struct host {
    pthread_t thread;
    int team;
    const struct list *list;
    const spry_matrix *matrix;
    spry_op op;
    const struct placed *x;
    const struct vector *expected; /* null: any bits within the bound */
    const struct reference *reference;
    struct vector y;
    bool right;
};

static void *multiply(void *argument) {
    struct host *host = argument;
    spry_context *context = test_context(host->team);
    struct placed y = vector_place(context, &host->y);
    host->right = true;
    for (int run = 0; run < RUNS; run++) {
        spry_status status = spry_spmv(context, host->op, 1, host->matrix, host->x->data, 0, y.data);
        host->right &= status == SPRY_OK && vector_fetch(&host->y, &y) == SPRY_OK &&
                       vector_guarded(&host->y) &&
                       reference_differs(host->reference, 1, 0, &host->y, &host->y) < 0 &&
                       (!host->expected || vector_same_bits(&host->y, host->expected));
    }
    placed_free(&y);
    spry_context_destroy(context);
    return NULL;
}

/* Conversions only read their source. */
static void *convert(void *argument) {
    struct host *host = argument;
    spry_context *context = test_context(host->team);
    host->right = true;
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *result = NULL;
        host->right &= spry_convert(context, host->matrix, (spry_format)format, NULL, &result) == SPRY_OK &&
                       equals_list(context, result, host->list);
        spry_matrix_destroy(result);
    }
    spry_context_destroy(context);
    return NULL;
}

static void start_host(struct host *host, void *(*work)(void *)) {
    if (pthread_create(&host->thread, NULL, work, host))
        abort();
}

static void join_hosts(struct host *hosts) {
    for (int h = 0; h < HOSTS; h++)
        pthread_join(hosts[h].thread, NULL);
}

static void run_hosts(struct host *hosts, void *(*work)(void *)) {
    for (int h = 0; h < HOSTS; h++)
        start_host(&hosts[h], work);
    join_hosts(hosts);
}

static void expect_right(const struct host *hosts, const char *what, spry_format format) {
    for (int h = 0; h < HOSTS; h++)
        expect(hosts[h].right, what, format);
}

/* Every host multiplies by the same matrix; the first two with the team that it was built for, which
   gives the same bits, the others with a smaller and a larger one. On a device, where there are no teams, all
   give the same. */
static void multiply_together(const struct list *list, const spry_matrix *matrix, spry_context *context,
                              spry_op op) {
    spry_value_type type = spry_matrix_type(matrix);
    int64_t in = op == SPRY_N ? list->cols : list->rows, out = op == SPRY_N ? list->rows : list->cols;
    struct vector x = vector_new(type, in, NAN), expected = vector_new(type, out, 1);
    vector_random(&x, 5);
    struct reference reference = reference_new(list, op, &x);
    struct placed x_there = vector_place(context, &x), expected_there = vector_place(context, &expected);
    expect(!spry_spmv(context, op, 1, matrix, x_there.data, 0, expected_there.data) &&
               !vector_fetch(&expected, &expected_there),
           "product", spry_matrix_format(matrix));

    struct host hosts[HOSTS];
    for (int h = 0; h < HOSTS; h++)
        hosts[h] = (struct host){.team = h < 2 ? TEAM : TEAM + 2 * h - 5,
                                 .list = list,
                                 .matrix = matrix,
                                 .op = op,
                                 .x = &x_there,
                                 .expected = h < 2 || test_backend() != SPRY_CPU ? &expected : NULL,
                                 .reference = &reference,
                                 .y = vector_new(type, out, 1)};
    run_hosts(hosts, multiply);
    expect_right(hosts, op == SPRY_N ? "products together" : "transposed products together",
                 spry_matrix_format(matrix));
    for (int h = 0; h < HOSTS; h++)
        vector_free(&hosts[h].y);
    reference_free(&reference);
    placed_free(&x_there);
    placed_free(&expected_there);
    vector_free(&x);
    vector_free(&expected);
}

/* The threads of a parallel region of the caller's multiply by one matrix. They are alone in their products unless regions may
   nest, and get the same bits either way. */
static void multiply_in_a_region(spry_context *context, const struct list *list, spry_format format,
                                 spry_op op, int levels) {
    struct built built = built_of(context, list, format, SPRY_F64, SPRY_I32);
    const int64_t in = op == SPRY_N ? list->cols : list->rows, out = op == SPRY_N ? list->rows : list->cols;
    struct vector x = vector_new(SPRY_F64, in, NAN), expected = vector_new(SPRY_F64, out, 1);
    vector_random(&x, 7);
    struct reference reference = reference_new(list, op, &x);
    struct placed x_there = vector_place(context, &x), expected_there = vector_place(context, &expected);
    expect(!spry_spmv(context, op, 1, built.matrix, x_there.data, 0, expected_there.data) &&
               !vector_fetch(&expected, &expected_there),
           "product", format);
    struct host hosts[HOSTS];
    for (int h = 0; h < HOSTS; h++)
        hosts[h] = (struct host){.team = TEAM,
                                 .matrix = built.matrix,
                                 .op = op,
                                 .x = &x_there,
                                 .expected = &expected,
                                 .reference = &reference,
                                 .y = vector_new(SPRY_F64, out, 1)};
    omp_set_max_active_levels(levels);
#pragma omp parallel for num_threads(HOSTS)
    for (int h = 0; h < HOSTS; h++)
        multiply(&hosts[h]);
    omp_set_max_active_levels(1);
    expect_right(hosts, levels > 1 ? "in a region, nested" : "in a region", format);
    for (int h = 0; h < HOSTS; h++)
        vector_free(&hosts[h].y);
    reference_free(&reference);
    placed_free(&x_there);
    placed_free(&expected_there);
    vector_free(&x);
    vector_free(&expected);
    built_free(&built);
}

/* A file of more entries than it declares, which is looked at once more for the place of the first: refused as anywhere. */
static bool is_refused(void) {
    FILE *file = tmpfile();
    if (!file)
        abort();
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n10 10 5\n");
    for (int entry = 0; entry < 100000; entry++)
        fprintf(file, "1 1 1.5\n");
    rewind(file);
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    const spry_status status = spry_read_descriptor(context, "t", fileno(file), NULL, &matrix, NULL);
    const bool refused =
        status == SPRY_ERROR_SYNTAX &&
        !strcmp(spry_message(context), "t:8:1: got \"1\", expected the end of the file after 5 entries");
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    fclose(file);
    return refused;
}

/* In a region of the caller's, threads have numbers that the library did not give them. */
static void read_in_a_region(void) {
    int refused = 0;
#pragma omp parallel for num_threads(HOSTS) reduction(+ : refused)
    for (int h = 0; h < HOSTS; h++)
        refused += is_refused();
    expect(refused == HOSTS, "reading in a region", SPRY_COO);
}

/* A host that multiplies as soon as all are there. */
struct racer {
    struct host host;
    pthread_barrier_t *start;
};

static void *race(void *argument) {
    struct racer *racer = argument;
    struct host *host = &racer->host;
    spry_context *context = test_context(host->team);
    struct placed y = vector_place(context, &host->y);
    pthread_barrier_wait(racer->start);
    host->right = spry_spmv(context, host->op, 1, host->matrix, host->x->data, 0, y.data) == SPRY_OK &&
                  vector_fetch(&host->y, &y) == SPRY_OK && vector_same_bits(&host->y, host->expected);
    placed_free(&y);
    spry_context_destroy(context);
    return NULL;
}

static void run_racers(struct racer *racers) {
    pthread_barrier_t start;
    if (pthread_barrier_init(&start, NULL, HOSTS))
        abort();
    for (int h = 0; h < HOSTS; h++) {
        racers[h].start = &start;
        if (pthread_create(&racers[h].host.thread, NULL, race, &racers[h]))
            abort();
    }
    for (int h = 0; h < HOSTS; h++)
        pthread_join(racers[h].host.thread, NULL);
    pthread_barrier_destroy(&start);
}

/* What the first product that scatters leaves for the others is made once, whatever the teams, though all come at once: they
   all give the bits of a matrix that nobody else multiplied by. */
static void race_to_the_first_product(spry_context *context, const struct list *list, spry_format format,
                                      spry_op op) {
    struct built alone = built_of(context, list, format, SPRY_F64, SPRY_I32),
                 shared = built_of(context, list, format, SPRY_F64, SPRY_I32);
    int64_t in = op == SPRY_N ? list->cols : list->rows, out = op == SPRY_N ? list->rows : list->cols;
    struct vector x = vector_new(SPRY_F64, in, NAN), expected = vector_new(SPRY_F64, out, 1);
    vector_random(&x, 11);
    struct placed x_there = vector_place(context, &x), expected_there = vector_place(context, &expected);
    expect(!spry_spmv(context, op, 1, alone.matrix, x_there.data, 0, expected_there.data) &&
               !vector_fetch(&expected, &expected_there),
           "product", format);

    struct racer racers[HOSTS];
    for (int h = 0; h < HOSTS; h++)
        racers[h].host = (struct host){.team = 1 + h,
                                       .matrix = shared.matrix,
                                       .op = op,
                                       .x = &x_there,
                                       .expected = &expected,
                                       .y = vector_new(SPRY_F64, out, 1)};
    run_racers(racers);
    for (int h = 0; h < HOSTS; h++) {
        expect(racers[h].host.right, "first products together", format);
        vector_free(&racers[h].host.y);
    }
    placed_free(&x_there);
    placed_free(&expected_there);
    vector_free(&x);
    vector_free(&expected);
    built_free(&alone);
    built_free(&shared);
}

static void share_a_matrix(spry_context *context, const struct list *list, spry_format format) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct built built = built_of(context, list, format, (spry_value_type)type, SPRY_I32);
        multiply_together(list, built.matrix, context, SPRY_N);
        multiply_together(list, built.matrix, context, SPRY_T);
        built_free(&built);
    }
}

static void convert_the_same_matrix(spry_context *context, const struct list *list, spry_format format) {
    struct built built = built_of(context, list, format, SPRY_F64, SPRY_I32);
    struct host hosts[HOSTS];
    for (int h = 0; h < HOSTS; h++)
        hosts[h] = (struct host){.team = TEAM, .list = list, .matrix = built.matrix};
    run_hosts(hosts, convert);
    expect_right(hosts, "conversions together", format);
    built_free(&built);
}

/* Each thread has a matrix and a context to itself: nothing is shared behind the scenes. */
static void *alone(void *argument) {
    struct host *host = argument;
    spry_context *context = test_context(host->team);
    struct built built = built_of(context, host->list, SPRY_HYB, SPRY_F64, SPRY_I32);
    host->right = equals_list(context, built.matrix, host->list);
    spry_context_destroy(context);
    built_free(&built); /* it outlives its context */
    return NULL;
}

static void work_apart(const struct list *list) {
    struct host hosts[HOSTS];
    for (int h = 0; h < HOSTS; h++)
        hosts[h] = (struct host){.team = TEAM, .list = list};
    run_hosts(hosts, alone);
    expect_right(hosts, "work apart", SPRY_HYB);
}

/* Each run with a solver of its own, which on a device records what it does. */
static void *solve(void *argument) {
    struct host *host = argument;
    spry_context *context = test_context(host->team);
    const spry_operator a = spry_operator_of_matrix(host->matrix);
    const spry_solver_options options = {.size = sizeof options, .method = SPRY_GMRES};
    struct placed x = vector_place(context, &host->y);
    host->right = true;
    for (int run = 0; run < 2 * RUNS; run++) {
        spry_solver *solver = NULL;
        spry_solve_result result = {.size = sizeof result};
        host->right &= spry_solver_create(context, &a, NULL, &options, &solver) == SPRY_OK &&
                       spry_solve(solver, host->x->data, x.data, &result) == SPRY_OK &&
                       result.outcome == SPRY_CONVERGED;
        spry_solver_destroy(solver);
    }
    placed_free(&x);
    spry_context_destroy(context);
    return NULL;
}

/* To the host and in other formats; what is made is released at once. */
static void *copy_and_convert(void *argument) {
    struct host *host = argument;
    spry_context *context = NULL;
    bool right = spry_context_create(&context, NULL) == SPRY_OK;
    for (int run = 0; run < 2 * RUNS; run++) {
        spry_matrix *copy = NULL;
        right &= spry_matrix_copy(context, host->matrix, &copy) == SPRY_OK;
        spry_matrix_destroy(copy);
    }
    spry_context_destroy(context);
    convert(host);
    host->right &= right;
    return NULL;
}

/* What some threads record, others do not disturb by releasing arrays. */
static void solve_beside_conversions(spry_context *context) {
    enum { N = 300 };
    struct list list = list_new(N, N);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = i > 0 ? i - 1 : 0; j < N && j <= i + 1; j++)
            list_add(&list, i, j, i == j ? 2.5 : -1);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    struct vector b = vector_new(SPRY_F64, N, NAN);
    vector_random(&b, 13);
    struct placed b_there = vector_place(context, &b);
    struct host hosts[HOSTS];
    for (int h = 0; h < HOSTS; h++) {
        hosts[h] = (struct host){
            .team = 1, .list = &list, .matrix = built.matrix, .x = &b_there, .y = vector_new(SPRY_F64, N, 1)};
        start_host(&hosts[h], h % 2 ? copy_and_convert : solve);
    }
    join_hosts(hosts);
    expect_right(hosts, "solves beside conversions", SPRY_CSR);
    for (int h = 0; h < HOSTS; h++)
        vector_free(&hosts[h].y);
    placed_free(&b_there);
    vector_free(&b);
    built_free(&built);
    list_free(&list);
}

int main(void) {
    if (!test_backend_is_here())
        return TEST_SKIPPED;
    spry_context *context = test_context(TEAM);
    struct list list = test_scenario("power law")->make();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        for (int time = 0; time < RUNS; time++)
            for (int op = 0; op < SPRY_OP_COUNT; op++)
                race_to_the_first_product(context, &list, (spry_format)format, (spry_op)op);
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            for (int levels = 1; levels <= 2; levels++)
                multiply_in_a_region(context, &list, (spry_format)format, (spry_op)op, levels);
        share_a_matrix(context, &list, (spry_format)format);
        convert_the_same_matrix(context, &list, (spry_format)format);
    }
    read_in_a_region();
    work_apart(&list);
    solve_beside_conversions(context);
    list_free(&list);
    spry_context_destroy(context);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
