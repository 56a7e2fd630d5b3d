/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are kept in a code: products have the bits that they have with plain values in the same layout, all else sees
   the values themselves, and what a code cannot keep is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/backend.h"
#include "support/build.h"
#include "support/list.h"
#include "support/many.h"
#include "support/scenarios.h"
#include "support/vector.h"

static const spry_convert_options keep = {.size = sizeof keep, .duplicates = SPRY_KEEP};

static spry_storage storage_of(const char *text) {
    spry_storage storage;
    cr_assert_eq(spry_storage_parse(text, &storage, NULL), SPRY_OK, "%s", text);
    return storage;
}

/* The same entries with plain values and in a code, both by way of CSR. */
struct pair {
    struct built csr;
    spry_matrix *plain, *coded;
};

static void pair_open(spry_context *context, const struct list *list, spry_index_type index, const char *text,
                      struct pair *pair) {
    spry_storage storage = storage_of(text);
    *pair = (struct pair){.plain = NULL};
    cr_assert_eq(build(context, list, SPRY_CSR, SPRY_F64, index, CONVERTED, &pair->csr), SPRY_OK);
    cr_assert_eq(spry_convert_to(context, pair->csr.matrix, &storage, &keep, &pair->coded), SPRY_OK, "%s: %s",
                 text, spry_message(context));
    storage.values = SPRY_VALUES_PLAIN;
    cr_assert_eq(spry_convert_to(context, pair->csr.matrix, &storage, &keep, &pair->plain), SPRY_OK);
}

static void pair_close(struct pair *pair) {
    spry_matrix_destroy(pair->plain);
    spry_matrix_destroy(pair->coded);
    built_free(&pair->csr);
}

/* ---- products ---- */

/* The kernel that does with plain values what this one does with those of a code. */
static const spry_kernel *plain_kernel(const spry_kernel *coded, const spry_matrix *plain) {
    spry_kernel_info wanted = spry_kernel_describe(coded);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        size_t length = strlen(info.name);
        if (info.op == wanted.op && strncmp(info.name, wanted.name, length) == 0 &&
            strcmp(wanted.name + length, "_f32") == 0 && spry_kernel_takes(spry_kernel_at(k), plain))
            return spry_kernel_at(k);
    }
    return NULL;
}

static struct vector multiply(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix) {
    int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix);
    bool transposed = spry_kernel_describe(kernel).op == SPRY_T;
    struct vector x = vector_new(SPRY_F64, transposed ? rows : cols, NAN),
                  y = vector_new(SPRY_F64, transposed ? cols : rows, 7);
    vector_random(&x, 5);
    vector_random(&y, 9);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    cr_expect_eq(spry_spmv_with(context, kernel, 1.5, matrix, x_there.data, 0.75, y_there.data), SPRY_OK,
                 "%s", spry_message(context));
    cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
    cr_expect(vector_guarded(&y));
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    return y;
}

/* Bit by bit, but for which NaN it is, which depends on the order of operands that a compiler chose. */
static bool are_same(const struct vector *a, const struct vector *b) {
    for (int64_t i = 0; i < a->count; i++) {
        double one = vector_get(a, i), other = vector_get(b, i);
        if (memcmp(&one, &other, sizeof one) != 0 && !(isnan(one) && isnan(other)))
            return false;
    }
    return true;
}

/* Every kernel for the coded matrix beside that for the plain one; `seen` has a place for each row of the table. */
static void compare_products(spry_context *context, const struct pair *pair, bool *seen, const char *name) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *coded = spry_kernel_at(k), *plain = plain_kernel(coded, pair->plain);
        spry_kernel_info info = spry_kernel_describe(coded);
        if (info.many || info.nondeterministic || !spry_kernel_takes(coded, pair->coded) ||
            !spry_kernel_runs(context, coded))
            continue;
        cr_assert_not_null(plain, "%s has no counterpart for plain values", info.name);
        struct vector a = multiply(context, plain, pair->plain), b = multiply(context, coded, pair->coded);
        cr_expect(are_same(&a, &b), "%s, %s: other bits than %s", name, info.name,
                  spry_kernel_describe(plain).name);
        vector_free(&a);
        vector_free(&b);
        seen[k] = true;
    }
}

