/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns and values that are kept in a code: products have the bits that they have with plain ones in the same layout, all else
   sees the entries themselves, and what a code cannot keep is refused. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/backend.h"
#include "support/build.h"
#include "support/list.h"
#include "support/many.h"
#include "support/pairs.h"
#include "support/scenarios.h"
#include "support/vector.h"

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
            cr_expect(same_bits(&a, &b), "%s, op %d, by %s: other bits", name, op,
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
    {"bsr:2:2+f32", false},
    {"bsr:3:5+f32", false},
    {"csr+constant", true},
    {"csc+constant", true},
    {"sell+constant", true},
    {"sell:3:9+constant", true},
    {"bsr:3:2+constant", true},
    {"bsr+constant", true},
    {"csr+dict8", true},
    {"csc+dict8", true},
    {"sell+dict8", true},
    {"sell:3:9+dict8", true},
    {"sell:32:1+dict8", true},
    {"bsr:2:3+dict8", true},
    {"bsr:8:8+dict8", true},
    {"csr+dict16", true},
    {"csc+dict16", true},
    {"sell+dict16", true},
    {"sell:32:1+dict16", true},
    {"bsr:4:1+dict16", true},
    {"bsr:3:3+dict16", true},
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
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t s = 0; s < test_scenario_count; s++)
            if (!test_scenarios[s].large && test_scenario_is_tried(&test_scenarios[s]))
                compare_scenario(context, s, seen);
        for (size_t k = 0; k < spry_kernel_count(); k++) {
            spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
            bool wanted = !test_is_plain(info) && !info.many && !info.nondeterministic;
            cr_expect(seen[k] || !wanted || !spry_kernel_runs(context, spry_kernel_at(k)), "%s was not run",
                      info.name);
        }
        spry_context_destroy(context);
    }
    free(seen);
}

/* The kernels of each instruction set; a choice of them a part. */
Test(codes, many_columns) {
    static const char *const scenarios[] = {"one entry", "arrow", "empty rows"};
    bool *seen = calloc(spry_kernel_count(), sizeof *seen);
    cr_assert_not_null(seen);
    for (int w = 0; w < TEST_CHOICES; w++) {
        if (!test_is_in_part((size_t)w))
            continue;
        spry_context *context = test_context_without(0, test_without(w));
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
    const char *missed = test_has_parts() ? NULL : many_missed(all, false, seen);
    cr_expect_null(missed, "%s was not run", missed);
    spry_context_destroy(all);
    free(seen);
}

/* ---- all else ---- */

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

/* New values for the matrix with codes: those of a list, sorted by rows. */
static spry_status update(spry_context *context, const struct pair *pair, const struct list *sorted) {
    struct built news = built_of(context, sorted, SPRY_CSR, SPRY_F64, SPRY_I32);
    spry_status status = spry_update_values(context, pair->coded, news.matrix);
    built_free(&news);
    return status;
}

static void fill_quarters(struct list *list) {
    for (int64_t k = 0; k < list->nnz; k++)
        list->val[k] = (double)k / 4;
}

/* New values are encoded where the code can keep them all; else the matrix is as it was. */
Test(codes, new_values) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make(), sorted = sorted_copy(&list);
    struct pair pair;
    list_round(&list, SPRY_F32);
    list_round(&sorted, SPRY_F32);
    pair_open(context, &list, SPRY_I32, "sell+f32", &pair);
    fill_quarters(&sorted);
    cr_expect_eq(update(context, &pair, &sorted), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, pair.coded, &sorted));
    double before = sorted.val[3];
    sorted.val[3] = 0.1;
    cr_expect_eq(update(context, &pair, &sorted), SPRY_ERROR_UNSUPPORTED);
    cr_expect_not_null(strstr(spry_message(context), "sell+f32: value 0.10000000000000001"), "%s",
                       spry_message(context));
    sorted.val[3] = before;
    cr_expect(equals_list(context, pair.coded, &sorted));
    pair_close(&pair);
    list_free(&list);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* Also where all values are others, and only the last of them is not kept. */
