/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners of two triangles: SSOR, ILU(0), IC(0), compared with M made densely: see support/splits.h. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/splits.h"
#include "support/squares.h"
#include "support/vector.h"

/* ---- calls ---- */

struct setting {
    spry_context *context;
    struct list list;
    struct built built;
};

/* The list becomes the setting's. */
static struct setting setting_in(spry_context *context, struct list list, spry_value_type type,
                                 spry_index_type index) {
    struct setting setting = {.context = context, .list = list};
    list_round(&setting.list, type);
    setting.built = built_of(setting.context, &setting.list, SPRY_CSR, type, index);
    return setting;
}

static struct setting setting_new(struct list list, int threads, spry_value_type type,
                                  spry_index_type index) {
    return setting_in(test_context(threads), list, type, index);
}

static void setting_free(struct setting *setting) {
    built_free(&setting->built);
    list_free(&setting->list);
    spry_context_destroy(setting->context);
}

static spry_precond *precond_new(const struct setting *setting, const spry_precond_options *options) {
    spry_precond *precond;
    cr_assert_eq(spry_precond_create(setting->context, setting->built.matrix, options, &precond), SPRY_OK,
                 "%s", spry_message(setting->context));
    return precond;
}

static void apply(spry_context *context, const spry_precond *precond, const struct vector *x,
                  struct vector *y) {
    struct placed x_at = vector_place(context, x), y_at = vector_place(context, y);
    cr_expect_eq(spry_precond_apply(context, precond, x_at.data, y_at.data), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect_eq(vector_fetch(y, &y_at), SPRY_OK);
    cr_expect(vector_guarded(y));
    placed_free(&x_at);
    placed_free(&y_at);
}

static const spry_precond_options choices[] = {
    {.size = sizeof *choices, .kind = SPRY_SSOR}, {.size = sizeof *choices, .kind = SPRY_SSOR, .omega = 1.5},
    {.size = sizeof *choices, .kind = SPRY_ILU0}, {.size = sizeof *choices, .kind = SPRY_ILU0, .shift = 0.25},
    {.size = sizeof *choices, .kind = SPRY_IC0},  {.size = sizeof *choices, .kind = SPRY_IC0, .shift = 0.25},
};
#define CHOICES (sizeof choices / sizeof choices[0])

/* Small enough to be dense. */
static bool is_small(const struct square *square) {
    struct list list = square->make();
    bool small = list.rows <= 1000;
    list_free(&list);
    return small;
}

/* The same result twice, and the inverse of M. */
static void check(const struct square *square, const spry_precond_options *options, int threads,
                  spry_value_type type, spry_index_type index) {
    struct setting setting = setting_new(square->make(), threads, type, index);
    spry_precond *precond = precond_new(&setting, options);
    struct split m = split_of(&setting.list, options);
    struct vector x = vector_new(type, setting.list.rows, 3), y = vector_new(type, x.count, 3),
                  again = vector_new(type, x.count, 3);
    vector_random(&x, 9);
    apply(setting.context, precond, &x, &y);
    apply(setting.context, precond, &x, &again);
    cr_expect(is_inverse(&m, &x, &y), "%s of %s, %s %s, %d threads", spry_precond_name(options->kind),
              square->name, spry_type_name(type), spry_index_name(index), threads);
    cr_expect(vector_same_bits(&y, &again), "%s of %s", spry_precond_name(options->kind), square->name);
    cr_expect_eq(spry_precond_shift(precond), options->shift);
    vector_free(&x);
    vector_free(&y);
    vector_free(&again);
    split_free(&m);
    spry_precond_destroy(precond);
    setting_free(&setting);
}

Test(factors, every_shape) {
    for (size_t s = 0; s < test_square_count; s++)
        for (size_t c = 0; c < CHOICES && is_small(&test_squares[s]); c++)
            check(&test_squares[s], &choices[c], 2, SPRY_F64, SPRY_I32);
}

Test(factors, every_type) {
    for (size_t c = 0; c < CHOICES; c++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                check(test_square("anywhere"), &choices[c], 3, (spry_value_type)type, (spry_index_type)index);
}

/* y for an x of ones. */
static struct vector applied_to_ones(const struct setting *setting, const spry_precond *precond) {
    spry_value_type type = spry_matrix_type(setting->built.matrix);
    struct vector x = vector_new(type, setting->list.rows, 3), y = vector_new(type, x.count, 3);
    vector_fill(&x, 1);
    apply(setting->context, precond, &x, &y);
    vector_free(&x);
    return y;
}

/* Large ones too, and whether a triangle's levels are worth sharing or not. */
Test(factors, threads_and_grains_give_the_same_bits) {
    static const spry_context_options options[] = {{.size = sizeof *options, .threads = 1},
                                                   {.size = sizeof *options, .threads = 5, .grain = 1},
                                                   {.size = sizeof *options, .threads = 3, .grain = 64}};
    for (size_t s = 0; s < test_square_count; s++)
        for (size_t c = 0; c < CHOICES; c++) {
            if (test_has_few_cases() && (s + c) % 2)
                continue;
            struct vector y[3];
            for (int t = 0; t < 3; t++) {
                spry_context_options chosen = options[t];
                chosen.backend = test_backend();
                struct setting setting =
                    setting_in(test_context_with(&chosen), test_squares[s].make(), SPRY_F64, SPRY_I32);
                spry_precond *precond = precond_new(&setting, &choices[c]);
                y[t] = applied_to_ones(&setting, precond);
                spry_precond_destroy(precond);
                setting_free(&setting);
            }
            cr_expect(vector_same_bits(&y[0], &y[1]) && vector_same_bits(&y[0], &y[2]), "%s of %s",
                      spry_precond_name(choices[c].kind), test_squares[s].name);
            for (int t = 0; t < 3; t++)
                vector_free(&y[t]);
        }
}

/* Whether M⁻¹ A is the unit matrix, as far as ones tell. */
static void expect_exact(struct list list, spry_precond_kind kind, const char *name) {
    struct setting setting = setting_new(list, 2, SPRY_F64, SPRY_I32);
    spry_precond *precond =
        precond_new(&setting, &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = kind});
    struct vector x = vector_new(SPRY_F64, list.rows, 3), y = vector_new(SPRY_F64, x.count, 3);
    vector_fill(&x, 0);
    for (int64_t k = 0; k < setting.list.nnz; k++)
        vector_set(&x, setting.list.row[k], vector_get(&x, setting.list.row[k]) + setting.list.val[k]);
    apply(setting.context, precond, &x, &y);
    for (int64_t i = 0; i < y.count; i++)
        cr_assert_float_eq(vector_get(&y, i), 1, 1e-12, "%s of %s, row %lld", spry_precond_name(kind), name,
                           (long long)i);
    vector_free(&x);
    vector_free(&y);
    spry_precond_destroy(precond);
    setting_free(&setting);
}

Test(factors, exact_without_fill) {
    for (size_t s = 0; s < test_square_count; s++) {
        if (!test_squares[s].no_fill)
            continue;
        struct list list = test_squares[s].make(), symmetric = list_mirrored(&list);
        expect_exact(list, SPRY_ILU0, test_squares[s].name);
        expect_exact(symmetric, SPRY_IC0, test_squares[s].name);
    }
}

/* ---- new values ---- */

/* The same pattern with other values, whose diagonal is larger still. */
static struct list with_other_values(const struct list *list) {
    struct list other = list_copy(list);
    uint64_t seed = 23;
    for (int64_t k = 0; k < other.nnz; k++)
        other.val[k] = other.row[k] == other.col[k] ? 2 * other.val[k] : test_value(&seed);
    return other;
}

Test(factors, update) {
    for (size_t c = 0; c < CHOICES; c++) {
        struct setting before = setting_new(test_square("cube")->make(), 2, SPRY_F64, SPRY_I32),
                       after = setting_new(with_other_values(&before.list), 2, SPRY_F64, SPRY_I32);
        spry_precond *updated = precond_new(&before, &choices[c]), *made = precond_new(&after, &choices[c]);
        struct vector y = applied_to_ones(&before, updated), z = applied_to_ones(&after, made);
        cr_expect_not(vector_same_bits(&y, &z));
        vector_free(&y);
        /* `after` in the context of `before`: they are on one device. */
        cr_expect_eq(spry_precond_update(before.context, updated, after.built.matrix), SPRY_OK, "%s",
                     spry_message(before.context));
        y = applied_to_ones(&before, updated);
        cr_expect(vector_same_bits(&y, &z), "%s", spry_precond_name(choices[c].kind));
        vector_free(&y);
        vector_free(&z);
        spry_precond_destroy(updated);
        spry_precond_destroy(made);
        setting_free(&before);
        setting_free(&after);
    }
}

/* An entry moved: as many as before, in other places. */
Test(factors, other_patterns_are_refused) {
    struct list list = list_new(3, 3), moved = list_new(3, 3);
    for (int64_t i = 0; i < 3; i++) {
        list_add(&list, i, i, 4);
        list_add(&moved, i, i, 4);
    }
    list_add(&list, 1, 0, 1);
    list_add(&moved, 2, 0, 1);
    struct setting before = setting_new(list, 1, SPRY_F64, SPRY_I32),
                   after = setting_new(moved, 1, SPRY_F64, SPRY_I32);
    static const spry_precond_kind kinds[] = {SPRY_ILU0, SPRY_IC0};
    for (int k = 0; k < 2; k++) {
        spry_precond *precond = precond_new(
            &before, &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = kinds[k]});
        cr_expect_eq(spry_precond_update(before.context, precond, after.built.matrix), SPRY_ERROR_PATTERN);
        spry_precond_destroy(precond);
    }
    setting_free(&before);
    setting_free(&after);
}

