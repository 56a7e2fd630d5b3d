/* SPDX-License-Identifier: BSD-3-Clause */
/* What a ranking of formats promises, whatever the prices are. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/folder.h"
#include "support/profiles.h"
#include "support/rankings.h"
#include "support/scenarios.h"

static void end_selections(void) {
    end_rankings();
    remove_folder();
}

TestSuite(select, .init = make_folder, .fini = end_selections);

static void expect_choice(const spry_choice *choice, double csr_seconds, const char *name) {
    double sum = 0;
    for (int i = 0; i < SPRY_TERM_MOST; i++) {
        cr_expect(choice->amount[i] >= 0 && choice->cost[i] >= 0 && isfinite(choice->cost[i]),
                  "%s %s, term %d", name, spry_format_name(choice->format), i);
        cr_expect(spry_term_name(i) || (choice->amount[i] == 0 && choice->cost[i] == 0), "%s", name);
        sum += choice->cost[i];
    }
    cr_expect(are_close(choice->seconds, sum), "%s: %g seconds, not %g", name, choice->seconds, sum);
    double saved = csr_seconds - choice->seconds, after = is_there(choice) ? 0
                                                          : saved > 0 ? ceil(choice->convert_seconds / saved)
                                                                      : INFINITY;
    cr_expect_eq(choice->pays_back_after, after, "%s %s: after %g, not %g", name,
                 spry_format_name(choice->format), choice->pays_back_after, after);
    cr_expect_eq(choice->measured_seconds, 0);
    cr_expect(!is_there(choice) || choice->convert_seconds == 0);
}

/* Every format, each storage once, those that are possible first, and those by what they come to. */
static void expect_order(const struct ranking *ranking, const char *name) {
    bool seen[SPRY_FORMAT_COUNT] = {false};
    for (int i = 0; i < ranking->count; i++) {
        const spry_choice *choice = &ranking->choice[i], *before = i ? choice - 1 : choice;
        cr_assert((unsigned)choice->format < SPRY_FORMAT_COUNT);
        cr_expect_eq(choice_like(ranking, choice), choice, "%s: %s twice", name,
                     spry_format_name(choice->format));
        seen[choice->format] = true;
        cr_expect(before->possible >= choice->possible, "%s: place %d", name, i);
        cr_expect(before->possible > choice->possible ||
                      total_of(before, ranking->products) <= total_of(choice, ranking->products),
                  "%s: place %d", name, i);
    }
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        cr_expect(seen[format], "%s: no %s", name, spry_format_name((spry_format)format));
}

static void check_ranking(spry_context *context, const spry_matrix *csr, double products, const char *name) {
    spry_select_options options = {.size = sizeof options, .products = products};
    struct ranking ranking = ranking_of(context, csr, &options);
    cr_expect_eq(ranking.products, products > 0 ? products : INFINITY);
    cr_expect_eq(ranking.measured, 0);
    expect_order(&ranking, name);
    for (int i = 0; i < ranking.count; i++)
        expect_choice(&ranking.choice[i], choice_of(&ranking, SPRY_CSR)->seconds, name);
    /* Nothing is to be gained where there is nothing. */
    cr_expect(ranking.statistics.nnz > 0 || is_there(&ranking.choice[0]), "%s", name);
}

static void check_rankings(spry_context *context) {
    for (size_t i = 0; i < test_scenario_count; i++) {
        if (!test_scenario_is_tried(&test_scenarios[i]))
            continue;
        const char *name = test_scenarios[i].name;
        struct built csr = csr_of(context, name, SPRY_F64, SPRY_I32);
        check_ranking(context, csr.matrix, 0, name);
        check_ranking(context, csr.matrix, 1, name);
        check_ranking(context, csr.matrix, 1e6, name);
        built_free(&csr);
    }
}

Test(select, ranks_every_format) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        check_rankings(context);
        load_prices(context);
        check_rankings(context);
        spry_context_destroy(context);
    }
}

Test(select, without_options_is_for_many_products) {
    static const spry_select_options none = {.size = sizeof none};
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "power law", SPRY_F32, SPRY_I64);
    load_prices(context);
    struct ranking with = ranking_of(context, csr.matrix, &none),
                   without = ranking_of(context, csr.matrix, NULL);
    cr_expect(isinf(without.products));
    for (int i = 0; i < with.count; i++)
        cr_expect_eq(with.choice[i].format, without.choice[i].format);
    built_free(&csr);
    spry_context_destroy(context);
}

/* Each format saves 999 of CSR's 1000 nanoseconds; making it takes so many microseconds. */
Test(select, conversion_counts_for_few_products) {
    const double microseconds = 10;
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        load_favourite(context, format, 1e3 * microseconds);
        struct ranking once = ranking_of(
                           context, csr.matrix,
                           &(spry_select_options){.size = sizeof(spry_select_options), .products = 1}),
                       many = ranking_of(context, csr.matrix, NULL),
                       some = ranking_of(
                           context, csr.matrix,
                           &(spry_select_options){.size = sizeof(spry_select_options), .products = 100});
        cr_expect_eq(once.choice[0].format, SPRY_CSR, "not %s", spry_format_name(once.choice[0].format));
        cr_expect_eq(many.choice[0].format, format, "%s, not %s", spry_format_name((spry_format)format),
                     spry_format_name(many.choice[0].format));
        cr_expect_eq(some.choice[0].format, format, "%s, not %s", spry_format_name((spry_format)format),
                     spry_format_name(some.choice[0].format));
        cr_expect_eq(many.choice[0].pays_back_after, format == SPRY_CSR ? 0 : ceil(microseconds / 0.999));
    }
    built_free(&csr);
    spry_context_destroy(context);
}

