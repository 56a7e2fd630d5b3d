/* SPDX-License-Identifier: BSD-3-Clause */
/* Value codes among what is ranked: those that a sample says hold, and what is made where it was wrong. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/list.h"
#include "support/profiles.h"
#include "support/rankings.h"

/* ---- matrices ---- */

enum { ROWS = 4000, LENGTH = 50, ENTRIES = ROWS * LENGTH };

/* Rows of one length, enough entries for the longest table to be worth it. */
static struct list list_of(double (*value)(int64_t k)) {
    struct list list = list_new(ROWS, ROWS);
    for (int64_t k = 0; k < ENTRIES; k++)
        list_add(&list, k / LENGTH, (k / LENGTH + k % LENGTH * 7) % ROWS, value(k));
    list_sort(&list);
    for (int64_t k = 0; k < ENTRIES; k++)
        list.val[k] = value(k);
    return list;
}

static double one(int64_t k) {
    (void)k;
    return 0.1;
}
static double seventeen(int64_t k) {
    return 0.1 * (double)(1 + k % 17);
}
static double five_thousand(int64_t k) {
    uint64_t state = (uint64_t)k;
    return 1.0 / (double)(3 + test_below(&state, 5000));
}
static double exact(int64_t k) {
    return (double)k + 0.5;
}
static double different(int64_t k) {
    return 1.0 / (double)(3 + k);
}
/* The last entries are in no window of a sample. */
static double but_the_last(int64_t k) {
    return k == ENTRIES - 1 ? 0.7 : 0.1;
}
static double but_the_last_300(int64_t k) {
    return k >= ENTRIES - 300 ? 1.0 / (double)k : 0.1;
}

static struct built csr_with(spry_context *context, double (*value)(int64_t k), spry_value_type type) {
    struct list list = list_of(value);
    struct built csr = built_of(context, &list, SPRY_CSR, type, SPRY_I32);
    list_free(&list);
    return csr;
}

/* ---- prices ---- */

static bool is_priced(const spry_kernel_info *info, spry_value_type type) {
    return info->backend == test_backend() && info->type == type && info->index == SPRY_I32 &&
           info->op == SPRY_N && !info->many;
}

/* Each product takes so many nanoseconds, by the code that it reads. */
static void load_by_code(spry_context *context, const double nanoseconds[SPRY_VALUE_CODE_COUNT]) {
    struct text kernels;
    text_open(&kernels);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        const char *before = "";
        fprintf(kernels.stream, "%s'%s': {", type ? "}," : "{", spry_type_name((spry_value_type)type));
        for (size_t k = 0; k < spry_kernel_count(); k++) {
            const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
            if (!is_priced(&info, (spry_value_type)type))
                continue;
            fprintf(kernels.stream, "%s'%s': {'start': %g}", before, info.name, nanoseconds[info.values]);
            before = ",";
        }
    }
    fputs("}}", kernels.stream);
    text_close(&kernels);
    cr_assert_eq(load_profile(context, kernels.chars, "{}"), SPRY_OK, "%s", spry_message(context));
    free(kernels.chars);
}

/* Fewer bytes are faster. */
static void load_small(spry_context *context) {
    static const double nanoseconds[SPRY_VALUE_CODE_COUNT] = {[SPRY_VALUES_PLAIN] = 1000,
                                                              [SPRY_VALUES_F32] = 40,
                                                              [SPRY_VALUES_CONSTANT] = 10,
                                                              [SPRY_VALUES_DICT8] = 20,
                                                              [SPRY_VALUES_DICT16] = 30};
    load_by_code(context, nanoseconds);
}

/* ---- what is ranked ---- */

/* The storage of a choice with this code. */
static const spry_choice *with_code(const struct ranking *ranking, const spry_choice *plain,
                                    spry_value_code code) {
    spry_storage storage = plain->storage;
    storage.values = code;
    for (int i = 0; i < ranking->count; i++)
        if (memcmp(&ranking->choice[i].storage, &storage, sizeof storage) == 0)
            return &ranking->choice[i];
    return NULL;
}