/* ---- shifts ---- */

/* A grid's Laplacian less so much that it is not definite any more. */
static struct list indefinite(void) {
    int64_t points = 12;
    struct list list = list_new(points * points, points * points);
    for (int64_t i = 0; i < list.rows; i++) {
        list_add(&list, i, i, 1.5);
        for (int64_t step = 1; step <= points; step *= points)
            if (i / step % points < points - 1) {
                list_add(&list, i, i + step, -1);
                list_add(&list, i + step, i, -1);
            }
    }
    return list;
}

Test(factors, shift_until_positive) {
    struct setting setting = setting_new(indefinite(), 2, SPRY_F64, SPRY_I32);
    spry_precond_options options = {.size = sizeof options, .kind = SPRY_IC0};
    spry_precond *precond = precond_new(&setting, &options);
    options.shift = spry_precond_shift(precond);
    cr_expect(options.shift > 0.01 && options.shift < 10, "%g", options.shift);
    struct split m = split_ic0(&setting.list, options.shift);
    struct vector x = vector_new(SPRY_F64, setting.list.rows, 3), y = applied_to_ones(&setting, precond);
    vector_fill(&x, 1);
    cr_expect(is_inverse(&m, &x, &y));
    /* Half the shift was tried before. */
    split_free(&m);
    m = split_ic0(&setting.list, options.shift / 2);
    bool failed = false;
    for (int64_t i = 0; i < setting.list.rows; i++)
        failed |= !(*exact_at(m.left, i, i) > 0);
    cr_expect(failed);
    split_free(&m);
    vector_free(&x);
    vector_free(&y);
    spry_precond_destroy(precond);
    setting_free(&setting);
}

