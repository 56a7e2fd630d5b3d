/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of values: where they end, what pads, new values, codes that stand for nothing; and what no code keeps. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/backend.h"
#include "support/backend.h"
#include "support/list.h"
#include "support/pairs.h"
#include "support/scenarios.h"
#include "support/vector.h"

static double other_zero(int64_t k) {
    return k == 0 ? 0.0 : -0.0;
}

static double as_numbered(int64_t k) {
    return (double)k + 0.5;
}

/* A row of so many entries, and one that has but the first value. */
static struct list many_values(int64_t count, double (*value)(int64_t k)) {
    struct list list = list_new(2, count);
    for (int64_t k = 0; k < count; k++)
        list_add(&list, 0, k, value(k));
    list_add(&list, 1, 0, value(0));
    return list;
}

/* As many values as fit, and one more, which is named. */
Test(codes, tables_have_an_end) {
    static const struct {
        const char *storage;
        int64_t most;
        double (*value)(int64_t k);
        const char *message;
    } cases[] = {
        {"csr+constant", 1, as_numbered, "csr+constant: value 1.5, of entry 1 in row order"},
        {"sell+constant", 1, other_zero, "sell+constant: value -0, of entry 1 in row order"},
        {"csc+dict8", 256, as_numbered, "csc+dict8: value 256.5, of entry 256 in row order"},
        {"sell:32:1+dict8", 256, as_numbered, "sell+dict8: value 256.5, of entry 256 in row order"},
        {"csr+dict16", 65536, as_numbered, "csr+dict16: value 65536.5, of entry 65536 in row order"},
    };
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
            const spry_value_type type = (spry_value_type)(c % 2);
            const spry_storage storage = storage_of(cases[c / 2].storage);
            struct list fits = many_values(cases[c / 2].most, cases[c / 2].value),
                        beyond = many_values(cases[c / 2].most + 1, cases[c / 2].value);
            spry_matrix *coded;
            struct built csr = built_of(context, &fits, SPRY_CSR, type, SPRY_I32);
            cr_expect_eq(spry_convert_to(context, csr.matrix, &storage, &keep_duplicates, &coded), SPRY_OK,
                         "%s: %s", cases[c / 2].storage, spry_message(context));
            cr_expect(equals_list(context, coded, &fits), "%s", cases[c / 2].storage);
            cr_expect_eq(spry_validate(context, coded, 0), SPRY_OK, "%s", spry_message(context));
            spry_matrix_destroy(coded);
            built_free(&csr);
            csr = built_of(context, &beyond, SPRY_CSR, type, SPRY_I32);
            cr_expect_eq(spry_convert_to(context, csr.matrix, &storage, &keep_duplicates, &coded),
                         SPRY_ERROR_UNSUPPORTED);
            cr_expect_not_null(strstr(spry_message(context), cases[c / 2].message), "%s",
                               spry_message(context));
            cr_expect_null(coded);
            built_free(&csr);
            list_free(&fits);
            list_free(&beyond);
        }
        spry_context_destroy(context);
    }
}

/* Rows of all lengths, and one value: the zeros that pad slices are none. */
Test(codes, padding_is_no_value) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    struct pair pair;
    pair_open(context, &list, SPRY_I32, "sell:32:1+constant", &pair);
    cr_expect_gt(spry_matrix_slots(pair.coded), spry_matrix_nnz(pair.coded));
    cr_expect_eq(spry_matrix_bytes(pair.plain) - spry_matrix_bytes(pair.coded),
                 (size_t)spry_matrix_slots(pair.plain) * sizeof(double) - sizeof(double));
    pair_close(&pair);
    pair_open(context, &list, SPRY_I32, "sell:32:1+dict8", &pair);
    cr_expect_eq(spry_matrix_bytes(pair.plain) - spry_matrix_bytes(pair.coded),
                 (size_t)spry_matrix_slots(pair.plain) * (sizeof(double) - 1) - 256 * sizeof(double));
    cr_expect_eq(spry_matrix_padding(pair.coded),
                 (size_t)(spry_matrix_slots(pair.coded) - spry_matrix_nnz(pair.coded)) *
                     (sizeof(int32_t) + 1));
    pair_close(&pair);
    list_free(&list);
    spry_context_destroy(context);
}

