/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles of machines: what predictions rest on. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/profiles.h"
#include "support/rankings.h"
#include "support/scenarios.h"

TestSuite(profile, .init = make_folder, .fini = remove_folder);

/* ---- good profiles ---- */

static void expect_prices(const struct ranking *ranking, const spry_matrix *csr, const char *name) {
    spry_value_type type = spry_matrix_type(csr);
    for (int i = 0; i < ranking->count; i++) {
        const spry_choice *choice = &ranking->choice[i];
        spry_format format = choice->format;
        const bool coded = choice->storage.values != SPRY_VALUES_PLAIN,
                   narrow = choice->storage.columns != SPRY_COLUMNS_PLAIN;
        double seconds = 0;
        for (int term = 0; spry_term_name(term); term++) {
            double cost = 1e-9 * term_price(type, format, term) * choice->amount[term];
            cr_expect(are_close(choice->cost[term], cost), "%s %s %s", name, spry_format_name(format),
                      spry_term_name(term));
            seconds += cost;
        }
        cr_expect(are_close(choice->seconds, seconds), "%s %s: %g seconds, not %g", name,
                  spry_format_name(format), choice->seconds, seconds);
        double convert =
            1e-9 * (conversion_price(format, 0) +
                    conversion_price(format, 1) * ((double)spry_matrix_bytes(csr) + choice->bytes +
                                                   (narrow ? choice->slots * (4 + 2) : 0)) +
                    conversion_price(format, 2) * (double)spry_matrix_rows(csr) +
                    conversion_price(format, 3) * (coded ? choice->slots : 0));
        cr_expect(are_close(choice->convert_seconds, format == SPRY_CSR && !coded ? 0 : convert),
                  "%s %s: %g seconds, not %g", name, spry_format_name(format), choice->convert_seconds,
                  convert);
    }
}

Test(profile, prices_are_what_is_paid) {
    spry_context *context = test_context(2);
    load_prices(context);
    cr_expect_str_eq(spry_profile_machine(context), "a test");
    for (size_t i = 0; i < test_scenario_count; i++)
        for (int type = 0; type < SPRY_TYPE_COUNT && test_scenario_is_tried(&test_scenarios[i]); type++) {
            struct built csr = csr_of(context, test_scenarios[i].name, (spry_value_type)type, SPRY_I32);
            struct ranking ranking = ranking_of(context, csr.matrix, NULL);
            expect_prices(&ranking, csr.matrix, test_scenarios[i].name);
            built_free(&csr);
        }
    spry_context_destroy(context);
}

/* Those of the longest name that the kernel's begins with; of other types there are none. */
Test(profile, prices_by_name) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32),
                 single = csr_of(context, "banded", SPRY_F32, SPRY_I32);
    const char *name = spry_kernel_describe(spry_kernel_for(csr.matrix, SPRY_N)).name;
    char kernels[200];
    snprintf(kernels, sizeof kernels,
             "{'f64': {'csr': {'start': 1}, '%s': {'start': 2}, '%s_': {'start': 3}, 'jds': {'start': 4}, "
             "'x': {}}}",
             name, name);
    if (strcmp(name, "csr") == 0)
        strcpy(
            kernels,
            "{'f64': {'c': {'start': 1}, 'csr': {'start': 2}, 'csr_': {'start': 3}, 'jds': {'start': 4}}}");
    cr_assert_eq(load_profile(context, kernels, "{'jds': {}}"), SPRY_OK, "%s", spry_message(context));
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    cr_expect(are_close(choice_of(&ranking, SPRY_CSR)->seconds, 2e-9));
    cr_expect_eq(choice_of(&ranking, SPRY_JDS)->convert_seconds, 0);
    cr_expect(choice_of(&ranking, SPRY_JDS)->possible);
    cr_expect_not(choice_of(&ranking, SPRY_ELL)->possible, "its kernels have no prices");
    spry_ranking *none;
    cr_expect_eq(spry_select(context, single.matrix, NULL, &none), SPRY_ERROR_UNSUPPORTED);
    cr_expect_null(none);
    built_free(&csr);
    built_free(&single);
    spry_context_destroy(context);
}

Test(profile, the_last_one_counts) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        load_favourite(context, favourite, 0);
        cr_expect_eq(ranking_of(context, csr.matrix, NULL).choice[0].format, favourite);
    }
    cr_assert_eq(load_profile(context, "{}", "{}"), SPRY_OK);
    spry_ranking *ranking;
    cr_expect_eq(spry_select(context, csr.matrix, NULL, &ranking), SPRY_ERROR_UNSUPPORTED);
    built_free(&csr);
    spry_context_destroy(context);
}

