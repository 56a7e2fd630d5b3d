/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel multiplies by the diagonals or they take passes of their own, the bits of a product are those of passes; kernels
   that do it take no workspace. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/scenarios.h"
#include "support/systems.h"
#include "support/vector.h"

static const char *const disabled[] = {NULL, "avx512", "avx512,avx2,neon"};

static spry_context *context_with(int threads, int without) {
    return test_context_without(threads, test_backend() == SPRY_CPU ? disabled[without] : NULL);
}

/* Runs of rows with one stencil, and of rows that alternate between two and three: of every length up to 40, with rows at both ends
   whose stencils are cut off there, and rows without entries in between. */
static struct list runs_list(void) {
    static const int64_t offset[3][4] = {{-9, -1, 0, 30}, {-2, 0, 1, 2}, {-30, 0, 1, 9}};
    struct list list = list_new(860, 850);
    int64_t i = 0;
    for (int64_t length = 1; length <= 40; length++, i += length % 7 == 0)
        for (int64_t r = 0; r < length; r++, i++)
            for (int k = 0; k < 4; k++) {
                const int64_t s = (length + r % (1 + length % 3)) % 3, col = i + offset[s][k];
                if (col >= 0 && col < list.cols)
                    list_add(&list, i, col, (double)(1 + s + k) / 7);
            }
    cr_assert_leq(i, list.rows);
    return list;
}

static struct list random_list(void) {
    return test_scenario("random")->make();
}

/* One row is longer than a thread of a device would take alone. */
static struct list arrow(void) {
    return test_scenario("arrow")->make();
}

static struct list grid(void) {
    return grid_list(40, 0.1, 0);
}

/* Rows that have so many entries that passes are faster. */
static struct list long_rows(void) {
    struct list list = list_new(900, 900);
    for (int64_t i = 6; i < list.rows - 6; i++)
        for (int64_t col = i - 6; col <= i + 6; col++)
            list_add(&list, i, col, 1);
    return list;
}

/* ---- against passes ---- */

struct product {
    spry_context *context;
    const spry_matrix *matrix;
    spry_op op;
    double alpha, beta;
    struct vector x, before;
    const struct vector *in, *out; /* the factors of x and of the product; null: none */
};

/* y = alpha op(A) x + beta before */
static void multiply(const struct product *p, const struct vector *x, double beta, struct vector *y) {
    struct placed x_there = vector_place(p->context, x), y_there = vector_place(p->context, &p->before);
    cr_assert_eq(spry_spmv(p->context, p->op, p->alpha, p->matrix, x_there.data, beta, y_there.data), SPRY_OK,
                 "%s", spry_message(p->context));
    cr_assert_eq(spry_synchronize(p->context), SPRY_OK);
    cr_assert_eq(vector_fetch(y, &y_there), SPRY_OK);
    placed_free(&x_there);
    placed_free(&y_there);
}

/* Each value is rounded to the type when it is set. */
static void multiply_in_passes(const struct product *p, struct vector *y) {
    struct vector x = vector_new(p->x.type, p->x.count, NAN), added = vector_new(y->type, y->count, 0);
    for (int64_t i = 0; i < x.count; i++)
        vector_set(&x, i, vector_get(&p->x, i) * (p->in ? vector_get(p->in, i) : 1));
    multiply(p, &x, p->out ? 0 : p->beta, y);
    for (int64_t i = 0; p->out && i < y->count; i++) {
        vector_set(y, i, vector_get(p->out, i) * vector_get(y, i));
        if (p->beta != 0) {
            vector_set(&added, i, p->beta * vector_get(&p->before, i));
            vector_set(y, i, vector_get(y, i) + vector_get(&added, i));
        }
    }
    vector_free(&x);
    vector_free(&added);
}

static void multiply_scaled(const struct product *p, const spry_scaled *scaled, struct vector *y) {
    struct placed x_there = vector_place(p->context, &p->x), y_there = vector_place(p->context, &p->before);
    cr_assert_eq(spry_scaled_spmv(p->context, p->op, p->alpha, scaled, x_there.data, p->beta, y_there.data),
                 SPRY_OK, "%s", spry_message(p->context));
    cr_assert_eq(spry_synchronize(p->context), SPRY_OK);
    cr_assert_eq(vector_fetch(y, &y_there), SPRY_OK);
    placed_free(&x_there);
    placed_free(&y_there);
}

/* With beta = 0, y is NaN before. */
static void check_product(spry_context *context, const spry_matrix *matrix, const spry_scaled *scaled,
                          spry_op op, double alpha, double beta, const struct vector *left,
                          const struct vector *right) {
    const spry_value_type type = spry_matrix_type(matrix);
    const int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix),
                  outputs = op == SPRY_N ? rows : cols;
    struct product p = {context,
                        matrix,
                        op,
                        alpha,
                        beta,
                        vector_new(type, op == SPRY_N ? cols : rows, NAN),
                        vector_new(type, outputs, 7),
                        op == SPRY_N ? right : left,
                        op == SPRY_N ? left : right};
    struct vector expected = vector_new(type, outputs, 7), y = vector_new(type, outputs, 7);
    vector_random(&p.x, 1);
    vector_fill(&p.before, NAN);
    if (beta != 0)
        vector_random(&p.before, 2);
    multiply_in_passes(&p, &expected);
    multiply_scaled(&p, scaled, &y);
    cr_expect(vector_same_bits(&expected, &y), "%s %s %s, operation %d, alpha %g, beta %g, %s%s",
              spry_format_name(spry_matrix_format(matrix)), spry_type_name(type),
              spry_index_name(spry_matrix_index(matrix)), (int)op, alpha, beta, left ? "left" : "",
              right ? "right" : "");
    cr_expect(vector_guarded(&y), "wrote beside y");
    vector_free(&p.x);
    vector_free(&p.before);
    vector_free(&expected);
    vector_free(&y);
}

