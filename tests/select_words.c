/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a format is where it is in a ranking, in words. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/profiles.h"
#include "support/rankings.h"
#include "support/scenarios.h"

#define SENTENCE 500

/* In a buffer of any size: as much of the sentence as fits, and nothing past the end. */
static void expect_cut(const struct ranking *ranking, int place, const char *sentence) {
    static const size_t sizes[] = {1, 2, 10, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char words[SENTENCE + 1];
        memset(words, '#', sizeof words);
        spry_explain(ranking->handle, place, words, sizes[i]);
        cr_assert(memchr(words, '\0', sizes[i]), "%zu bytes", sizes[i]);
        size_t length = strlen(sentence) < sizes[i] ? strlen(sentence) : sizes[i] - 1;
        cr_expect_eq(strlen(words), length, "%zu bytes of \"%s\"", sizes[i], sentence);
        cr_expect_eq(memcmp(words, sentence, length), 0, "%zu bytes of \"%s\"", sizes[i], sentence);
        for (size_t k = sizes[i]; k < sizeof words; k++)
            cr_assert_eq(words[k], '#', "byte %zu of %zu", k, sizes[i]);
    }
}

static void check_words(const struct ranking *ranking, const char *name) {
    char words[SENTENCE];
    for (int place = 0; place < ranking->count; place++) {
        spry_explain(ranking->handle, place, words, sizeof words);
        cr_expect(words[0] && strlen(words) < sizeof words - 1, "%s, place %d", name, place);
        cr_expect(!strstr(words, "nan") && !strstr(words, "inf"), "%s: %s", name, words);
        expect_cut(ranking, place, words);
    }
}

Test(select, every_place_is_explained) {
    spry_context *context = test_context(2);
    for (int own = 0; own < 2; own++) {
        if (own)
            load_prices(context);
        for (size_t i = 0; i < test_scenario_count; i++) {
            if (!test_scenario_is_tried(&test_scenarios[i]))
                continue;
            struct built csr = csr_of(context, test_scenarios[i].name, SPRY_F64, SPRY_I32);
            struct ranking many = ranking_of(context, csr.matrix, NULL),
                           once = ranking_of(
                               context, csr.matrix,
                               &(spry_select_options){.size = sizeof(spry_select_options), .products = 1});
            check_words(&many, test_scenarios[i].name);
            check_words(&once, test_scenarios[i].name);
            built_free(&csr);
        }
    }
    spry_context_destroy(context);
}

static void expect_words(const struct ranking *ranking, spry_format format, const char *const *expected) {
    char words[SENTENCE];
    spry_explain(ranking->handle, (int)(choice_of(ranking, format) - ranking->choice), words, sizeof words);
    for (; *expected; expected++)
        cr_expect(strstr(words, *expected), "\"%s\" not in \"%s\"", *expected, words);
}

#define EXPECT_WORDS(ranking, format, ...)                                                                   \
    expect_words(ranking, format, (const char *const[]){__VA_ARGS__, NULL})

/* Of what was measured: times are what products took, and what they were spent on is predicted still. */
static void expect_measured_words(const struct ranking *ranking) {
    char words[SENTENCE];
    int compared = 0;
    for (int place = 0; place < ranking->count; place++) {
        if (ranking->choice[place].measured_seconds == 0)
            continue;
        spry_explain(ranking->handle, place, words, sizeof words);
        cr_expect(strstr(words, " took ") && !strstr(words, "would take"), "%s", words);
        cr_expect(!strstr(words, "and spend"), "%s", words);
        compared += strstr(words, "and should spend") != NULL;
    }
    cr_expect_gt(compared, 0);
}

