/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that several ranks solve together: the solution is that of one, and all of them end in the same way. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/ranks.h"

/* One of four has no rows. */
static const int shares[TEST_MOST_RANKS + 1][TEST_MOST_RANKS] = {{0}, {1}, {2, 1}, {1, 3, 2}, {5, 0, 3, 2}};

/* That all ranks have the same result, bit by bit. */
static void expect_agreement(const struct ranks *ranks, const char *name) {
    const spry_solve_result *first = &ranks->rank[0].result;
    for (int r = 0; r < ranks->count; r++) {
        const spry_solve_result *result = &ranks->rank[r].result;
        cr_assert_eq(ranks->rank[r].status, SPRY_OK, "%s, rank %d: %s", name, r,
                     spry_message(ranks->rank[r].context));
        cr_expect_eq(result->outcome, first->outcome, "%s, rank %d", name, r);
        cr_expect_eq(result->iterations, first->iterations, "%s, rank %d", name, r);
        cr_expect_eq(memcmp(&result->norm_b, &first->norm_b, sizeof first->norm_b), 0, "%s", name);
        cr_expect_eq(memcmp(&result->residual, &first->residual, sizeof first->residual), 0, "%s", name);
        cr_expect(!first->history || memcmp(result->history, first->history,
                                            ((size_t)first->iterations + 1) * sizeof *first->history) == 0,
                  "%s, rank %d", name, r);
    }
}

static struct list list_for(spry_method method) {
    return grid_list(13, wants_symmetric(method) ? 0 : 0.3, 0);
}

static spry_solver_options options_for(spry_method method, spry_value_type type) {
    return (spry_solver_options){.size = sizeof(spry_solver_options),
                                 .method = method,
                                 .relative = type == SPRY_F64 ? 1e-10 : 1e-4,
                                 .restart = 12,
                                 .iterations = 400,
                                 .history = 1};
}

static int64_t iterations_alone(const struct list *list, spry_value_type type,
                                const spry_solver_options *options) {
    spry_context *context = test_context(2);
    struct system system = system_new(context, list_copy(list), SPRY_CSR, type);
    spry_solve_result result = system_solve(&system, NULL, options);
    cr_expect_eq(result.outcome, SPRY_CONVERGED);
    system_free(&system);
    spry_context_destroy(context);
    return result.iterations;
}

static void expect_solution(struct ranks *ranks, const char *name) {
    expect_agreement(ranks, name);
    cr_expect_eq(ranks->rank[0].result.outcome, SPRY_CONVERGED, "%s: %s", name,
                 spry_outcome_string(ranks->rank[0].result.outcome));
    double error = ranks_error(ranks);
    cr_expect(error <= (ranks->type == SPRY_F64 ? 1e-7 : 0.1), "%s: %g", name, error);
}

Test(ranks, every_method) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        FOR_METHODS(method) {
            struct list list = list_for(method);
            spry_solver_options options = options_for(method, (spry_value_type)type);
            const int64_t alone = iterations_alone(&list, (spry_value_type)type, &options);
            for (int count = 1; count <= TEST_MOST_RANKS;
                 count += test_has_few_cases() ? TEST_MOST_RANKS - 1 : 1) {
                struct ranks ranks;
                ranks_open(&ranks, &list, (spry_value_type)type, count, shares[count]);
                ranks_prepare(&ranks, &options);
                for (int again = 0; again < 2; again++) {
                    ranks_solve(&ranks);
                    expect_solution(&ranks, spry_method_name(method));
                    int64_t iterations = ranks.rank[0].result.iterations;
                    cr_expect(llabs(iterations - alone) <= 2 + alone / 10,
                              "%s, %d ranks: %d iterations, %d alone", spry_method_name(method), count,
                              (int)iterations, (int)alone);
                }
                ranks_close(&ranks);
            }
            list_free(&list);
        }
}

/* Each rank's own block, by every kind; where cases are few, each with one method or two. */
Test(ranks, every_preconditioner) {
    FOR_METHODS(method)
    for (int kind = 0; kind < SPRY_PRECOND_COUNT; kind++) {
        if ((wants_symmetric(method) && kind == SPRY_ILU0) ||
            (test_has_few_cases() && (kind + (int)method) % 3 > 0))
            continue;
        struct list list = grid_list(13, 0, 0);
        spry_solver_options options = options_for(method, SPRY_F64);
        struct ranks ranks;
        ranks_open(&ranks, &list, SPRY_F64, 4, shares[4]);
        ranks_precondition(&ranks, (spry_precond_kind)kind);
        ranks_prepare(&ranks, &options);
        ranks_solve(&ranks);
        expect_solution(&ranks, spry_precond_name((spry_precond_kind)kind));
        ranks_close(&ranks);
        list_free(&list);
    }
}