Test(select, keeps_to_the_limit_of_memory) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "full row", SPRY_F64, SPRY_I32);
    load_prices(context);
    struct ranking free_choice = ranking_of(context, csr.matrix, NULL);
    for (int i = 0; i < free_choice.count; i++)
        for (int less = 0; less < 2; less++) {
            spry_select_options options = {
                .size = sizeof options, .memory_limit = (size_t)free_choice.choice[i].bytes - (size_t)less};
            struct ranking ranking = ranking_of(context, csr.matrix, &options);
            expect_order(&ranking, "limited");
            for (int k = 0; k < ranking.count; k++) {
                const spry_choice *choice = &ranking.choice[k];
                bool fits = is_there(choice) || choice->bytes <= (double)options.memory_limit;
                cr_expect_eq(choice->possible, fits, "%s in %zu bytes", spry_format_name(choice->format),
                             options.memory_limit);
            }
        }
    struct ranking least = ranking_of(
        context, csr.matrix, &(spry_select_options){.size = sizeof(spry_select_options), .memory_limit = 1});
    cr_expect_eq(least.choice[0].format, SPRY_CSR);
    cr_expect_not(least.choice[1].possible);
    built_free(&csr);
    spry_context_destroy(context);
}

/* ---- arguments ---- */

/* Whether a matrix that was chosen with these options keeps rows that are alike in their values once. */
static bool makes_stencils(spry_context *context, const spry_matrix *csr,
                           const spry_convert_options *options) {
    spry_matrix *made;
    cr_assert_eq(spry_convert(context, csr, SPRY_AUTO, options, &made), SPRY_OK, "%s", spry_message(context));
    const spry_format format = spry_matrix_format(made);
    spry_matrix_destroy(made);
    return format == SPRY_STENCIL;
}

/* Who will give other values says so; a program from before that could be said is taken to. */
Test(select, no_stencils_for_values_that_change) {
    const spry_convert_options change = {.size = sizeof change, .values_change = 1},
                               measured = {.size = sizeof measured, .measure = 2, .values_change = 1},
                               old = {.size = offsetof(spry_convert_options, values_change)},
                               stay = {.size = sizeof stay};
    const spry_select_options ranked = {.size = sizeof ranked, .values_change = 1};
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    load_favourite(context, SPRY_STENCIL, 0);
    struct ranking ranking = ranking_of(context, csr.matrix, &ranked);
    expect_order(&ranking, "values that change");
    for (int i = 0; i < ranking.count; i++)
        cr_expect_eq((bool)ranking.choice[i].possible, ranking.choice[i].format != SPRY_STENCIL, "%s",
                     spry_format_name(ranking.choice[i].format));
    cr_expect(makes_stencils(context, csr.matrix, &stay));
    cr_expect_not(makes_stencils(context, csr.matrix, &change));
    cr_expect_not(makes_stencils(context, csr.matrix, &measured));
    cr_expect_not(makes_stencils(context, csr.matrix, &old));
    built_free(&csr);
    spry_context_destroy(context);
}

Test(select, wrong_arguments) {
    static const spry_select_options bad[] = {{.size = sizeof *bad, .products = NAN},
                                              {.size = sizeof *bad, .products = -1},
                                              {.size = sizeof *bad, .products = -INFINITY},
                                              {.size = sizeof *bad, .measure = -1}};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32), coo;
    spry_ranking *ranking;
    coo = built_of(context, &list, SPRY_COO, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_select(NULL, csr.matrix, NULL, &ranking), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_select(context, csr.matrix, NULL, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_select(context, NULL, NULL, &ranking), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_select(context, coo.matrix, NULL, &ranking), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "csr"), "%s", spry_message(context));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(spry_select(context, csr.matrix, &bad[i], &ranking), SPRY_ERROR_ARGUMENT, "options %zu",
                     i);
        cr_expect(strstr(spry_message(context), bad[i].measure ? "measure" : "products"), "%s",
                  spry_message(context));
        spry_convert_options how = {
            .size = sizeof how, .products = bad[i].products, .measure = bad[i].measure};
        spry_matrix *result;
        cr_expect_eq(spry_convert(context, csr.matrix, SPRY_AUTO, &how, &result), SPRY_ERROR_ARGUMENT);
        cr_expect_null(result);
    }
    built_free(&coo);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(select, names_of_terms) {
    int count = 0;
    for (; spry_term_name(count); count++)
        for (int i = 0; i < count; i++)
            cr_expect_str_neq(spry_term_name(i), spry_term_name(count));
    cr_expect(count > 0 && count <= SPRY_TERM_MOST);
    cr_expect_null(spry_term_name(-1));
    cr_expect_null(spry_term_name(SPRY_TERM_MOST));
}
