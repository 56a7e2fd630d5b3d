/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats that are timed, and what spry_convert makes of SPRY_AUTO. */
#include <criterion/criterion.h>

#include "support/counting.h"
#include "support/profiles.h"
#include "support/rankings.h"
#include "support/scenarios.h"

/* ---- measuring ---- */

/* CSR is measured, and so are others of the first places that were predicted. The least comes first, or CSR:
   what is no clear gain does not replace it. */
static void expect_measured(const struct ranking *predicted, const struct ranking *measured, int measure,
                            const char *name) {
    const spry_choice *first = &measured->choice[0];
    cr_expect_eq(measured->measured, 1);
    cr_expect_gt(choice_of(measured, SPRY_CSR)->measured_seconds, 0, "%s", name);
    cr_expect_gt(first->measured_seconds, 0, "%s", name);
    for (int i = 0; i < predicted->count; i++) {
        const spry_choice *expected = &predicted->choice[i], *choice = choice_like(measured, expected);
        bool tried = expected->possible && (i < measure || is_there(choice));
        cr_expect_eq(choice->measured_seconds > 0, tried, "%s: place %d, %d measured", name, i, measure);
        cr_expect_eq(choice->seconds, expected->seconds, "%s", name);
        cr_expect(!tried || is_there(first) ||
                      total_of(first, measured->products) <= total_of(choice, measured->products),
                  "%s: %s before %s", name, spry_format_name(first->format),
                  spry_format_name(choice->format));
    }
}

Test(select, measures_the_first_ones) {
    static const char *const scenarios[] = {"banded",    "full row",   "empty rows",
                                            "one entry", "no columns", "0x0"};
    static const double products[] = {0, 1, 1000};
    spry_context *context = test_context(2);
    load_prices(context);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        struct built csr = csr_of(context, scenarios[i], SPRY_F64, SPRY_I32);
        for (size_t p = 0; p < sizeof products / sizeof products[0]; p++)
            for (int measure = 1; measure <= SPRY_FORMAT_COUNT + 2; measure++) {
                spry_select_options options = {.size = sizeof options, .products = products[p]};
                struct ranking predicted = ranking_of(context, csr.matrix, &options);
                options.measure = measure;
                struct ranking measured = ranking_of(context, csr.matrix, &options);
                expect_measured(&predicted, &measured, measure, scenarios[i]);
            }
        built_free(&csr);
    }
    spry_context_destroy(context);
}

/* Formats are made from arrays with base 0, whatever the caller's have. */
Test(select, measures_arrays_from_1) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built csr;
    load_prices(context);
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_1, &csr), SPRY_OK);
    spry_select_options options = {.size = sizeof options, .measure = PLACES_MOST};
    struct ranking ranking = ranking_of(context, csr.matrix, &options);
    for (int i = 0; i < ranking.count; i++)
        cr_expect_gt(ranking.choice[i].measured_seconds, 0);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what conversions make of it ---- */

static spry_format chosen(spry_context *context, const spry_matrix *source,
                          const spry_convert_options *options) {
    spry_matrix *result;
    cr_assert_eq(spry_convert(context, source, SPRY_AUTO, options, &result), SPRY_OK, "%s",
                 spry_message(context));
    spry_format format = spry_matrix_format(result);
    spry_matrix_destroy(result);
    return format;
}

/* Whatever the source, and whether it is a matrix that the library made or not. */
static void check_auto(spry_context *context, const struct list *list, spry_format from, enum origin origin,
                       const spry_convert_options *options, spry_format expected) {
    struct built source;
    cr_assert_eq(build(context, list, from, SPRY_F64, SPRY_I32, origin, &source), SPRY_OK);
    spry_format format = chosen(context, source.matrix, options);
    cr_expect_eq(format, expected, "from %s, way %d: %s, not %s", spry_format_name(from), (int)origin,
                 spry_format_name(format), spry_format_name(expected));
    built_free(&source);
}