/* A diagonal of the caller's own: of no values, it may be null. */
Test(ranks, diagonal_of_no_rows) {
    FOR_METHODS(method) {
        struct list list = grid_list(13, 0, 0);
        spry_solver_options options = options_for(method, SPRY_F64);
        struct ranks ranks;
        struct placed diagonal[4];
        ranks_open(&ranks, &list, SPRY_F64, 4, shares[4]);
        for (int r = 0; r < 4; r++) {
            struct rank *rank = &ranks.rank[r];
            struct vector quarters = vector_new(SPRY_F64, rank->b.count, NAN);
            vector_fill(&quarters, 0.25);
            diagonal[r] = vector_place(rank->context, &quarters);
            rank->precondition = (spry_operator){.size = sizeof rank->precondition,
                                                 .n = rank->b.count,
                                                 .type = SPRY_F64,
                                                 .diagonal = rank->b.count > 0 ? diagonal[r].data : NULL};
            vector_free(&quarters);
        }
        ranks_prepare(&ranks, &options);
        ranks_solve(&ranks);
        expect_solution(&ranks, spry_method_name(method));
        for (int r = 0; r < 4; r++)
            placed_free(&diagonal[r]);
        ranks_close(&ranks);
        list_free(&list);
    }
}

/* ---- one rank ---- */

/* Ranks do nothing on the chip, so neither does what they are compared with. */
static spry_context *context_off_chip(void) {
    return test_context_without(2, "resident");
}

static spry_status count_sums(spry_context *context, void *user, double *values, int count) {
    (void)context, (void)values, (void)count;
    ++*(int64_t *)user;
    return SPRY_OK;
}

/* A sum over one rank alone changes no bit. On a device the norms of GMRES are its own or those of x where a cycle
   ends, as the host happens to look. */
static void expect_same_bits(struct system *system, const spry_operator *precond, spry_method method) {
    spry_solver_options options = options_for(method, system->type);
    int64_t sums = 0;
    spry_solve_result results[2];
    struct vector first = vector_new(system->type, system->x.count, NAN);
    double norms[401];
    for (int shared = 0; shared < 2; shared++) {
        options.sum = shared ? count_sums : NULL;
        options.sum_user = &sums;
        spry_solver *solver = system_solver(system, precond, &options);
        results[shared] = (spry_solve_result){.size = sizeof results[shared]};
        cr_assert_eq(spry_solve(solver, b_of(system), x_of(system), &results[shared]), SPRY_OK);
        cr_assert_eq(vector_fetch(shared ? &system->x : &first, &system->x_there), SPRY_OK);
        const size_t bytes = ((size_t)results[shared].iterations + 1) * sizeof norms[0];
        if (!shared)
            memcpy(norms, results[0].history, bytes);
        else if (method != SPRY_GMRES || test_backend() == SPRY_CPU)
            cr_expect_eq(memcmp(norms, results[1].history, bytes), 0, "%s", spry_method_name(method));
        spry_solver_destroy(solver);
    }
    cr_expect(vector_same_bits(&first, &system->x), "%s", spry_method_name(method));
    cr_expect_eq(results[0].iterations, results[1].iterations);
    cr_expect_eq(results[0].norm_b, results[1].norm_b);
    cr_expect_eq(results[0].residual, results[1].residual);
    cr_expect(sums > 0);
    vector_free(&first);
}

Test(ranks, same_bits_on_one) {
    spry_context *context = context_off_chip();
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        FOR_METHODS(method)
    for (int kind = -1; kind < SPRY_PRECOND_COUNT; kind++) {
        if (test_has_few_cases() && (kind + (int)method + type) % 3 != 0)
            continue;
        struct system system = system_new(context, grid_list(test_has_few_cases() ? 8 : 20, 0, 0), SPRY_CSR,
                                          (spry_value_type)type);
        spry_precond_options options = {.size = sizeof options, .kind = (spry_precond_kind)kind};
        spry_precond *precond = NULL;
        if (kind >= 0)
            cr_assert_eq(spry_precond_create(context, system.a.matrix, &options, &precond), SPRY_OK);
        spry_operator operator= spry_operator_of_precond(precond);
        expect_same_bits(&system, precond ? &operator: NULL, method);
        spry_precond_destroy(precond);
        system_free(&system);
    }
    spry_context_destroy(context);
}