/* Of one thread's product in CSR, in a ranking of a matrix whose best code is this one. */
static void expect_decoding(double (*value)(int64_t k), spry_value_code code, double amount,
                            const char *name) {
    spry_context *context = test_context(1);
    load_small(context);
    struct built csr = csr_with(context, value, SPRY_F64);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    const spry_choice *plain = choice_of(&ranking, SPRY_CSR), *coded = with_code(&ranking, plain, code);
    cr_assert_not_null(coded, "%s", name);
    const double decoded = amount_of(coded, "decoding");
    cr_expect_eq(amount_of(plain, "decoding"), 0, "%s", name);
    cr_expect_eq(decoded, amount, "%s: %g, not %g", name, decoded, amount);
    built_free(&csr);
    spry_context_destroy(context);
}

/* A byte or two of each entry are looked up; one value is written as often as entries are decoded at once; f32 is read as it is. */
Test(select, counts_bytes_that_are_looked_up) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU: a GPU counts slots");
    expect_decoding(one, SPRY_VALUES_CONSTANT, 2048, "constant");
    expect_decoding(seventeen, SPRY_VALUES_DICT8, ENTRIES, "dict8");
    expect_decoding(five_thousand, SPRY_VALUES_DICT16, 2 * ENTRIES, "dict16");
    expect_decoding(exact, SPRY_VALUES_F32, 0, "f32");
}

static unsigned codes_ranked(const struct ranking *ranking) {
    unsigned codes = 0;
    for (int i = 0; i < ranking->count; i++)
        codes |= 1u << ranking->choice[i].storage.values;
    return codes;
}

/* Beside each storage of CSR, SELL and BSR with plain values those with these codes, which are smaller, and no others. */
static void expect_codes(const struct ranking *ranking, unsigned codes, const char *name) {
    int coded = 0, found = 0;
    cr_expect_eq(codes_ranked(ranking), codes | 1u << SPRY_VALUES_PLAIN, "%s: codes %x, not %x", name,
                 codes_ranked(ranking), codes | 1u << SPRY_VALUES_PLAIN);
    for (int i = 0; i < ranking->count; i++) {
        const spry_choice *choice = &ranking->choice[i];
        coded += choice->storage.values != SPRY_VALUES_PLAIN;
        if (choice->storage.values != SPRY_VALUES_PLAIN ||
            (choice->format != SPRY_CSR && choice->format != SPRY_SELL && choice->format != SPRY_BSR))
            continue;
        for (int code = 1; code < SPRY_VALUE_CODE_COUNT; code++) {
            const spry_choice *other = with_code(ranking, choice, (spry_value_code)code);
            cr_expect_eq(other != NULL, codes >> code & 1, "%s: %s+%s", name,
                         spry_format_name(choice->format), spry_value_code_name((spry_value_code)code));
            cr_expect(!other || (other->possible && other->bytes < choice->bytes), "%s", name);
            cr_expect(!other || other->slots == choice->slots, "%s", name);
            found += other != NULL;
        }
    }
    cr_expect_eq(found, coded, "%s: %d storages with codes, %d of them beside plain ones", name, coded,
                 found);
}

#define CODE(name) (1u << SPRY_VALUES_##name)