Test(select, auto_takes_the_first) {
    static const double products[] = {0, 1, 1000};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        load_favourite(context, favourite, 1e4);
        for (size_t p = 0; p < sizeof products / sizeof products[0]; p++) {
            spry_select_options options = {.size = sizeof options, .products = products[p]};
            spry_convert_options how = {.size = sizeof how, .products = products[p]};
            spry_format first = ranking_of(context, csr.matrix, &options).choice[0].format;
            check_auto(context, &list, SPRY_CSR, CONVERTED, &how, first);
            check_auto(context, &list, SPRY_CSR, WRAPPED_FROM_1, &how, first);
            check_auto(context, &list, SPRY_COO, WRAPPED_FROM_0, &how, first);
            check_auto(context, &list, SPRY_CSC, CONVERTED, &how, first);
        }
    }
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(select, auto_measures) {
    static const spry_convert_options how = {.size = sizeof how, .measure = 1};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &coo), SPRY_OK);
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        load_favourite(context, favourite, 0);
        spry_format format = chosen(context, coo.matrix, &how);
        cr_expect((int)format == favourite || format == SPRY_CSR, "%s", spry_format_name(format));
    }
    built_free(&coo);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what it takes on the way ---- */

/* What a conversion asked for: blocks, and bytes at most at one time beyond what was there. */
struct asked {
    int64_t requests, bytes;
};

/* In a context that has made the same before, and so has its own workspace. */
static struct asked asked_for(const struct list *list, spry_format source, spry_format wanted, int favourite,
                              const spry_convert_options *how) {
    struct counting counting;
    struct asked asked;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    load_favourite(context, favourite, 0);
    struct built built = built_of(context, list, source, SPRY_F64, SPRY_I32);
    for (int time = 0; time < 2; time++) {
        const int64_t requests = counting.requests, bytes = counting.live_bytes;
        spry_matrix *result;
        counting.most_bytes = bytes;
        cr_assert_eq(spry_convert(context, built.matrix, wanted, how, &result), SPRY_OK);
        asked = (struct asked){counting.requests - requests, counting.most_bytes - bytes};
        cr_expect_eq((int)spry_matrix_format(result), favourite);
        spry_matrix_destroy(result);
    }
    built_free(&built);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
    return asked;
}

/* The matrix in CSR on the way is looked at, once, a ranking is made and the kernels that compete are listed; planned is the one that
   is kept. */
Test(select, auto_plans_what_it_keeps) {
    struct list list = test_scenario("banded")->make();
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        struct asked named = asked_for(&list, SPRY_CSC, (spry_format)favourite, favourite, NULL),
                     found = asked_for(&list, SPRY_CSC, SPRY_AUTO, favourite, NULL);
        cr_expect_leq(found.requests, named.requests + 3, "%s: %d requests, %d when it is named",
                      spry_format_name((spry_format)favourite), (int)found.requests, (int)named.requests);
    }
    list_free(&list);
}

/* CSR that is made on the way is timed where it is, and handed over. */
Test(select, auto_copies_no_csr) {
    static const spry_convert_options measured = {.size = sizeof measured, .measure = 1};
    struct list list = list_new(30000, 30000);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = i > 3 ? i - 3 : 0; j <= i; j++)
            list_add(&list, i, j, 1);
    const int64_t one_more = (int64_t)sizeof(double) * list.nnz;
    struct asked named = asked_for(&list, SPRY_CSC, SPRY_CSR, SPRY_CSR, NULL),
                 found = asked_for(&list, SPRY_CSC, SPRY_AUTO, SPRY_CSR, NULL),
                 tried = asked_for(&list, SPRY_CSC, SPRY_AUTO, SPRY_CSR, &measured);
    cr_expect_lt(found.bytes, named.bytes + one_more);
    cr_expect_lt(tried.bytes, named.bytes + one_more);
    list_free(&list);
}

/* The result has arrays of its own, whether the CSR that was timed is the source or was made on the way. */
Test(select, auto_measured_outlives_its_source) {
    static const spry_convert_options how = {.size = sizeof how, .measure = 1};
    static const spry_format sources[] = {SPRY_CSR, SPRY_COO};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    list_sort(&list);
    load_favourite(context, SPRY_CSR, 0);
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        spry_matrix *result;
        struct built source = built_of(context, &list, sources[s], SPRY_F64, SPRY_I32);
        cr_assert_eq(spry_convert(context, source.matrix, SPRY_AUTO, &how, &result), SPRY_OK);
        built_free(&source);
        cr_expect_eq(spry_matrix_format(result), SPRY_CSR);
        cr_expect_eq(spry_validate(context, result, SPRY_CHECK_SORTED), SPRY_OK);
        cr_expect(equals_list(context, result, &list));
        spry_matrix_destroy(result);
    }
    list_free(&list);
    spry_context_destroy(context);
}
