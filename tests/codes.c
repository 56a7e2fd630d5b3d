/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns and values that are kept in a code: products have the bits that they have with plain ones in the same layout, all else
   sees the entries themselves, and what a code cannot keep is refused. */
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

/* The same entries as they are and in a code, both by way of CSR. */
struct pair {
    struct built csr;
    spry_matrix *plain, *coded;
};

/* Different values that a code keeps; 0: any number. */
static int64_t most_values(spry_value_code code) {
    return code == SPRY_VALUES_CONSTANT ? 1
           : code == SPRY_VALUES_DICT8  ? 256
           : code == SPRY_VALUES_DICT16 ? 65536
                                        : 0;
}

/* The entries with the first values that occur among them, and no more of them than a code keeps; or with values that are exact
   in f32. */
static struct list fitting(const struct list *list, spry_value_code code) {
    struct list fits = list_copy(list);
    const int64_t most = most_values(code);
    for (int64_t k = 0; k < fits.nnz && most > 0; k++)
        fits.val[k] = list->val[k % most];
    if (code == SPRY_VALUES_F32)
        list_round(&fits, SPRY_F32);
    return fits;
}

/* Values of `type`. */
static void pair_of(spry_context *context, const struct list *list, spry_value_type type,
                    spry_index_type index, const char *text, struct pair *pair) {
    spry_storage storage = storage_of(text);
    struct list fits = fitting(list, storage.values);
    *pair = (struct pair){.plain = NULL};
    cr_assert_eq(build(context, &fits, SPRY_CSR, type, index, CONVERTED, &pair->csr), SPRY_OK);
    list_free(&fits);
    cr_assert_eq(spry_convert_to(context, pair->csr.matrix, &storage, &keep, &pair->coded), SPRY_OK, "%s: %s",
                 text, spry_message(context));
    storage.values = SPRY_VALUES_PLAIN;
    storage.columns = SPRY_COLUMNS_PLAIN;
    cr_assert_eq(spry_convert_to(context, pair->csr.matrix, &storage, &keep, &pair->plain), SPRY_OK);
}

static void pair_open(spry_context *context, const struct list *list, spry_index_type index, const char *text,
                      struct pair *pair) {
    pair_of(context, list, SPRY_F64, index, text, pair);
}

static void pair_close(struct pair *pair) {
    spry_matrix_destroy(pair->plain);
    spry_matrix_destroy(pair->coded);
    built_free(&pair->csr);
}

/* ---- products ---- */

/* What the codes of a kernel add to its name. */
static void name_of_codes(const spry_kernel_info *info, char *text, size_t size) {
    const bool columns = info->columns != SPRY_COLUMNS_PLAIN, values = info->values != SPRY_VALUES_PLAIN;
    snprintf(text, size, "%s%s%s%s", columns ? "_" : "", columns ? spry_column_code_name(info->columns) : "",
             values ? "_" : "", values ? spry_value_code_name(info->values) : "");
}

/* The kernel that does with plain columns and values what this one does with those of a code. */
static const spry_kernel *plain_kernel(const spry_kernel *coded, const spry_matrix *plain) {
    spry_kernel_info wanted = spry_kernel_describe(coded);
    char code[40];
    name_of_codes(&wanted, code, sizeof code);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        size_t length = strlen(info.name);
        if (info.op == wanted.op && strncmp(info.name, wanted.name, length) == 0 &&
            strcmp(wanted.name + length, code) == 0 && spry_kernel_takes(spry_kernel_at(k), plain))
            return spry_kernel_at(k);
    }
    return NULL;
}

static struct vector multiply(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix) {
    int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix);
    bool transposed = spry_kernel_describe(kernel).op == SPRY_T;
    struct vector x = vector_new(spry_matrix_type(matrix), transposed ? rows : cols, NAN),
                  y = vector_new(spry_matrix_type(matrix), transposed ? cols : rows, 7);
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
        const spry_kernel *coded = spry_kernel_at(k);
        spry_kernel_info info = spry_kernel_describe(coded);
        if (info.many || info.nondeterministic || !spry_kernel_takes(coded, pair->coded) ||
            !spry_kernel_runs(context, coded))
            continue;
        const spry_kernel *plain = plain_kernel(coded, pair->plain);
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
    struct vector x = vector_new(spry_matrix_type(matrix), in * COLUMNS, NAN),
                  y = vector_new(spry_matrix_type(matrix), out * COLUMNS, 7);
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

