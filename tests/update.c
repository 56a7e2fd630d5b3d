/* SPDX-License-Identifier: BSD-3-Clause */
/* Values replaced while the pattern stays. */
#include <criterion/criterion.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/scenarios.h"

struct update {
    spry_context *context;
    spry_value_type type;
    spry_index_type index;
    struct list before, after; /* the same sorted pattern with other values */
    struct built csr;          /* of `after` */
};

static struct update update_new(const char *scenario, spry_context *context, spry_value_type type,
                                spry_index_type index) {
    struct update update = {.context = context, .type = type, .index = index};
    update.before = test_scenario(scenario)->make();
    list_sort(&update.before);
    update.after = list_copy(&update.before);
    for (int64_t k = 0; k < update.after.nnz; k++)
        update.after.val[k] = (double)(k % 1000) + 0.25;
    update.csr = built_of(context, &update.after, SPRY_CSR, type, index);
    return update;
}

static void update_free(struct update *update) {
    built_free(&update->csr);
    list_free(&update->before);
    list_free(&update->after);
}

static void check_update(struct update *update, spry_format format) {
    struct built target = built_of(update->context, &update->before, format, update->type, update->index);
    cr_expect_eq(spry_update_values(update->context, target.matrix, update->csr.matrix), SPRY_OK, "%s: %s",
                 spry_format_name(format), spry_message(update->context));
    cr_expect(equals_list(update->context, target.matrix, &update->after), "%s %s %s",
              spry_format_name(format), spry_type_name(update->type), spry_index_name(update->index));
    built_free(&target);
}

static void check_scenario(const char *scenario, spry_context *context) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            struct update update =
                update_new(scenario, context, (spry_value_type)type, (spry_index_type)index);
            for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
                check_update(&update, (spry_format)format);
            update_free(&update);
        }
}

Test(update, every_format) {
    static const char *const scenarios[] = {"0x0",        "no entries", "empty rows", "arrow", "every length",
                                            "duplicates", "power law",  "wide",       "tall"};
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
            check_scenario(scenarios[i], context);
        spry_context_destroy(context);
    }
}

/* Wrapped arrays of the caller are written to as well. */
Test(update, wrapped) {
    spry_context *context = test_context(2);
    struct update update = update_new("random", context, SPRY_F64, SPRY_I32);
    static const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC};
    for (int f = 0; f < 3; f++)
        for (int origin = WRAPPED_FROM_0; origin <= WRAPPED_FROM_1; origin++) {
            struct built target;
            cr_assert_eq(
                build(context, &update.before, formats[f], SPRY_F64, SPRY_I32, (enum origin)origin, &target),
                SPRY_OK);
            cr_expect_eq(spry_update_values(context, target.matrix, update.csr.matrix), SPRY_OK, "%s: %s",
                         spry_format_name(formats[f]), spry_message(context));
            cr_expect(equals_list(context, target.matrix, &update.after), "%s", spry_format_name(formats[f]));
            built_free(&target);
        }
    update_free(&update);
    spry_context_destroy(context);
}

/* `other` has another pattern than `before`: every format must say so and stay as it was. */
static void expect_refused(spry_context *context, const struct list *before, const struct list *other,
                           const char *how) {
    struct built csr = built_of(context, other, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        struct built target = built_of(context, before, (spry_format)format, SPRY_F64, SPRY_I32);
        cr_expect_eq(spry_update_values(context, target.matrix, csr.matrix), SPRY_ERROR_PATTERN, "%s, %s",
                     spry_format_name((spry_format)format), how);
        cr_expect_str_not_empty(spry_message(context));
        cr_expect(equals_list(context, target.matrix, before), "%s changed, %s",
                  spry_format_name((spry_format)format), how);
        built_free(&target);
    }
    built_free(&csr);
}

/* Values of `list` changed all over, so that a partial update would show. */
static struct list with_other_values(const struct list *list) {
    struct list other = list_copy(list);
    for (int64_t k = 0; k < other.nnz; k++)
        other.val[k] = 9;
    return other;
}

Test(update, other_patterns_are_refused) {
    spry_context *context = test_context(2);
    struct list before = test_scenario("empty rows")->make();
    list_sort(&before);

    struct list column = with_other_values(&before);
    column.col[column.nnz - 1]++;
    expect_refused(context, &before, &column, "last column moved");

    struct list row = with_other_values(&before);
    row.row[row.nnz - 1]++;
    expect_refused(context, &before, &row, "last row moved");

    struct list more = with_other_values(&before);
    list_add(&more, more.rows - 1, 0, 9);
    expect_refused(context, &before, &more, "one entry more");

    struct list taller = with_other_values(&before);
    taller.rows++;
    expect_refused(context, &before, &taller, "one row more");

    list_free(&before);
    list_free(&column);
    list_free(&row);
    list_free(&more);
    list_free(&taller);
    spry_context_destroy(context);
}

