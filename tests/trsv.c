/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangular solves: b is compared with T x, in higher precision. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/reference.h"
#include "support/squares.h"

/* Which system is solved. */
struct system {
    spry_triangle triangle;
    spry_op op;
    bool unit;
};

/* One matrix in one context, and vectors. */
struct setting {
    const struct square *square;
    spry_context *context;
    struct list list;
    struct built built;
    struct vector b;
};

static struct setting setting_in(spry_context *context, const struct square *square, spry_value_type type,
                                 spry_index_type index) {
    struct setting setting = {.square = square, .context = context, .list = square->make()};
    list_round(&setting.list, type);
    setting.built = built_of(setting.context, &setting.list, SPRY_CSR, type, index);
    setting.b = vector_new(type, setting.list.rows, 3);
    vector_random(&setting.b, 5);
    return setting;
}

static struct setting setting_new(const struct square *square, int threads, spry_value_type type,
                                  spry_index_type index) {
    return setting_in(test_context(threads), square, type, index);
}

static void setting_free(struct setting *setting) {
    vector_free(&setting->b);
    built_free(&setting->built);
    list_free(&setting->list);
    spry_context_destroy(setting->context);
}

/* Solve with b in a vector of its own, or in x. */
static void solve(spry_context *context, const spry_trsv *trsv, const struct vector *b, bool in_place,
                  struct vector *x) {
    struct placed b_at = vector_place(context, b), x_at = vector_place(context, in_place ? b : x);
    cr_expect_eq(spry_trsv_solve(context, trsv, in_place ? x_at.data : b_at.data, x_at.data), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect_eq(vector_fetch(x, &x_at), SPRY_OK);
    placed_free(&b_at);
    placed_free(&x_at);
}

/* A row's sum, its division and the rounding of a reciprocal, each relative to the sum of magnitudes. */
static void expect_solution(const struct setting *setting, const struct list *triangle, spry_op op,
                            const struct vector *x, const char *how) {
    struct reference product = reference_new(triangle, op, x);
    long double epsilon = x->type == SPRY_F32 ? FLT_EPSILON : DBL_EPSILON;
    for (int64_t i = 0; i < product.count; i++) {
        long double off = fabsl(product.sum[i] - (long double)vector_get(&setting->b, i));
        cr_assert(off <= 4 * (long double)(product.length[i] + 2) * epsilon * product.magnitude[i],
                  "%s, %s: row %lld is off by %Lg", setting->square->name, how, (long long)i, off);
    }
    reference_free(&product);
}

static spry_trsv *trsv_new(const struct setting *setting, struct system system) {
    spry_trsv *trsv;
    cr_assert_eq(spry_trsv_create(setting->context, setting->built.matrix, system.triangle, system.op,
                                  system.unit, &trsv),
                 SPRY_OK, "%s", spry_message(setting->context));
    return trsv;
}

/* Right, the same twice and in place, and nothing written beside x. */
static void check_system(const struct setting *setting, struct system system) {
    struct list triangle = list_triangle(&setting->list, system.triangle, system.unit);
    spry_trsv *trsv = trsv_new(setting, system);
    struct vector first = vector_new(setting->b.type, setting->b.count, 3), again = first;
    again = vector_new(setting->b.type, setting->b.count, 3);
    solve(setting->context, trsv, &setting->b, false, &first);
    expect_solution(setting, &triangle, system.op, &first, system.unit ? "unit" : "not unit");
    solve(setting->context, trsv, &setting->b, false, &again);
    cr_expect(vector_same_bits(&first, &again), "%s: not the same twice", setting->square->name);
    solve(setting->context, trsv, &setting->b, true, &again);
    cr_expect(vector_same_bits(&first, &again), "%s: not the same in place", setting->square->name);
    cr_expect(vector_guarded(&first) && vector_guarded(&again), "%s", setting->square->name);
    spry_trsv_destroy(trsv);
    vector_free(&first);
    vector_free(&again);
    list_free(&triangle);
}

static void check_systems(const struct setting *setting) {
    for (int triangle = 0; triangle < SPRY_TRIANGLE_COUNT; triangle++)
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            for (int unit = 0; unit < 2; unit++)
                check_system(setting, (struct system){(spry_triangle)triangle, (spry_op)op, unit != 0});
}

Test(trsv, every_shape_and_type) {
    for (size_t s = 0; s < test_square_count; s++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
                if (test_has_few_cases() && (s + (size_t)type) % SPRY_INDEX_COUNT != (size_t)index)
                    continue;
                struct setting setting =
                    setting_new(&test_squares[s], 2, (spry_value_type)type, (spry_index_type)index);
                check_systems(&setting);
                setting_free(&setting);
            }
}

Test(trsv, every_number_of_threads) {
    for (size_t s = 0; s < test_square_count; s++)
        for (int threads = 1; threads <= test_threads(7); threads += 2) {
            struct setting setting = setting_new(&test_squares[s], threads, SPRY_F64, SPRY_I32);
            check_systems(&setting);
            setting_free(&setting);
        }
}

/* Some levels are worth sharing, and some are not. */
Test(trsv, every_grain) {
    for (size_t s = 0; s < test_square_count; s++)
        for (int64_t grain = 16; grain <= 4096; grain *= test_has_few_cases() ? 256 : 4) {
            spry_context_options options = test_options();
            options.threads = 3;
            options.grain = grain;
            struct setting setting =
                setting_in(test_context_with(&options), &test_squares[s], SPRY_F64, SPRY_I32);
            check_systems(&setting);
            setting_free(&setting);
        }
}

Test(trsv, threads_give_the_same_bits) {
    static const struct system system = {SPRY_LOWER, SPRY_N, false};
    for (size_t s = 0; s < test_square_count; s++) {
        struct setting alone = setting_new(&test_squares[s], 1, SPRY_F64, SPRY_I32),
                       together = setting_new(&test_squares[s], 3, SPRY_F64, SPRY_I32);
        spry_trsv *one = trsv_new(&alone, system), *three = trsv_new(&together, system);
        struct vector x = vector_new(SPRY_F64, alone.b.count, 3), y = vector_new(SPRY_F64, alone.b.count, 3);
        solve(alone.context, one, &alone.b, false, &x);
        solve(together.context, three, &alone.b, false, &y);
        cr_expect(vector_same_bits(&x, &y), "%s", test_squares[s].name);
        vector_free(&x);
        vector_free(&y);
        spry_trsv_destroy(one);
        spry_trsv_destroy(three);
        setting_free(&alone);
        setting_free(&together);
    }
}

Test(trsv, levels) {
    for (size_t s = 0; s < test_square_count; s++) {
        struct setting setting = setting_new(&test_squares[s], 1, SPRY_F64, SPRY_I32);
        spry_trsv *trsv = trsv_new(&setting, (struct system){SPRY_LOWER, SPRY_N, true});
        int64_t levels = spry_trsv_levels(trsv);
        cr_expect(test_squares[s].levels < 0 || levels == test_squares[s].levels, "%s: %lld",
                  test_squares[s].name, (long long)levels);
        spry_trsv_destroy(trsv);
        setting_free(&setting);
    }
    cr_expect_eq(spry_trsv_levels(NULL), 0);
}

/* The matrix may be in any format, with arrays that count from 1, and need not live on. */
Test(trsv, every_format) {
    struct setting setting = setting_new(&test_squares[6], 2, SPRY_F64, SPRY_I32);
    struct list triangle = list_triangle(&setting.list, SPRY_UPPER, false);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int origin = CONVERTED; origin <= WRAPPED_FROM_1; origin++) {
            struct built built;
            spry_trsv *trsv;
            if (!has_origin((spry_format)format, (enum origin)origin))
                continue;
            cr_assert_eq(build(setting.context, &setting.list, (spry_format)format, SPRY_F64, SPRY_I32,
                               (enum origin)origin, &built),
                         SPRY_OK);
            cr_assert_eq(spry_trsv_create(setting.context, built.matrix, SPRY_UPPER, SPRY_T, 0, &trsv),
                         SPRY_OK);
            built_free(&built);
            struct vector x = vector_new(SPRY_F64, setting.b.count, 3);
            solve(setting.context, trsv, &setting.b, false, &x);
            expect_solution(&setting, &triangle, SPRY_T, &x, spry_format_name((spry_format)format));
            vector_free(&x);
            spry_trsv_destroy(trsv);
        }
    list_free(&triangle);
    setting_free(&setting);
}