/* Each code with each layout, of values that have it. */
static const struct {
    const char *text;
    bool narrow; /* for f32 too */
} storages[] = {
    {"csr+f32", false},
    {"csc+f32", false},
    {"sell+f32", false},
    {"sell:3:9+f32", false},
    {"sell:32:1+f32", false},
    {"csr+constant", true},
    {"csc+constant", true},
    {"sell+constant", true},
    {"sell:3:9+constant", true},
    {"csr+dict8", true},
    {"csc+dict8", true},
    {"sell+dict8", true},
    {"sell:3:9+dict8", true},
    {"sell:32:1+dict8", true},
    {"csr+dict16", true},
    {"csc+dict16", true},
    {"sell+dict16", true},
    {"sell:32:1+dict16", true},
    {"csr+narrow", true},
    {"csc+narrow", true},
    {"sell+narrow", true},
    {"sell:3:9+narrow", true},
    {"sell:32:1+narrow", true},
    {"csr+narrow+f32", false},
    {"csc+narrow+f32", false},
    {"sell+narrow+f32", false},
    {"csr+narrow+constant", true},
    {"csc+narrow+constant", true},
    {"sell+narrow+constant", true},
    {"csr+narrow+dict8", true},
    {"csc+narrow+dict8", true},
    {"sell:3:9+narrow+dict8", true},
    {"sell:32:1+narrow+dict8", true},
    {"csr+narrow+dict16", true},
    {"csc+narrow+dict16", true},
    {"sell+narrow+dict16", true},
};
#define STORAGES (sizeof storages / sizeof *storages)

/* Each scenario has each storage with one index type, and every second with f32 too; in brief, every fourth of each. All types
   have each storage with some scenario. */
static bool is_tried(size_t scenario, int type, int index, size_t s) {
    const size_t number = scenario / SPRY_INDEX_COUNT + s;
    if ((scenario + s) % SPRY_INDEX_COUNT != (size_t)index || (type == SPRY_F32 && !storages[s].narrow))
        return false;
    return test_is_brief() ? number % 4 == (type == SPRY_F64) : type == SPRY_F64 || number % 2 == 0;
}