/* ---- faults ---- */

static void expect_fault(struct list list, spry_precond_kind kind, const char *words) {
    struct setting setting = setting_new(list, 3, SPRY_F64, SPRY_I32);
    spry_precond *precond = NULL;
    cr_expect_eq(spry_precond_create(
                     setting.context, setting.built.matrix,
                     &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = kind}, &precond),
                 SPRY_ERROR_INVALID);
    cr_expect_null(precond);
    cr_expect(strstr(spry_message(setting.context), words), "%s: %s", spry_precond_name(kind),
              spry_message(setting.context));
    setting_free(&setting);
}

/* A chain with `diagonal` in rows 20 and 30, or without an entry there. */
static struct list chain_with(const double *diagonal) {
    struct list list = list_new(40, 40);
    for (int64_t i = 0; i < 40; i++) {
        if (diagonal || i % 10 != 0 || i < 20)
            list_add(&list, i, i, diagonal && i % 10 == 0 && i >= 20 ? *diagonal : 4);
        if (i > 0) {
            list_add(&list, i, i - 1, 1);
            list_add(&list, i - 1, i, 1);
        }
    }
    return list;
}

Test(factors, faults_on_the_diagonal) {
    static const double zero = 0, infinite = INFINITY, tiny = 1e-310, none = NAN;
    static const spry_precond_kind kinds[] = {SPRY_SSOR, SPRY_ILU0, SPRY_IC0};
    for (int k = 0; k < 3; k++)
        expect_fault(chain_with(NULL), kinds[k], "row 21 ");
    expect_fault(chain_with(&zero), SPRY_SSOR, "row 21 ");
    expect_fault(chain_with(&zero), SPRY_IC0, "row 21 ");
    expect_fault(chain_with(&infinite), SPRY_ILU0, "row 21 ");
    expect_fault(chain_with(&infinite), SPRY_IC0, "row 21 ");
    expect_fault(chain_with(&infinite), SPRY_SSOR,
                 "row 21 (counted from 1): the entry on the diagonal is inf");
    expect_fault(chain_with(&tiny), SPRY_SSOR,
                 "row 21 (counted from 1): the entry on the diagonal is 1e-310");
    for (int k = 0; k < 3; k++)
        expect_fault(chain_with(&none), kinds[k], "row 21 ");
}