Test(select, ranks_codes_that_should_hold) {
    static const struct {
        const char *name;
        double (*value)(int64_t k);
        unsigned f32, f64;
    } cases[] = {
        {"one", one, CODE(CONSTANT) | CODE(DICT8), CODE(CONSTANT) | CODE(DICT8)},
        {"seventeen", seventeen, CODE(DICT8) | CODE(DICT16), CODE(DICT8) | CODE(DICT16)},
        {"five thousand", five_thousand, CODE(DICT16), CODE(DICT16)},
        {"exact", exact, 0, CODE(F32)},
        {"different", different, 0, 0},
        {"but the last", but_the_last, CODE(CONSTANT) | CODE(DICT8), CODE(CONSTANT) | CODE(DICT8)},
    };
    spry_context *context = test_context(2);
    load_small(context);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            struct built csr = csr_with(context, cases[c].value, (spry_value_type)type);
            struct ranking ranking = ranking_of(context, csr.matrix, NULL);
            expect_codes(&ranking, type == SPRY_F32 ? cases[c].f32 : cases[c].f64, cases[c].name);
            built_free(&csr);
        }
    spry_context_destroy(context);
}

/* A table that takes more than it saves is no candidate, and of values that are in a code nothing is said. */
Test(select, ranks_no_codes_where_none_is_smaller) {
    static const spry_storage coded = {.format = SPRY_CSR, .values = SPRY_VALUES_DICT8};
    spry_context *context = test_context(2);
    struct list list = list_new(3, 3);
    struct built csr = csr_with(context, seventeen, SPRY_F64);
    spry_matrix *made;
    list_add(&list, 0, 0, 0.1);
    list_add(&list, 2, 1, 0.2);
    load_small(context);
    struct built small = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    struct ranking ranking = ranking_of(context, small.matrix, NULL);
    expect_codes(&ranking, 0, "two entries");
    cr_assert_eq(spry_convert_to(context, csr.matrix, &coded, NULL, &made), SPRY_OK);
    ranking = ranking_of(context, made, NULL);
    expect_codes(&ranking, 0, "in a code");
    spry_matrix_destroy(made);
    built_free(&small);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* What conversions allow is a multiple of plain CSR, and does not hold for layouts without padding. */
Test(select, limits_go_by_plain_values_and_columns) {
    static const spry_storage coded = {
        .format = SPRY_CSR, .values = SPRY_VALUES_CONSTANT, .columns = SPRY_COLUMNS_NARROW};
    spry_context *context = test_context(2);
    struct list list = list_new(4000, 4000);
    spry_matrix *small, *coo;
    for (int64_t k = 0; k < 180 * list.rows; k++)
        list_add(&list, k / 180, k / 180 % 1000 + k % 180 * 7, 0.1);
    load_small(context);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I64);
    cr_assert_eq(spry_convert_to(context, csr.matrix, &coded, NULL, &small), SPRY_OK, "%s",
                 spry_message(context));
    cr_assert_eq(spry_convert(context, small, SPRY_COO, NULL, &coo), SPRY_OK, "%s", spry_message(context));
    cr_expect_gt(spry_matrix_bytes(coo), 11 * spry_matrix_bytes(small));
    struct ranking plain = ranking_of(context, csr.matrix, NULL), ranking = ranking_of(context, small, NULL);
    for (int i = 0; i < ranking.count; i++)
        cr_expect_eq(ranking.choice[i].possible, choice_like(&plain, &ranking.choice[i])->possible, "%s",
                     spry_format_name(ranking.choice[i].format));
    cr_expect(choice_of(&ranking, SPRY_COO)->possible);
    spry_matrix_destroy(coo);
    spry_matrix_destroy(small);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what is made ---- */

static void expect_made(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                        spry_value_code expected) {
    char before[256];
    spry_matrix *made;
    spry_storage storage;
    snprintf(before, sizeof before, "%s", spry_message(context));
    cr_assert_eq(spry_convert(context, csr, SPRY_AUTO, options, &made), SPRY_OK, "%s", spry_message(context));
    spry_matrix_storage(made, &storage);
    cr_expect_eq(storage.values, expected, "%s, not %s", spry_value_code_name(storage.values),
                 spry_value_code_name(expected));
    cr_expect_str_eq(spry_message(context), before);
    cr_expect_eq(spry_validate(context, made, SPRY_CHECK_SORTED), SPRY_OK, "%s", spry_message(context));
    spry_matrix_destroy(made);
}

/* A code that turns out not to keep the values is passed over without a word. */
Test(select, auto_passes_over_codes_that_break) {
    static const struct {
        double (*value)(int64_t k);
        spry_value_code expected;
    } cases[] = {{one, SPRY_VALUES_CONSTANT},
                 {but_the_last, SPRY_VALUES_DICT8},
                 {but_the_last_300, SPRY_VALUES_PLAIN},
                 {five_thousand, SPRY_VALUES_DICT16},
                 {exact, SPRY_VALUES_F32},
                 {different, SPRY_VALUES_PLAIN}};
    static const spry_convert_options measured = {.size = sizeof measured, .measure = 2};
    spry_context *context = test_context(2);
    load_small(context);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct built csr = csr_with(context, cases[c].value, SPRY_F64);
        spry_matrix *made;
        expect_made(context, csr.matrix, NULL, cases[c].expected);
        cr_expect_eq(spry_convert(context, csr.matrix, SPRY_AUTO, &measured, &made), SPRY_OK, "%s",
                     spry_message(context));
        spry_matrix_destroy(made);
        built_free(&csr);
    }
    spry_context_destroy(context);
}