/* Many threads look for different values. */
Test(codes, tables_of_many_threads) {
    static const int threads[] = {17, 100};
    static const spry_storage dict8 = {.format = SPRY_CSR, .values = SPRY_VALUES_DICT8};
    struct list list = list_new(50, 100);
    for (int64_t k = 0; k < 5000; k++)
        list_add(&list, k / 100, k % 100, as_numbered(k % 251));
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        spry_context *context = test_context(threads[t]);
        spry_matrix *coded;
        struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        cr_assert_eq(spry_convert_to(context, csr.matrix, &dict8, NULL, &coded), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect(equals_list(context, coded, &list), "%d threads", threads[t]);
        spry_matrix_destroy(coded);
        built_free(&csr);
        spry_context_destroy(context);
    }
    list_free(&list);
}

/* New values get a table of their own; where they do not fit one, the matrix is as it was. */
Test(codes, new_tables) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make(), sorted = sorted_copy(&list);
    for (int narrow = 0; narrow < 2; narrow++) {
        const spry_value_type type = narrow ? SPRY_F32 : SPRY_F64;
        struct pair pair;
        struct built news;
        pair_of(context, &list, type, SPRY_I32, "sell:32:1+dict8", &pair);
        for (int64_t k = 0; k < sorted.nnz; k++)
            sorted.val[k] = (double)(k % 200) + 0.25;
        for (int origin = CONVERTED; origin <= WRAPPED_FROM_1; origin++) {
            cr_assert_eq(build(context, &sorted, SPRY_CSR, type, SPRY_I32, (enum origin)origin, &news),
                         SPRY_OK);
            cr_expect_eq(spry_update_values(context, pair.coded, news.matrix), SPRY_OK, "%s",
                         spry_message(context));
            cr_expect(equals_list(context, pair.coded, &sorted));
            cr_expect_eq(spry_update_values(context, pair.plain, news.matrix), SPRY_OK);
            built_free(&news);
        }
        bool *seen = calloc(spry_kernel_count(), sizeof *seen);
        cr_assert_not_null(seen);
        compare_products(context, &pair, seen, "new values");
        free(seen);
        struct list beyond = list_copy(&sorted);
        for (int64_t k = 0; k < beyond.nnz; k++)
            beyond.val[k] = (double)k;
        news = built_of(context, &beyond, SPRY_CSR, type, SPRY_I32);
        cr_expect_eq(spry_update_values(context, pair.coded, news.matrix), SPRY_ERROR_UNSUPPORTED);
        cr_expect_not_null(strstr(spry_message(context), "sell+dict8: value 256"), "%s",
                           spry_message(context));
        cr_expect(equals_list(context, pair.coded, &sorted));
        built_free(&news);
        list_free(&beyond);
        pair_close(&pair);
    }
    list_free(&list);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* A caller who writes what the library gave to be read is told so. */
Test(codes, codes_that_stand_for_nothing) {
    static const char *const texts[] = {"csr+dict8", "csr+dict16"};
    spry_context *context = test_context(1), *host = NULL;
    struct list list = many_values(3, as_numbered);
    cr_assert_eq(spry_context_create(&host, NULL), SPRY_OK);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const spry_storage storage = storage_of(texts[t]);
        spry_matrix *coded, *there;
        struct built csr = built_of(host, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        cr_assert_eq(spry_convert_to(host, csr.matrix, &storage, NULL, &coded), SPRY_OK);
        ((unsigned char *)spry_matrix_csr(coded)->val)[t == 0 ? 2 : 4] = 3;
        cr_assert_eq(spry_matrix_copy(context, coded, &there), SPRY_OK, "%s", spry_message(context));
        cr_expect_eq(spry_validate(context, there, 0), SPRY_ERROR_INVALID);
        cr_expect_str_eq(spry_message(context), "slot 2: the code stands for none of the 3 values");
        spry_matrix_destroy(there);
        spry_matrix_destroy(coded);
        built_free(&csr);
    }
    list_free(&list);
    spry_context_destroy(host);
    spry_context_destroy(context);
}