/* With either factor, both and none. */
static void check_matrix(spry_context *context, const spry_matrix *matrix) {
    static const double alphas[] = {1, -1.3, 0.7}, betas[] = {0, 0, 0.625};
    const spry_value_type type = spry_matrix_type(matrix);
    struct vector left = vector_new(type, spry_matrix_rows(matrix), NAN),
                  right = vector_new(type, spry_matrix_cols(matrix), NAN);
    vector_random(&left, 3);
    vector_random(&right, 4);
    struct placed left_there = vector_place(context, &left), right_there = vector_place(context, &right);
    for (int sides = 0; sides < 4; sides++) {
        spry_scaled *scaled;
        cr_assert_eq(spry_scaled_create(context, matrix, sides & 1 ? left_there.data : NULL,
                                        sides & 2 ? right_there.data : NULL, &scaled),
                     SPRY_OK, "%s", spry_message(context));
        for (int i = 0; i < 3; i++)
            for (int op = 0; op < SPRY_OP_COUNT; op++)
                check_product(context, matrix, scaled, (spry_op)op, alphas[i], betas[i],
                              sides & 1 ? &left : NULL, sides & 2 ? &right : NULL);
        spry_scaled_destroy(scaled);
    }
    placed_free(&left_there);
    placed_free(&right_there);
    vector_free(&left);
    vector_free(&right);
}

/* In brief, each format has values of one type, in the next list of the other; where cases are few, columns too. */
static void check_list(spry_context *context, const struct list *list, int number) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
                if (test_is_brief() && (format + index + number) % SPRY_TYPE_COUNT != type)
                    continue;
                if (!test_index_has_turn(index, (size_t)(format + number)))
                    continue;
                struct built built = built_of(context, list, (spry_format)format, (spry_value_type)type,
                                              (spry_index_type)index);
                check_matrix(context, built.matrix);
                built_free(&built);
            }
}

Test(scaled, has_the_bits_of_passes) {
    static struct list (*const make[])(void) = {runs_list, grid, random_list, arrow, long_rows};
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2)
        for (int without = 0; without < (test_backend() == SPRY_CPU ? 3 : 1); without++) {
            spry_context *context = context_with(threads, without);
            for (size_t m = 0; m < sizeof make / sizeof *make; m++) {
                struct list list = make[m]();
                check_list(context, &list, (int)m + without);
                list_free(&list);
            }
            spry_context_destroy(context);
        }
}

/* ---- workspace ---- */

/* Bytes that a scaled matrix and its first product with A take, y read and both factors there. */
static int64_t bytes_taken(struct counting *counting, spry_context *context, const spry_matrix *matrix,
                           struct placed *vector) {
    spry_scaled *scaled;
    const int64_t before = counting->live_bytes;
    cr_assert_eq(spry_scaled_create(context, matrix, vector[0].data, vector[1].data, &scaled), SPRY_OK);
    cr_assert_eq(spry_scaled_spmv(context, SPRY_N, 1, scaled, vector[2].data, 2, vector[3].data), SPRY_OK);
    cr_assert_eq(spry_synchronize(context), SPRY_OK);
    const int64_t taken = counting->live_bytes - before;
    spry_scaled_destroy(scaled);
    return taken;
}

static void check_workspace(const struct list *list, spry_value_type type, spry_index_type index,
                            spry_format format, int64_t vectors) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 3);
    struct vector zeros = vector_new(type, list->rows, 0);
    struct placed vector[4];
    for (int v = 0; v < 4; v++)
        vector[v] = vector_place(context, &zeros);
    struct built built = built_of(context, list, format, type, index);
    const int64_t taken = bytes_taken(&counting, context, built.matrix, vector);
    cr_expect_eq(taken / (list->rows * (int64_t)spry_type_size(type)), vectors, "%s %s %s: %d bytes",
                 spry_format_name(format), spry_type_name(type), spry_index_name(index), (int)taken);
    for (int v = 0; v < 4; v++)
        placed_free(&vector[v]);
    built_free(&built);
    vector_free(&zeros);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}

/* It shows that the kernels of stencils did it. */
Test(scaled, takes_no_workspace_where_the_kernel_scales) {
    struct list few = grid_list(60, 0, 0), many = long_rows();
    for (int without = 0; without < (test_backend() == SPRY_CPU ? 3 : 1); without++) {
        if (test_backend() == SPRY_CPU && disabled[without])
            cr_assert_eq(setenv("SPRY_DISABLE", disabled[without], 1), 0);
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
                check_workspace(&few, (spry_value_type)type, (spry_index_type)index, SPRY_STENCIL, 0);
                check_workspace(&many, (spry_value_type)type, (spry_index_type)index, SPRY_STENCIL, 2);
                check_workspace(&few, (spry_value_type)type, (spry_index_type)index, SPRY_ELL, 2);
            }
    }
    list_free(&few);
    list_free(&many);
}