/* Sums of the second ten iterations, those of a GMRES cycle's end not counted. */
static int64_t sums_of_ten(struct system *system, const spry_operator *precond, spry_method method) {
    int64_t sums[2] = {0};
    for (int k = 0; k < 2; k++) {
        spry_solver_options options = options_for(method, SPRY_F64);
        options.iterations = 10 * (k + 1);
        options.restart = 64;
        options.sum = count_sums;
        options.sum_user = &sums[k];
        cr_expect_eq(system_solve(system, precond, &options).iterations, options.iterations);
    }
    return sums[1] - sums[0];
}

Test(ranks, sums_of_an_iteration) {
    static const int64_t want[] = {[SPRY_CG] = 2, [SPRY_MINRES] = 3, [SPRY_BICGSTAB] = 3, [SPRY_GMRES] = 3};
    spry_context *context = test_context(1);
    if (spry_context_backend(context) != SPRY_CPU)
        cr_skip("a device looks at several iterations at a time");
    struct system system = system_new(context, grid_list(40, 0, 0), SPRY_CSR, SPRY_F64);
    for (int kind = -1; kind <= SPRY_BLOCK_JACOBI; kind++) {
        spry_precond_options options = {.size = sizeof options, .kind = (spry_precond_kind)kind};
        spry_precond *precond = NULL;
        if (kind >= 0)
            cr_assert_eq(spry_precond_create(context, system.a.matrix, &options, &precond), SPRY_OK);
        spry_operator operator= spry_operator_of_precond(precond);
        FOR_METHODS(method)
        cr_expect_eq(sums_of_ten(&system, precond ? &operator: NULL, method), 10 * want[method], "%s",
                     spry_method_name(method));
        spry_precond_destroy(precond);
    }
    system_free(&system);
    spry_context_destroy(context);
}

/* ---- endings ---- */

/* A sum that fails on one rank ends the solve there with its status; the others are ended by the caller. */
Test(ranks, failing_sum) {
    FOR_METHODS(method) {
        struct list list = list_for(method);
        spry_solver_options options = options_for(method, method == SPRY_GMRES ? SPRY_F32 : SPRY_F64);
        struct ranks ranks;
        ranks_open(&ranks, &list, method == SPRY_GMRES ? SPRY_F32 : SPRY_F64, 3, shares[3]);
        for (int64_t n = 1; n < 20; n += test_has_few_cases() ? 6 : 1) {
            ranks.rank[1].fail_sum = n;
            ranks_prepare(&ranks, &options);
            ranks_solve(&ranks);
            for (int r = 0; r < 3; r++) {
                const char *message = spry_message(ranks.rank[r].context);
                cr_expect_eq(ranks.rank[r].status, r == 1 ? SPRY_ERROR_IO : SPRY_ERROR_RANKS, "%s, sum %d",
                             spry_method_name(method), (int)n);
                cr_expect(strstr(message, "the sum over all ranks failed") ||
                              (r != 1 && ranks.rank[r].sums < n + 1),
                          "%s", message);
            }
        }
        ranks.rank[1].fail_sum = 0;
        ranks_prepare(&ranks, &options);
        ranks_solve(&ranks);
        expect_solution(&ranks, spry_method_name(method));
        ranks_close(&ranks);
        list_free(&list);
    }
}

static void expect_outcome(struct ranks *ranks, spry_outcome outcome, const char *name) {
    ranks_solve(ranks);
    expect_agreement(ranks, name);
    cr_expect_eq(ranks->rank[0].result.outcome, outcome, "%s: %s", name,
                 spry_outcome_string(ranks->rank[0].result.outcome));
}

/* A number that is none on one rank alone: all see it in the same iteration. */
Test(ranks, not_finite_on_one) {
    FOR_METHODS(method) {
        struct list list = list_for(method);
        spry_solver_options options = options_for(method, SPRY_F64);
        struct ranks ranks;
        ranks_open(&ranks, &list, SPRY_F64, 4, shares[4]);
        for (int64_t product = 1; product <= 6; product += test_has_few_cases() ? 5 : 1) {
            ranks.rank[2].break_product = product;
            ranks_prepare(&ranks, &options);
            expect_outcome(&ranks, SPRY_NOT_FINITE, spry_method_name(method));
        }
        ranks.rank[2].break_product = 0;
        for (int i = 0; i < 2; i++) {
            vector_set(&ranks.rank[3].b, 4, i == 0 ? NAN : INFINITY);
            cr_assert_eq(vector_put(&ranks.rank[3].b, &ranks.rank[3].b_there), SPRY_OK);
            ranks_prepare(&ranks, &options);
            expect_outcome(&ranks, SPRY_NOT_FINITE, spry_method_name(method));
        }
        ranks_close(&ranks);
        list_free(&list);
    }
}