Test(update, bad_arguments) {
    spry_context *context = test_context(1);
    struct update update = update_new("random", context, SPRY_F64, SPRY_I32);
    struct built coo = built_of(context, &update.before, SPRY_COO, SPRY_F64, SPRY_I32),
                 single = built_of(context, &update.before, SPRY_CSR, SPRY_F32, SPRY_I32);
    cr_expect_eq(spry_update_values(context, NULL, update.csr.matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_update_values(context, update.csr.matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_update_values(context, update.csr.matrix, coo.matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_neq(spry_update_values(context, single.matrix, update.csr.matrix), SPRY_OK);
    cr_expect(equals_list(context, single.matrix, (list_round(&update.before, SPRY_F32), &update.before)));
    built_free(&coo);
    built_free(&single);
    update_free(&update);
    spry_context_destroy(context);
}

/* Row-major order is what lines entries up with those of the CSR matrix. */
Test(update, unordered_coordinates_are_refused) {
    spry_context *context = test_context(2);
    struct update update = update_new("random", context, SPRY_F64, SPRY_I32);
    struct list shuffled = list_copy(&update.before);
    list_shuffle(&shuffled, 3);
    struct built coo;
    cr_assert_eq(build(context, &shuffled, SPRY_COO, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &coo), SPRY_OK);
    cr_expect_eq(spry_update_values(context, coo.matrix, update.csr.matrix), SPRY_ERROR_UNSUPPORTED);
    cr_expect(equals_list(context, coo.matrix, &update.before));
    built_free(&coo);
    list_free(&shuffled);
    update_free(&update);
    spry_context_destroy(context);
}

/* The first row has its entries in falling order. */
static struct list three_entries(double factor) {
    struct list list = list_new(2, 2);
    list_add(&list, 0, 1, 1 * factor);
    list_add(&list, 0, 0, 2 * factor);
    list_add(&list, 1, 1, 3 * factor);
    return list;
}

/* The rows of what values come from may be in any order: whoever wrapped, converted and assembles anew has them
   in that of the first time. */
Test(update, rows_in_any_order) {
    spry_context *context = test_context(2);
    struct list first = three_entries(1), second = three_entries(10), sorted = list_copy(&second);
    list_sort(&sorted);
    struct built before, after;
    cr_assert_eq(build(context, &first, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &before), SPRY_OK);
    cr_assert_eq(build(context, &second, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &after), SPRY_OK);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *target;
        cr_assert_eq(spry_convert(context, before.matrix, (spry_format)format, NULL, &target), SPRY_OK);
        cr_expect_eq(spry_update_values(context, target, after.matrix), SPRY_OK, "%s: %s",
                     spry_format_name((spry_format)format), spry_message(context));
        cr_expect(equals_list(context, target, &sorted), "%s", spry_format_name((spry_format)format));
        spry_matrix_destroy(target);
    }
    cr_expect_eq(spry_update_values(context, before.matrix, after.matrix), SPRY_OK);
    double value = 0;
    cr_expect_eq(spry_array_get(context, before.arrays.val, &value, sizeof value), SPRY_OK);
    cr_expect_eq(value, 10);
    built_free(&before);
    built_free(&after);
    list_free(&first);
    list_free(&second);
    list_free(&sorted);
    spry_context_destroy(context);
}

/* The rows of `list` in another order each. */
static struct list rows_shuffled(const struct list *list, uint64_t seed) {
    struct list shuffled = list_copy(list);
    list_shuffle(&shuffled, seed);
    return shuffled;
}

/* Values from and to CSR that a caller wraps, each in an order of its own, counted from a base of its own. Duplicates
   are told apart by their values. */
Test(update, wrapped_rows_in_other_orders) {
    static const char *const scenarios[] = {"random", "duplicates", "arrow", "empty rows"};
    enum { SORTED = 3 };
    for (int threads = 1; threads <= test_threads(3); threads += 2)
        for (size_t s = 0; s < sizeof scenarios / sizeof scenarios[0]; s++) {
            spry_context *context = test_context(threads);
            for (int pair = 0; pair < (SORTED + 1) * (SORTED + 1) * 2; pair++) {
                int from = pair / 2 / (SORTED + 1), to = pair / 2 % (SORTED + 1), base = pair % 2;
                struct update update = update_new(scenarios[s], context, pair % 3 ? SPRY_F64 : SPRY_F32,
                                                  (spry_index_type)(pair % SPRY_INDEX_COUNT));
                struct list before = rows_shuffled(&update.before, (uint64_t)to + 1),
                            after = rows_shuffled(&update.after, (uint64_t)from + 1);
                struct built target, source;
                if (to == SORTED)
                    list_sort(&before);
                if (from == SORTED)
                    list_sort(&after);
                cr_assert_eq(build(context, &before, SPRY_CSR, update.type, update.index,
                                   base ? WRAPPED_FROM_1 : WRAPPED_FROM_0, &target),
                             SPRY_OK);
                cr_assert_eq(
                    build(context, &after, SPRY_CSR, update.type, update.index, WRAPPED_FROM_0, &source),
                    SPRY_OK);
                cr_expect_eq(spry_update_values(context, target.matrix, source.matrix), SPRY_OK,
                             "%s, order %d to %d: %s", scenarios[s], from, to, spry_message(context));
                list_sort(&after);
                cr_expect(equals_list(context, target.matrix, &after), "%s, order %d to %d", scenarios[s],
                          from, to);
                built_free(&source);
                built_free(&target);
                list_free(&before);
                list_free(&after);
                update_free(&update);
            }
            spry_context_destroy(context);
        }
}

/* Entries at other places, where lengths of rows are the same: one moved, and one twice where the other is not. */
Test(update, other_patterns_in_other_orders_are_refused) {
    static const int64_t columns[][4] = {
        {3, 1, 2, 0}, {0, 1, 2, 4}, {0, 1, 1, 2}, {2, 1, 2, 0}, {1, 0, 0, 0}};
    enum { COUNT = sizeof columns / sizeof columns[0] };
    spry_context *context = test_context(1);
    struct list list[COUNT];
    for (int i = 0; i < COUNT; i++) {
        list[i] = list_new(2, 5);
        for (int k = 0; k < 4; k++)
            list_add(&list[i], 0, columns[i][k], 10 * i + k);
        list_add(&list[i], 1, 0, 7);
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            struct built target, source;
            struct list sorted = list_copy(&list[i]);
            list_sort(&sorted);
            cr_assert_eq(build(context, &list[i], SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &target),
                         SPRY_OK);
            cr_assert_eq(build(context, &list[j], SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_1, &source),
                         SPRY_OK);
            if (i != j) {
                cr_expect_eq(spry_update_values(context, target.matrix, source.matrix), SPRY_ERROR_PATTERN,
                             "%d to %d", j, i);
                cr_expect(equals_list(context, target.matrix, &sorted), "%d to %d", j, i);
            }
            built_free(&source);
            built_free(&target);
            list_free(&sorted);
        }
    for (int i = 0; i < COUNT; i++)
        list_free(&list[i]);
    spry_context_destroy(context);
}

Test(update, unsorted_columns_are_refused) {
    spry_context *context = test_context(1);
    struct list list = three_entries(1), transposed = list_transposed(&list);
    struct built csc;
    spry_matrix *csr;
    cr_assert_eq(build(context, &transposed, SPRY_CSC, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &csc), SPRY_OK);
    cr_assert_eq(spry_convert(context, csc.matrix, SPRY_CSR, NULL, &csr), SPRY_OK);
    cr_expect_eq(spry_update_values(context, csc.matrix, csr), SPRY_ERROR_UNSUPPORTED);
    built_free(&csc);
    spry_matrix_destroy(csr);
    list_free(&list);
    list_free(&transposed);
    spry_context_destroy(context);
}

/* New values may come by another context than the one that made the matrix, and arrays with them: each goes back to where it is
   from. */
Test(update, in_another_context) {
    struct counting first, second;
    counting_start(&first);
    counting_start(&second);
    spry_context *maker = counting_context(&first, 2), *updater = counting_context(&second, 2);
    struct update update = update_new("every length", maker, SPRY_F64, SPRY_I32);
    struct built target[SPRY_FORMAT_COUNT];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        target[format] = built_of(maker, &update.before, (spry_format)format, SPRY_F64, SPRY_I32);
        cr_expect_eq(spry_update_values(updater, target[format].matrix, update.csr.matrix), SPRY_OK, "%s: %s",
                     spry_format_name((spry_format)format), spry_message(updater));
    }
    spry_context_destroy(updater);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        cr_expect(equals_list(maker, target[format].matrix, &update.after), "%s",
                  spry_format_name((spry_format)format));
        built_free(&target[format]);
    }
    update_free(&update);
    spry_context_destroy(maker);
    cr_expect_eq(first.live_blocks, 0);
    cr_expect_eq(second.live_blocks, 0);
    cr_expect_not(first.misused || second.misused);
}