/* Eleven columns, side by side or one after the other. */
static struct vector multiply_many(spry_context *context, const spry_matrix *matrix, spry_op op,
                                   bool by_rows) {
    enum { COLUMNS = 11 };
    int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix), in = op == SPRY_N ? cols : rows,
            out = op == SPRY_N ? rows : cols;
    struct vector x = vector_new(SPRY_F64, in * COLUMNS, NAN), y = vector_new(SPRY_F64, out * COLUMNS, 7);
    vector_random(&x, 6);
    vector_random(&y, 10);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    spry_view from = by_rows ? spry_view_of_rows(x_there.data, in, COLUMNS, COLUMNS)
                             : spry_view_of_columns(x_there.data, in, COLUMNS, in),
              to = by_rows ? spry_view_of_rows(y_there.data, out, COLUMNS, COLUMNS)
                           : spry_view_of_columns(y_there.data, out, COLUMNS, out);
    cr_expect_eq(spry_spmm(context, op, 1.5, matrix, &from, 0.75, &to), SPRY_OK, "%s", spry_message(context));
    cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    return y;
}

static void compare_many(spry_context *context, const struct pair *pair, const char *name) {
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        for (int by_rows = 0; by_rows < 2; by_rows++) {
            struct vector a = multiply_many(context, pair->plain, (spry_op)op, by_rows),
                          b = multiply_many(context, pair->coded, (spry_op)op, by_rows);
            cr_expect(are_same(&a, &b), "%s, op %d, by %s: other bits", name, op,
                      by_rows ? "rows" : "columns");
            vector_free(&a);
            vector_free(&b);
        }
}

static const char *const texts[] = {"csr+f32", "csc+f32", "sell+f32", "sell:3:9+f32", "sell:32:1+f32"};
#define TEXTS (sizeof texts / sizeof *texts)

/* Entries of a scenario that are exact in f32. */
static struct list exact_entries(const struct scenario *scenario) {
    struct list list = scenario->make();
    list_round(&list, SPRY_F32);
    return list;
}

/* In brief, each scenario has one index type and every second storage, and all of them have each with each. */
static bool is_tried(size_t scenario, int index, size_t text) {
    return !test_is_brief() ||
           ((int)(scenario % SPRY_INDEX_COUNT) == index && (scenario / SPRY_INDEX_COUNT + text) % 2 == 0);
}

static void compare_scenario(spry_context *context, size_t number, bool *seen) {
    const struct scenario *scenario = &test_scenarios[number];
    struct list list = exact_entries(scenario);
    for (int index = 0; index < SPRY_INDEX_COUNT; index++)
        for (size_t t = 0; t < TEXTS; t++) {
            struct pair pair;
            char name[120];
            if (!is_tried(number, index, t))
                continue;
            snprintf(name, sizeof name, "%s, %s", scenario->name, texts[t]);
            pair_open(context, &list, (spry_index_type)index, texts[t], &pair);
            compare_products(context, &pair, seen, name);
            pair_close(&pair);
        }
    list_free(&list);
}

Test(codes, same_bits_as_plain) {
    bool *seen = calloc(spry_kernel_count(), sizeof *seen);
    cr_assert_not_null(seen);
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t s = 0; s < test_scenario_count; s++)
            if (!test_scenarios[s].large)
                compare_scenario(context, s, seen);
        for (size_t k = 0; k < spry_kernel_count(); k++) {
            spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
            bool wanted = info.values != SPRY_VALUES_PLAIN && !info.many && !info.nondeterministic;
            cr_expect(seen[k] || !wanted || !spry_kernel_runs(context, spry_kernel_at(k)), "%s was not run",
                      info.name);
        }
        spry_context_destroy(context);
    }
    free(seen);
}