/* Entries in the same place count as their sum, on the diagonal too. */
Test(trsv, repeated_entries) {
    static const double entries[][3] = {{0, 0, 1}, {0, 0, 3}, {1, 0, 2}, {1, 0, 4}, {1, 1, 2}, {0, 1, 9}};
    static const double b[] = {8, 16}, want[] = {2, 2};
    spry_context *context = test_context(1);
    struct list list = list_new(2, 2);
    struct built built;
    spry_trsv *trsv;
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++)
        list_add(&list, (int64_t)entries[k][0], (int64_t)entries[k][1], entries[k][2]);
    list_sort(&list);
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &built), SPRY_OK);
    cr_assert_eq(spry_trsv_create(context, built.matrix, SPRY_LOWER, SPRY_N, 0, &trsv), SPRY_OK);
    struct placed x = placed_new(context, b, sizeof b, 0);
    cr_expect_eq(spry_trsv_solve(context, trsv, x.data, x.data), SPRY_OK);
    cr_expect(array_holds(context, x.data, want, sizeof want));
    placed_free(&x);
    spry_trsv_destroy(trsv);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* What is not a number goes where it belongs, and is not waited for: also the one whose bits are all set. */
Test(trsv, not_finite) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        struct setting setting = setting_new(&test_squares[4], 2, (spry_value_type)type, SPRY_I32);
        size_t size = spry_type_size((spry_value_type)type);
        memset((char *)setting.b.data + 10 * size, 0xff, size);
        spry_trsv *trsv = trsv_new(&setting, (struct system){SPRY_LOWER, SPRY_N, true});
        struct vector x = vector_new((spry_value_type)type, setting.b.count, 3);
        solve(setting.context, trsv, &setting.b, false, &x);
        for (int64_t i = 0; i < x.count; i++)
            cr_assert_eq(isnan(vector_get(&x, i)) != 0, i >= 10);
        vector_free(&x);
        spry_trsv_destroy(trsv);
        setting_free(&setting);
    }
}