/* What f32 cannot keep bit by bit, and what has no such code. */
Test(codes, refuses_what_is_not_exact) {
    static const double values[] = {0.1, 1e300, 1e-60, 16777217};
    spry_context *context = test_context(2);
    spry_storage code = storage_of("csr+f32");
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct list list = test_scenario("one entry")->make();
        spry_matrix *coded;
        list.val[0] = values[v];
        struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        cr_expect_eq(spry_convert_to(context, csr.matrix, &code, NULL, &coded), SPRY_ERROR_UNSUPPORTED, "%g",
                     values[v]);
        cr_expect_not_null(strstr(spry_message(context), "is not exact"), "%s", spry_message(context));
        cr_expect_null(coded);
        built_free(&csr);
        list_free(&list);
    }
    struct list list = test_scenario("one entry")->make();
    spry_matrix *coded;
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F32, SPRY_I32);
    cr_expect_eq(spry_convert_to(context, csr.matrix, &code, NULL, &coded), SPRY_ERROR_UNSUPPORTED);
    cr_expect_str_eq(spry_message(context), "csr does not keep f32 values as f32");
    code = storage_of("jds+f32");
    cr_expect_eq(spry_convert_to(context, csr.matrix, &code, NULL, &coded), SPRY_ERROR_UNSUPPORTED);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* Encoding looks at what each code stands for. A value that the table should have and lacks is found; a zero pads. */
Test(codes, what_a_table_lacks_is_found) {
    static const spry_value_code codes[] = {SPRY_VALUES_CONSTANT, SPRY_VALUES_DICT8, SPRY_VALUES_DICT16};
    spry_context *context = test_context(2);
    for (int c = 0; c < 3 * SPRY_TYPE_COUNT; c++) {
        const spry_value_type type = (spry_value_type)(c / 3);
        const struct spry_value_coder *coder = context->code->coder[codes[c % 3]];
        struct vector values = vector_new(type, 3000, 7), table = vector_new(type, coder->most, 7),
                      room = vector_new(SPRY_F64, 3000, 7);
        vector_fill(&values, 2.5);
        vector_fill(&table, 2.5);
        vector_set(&values, 17, 0);
        struct placed at = vector_place(context, &values), told = vector_place(context, &table),
                      to = vector_place(context, &room);
        const struct spry_coded how = {coder, type, {told.data, 1}};
        int64_t broken = 0;
        cr_expect_eq(coder->encode(context, &how, 3000, at.data, to.data, &broken), SPRY_OK);
        cr_expect_eq(broken, 3000);
        vector_set(&values, 2999, 3);
        vector_set(&values, 1234, 2);
        cr_assert_eq(vector_put(&values, &at), SPRY_OK);
        cr_expect_eq(coder->encode(context, &how, 3000, at.data, to.data, &broken), SPRY_OK);
        cr_expect_eq(broken, 1234, "code %d", (int)codes[c % 3]);
        placed_free(&at);
        placed_free(&told);
        placed_free(&to);
        vector_free(&values);
        vector_free(&table);
        vector_free(&room);
    }
    spry_context_destroy(context);
}

/* Signs of zeros, infinities and the usual NaN are kept. */
Test(codes, keeps_what_is_special) {
    static const double values[] = {-0.0, INFINITY, -INFINITY, NAN, 0x1p-149, 0x1.fffffep127};
    spry_context *context = test_context(1);
    spry_storage code = storage_of("csr+f32");
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct list list = test_scenario("one entry")->make(), sorted = sorted_copy(&list);
        spry_matrix *coded = NULL;
        list.val[0] = sorted.val[0] = values[v];
        struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
        cr_expect_eq(spry_convert_to(context, csr.matrix, &code, &keep_duplicates, &coded), SPRY_OK, "%g",
                     values[v]);
        cr_expect(equals_list(context, coded, &sorted), "%g", values[v]);
        spry_matrix_destroy(coded);
        built_free(&csr);
        list_free(&list);
        list_free(&sorted);
    }
    spry_context_destroy(context);
}