/* Who will give other values says so; a program from before that could be said is taken to. */
Test(select, no_codes_for_values_that_change) {
    const spry_convert_options change = {.size = sizeof change, .values_change = 1},
                               old = {.size = offsetof(spry_convert_options, values_change)},
                               stay = {.size = sizeof stay};
    const spry_select_options ranked[] = {
        {.size = sizeof *ranked, .values_change = 1},
        {.size = offsetof(spry_select_options, values_change)},
    };
    spry_context *context = test_context(2);
    struct built csr = csr_with(context, seventeen, SPRY_F64);
    load_small(context);
    expect_made(context, csr.matrix, &change, SPRY_VALUES_PLAIN);
    expect_made(context, csr.matrix, &old, SPRY_VALUES_PLAIN);
    expect_made(context, csr.matrix, &stay, SPRY_VALUES_DICT8);
    for (size_t i = 0; i < sizeof ranked / sizeof *ranked; i++) {
        struct ranking ranking = ranking_of(context, csr.matrix, &ranked[i]);
        expect_codes(&ranking, 0, "values that change");
    }
    built_free(&csr);
    spry_context_destroy(context);
}

/* New values are coded anew, or refused by the name of the code, with nothing changed. */
Test(select, new_values_of_what_auto_coded) {
    spry_context *context = test_context(2);
    struct built csr = csr_with(context, one, SPRY_F64), same = csr_with(context, one, SPRY_F64),
                 other = csr_with(context, seventeen, SPRY_F64);
    struct list list = list_of(one);
    spry_matrix *made;
    load_small(context);
    cr_assert_eq(spry_convert(context, csr.matrix, SPRY_AUTO, NULL, &made), SPRY_OK);
    cr_expect_eq(spry_update_values(context, made, same.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(spry_update_values(context, made, other.matrix), SPRY_ERROR_UNSUPPORTED);
    cr_expect(strstr(spry_message(context), "+constant: value"), "%s", spry_message(context));
    cr_expect(equals_list(context, made, &list));
    spry_matrix_destroy(made);
    list_free(&list);
    built_free(&csr);
    built_free(&same);
    built_free(&other);
    spry_context_destroy(context);
}

/* ---- values that came later ---- */

static double zero(int64_t k) {
    (void)k;
    return 0;
}

/* Rankings of one pattern with the same values. */
static void expect_same_ranking(const struct ranking *ranking, const struct ranking *fresh,
                                const char *name) {
    cr_assert_eq(ranking->count, fresh->count, "%s: %d places, not %d", name, ranking->count, fresh->count);
    for (int i = 0; i < fresh->count; i++) {
        const spry_choice *choice = &ranking->choice[i], *want = &fresh->choice[i];
        cr_expect_eq(memcmp(&choice->storage, &want->storage, sizeof want->storage), 0, "%s, place %d", name,
                     i);
        cr_expect(choice->bytes == want->bytes && choice->seconds == want->seconds, "%s, place %d: %g bytes",
                  name, i, choice->bytes);
        cr_expect_eq(choice->kernel, want->kernel, "%s, place %d", name, i);
    }
}

static void expect_same_choice(spry_context *context, const spry_matrix *csr, const spry_matrix *fresh,
                               const char *name) {
    spry_matrix *made, *want;
    spry_storage storage, expected;
    cr_assert_eq(spry_convert(context, csr, SPRY_AUTO, NULL, &made), SPRY_OK, "%s", spry_message(context));
    cr_assert_eq(spry_convert(context, fresh, SPRY_AUTO, NULL, &want), SPRY_OK, "%s", spry_message(context));
    spry_matrix_storage(made, &storage);
    spry_matrix_storage(want, &expected);
    cr_expect_eq(memcmp(&storage, &expected, sizeof storage), 0, "%s: %s, not %s", name,
                 spry_format_name(storage.format), spry_format_name(expected.format));
    cr_expect_eq(spry_kernel_for(made, SPRY_N), spry_kernel_for(want, SPRY_N), "%s", name);
    spry_matrix_destroy(made);
    spry_matrix_destroy(want);
}

/* Wrapped arrays, whose values become those of another matrix, by an update or behind the library's back. */
static void check_later_values(spry_context *context, double (*before)(int64_t k), double (*after)(int64_t k),
                               bool update, const char *name) {
    struct list list = list_of(before);
    struct built wrapped, fresh = csr_with(context, after, SPRY_F64);
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &wrapped), SPRY_OK);
    if (update)
        cr_assert_eq(spry_update_values(context, wrapped.matrix, fresh.matrix), SPRY_OK);
    for (int64_t k = 0; k < ENTRIES && !update; k++)
        set_value(wrapped.arrays.val, SPRY_F64, k, after(k));
    struct ranking ranking = ranking_of(context, wrapped.matrix, NULL),
                   expected = ranking_of(context, fresh.matrix, NULL);
    expect_same_ranking(&ranking, &expected, name);
    expect_same_choice(context, wrapped.matrix, fresh.matrix, name);
    built_free(&wrapped);
    built_free(&fresh);
    list_free(&list);
}