/* ---- faults ---- */

/* A diagonal matrix of 40 rows without the entries of row 30, and with `entry` in row 20 and later on. */
static struct list with_holes(bool missing, double entry) {
    struct list list = list_new(40, 40);
    for (int64_t i = 0; i < 40; i++)
        if (i != 30 || !missing)
            list_add(&list, i, i, i >= 20 && i % 5 == 0 ? entry : 1);
    return list;
}

static void expect_fault(bool missing, double entry, spry_value_type type, const char *words) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        struct list list = with_holes(missing, entry);
        spry_trsv *trsv = NULL;
        struct built built = built_of(context, &list, SPRY_CSR, type, SPRY_I32);
        cr_expect_eq(spry_trsv_create(context, built.matrix, SPRY_LOWER, SPRY_N, 0, &trsv),
                     SPRY_ERROR_INVALID, "%g", entry);
        cr_expect_null(trsv);
        cr_expect(strstr(spry_message(context), words), "%s", spry_message(context));
        cr_expect_eq(spry_trsv_create(context, built.matrix, SPRY_LOWER, SPRY_N, 1, &trsv), SPRY_OK);
        spry_trsv_destroy(trsv);
        built_free(&built);
        list_free(&list);
        spry_context_destroy(context);
    }
}

Test(trsv, faults_on_the_diagonal) {
    expect_fault(true, 0, SPRY_F64, "row 31 ");
    expect_fault(false, 0, SPRY_F64, "row 21 (counted from 1): the entry on the diagonal is 0");
    /* The reciprocals of these overflow, or are zero, or NaN. */
    expect_fault(false, 1e-310, SPRY_F64, "row 21 (counted from 1): the entry on the diagonal is 1e-310");
    expect_fault(false, -1e-39, SPRY_F32, "row 21 (counted from 1): the entry on the diagonal is -1e-39");
    expect_fault(false, INFINITY, SPRY_F64, "row 21 (counted from 1): the entry on the diagonal is inf");
    expect_fault(false, NAN, SPRY_F32, "row 21 (counted from 1): the entry on the diagonal is ");
}

Test(trsv, bad_arguments) {
    struct setting setting = setting_new(&test_squares[2], 1, SPRY_F64, SPRY_I32);
    spry_context *context = setting.context;
    struct list wide = list_new(2, 3);
    spry_trsv *trsv;
    struct built built = built_of(context, &wide, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_trsv_create(NULL, built.matrix, SPRY_LOWER, SPRY_N, 0, &trsv), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_create(context, built.matrix, SPRY_LOWER, SPRY_N, 0, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_create(context, NULL, SPRY_LOWER, SPRY_N, 0, &trsv), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_create(context, built.matrix, SPRY_LOWER, SPRY_N, 0, &trsv), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_create(context, setting.built.matrix, SPRY_TRIANGLE_COUNT, SPRY_N, 0, &trsv),
                 SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_create(context, setting.built.matrix, SPRY_LOWER, SPRY_OP_COUNT, 0, &trsv),
                 SPRY_ERROR_ARGUMENT);
    cr_expect_null(trsv);
    trsv = trsv_new(&setting, (struct system){SPRY_LOWER, SPRY_N, false});
    cr_expect_eq(spry_trsv_solve(NULL, trsv, setting.b.data, setting.b.data), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_solve(context, NULL, setting.b.data, setting.b.data), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_solve(context, trsv, NULL, setting.b.data), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_trsv_solve(context, trsv, setting.b.data, NULL), SPRY_ERROR_ARGUMENT);
    spry_trsv_destroy(trsv);
    spry_trsv_destroy(NULL);
    built_free(&built);
    list_free(&wide);
    setting_free(&setting);
}

/* Every allocation is refused once, in turn. */
Test(trsv, memory) {
    struct setting setting = setting_new(&test_squares[7], 2, SPRY_F64, SPRY_I32);
    spry_status status = SPRY_ERROR_MEMORY;
    for (int64_t n = 1; status; n++) {
        struct counting counting;
        counting_start(&counting);
        spry_context *context = counting_context(&counting, 2);
        spry_trsv *trsv;
        counting_refuse(&counting, n);
        status = spry_trsv_create(context, setting.built.matrix, SPRY_UPPER, SPRY_T, 0, &trsv);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
        spry_trsv_destroy(trsv);
        spry_context_destroy(context);
        cr_expect(counting.live_blocks == 0 && !counting.misused, "request %lld", (long long)n);
        cr_assert_lt(n, 1000);
    }
    setting_free(&setting);
}