/* The reciprocal of row 8's pivot overflows, also with the largest shift. */
Test(factors, smallest_pivots) {
    static const spry_precond_kind kinds[] = {SPRY_SSOR, SPRY_ILU0, SPRY_IC0};
    for (int k = 0; k < 3; k++) {
        struct list list = list_new(10, 10);
        for (int64_t i = 0; i < 10; i++)
            list_add(&list, i, i, i == 7 ? 1e-320 : 3);
        expect_fault(list, kinds[k], "row 8 ");
    }
}

/* The pivot becomes zero on the way; twice, and in the same level. */
Test(factors, zero_pivots) {
    struct list list = list_new(30, 30);
    for (int64_t i = 0; i < 30; i++)
        list_add(&list, i, i, 1);
    for (int64_t i = 11; i < 30; i += 10) {
        list_add(&list, i, i - 1, 1);
        list_add(&list, i - 1, i, 1);
    }
    expect_fault(list, SPRY_ILU0, "row 12 (counted from 1): the pivot is 0, ");
}

Test(factors, repeated_entries) {
    spry_context *context = test_context(1);
    struct list list = list_new(3, 3);
    for (int64_t i = 0; i < 3; i++)
        list_add(&list, i, i, 2);
    list_add(&list, 2, 1, 1);
    list_add(&list, 2, 1, 1);
    list_sort(&list);
    struct built built;
    spry_precond *precond;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &built), SPRY_OK);
    cr_expect_eq(
        spry_precond_create(context, built.matrix,
                            &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = SPRY_ILU0},
                            &precond),
        SPRY_ERROR_INVALID);
    cr_expect(strstr(spry_message(context), "row 3 "), "%s", spry_message(context));
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* Every allocation is refused once, in turn. */
static void refuse_each(const struct setting *setting, const spry_precond_options *options) {
    spry_status status = SPRY_ERROR_MEMORY;
    for (int64_t n = 1; status; n++) {
        struct counting counting;
        counting_start(&counting);
        spry_context *context = counting_context(&counting, 2);
        spry_precond *precond;
        counting_refuse(&counting, n);
        status = spry_precond_create(context, setting->built.matrix, options, &precond);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
        spry_precond_destroy(precond);
        spry_context_destroy(context);
        cr_expect(counting.live_blocks == 0 && !counting.misused, "request %lld", (long long)n);
        cr_assert_lt(n, 1000);
    }
}

Test(factors, memory) {
    struct setting setting = setting_new(test_square("plane")->make(), 2, SPRY_F64, SPRY_I32);
    for (size_t c = 0; c < CHOICES; c++)
        refuse_each(&setting, &choices[c]);
    setting_free(&setting);
}