Test(ranks, limit_and_divergence) {
    FOR_METHODS(method) {
        struct list list = list_for(method);
        spry_solver_options options = options_for(method, SPRY_F64);
        struct ranks ranks;
        ranks_open(&ranks, &list, SPRY_F64, 2, shares[2]);
        options.iterations = 7;
        ranks_prepare(&ranks, &options);
        expect_outcome(&ranks, SPRY_LIMIT, spry_method_name(method));
        options.divergence = 1e-9;
        ranks_prepare(&ranks, &options);
        expect_outcome(&ranks, SPRY_DIVERGED, spry_method_name(method));
        ranks_close(&ranks);
        list_free(&list);
    }
}

/* Rounding keeps the parts of the residual apart from what the method has for it: all see that in the same iteration. */
Test(ranks, stagnation) {
    FOR_METHODS(method) {
        struct list list = grid_list(6, 0, 0);
        spry_solver_options options = options_for(method, SPRY_F64);
        struct ranks ranks;
        ranks_open(&ranks, &list, SPRY_F64, 4, shares[4]);
        options.relative = 1e-20;
        options.restart = 30;
        ranks_prepare(&ranks, &options);
        expect_outcome(&ranks, SPRY_STAGNATED, spry_method_name(method));
        ranks_close(&ranks);
        list_free(&list);
    }
}

/* Curvature that is positive in one rank's part and negative in all. */
static double one_negative(int64_t i) {
    return i == 9 ? -50 : 1;
}

Test(ranks, indefinite_on_one) {
    struct list list = diagonal_list(10, one_negative);
    spry_solver_options options = options_for(SPRY_CG, SPRY_F64);
    struct ranks ranks;
    ranks_open(&ranks, &list, SPRY_F64, 2, shares[2]);
    ranks_prepare(&ranks, &options);
    expect_outcome(&ranks, SPRY_INDEFINITE, "cg");
    ranks_close(&ranks);
    list_free(&list);
}

/* ---- right-hand sides ---- */

static void scale_b(struct ranks *ranks, double factor) {
    for (int r = 0; r < ranks->count; r++) {
        struct rank *rank = &ranks->rank[r];
        for (int64_t i = 0; i < rank->b.count; i++)
            vector_set(&rank->b, i, vector_get(&rank->b, i) * factor);
        cr_assert_eq(vector_put(&rank->b, &rank->b_there), SPRY_OK);
    }
}

/* |b| is that of the whole vector: as small as it may be, too small, too large, and nothing. */
Test(ranks, norm_of_b) {
    struct list list = grid_list(8, 0, 0);
    spry_solver_options options = options_for(SPRY_CG, SPRY_F64);
    struct ranks ranks;
    ranks_open(&ranks, &list, SPRY_F64, 4, shares[4]);
    ranks_prepare(&ranks, &options);
    ranks_solve(&ranks);
    const double norm = ranks.rank[0].result.norm_b;
    static const double factors[] = {1e-138, 1e-158, 1e158, 0};
    for (int f = 0; f < 4; f++) {
        scale_b(&ranks, factors[f]);
        ranks_prepare(&ranks, &options);
        ranks_solve(&ranks);
        for (int r = 0; r < 4; r++) {
            const struct rank *rank = &ranks.rank[r];
            const bool good = f == 0 || f == 3;
            cr_expect_eq(rank->status, good ? SPRY_OK : SPRY_ERROR_ARGUMENT, "%g", factors[f]);
            cr_expect(good || strstr(spry_message(rank->context), "|b|"), "%s", spry_message(rank->context));
            cr_expect(f != 0 || fabs(rank->result.norm_b / factors[f] / norm - 1) < 1e-14);
            cr_expect(f != 3 || (rank->result.norm_b == 0 && rank->result.iterations == 0));
        }
        scale_b(&ranks, factors[f] == 0 ? 0 : 1 / factors[f]);
    }
    ranks_close(&ranks);
    list_free(&list);
}

/* Nothing on all ranks but one. */
Test(ranks, b_on_one) {
    FOR_METHODS(method) {
        struct list list = list_for(method);
        spry_solver_options options = options_for(method, SPRY_F64);
        struct ranks ranks;
        ranks_open(&ranks, &list, SPRY_F64, 3, shares[3]);
        for (int r = 0; r < 3; r++)
            vector_fill(&ranks.rank[r].b, r == 1 ? 1 : 0);
        scale_b(&ranks, 1);
        ranks_prepare(&ranks, &options);
        expect_outcome(&ranks, SPRY_CONVERGED, spry_method_name(method));
        cr_expect_float_eq(ranks.rank[0].result.norm_b, sqrt((double)ranks.rank[1].b.count), 1e-12);
        ranks_close(&ranks);
        list_free(&list);
    }
}