/* What a matrix was found to be like when it was made does not stand for values that came later. */
Test(select, goes_by_values_as_they_are) {
    static const struct {
        const char *name;
        double (*before)(int64_t k), (*after)(int64_t k);
    } cases[] = {{"zeros that were assembled", zero, different},
                 {"what became one value", different, one},
                 {"a table that grew", seventeen, five_thousand}};
    for (int own = 0; own < 2; own++) {
        spry_context *context = test_context(2);
        if (own)
            load_small(context);
        /* Arrays on a device are not written to from here. */
        for (int update = test_backend() != SPRY_CPU; update < 2; update++)
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
                check_later_values(context, cases[c].before, cases[c].after, update, cases[c].name);
        spry_context_destroy(context);
    }
}

/* ---- in words ---- */

Test(select, says_what_codes_rest_on) {
    static const struct {
        double (*value)(int64_t k);
        const char *words;
    } cases[] = {{one, "a sample has one value only: "},
                 {seventeen, "a sample has 17 different values, 1 byte each: "},
                 {exact, "all values of a sample are kept by f32, 4 bytes each: "}};
    spry_context *context = test_context(2);
    load_small(context);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char words[500];
        struct built csr = csr_with(context, cases[c].value, SPRY_F64);
        struct ranking ranking = ranking_of(context, csr.matrix, NULL);
        spry_explain(ranking.handle, 0, words, sizeof words);
        cr_expect(strstr(words, cases[c].words), "%s", words);
        cr_expect(strstr(words, "B in place of 2.4"), "%s", words);
        built_free(&csr);
    }
    spry_context_destroy(context);
}