/* A draft has the machine's own name and the prices that it was drafted from. */
Test(profile, draft_is_a_profile) {
    enum { SIZE = 65536 };
    char *text = test_malloc(SIZE);
    spry_context *context = test_context(2), *other = test_context(2);
    struct built csr = csr_of(context, "power law", SPRY_F32, SPRY_I32);
    load_prices(context);
    cr_assert_eq(spry_draft_profile(context, text, SIZE), SPRY_OK, "%s", spry_message(context));
    cr_expect_null(strstr(text, "a test"));
    put_file(test_path, text, strlen(text));
    cr_assert_eq(spry_load_profile(other, test_path), SPRY_OK, "%s", spry_message(other));
    struct ranking own = ranking_of(context, csr.matrix, NULL), drafted = ranking_of(other, csr.matrix, NULL);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        cr_expect_eq(own.choice[i].format, drafted.choice[i].format);
        /* Prices are written with six digits. */
        cr_expect_float_eq(own.choice[i].seconds, drafted.choice[i].seconds, 1e-5 * own.choice[i].seconds);
    }
    cr_expect_eq(spry_draft_profile(context, text, 10), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_draft_profile(NULL, text, SIZE), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_draft_profile(context, NULL, SIZE), SPRY_ERROR_ARGUMENT);
    built_free(&csr);
    spry_context_destroy(context);
    spry_context_destroy(other);
    free(text);
}

/* ---- the library's own profiles ---- */

/* Nothing that changes from one moment to the next has a say in prices: threads of a program and ranks of a job choose
   alike. There is no profile for all of these numbers of threads, whatever the machine is. */
Test(profile, same_in_every_context) {
    for (int threads = 1; threads <= test_threads(4); threads++) {
        spry_context *one = test_context(threads), *other = test_context(threads);
        char *first = draft_of(one), *second = draft_of(other);
        cr_expect_str_eq(first, second);
        cr_expect_str_eq(spry_profile_machine(one), spry_profile_machine(other));
        free(first);
        free(second);
        spry_context_destroy(one);
        spry_context_destroy(other);
    }
}

/* Grants no request for more than so many bytes. */
static void *allocate_little(void *user, size_t alignment, size_t bytes) {
    size_t most = *(size_t *)user;
    return bytes <= most ? aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : NULL;
}

static void release_little(void *user, void *pointer, size_t bytes) {
    (void)user, (void)bytes;
    free(pointer);
}

Test(profile, needs_little_memory) {
    size_t most = (size_t)1 << 20;
    spry_allocator allocator = {allocate_little, release_little, &most};
    for (int threads = 1; threads <= test_threads(4); threads++) {
        spry_context_options options = test_options();
        options.threads = threads;
        options.allocator = &allocator;
        spry_context *context = test_context_with(&options);
        struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
        spry_matrix *made;
        cr_expect_eq(spry_convert(context, csr.matrix, SPRY_AUTO, NULL, &made), SPRY_OK, "%d threads: %s",
                     threads, spry_message(context));
        spry_matrix_destroy(made);
        built_free(&csr);
        spry_context_destroy(context);
    }
}

/* ---- fitted to the number of threads ---- */

/* The price of bytes from memory in the context's draft, in nanoseconds. */
static double far_price(spry_context *context) {
    char *text = draft_of(context), *found = strstr(text, "\"far\": ");
    cr_assert(found, "%s", text);
    double price = atof(found + strlen("\"far\": "));
    free(text);
    return price;
}

/* A device is as it was measured; the CPU's profile says nothing of another number of threads than its own two. */
Test(profile, fitted_to_threads) {
    for (int threads = 1; threads <= test_threads(4); threads++) {
        char machine[80] = "a test";
        bool same = threads == 2 || test_backend() != SPRY_CPU;
        spry_context *context = test_context(threads);
        cr_assert_eq(load_profile(context, "{'f64': {'csr': {'far': 3, 'near': 5}}}", "{}"), SPRY_OK);
        cr_expect_float_eq(far_price(context), same ? 3 : 3 * sqrt(2.0 / threads), 1e-4);
        if (!same)
            snprintf(machine, sizeof machine, "a test (2 threads fitted to %d)", threads);
        cr_expect_str_eq(spry_profile_machine(context), machine);
        spry_context_destroy(context);
    }
}
