/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangles in the order of colours: those of the matrix whose rows are sorted so. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/preconds.h"

#define WIDTH 9
#define ROWS (WIDTH * 8)

static const spry_precond_kind kinds[] = {SPRY_SSOR, SPRY_ILU0, SPRY_IC0};

/* The 5-point stencil of a grid with values of its own, multiplied by `factor`; place[i] is where row i goes. */
static struct list grid(const int64_t *place, double factor) {
    struct list list = list_new(ROWS, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        const int64_t near[] = {i - WIDTH, i % WIDTH > 0 ? i - 1 : -1, i % WIDTH < WIDTH - 1 ? i + 1 : -1,
                                i + WIDTH < ROWS ? i + WIDTH : -1};
        list_add(&list, place[i], place[i], factor * (4 + (double)(i % 3)));
        for (int k = 0; k < 4; k++)
            if (near[k] >= 0)
                list_add(&list, place[i], place[near[k]], -factor);
    }
    return list;
}

/* The squares of a chessboard: white ones first, or the order of the rows. */
static void find_places(bool sorted, int64_t *place) {
    for (int64_t colour = 0, next = 0; colour < 2; colour++)
        for (int64_t i = 0; i < ROWS; i++)
            if ((i / WIDTH + i % WIDTH) % 2 == colour)
                place[i] = sorted ? next++ : i;
}

static void apply(spry_context *context, spry_value_type type, const spry_precond_options *options,
                  bool sorted, double later, struct vector *y) {
    int64_t place[ROWS];
    find_places(sorted, place);
    struct list list = grid(place, 1);
    struct made made = made_in(context, &list, SPRY_CSR, type, SPRY_I32, CONVERTED, options);
    struct vector x = vector_new(type, ROWS, NAN), z = vector_new(type, ROWS, NAN);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    list_free(&list);
    if (later != 1) {
        list = grid(place, later);
        struct built built = built_of(context, &list, SPRY_CSR, type, SPRY_I32);
        cr_assert_eq(spry_precond_update(context, made.precond, built.matrix), SPRY_OK);
        built_free(&built);
        list_free(&list);
    }
    for (int64_t i = 0; i < ROWS; i++)
        vector_set(&x, place[i], sin((double)i));
    made_apply(&made, &x, &z);
    for (int64_t i = 0; i < ROWS; i++)
        vector_set(y, i, vector_get(&z, place[i]));
    made_free(&made);
    vector_free(&x), vector_free(&z);
}

static void check(spry_context *context, spry_value_type type, spry_precond_options options, double later) {
    struct vector got = vector_new(type, ROWS, NAN), want = vector_new(type, ROWS, NAN);
    options.colours = 1;
    apply(context, type, &options, false, later, &got);
    options.colours = options.sweeps = 0;
    apply(context, type, &options, true, later, &want);
    for (int64_t i = 0; i < ROWS; i++)
        cr_expect(fabs(vector_get(&got, i) - vector_get(&want, i)) <= made_tolerance(type),
                  "%s, row %d: %g for %g", spry_precond_name(options.kind), (int)i, vector_get(&got, i),
                  vector_get(&want, i));
    vector_free(&got), vector_free(&want);
}

/* Two colours are two levels, which one sweep solves exactly. */
Test(precond, colours_sort_rows) {
    spry_context *context = test_context(2);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int k = 0; k < 3; k++)
            for (int sweeps = 0; sweeps < 2; sweeps++)
                check(context, (spry_value_type)type,
                      (spry_precond_options){
                          .size = sizeof(spry_precond_options), .kind = kinds[k], .sweeps = sweeps},
                      1);
    spry_context_destroy(context);
}

Test(precond, colours_stay_with_new_values) {
    spry_context *context = test_context(2);
    for (int k = 0; k < 3; k++)
        check(context, SPRY_F64,
              (spry_precond_options){.size = sizeof(spry_precond_options), .kind = kinds[k]}, 3);
    spry_context_destroy(context);
}

/* Of any matrix, also without a row and where all rows depend on each other. */
Test(precond, colours_of_extremes) {
    spry_context *context = test_context(2);
    for (int64_t n = 0; n <= 5; n++) {
        struct list list = list_new(n, n);
        for (int64_t k = 0; k < n * n; k++)
            list_add(&list, k / n, k % n, k / n == k % n ? (double)n : 0.5);
        const spry_precond_options options = {.size = sizeof options, .kind = SPRY_ILU0, .colours = 1};
        struct made made = made_in(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &options);
        cr_expect_eq(made.status, SPRY_OK, "%s", spry_message(context));
        struct vector x = vector_new(SPRY_F64, n, 1), y = vector_new(SPRY_F64, n, NAN);
        made_apply(&made, &x, &y);
        for (int64_t i = 0; i < n; i++) /* without fill, the factors of a full matrix are exact */
            cr_expect(fabs(vector_get(&y, i) - 1 / ((double)n + 0.5 * (double)(n - 1))) < 1e-14);
        made_free(&made);
        list_free(&list);
        vector_free(&x), vector_free(&y);
    }
    spry_context_destroy(context);
}

Test(precond, colours_say_where_rows_are_counted) {
    spry_context *context = test_context(2);
    struct list list = list_new(3, 3);
    list_add(&list, 0, 0, 1);
    list_add(&list, 1, 0, 1);
    list_add(&list, 2, 2, 1);
    const spry_precond_options options = {.size = sizeof options, .kind = SPRY_ILU0, .colours = 1};
    struct made made = made_in(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &options);
    cr_expect_eq(made.status, SPRY_ERROR_INVALID);
    cr_expect_str_eq(spry_message(context),
                     "in the order of colours: row 3 (counted from 1) has no entry on the diagonal");
    made_free(&made);
    list_free(&list);
    spry_context_destroy(context);
}