/* The kernels of each instruction set. */
Test(codes, many_columns) {
    static const char *const scenarios[] = {"one entry", "arrow", "empty rows"};
    bool *seen = calloc(spry_kernel_count(), sizeof *seen);
    cr_assert_not_null(seen);
    for (int w = 0; w < TEST_CHOICES; w++) {
        spry_context_options options = test_options();
        options.disable = test_without(w);
        spry_context *context = test_context_with(&options);
        for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
            struct list list = exact_entries(test_scenario(scenarios[s]));
            for (size_t i = 0; i < TEXTS * SPRY_INDEX_COUNT; i++) {
                struct pair pair;
                if (test_is_brief() && i % SPRY_INDEX_COUNT != s)
                    continue;
                pair_open(context, &list, (spry_index_type)(i % SPRY_INDEX_COUNT),
                          texts[i / SPRY_INDEX_COUNT], &pair);
                many_note(context, pair.coded, seen);
                compare_many(context, &pair, texts[i / SPRY_INDEX_COUNT]);
                pair_close(&pair);
            }
            list_free(&list);
        }
        spry_context_destroy(context);
    }
    spry_context *all = test_context(1);
    const char *missed = many_missed(all, false, seen);
    cr_expect_null(missed, "%s was not run", missed);
    spry_context_destroy(all);
    free(seen);
}

/* ---- all else ---- */

static struct list sorted_copy(const struct list *list) {
    struct list copy = list_copy(list);
    list_sort(&copy);
    return copy;
}

Test(codes, sizes_and_names) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    struct pair pair;
    char text[SPRY_STORAGE_TEXT];
    spry_storage storage;
    list_round(&list, SPRY_F32);
    pair_open(context, &list, SPRY_I32, "sell:8:32+f32", &pair);
    cr_expect_eq(spry_matrix_bytes(pair.plain) - spry_matrix_bytes(pair.coded),
                 (size_t)spry_matrix_slots(pair.plain) * (sizeof(double) - sizeof(float)));
    spry_matrix_storage(pair.coded, &storage);
    spry_storage_text(&storage, text, sizeof text);
    cr_expect_str_eq(text, "sell:8:32+f32");
    cr_expect_eq(spry_matrix_type(pair.coded), SPRY_F64);
    cr_expect_eq(spry_validate(context, pair.coded, SPRY_CHECK_FINITE | SPRY_CHECK_SORTED), SPRY_OK, "%s",
                 spry_message(context));
    pair_close(&pair);
    list_free(&list);
    spry_context_destroy(context);
}

/* Round trips, copies, casts and transposes have the entries that there were. */
Test(codes, conversions_see_the_values) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make(), sorted = sorted_copy(&list);
    list_round(&list, SPRY_F32);
    list_round(&sorted, SPRY_F32);
    for (size_t t = 0; t < TEXTS; t++) {
        struct pair pair;
        spry_matrix *cast, *back, *twice, *copy;
        spry_storage storage;
        pair_open(context, &list, SPRY_I32, texts[t], &pair);
        cr_expect(equals_list(context, pair.coded, &sorted), "%s", texts[t]);
        cr_assert_eq(spry_cast(context, pair.coded, SPRY_F64, SPRY_I64, &cast), SPRY_OK);
        spry_matrix_storage(cast, &storage);
        cr_expect_eq(storage.values, SPRY_VALUES_F32, "%s", texts[t]);
        cr_expect(equals_list(context, cast, &sorted), "%s, cast", texts[t]);
        cr_assert_eq(spry_transpose(context, pair.coded, &back), SPRY_OK);
        cr_assert_eq(spry_transpose(context, back, &twice), SPRY_OK);
        cr_expect(equals_list(context, twice, &sorted), "%s, transposed twice", texts[t]);
        cr_assert_eq(spry_matrix_copy(context, pair.coded, &copy), SPRY_OK);
        cr_expect_eq(spry_matrix_bytes(copy), spry_matrix_bytes(pair.coded));
        cr_expect(equals_list(context, copy, &sorted), "%s, copy", texts[t]);
        spry_matrix_destroy(cast);
        cr_assert_eq(spry_cast(context, pair.coded, SPRY_F32, SPRY_I32, &cast), SPRY_OK);
        spry_matrix_storage(cast, &storage);
        cr_expect_eq(storage.values, SPRY_VALUES_PLAIN, "%s", texts[t]);
        spry_matrix_destroy(cast);
        spry_matrix_destroy(back);
        spry_matrix_destroy(twice);
        spry_matrix_destroy(copy);
        pair_close(&pair);
    }
    list_free(&list);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* New values are encoded where the code can keep them all; else the matrix is as it was. */