static void compare_scenario(spry_context *context, size_t number, bool *seen) {
    const struct scenario *scenario = &test_scenarios[number];
    struct list list = scenario->make();
    for (int i = 0; i < SPRY_TYPE_COUNT * SPRY_INDEX_COUNT; i++)
        for (size_t s = 0; s < STORAGES; s++) {
            const int type = i / SPRY_INDEX_COUNT, index = i % SPRY_INDEX_COUNT;
            struct pair pair;
            char name[120];
            if (!is_tried(number, type, index, s))
                continue;
            snprintf(name, sizeof name, "%s, %s, %s", scenario->name, spry_type_name((spry_value_type)type),
                     storages[s].text);
            pair_of(context, &list, (spry_value_type)type, (spry_index_type)index, storages[s].text, &pair);
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
            bool is_coded = info.values != SPRY_VALUES_PLAIN || info.columns != SPRY_COLUMNS_PLAIN,
                 wanted = is_coded && !info.many && !info.nondeterministic;
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
            struct list list = test_scenario(scenarios[s])->make();
            for (size_t i = 0; i < STORAGES * SPRY_TYPE_COUNT * SPRY_INDEX_COUNT; i++) {
                const size_t storage = i / SPRY_TYPE_COUNT / SPRY_INDEX_COUNT;
                const spry_value_type type = (spry_value_type)(i / SPRY_INDEX_COUNT % SPRY_TYPE_COUNT);
                struct pair pair;
                if ((test_is_brief() && i % SPRY_INDEX_COUNT != s) ||
                    (type == SPRY_F32 && !storages[storage].narrow))
                    continue;
                pair_of(context, &list, type, (spry_index_type)(i % SPRY_INDEX_COUNT), storages[storage].text,
                        &pair);
                many_note(context, pair.coded, seen);
                compare_many(context, &pair, storages[storage].text);
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

/* The same type and index keep the code, other values do not. */
static void expect_casts(spry_context *context, const spry_matrix *coded, const struct list *sorted,
                         const char *text) {
    spry_storage storage, as_it_is = storage_of(text);
    spry_matrix *cast;
    cr_assert_eq(spry_cast(context, coded, SPRY_F64, SPRY_I64, &cast), SPRY_OK, "%s", spry_message(context));
    spry_matrix_storage(cast, &storage);
    cr_expect_eq(storage.values, as_it_is.values, "%s", text);
    cr_expect_eq(storage.columns, as_it_is.columns, "%s", text);
    cr_expect(equals_list(context, cast, sorted), "%s, cast", text);
    spry_matrix_destroy(cast);
    cr_assert_eq(spry_cast(context, coded, SPRY_F32, SPRY_I32, &cast), SPRY_OK, "%s", spry_message(context));
    spry_matrix_storage(cast, &storage);
    cr_expect_eq(storage.values, SPRY_VALUES_PLAIN, "%s", text);
    cr_expect_eq(storage.columns, as_it_is.columns, "%s", text);
    spry_matrix_destroy(cast);
}

/* Round trips, copies, casts and transposes have the entries that there were. */
Test(codes, conversions_see_the_values) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    for (size_t s = 0; s < STORAGES; s++) {
        const char *text = storages[s].text;
        struct list fits = fitting(&list, storage_of(text).values), sorted = sorted_copy(&fits);
        struct pair pair;
        spry_matrix *back, *twice, *copy;
        pair_open(context, &list, SPRY_I32, text, &pair);
        cr_expect(equals_list(context, pair.coded, &sorted), "%s", text);
        expect_casts(context, pair.coded, &sorted, text);
        cr_assert_eq(spry_transpose(context, pair.coded, &back), SPRY_OK);
        cr_assert_eq(spry_transpose(context, back, &twice), SPRY_OK);
        cr_expect(equals_list(context, twice, &sorted), "%s, transposed twice", text);
        cr_assert_eq(spry_matrix_copy(context, pair.coded, &copy), SPRY_OK);
        cr_expect_eq(spry_matrix_bytes(copy), spry_matrix_bytes(pair.coded));
        cr_expect(equals_list(context, copy, &sorted), "%s, copy", text);
        spry_matrix_destroy(back);
        spry_matrix_destroy(twice);
        spry_matrix_destroy(copy);
        pair_close(&pair);
        list_free(&fits);
        list_free(&sorted);
    }
    list_free(&list);
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

/* ---- tables ---- */

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
            struct built csr;
            spry_matrix *coded;
            cr_assert_eq(build(context, &fits, SPRY_CSR, type, SPRY_I32, CONVERTED, &csr), SPRY_OK);
            cr_expect_eq(spry_convert_to(context, csr.matrix, &storage, &keep, &coded), SPRY_OK, "%s: %s",
                         cases[c / 2].storage, spry_message(context));
            cr_expect(equals_list(context, coded, &fits), "%s", cases[c / 2].storage);
            cr_expect_eq(spry_validate(context, coded, 0), SPRY_OK, "%s", spry_message(context));
            spry_matrix_destroy(coded);
            built_free(&csr);
            cr_assert_eq(build(context, &beyond, SPRY_CSR, type, SPRY_I32, CONVERTED, &csr), SPRY_OK);
            cr_expect_eq(spry_convert_to(context, csr.matrix, &storage, &keep, &coded),
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
        cr_assert_eq(build(context, &beyond, SPRY_CSR, type, SPRY_I32, CONVERTED, &news), SPRY_OK);
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
        struct built csr;
        spry_matrix *coded, *there;
        cr_assert_eq(build(host, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &csr), SPRY_OK);
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