/* What one rank refuses, none begins. */
Test(ranks, refused_on_one) {
    struct list list = grid_list(8, 0, 0);
    spry_solver_options options = options_for(SPRY_CG, SPRY_F64);
    struct ranks ranks;
    ranks_open(&ranks, &list, SPRY_F64, 3, shares[3]);
    ranks_prepare(&ranks, &options);
    ranks.rank[2].right = NULL;
    ranks_solve(&ranks);
    cr_expect_eq(ranks.rank[2].status, SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(ranks.rank[2].context), "b or x is null"));
    for (int r = 0; r < 2; r++) {
        cr_expect_eq(ranks.rank[r].status, SPRY_ERROR_RANKS);
        cr_expect(strstr(spry_message(ranks.rank[r].context), "another rank"), "%s",
                  spry_message(ranks.rank[r].context));
    }
    ranks.rank[2].right = ranks.rank[2].b_there.data;
    ranks_prepare(&ranks, &options);
    ranks_solve(&ranks);
    expect_solution(&ranks, "after that");
    ranks_close(&ranks);
    list_free(&list);
}

/* ---- monitors ---- */

static int stop_at(void *user, int64_t iteration, double residual) {
    (void)residual;
    return iteration >= *(int64_t *)user;
}

/* One rank's monitor has had enough: all end, with what they have. */
Test(ranks, cancelled_by_one) {
    FOR_METHODS(method) {
        struct list list = list_for(method);
        struct ranks ranks;
        int64_t last[] = {1000, 5, 1000};
        ranks_open(&ranks, &list, SPRY_F64, 3, shares[3]);
        spry_solver_options options = options_for(method, SPRY_F64);
        options.monitor = stop_at;
        options.relative = 1e-14;
        for (int r = 0; r < 3; r++)
            ranks.rank[r].user = &last[r];
        ranks_prepare(&ranks, &options);
        expect_outcome(&ranks, SPRY_CANCELLED, spry_method_name(method));
        const spry_solve_result *result = &ranks.rank[0].result;
        cr_expect(result->iterations >= 5 && result->iterations < 40, "%s: %d", spry_method_name(method),
                  (int)result->iterations);
        cr_expect(result->residual < 0.9 * result->norm_b, "%s: %g", spry_method_name(method),
                  result->residual);
        ranks_close(&ranks);
        list_free(&list);
    }
}

/* ---- where sums are recorded ---- */

/* As if another rank had just the same: twice each value, put into the stream. */
static spry_status twice(spry_context *context, void *user, double *values, int count) {
    ++*(int64_t *)user;
    return spry_axpby(context, SPRY_NUMBER_F64, count, 1, values, 1, values);
}

Test(ranks, recorded_sums) {
    spry_context *context = context_off_chip();
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        FOR_METHODS(method) {
            struct system system = system_new(context, grid_list(40, 0, 0), SPRY_CSR, (spry_value_type)type);
            int64_t calls = 0;
            spry_solver_options options = options_for(method, (spry_value_type)type);
            spry_solve_result alone = system_solve(&system, NULL, &options);
            options.sum = twice;
            options.sum_user = &calls;
            options.sum_capturable = 1;
            spry_solve_result both = system_solve(&system, NULL, &options);
            cr_expect_eq(both.outcome, alone.outcome, "%s: %s", spry_method_name(method),
                         spry_outcome_string(both.outcome));
            cr_expect_float_eq(both.norm_b, sqrt(2) * alone.norm_b, 1e-12 * alone.norm_b);
            cr_expect(llabs(both.iterations - alone.iterations) <= 2 + alone.iterations / 10, "%s: %d, %d",
                      spry_method_name(method), (int)both.iterations, (int)alone.iterations);
            cr_expect(both.outcome != SPRY_CONVERGED ||
                      system_error(&system) <= (type == SPRY_F64 ? 1e-6 : 0.3));
            /* On a GPU what was recorded is replayed. */
            if (spry_context_stream(context) && method != SPRY_GMRES)
                cr_expect_leq(calls, 60, "%s: %d sums", spry_method_name(method), (int)calls);
            system_free(&system);
        }
    spry_context_destroy(context);
}