Test(codes, new_values) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make(), sorted = sorted_copy(&list);
    struct pair pair;
    struct built news;
    list_round(&list, SPRY_F32);
    list_round(&sorted, SPRY_F32);
    pair_open(context, &list, SPRY_I32, "sell+f32", &pair);
    for (int64_t k = 0; k < sorted.nnz; k++)
        sorted.val[k] = (double)k / 4;
    cr_assert_eq(build(context, &sorted, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &news), SPRY_OK);
    cr_expect_eq(spry_update_values(context, pair.coded, news.matrix), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, pair.coded, &sorted));
    built_free(&news);
    double before = sorted.val[3];
    sorted.val[3] = 0.1;
    cr_assert_eq(build(context, &sorted, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &news), SPRY_OK);
    cr_expect_eq(spry_update_values(context, pair.coded, news.matrix), SPRY_ERROR_UNSUPPORTED);
    cr_expect_not_null(strstr(spry_message(context), "sell+f32: value 0.10000000000000001"), "%s",
                       spry_message(context));
    sorted.val[3] = before;
    cr_expect(equals_list(context, pair.coded, &sorted));
    built_free(&news);
    pair_close(&pair);
    list_free(&list);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* What f32 cannot keep bit by bit, and what has no such code. */
Test(codes, refuses_what_is_not_exact) {
    static const double values[] = {0.1, 1e300, 1e-60, 16777217};
    spry_context *context = test_context(2);
    spry_storage code = storage_of("csr+f32");
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct list list = test_scenario("one entry")->make();
        struct built csr;
        spry_matrix *coded;
        list.val[0] = values[v];
        cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
        cr_expect_eq(spry_convert_to(context, csr.matrix, &code, NULL, &coded), SPRY_ERROR_UNSUPPORTED, "%g",
                     values[v]);
        cr_expect_not_null(strstr(spry_message(context), "is not exact"), "%s", spry_message(context));
        cr_expect_null(coded);
        built_free(&csr);
        list_free(&list);
    }
    struct list list = test_scenario("one entry")->make();
    struct built csr;
    spry_matrix *coded;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F32, SPRY_I32, CONVERTED, &csr), SPRY_OK);
    cr_expect_eq(spry_convert_to(context, csr.matrix, &code, NULL, &coded), SPRY_ERROR_UNSUPPORTED);
    cr_expect_str_eq(spry_message(context), "csr does not keep f32 values as f32");
    code = storage_of("jds+f32");
    cr_expect_eq(spry_convert_to(context, csr.matrix, &code, NULL, &coded), SPRY_ERROR_UNSUPPORTED);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* Signs of zeros, infinities and the usual NaN are kept. */
Test(codes, keeps_what_is_special) {
    static const double values[] = {-0.0, INFINITY, -INFINITY, NAN, 0x1p-149, 0x1.fffffep127};
    spry_context *context = test_context(1);
    spry_storage code = storage_of("csr+f32");
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct list list = test_scenario("one entry")->make(), sorted = sorted_copy(&list);
        struct built csr;
        spry_matrix *coded = NULL;
        list.val[0] = sorted.val[0] = values[v];
        cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
        cr_expect_eq(spry_convert_to(context, csr.matrix, &code, &keep, &coded), SPRY_OK, "%g", values[v]);
        cr_expect(equals_list(context, coded, &sorted), "%g", values[v]);
        spry_matrix_destroy(coded);
        built_free(&csr);
        list_free(&list);
        list_free(&sorted);
    }
    spry_context_destroy(context);
}