Test(select, says_what_matters) {
    spry_context *context = test_context(2);
    struct built spiked = csr_of(context, "arrow", SPRY_F64, SPRY_I32),
                 even = csr_of(context, "dense", SPRY_F64, SPRY_I32),
                 empty = csr_of(context, "no entries", SPRY_F64, SPRY_I32);
    load_favourite(context, SPRY_JDS, 5000);
    struct ranking ranking = ranking_of(context, spiked.matrix, NULL);
    /* 120 rows, rounded up to 128, of 120 slots, for 358 entries. */
    EXPECT_WORDS(&ranking, SPRY_ELL, "rows vary from 2 to 120 entries", "43 times the nonzeros", "ell",
                 "never pays back");
    EXPECT_WORDS(&ranking, SPRY_JDS, "jds should take 0.001 µs", "csr would take 1 µs", "starting",
                 "converting takes 5 µs", "after 6 products");
    ranking = ranking_of(context, spiked.matrix,
                         &(spry_select_options){.size = sizeof(spry_select_options), .memory_limit = 10000});
    EXPECT_WORDS(&ranking, SPRY_ELL, "rows vary", "43 times the nonzeros", "past the limit");
    ranking = ranking_of(context, even.matrix,
                         &(spry_select_options){.size = sizeof(spry_select_options), .memory_limit = 1000});
    EXPECT_WORDS(&ranking, SPRY_COO, "every row has 47 entries", "coo would be made", "past the limit");
    ranking = ranking_of(context, spiked.matrix,
                         &(spry_select_options){.size = sizeof(spry_select_options), .products = 1});
    EXPECT_WORDS(&ranking, SPRY_CSR, "csr should take 1 µs", "not worth the conversion");
    ranking = ranking_of(context, even.matrix,
                         &(spry_select_options){.size = sizeof(spry_select_options), .measure = 1});
    EXPECT_WORDS(&ranking, ranking.choice[0].format, "every row has 47 entries", " took ");
    ranking = ranking_of(context, even.matrix,
                         &(spry_select_options){.size = sizeof(spry_select_options), .measure = 100});
    expect_measured_words(&ranking);
    ranking = ranking_of(context, even.matrix,
                         &(spry_select_options){.size = sizeof(spry_select_options), .values_change = 1});
    EXPECT_WORDS(&ranking, SPRY_STENCIL, "stencil depends on the values, which will change");
    ranking = ranking_of(context, empty.matrix, NULL);
    EXPECT_WORDS(&ranking, SPRY_CSR, "nothing to multiply");
    built_free(&spiked);
    built_free(&even);
    built_free(&empty);
    spry_context_destroy(context);
}

/* A factor that two digits round to 1 is not told as one. */
Test(select, says_what_is_hardly_more) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "dense", SPRY_F64, SPRY_I32);
    double start[SPRY_FORMAT_COUNT];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        start[format] = format == SPRY_CSR ? 1000 : format == SPRY_JDS ? 1030 : 1060;
    load_starts(context, start, 0);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    EXPECT_WORDS(&ranking, SPRY_JDS,
                 "jds would take 1.03 µs, hardly more than csr, and spend more on starting");
    EXPECT_WORDS(&ranking, SPRY_COO, "coo would take 1.06 µs, 1.1 times csr, and spend");
    built_free(&csr);
    spry_context_destroy(context);
}

/* Prices that no machine has: the factor between two formats has 300 digits. */
Test(select, says_what_is_beyond_measure) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "dense", SPRY_F64, SPRY_I32);
    double start[SPRY_FORMAT_COUNT];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        start[format] = format == SPRY_CSR ? 1e300 : 1;
    load_starts(context, start, 0);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    EXPECT_WORDS(&ranking, SPRY_CSR, "1e+300 times");
    built_free(&csr);
    spry_context_destroy(context);
}

Test(select, no_words_for_what_is_not_there) {
    char words[10] = "#########";
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    spry_explain(ranking.handle, 0, NULL, 5);
    spry_explain(ranking.handle, 0, words, 0);
    cr_expect_eq(words[0], '#');
    const int places[] = {-1, ranking.count, ranking.count + 1000};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        words[0] = '#';
        spry_explain(ranking.handle, places[i], words, sizeof words);
        cr_expect_str_empty(words);
    }
    words[0] = '#';
    spry_explain(NULL, 0, words, sizeof words);
    cr_expect_str_empty(words);
    built_free(&csr);
    spry_context_destroy(context);
}