Test(codes, a_last_value_that_is_refused) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make(), sorted = sorted_copy(&list);
    struct pair pair;
    list_round(&list, SPRY_F32);
    pair_open(context, &list, SPRY_I32, "csr+f32", &pair);
    fill_quarters(&sorted);
    sorted.val[sorted.nnz - 1] = 0.1;
    cr_expect_eq(update(context, &pair, &sorted), SPRY_ERROR_UNSUPPORTED);
    list_free(&sorted);
    sorted = sorted_copy(&list);
    cr_expect(equals_list(context, pair.coded, &sorted));
    pair_close(&pair);
    list_free(&list);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* ---- what f32 keeps ---- */

/* Zeros, infinities, and what is normal or subnormal in f32. */
static const double kept[] = {0.0,
                              -0.0,
                              1,
                              -1.5,
                              0x1.fffffep5,
                              FLT_MAX,
                              -FLT_MAX,
                              FLT_MIN,
                              (double)FLT_MIN - (double)FLT_TRUE_MIN,
                              0x1.8p-127,
                              3 * (double)FLT_TRUE_MIN,
                              -(double)FLT_TRUE_MIN,
                              INFINITY,
                              -INFINITY};
/* Too large, too small, or with a bit too many. */
static const double lost[] = {0.1,      0x1.000001p0, 0x1.ffffffp127,  0x1p128,         1e300,   -DBL_MAX,
                              0x1p-150, 0x1.8p-149,   0x1.000001p-126, 0x1.000002p-127, DBL_MIN, -0x1p-1074};
#define KEPT (sizeof kept / sizeof *kept)
#define LOST (sizeof lost / sizeof *lost)

static void expect_in_f32(spry_context *context, double value, bool expected) {
    static const spry_storage coded = {.format = SPRY_CSR, .values = SPRY_VALUES_F32};
    struct list list = list_new(1, 1);
    spry_matrix *matrix;
    list_add(&list, 0, 0, value);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    spry_status status = spry_convert_to(context, csr.matrix, &coded, NULL, &matrix);
    cr_expect_eq(status, expected ? SPRY_OK : SPRY_ERROR_UNSUPPORTED, "%a: %s", value,
                 spry_status_string(status));
    cr_expect(status || equals_list(context, matrix, &list), "%a", value);
    spry_matrix_destroy(matrix);
    built_free(&csr);
    list_free(&list);
}

Test(codes, exact_in_f32) {
    spry_context *context = test_context(1);
    for (size_t k = 0; k < KEPT; k++)
        expect_in_f32(context, kept[k], true);
    for (size_t k = 0; k < LOST; k++)
        expect_in_f32(context, lost[k], false);
    spry_context_destroy(context);
}

/* Programs may ask to be ended by what a processor calls an overflow. None is raised to find out what codes would hold. */
Test(codes, raises_no_exceptions) {
    const int raised = FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID | FE_DIVBYZERO;
    spry_context *context = test_context(1);
    for (size_t k = 0; k < LOST; k++) {
        struct list list = list_new(2, 2);
        struct built csr;
        spry_matrix *made;
        list_add(&list, 0, 0, 1);
        list_add(&list, 1, 1, lost[k]);
        feclearexcept(FE_ALL_EXCEPT);
        cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &csr), SPRY_OK);
        cr_expect_eq(fetestexcept(raised), 0, "%a, wrapped: %x", lost[k], fetestexcept(raised));
        cr_assert_eq(spry_convert(context, csr.matrix, SPRY_AUTO, NULL, &made), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect_eq(fetestexcept(raised), 0, "%a, converted: %x", lost[k], fetestexcept(raised));
        spry_matrix_destroy(made);
        built_free(&csr);
        list_free(&list);
    }
    spry_context_destroy(context);
}
