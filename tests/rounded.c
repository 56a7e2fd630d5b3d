/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors are rounded to the type of the vectors first: one that is zero in f32 has nothing read, whatever it is in f64. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/build.h"
#include "support/vector.h"

/* Rows of a matrix, and columns of dense ones. */
#define ROWS 37
#define COLUMNS 3
#define VALUES ((int64_t)ROWS * COLUMNS)

/* What is multiplied, all of it a unit matrix or, empty, a zero one. */
struct setting {
    spry_context *context;
    const spry_matrix *matrix;
    spry_scaled *scaled;
    struct placed unit, ones; /* dense, and a diagonal of ones */
    spry_op op;
};

static spry_view view_of(const void *data) {
    return spry_view_of_rows((void *)(uintptr_t)data, ROWS, COLUMNS, COLUMNS);
}

/* y = alpha A x + beta y of VALUES values, of which a call may leave all but the first ROWS. */
typedef spry_status multiply(const struct setting *s, double alpha, const void *x, double beta, void *y);

static spry_status spmv(const struct setting *s, double alpha, const void *x, double beta, void *y) {
    return spry_spmv(s->context, s->op, alpha, s->matrix, x, beta, y);
}

static spry_status spmm(const struct setting *s, double alpha, const void *x, double beta, void *y) {
    const spry_view x_view = view_of(x), y_view = view_of(y);
    return spry_spmm(s->context, s->op, alpha, s->matrix, &x_view, beta, &y_view);
}

static spry_status scaled(const struct setting *s, double alpha, const void *x, double beta, void *y) {
    return spry_scaled_spmv(s->context, s->op, alpha, s->scaled, x, beta, y);
}

static spry_status axpby(const struct setting *s, double alpha, const void *x, double beta, void *y) {
    return spry_axpby(s->context, SPRY_NUMBER_F32, VALUES, alpha, x, beta, y);
}

static spry_status gemm(const struct setting *s, double alpha, const void *x, double beta, void *y) {
    const spry_view unit = spry_view_of_rows(s->unit.data, ROWS, ROWS, ROWS), x_view = view_of(x),
                    y_view = view_of(y);
    return spry_gemm(s->context, SPRY_F32, alpha, &unit, &x_view, beta, &y_view);
}

static const struct {
    const char *name;
    multiply *multiply;
    bool is_sparse, reads_x; /* whatever alpha is */
} calls[] = {{"spmv", spmv, true, false},
             {"spmm", spmm, true, false},
             {"scaled", scaled, true, false},
             {"axpby", axpby, false, true},
             {"gemm", gemm, false, false}};

/* With a unit matrix, and with one that has no entries, or none that count. */
static const struct {
    double alpha, beta, x, y, result, result_of_empty;
} cases[] = {{0, 1e-60, 2, NAN, 0, 0},  {1e-60, 1e-60, NAN, NAN, 0, 0}, {-1e-50, 3, NAN, 2, 6, 6},
             {3, -1e-50, 2, NAN, 6, 0}, {1e-60, 0, NAN, NAN, 0, 0},     {1, 1e-60, 5, NAN, 5, 0}};
#define CASES (sizeof cases / sizeof *cases)

static void check(const struct setting *s, size_t call, size_t c) {
    const bool is_empty = calls[call].is_sparse && spry_matrix_nnz(s->matrix) == 0;
    struct vector x = vector_new(SPRY_F32, VALUES, 7), y = vector_new(SPRY_F32, VALUES, 7);
    vector_fill(&x, cases[c].x);
    vector_fill(&y, cases[c].y);
    struct placed x_there = vector_place(s->context, &x), y_there = vector_place(s->context, &y);
    cr_assert_eq(calls[call].multiply(s, cases[c].alpha, x_there.data, cases[c].beta, y_there.data), SPRY_OK,
                 "%s: %s", calls[call].name, spry_message(s->context));
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    const double want = is_empty ? cases[c].result_of_empty : cases[c].result;
    for (int64_t i = 0; i < ROWS; i++)
        cr_assert_eq(vector_get(&y, i), want, "%s, operation %d, %s, alpha %g, beta %g: y[%d] = %g, not %g",
                     calls[call].name, (int)s->op, is_empty ? "empty" : "unit", cases[c].alpha, cases[c].beta,
                     (int)i, vector_get(&y, i), want);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
}

static struct setting setting_new(spry_context *context, const spry_matrix *matrix) {
    struct vector unit = vector_new(SPRY_F32, (int64_t)ROWS * ROWS, 7), ones = vector_new(SPRY_F32, ROWS, 7);
    vector_fill(&unit, 0);
    vector_fill(&ones, 1);
    for (int64_t i = 0; i < ROWS; i++)
        vector_set(&unit, i * ROWS + i, 1);
    struct setting setting = {.context = context,
                              .matrix = matrix,
                              .unit = vector_place(context, &unit),
                              .ones = vector_place(context, &ones)};
    cr_assert_eq(spry_scaled_create(context, matrix, setting.ones.data, setting.ones.data, &setting.scaled),
                 SPRY_OK, "%s", spry_message(context));
    vector_free(&unit);
    vector_free(&ones);
    return setting;
}

static void setting_free(struct setting *setting) {
    spry_scaled_destroy(setting->scaled);
    placed_free(&setting->unit);
    placed_free(&setting->ones);
}

static void check_matrix(spry_context *context, const spry_matrix *matrix) {
    struct setting setting = setting_new(context, matrix);
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        for (size_t call = 0; call < sizeof calls / sizeof *calls; call++)
            for (size_t c = 0; c < CASES; c++) {
                setting.op = (spry_op)op;
                if (!calls[call].reads_x || !isnan(cases[c].x))
                    check(&setting, call, c);
            }
    setting_free(&setting);
}

Test(rounded, factors_of_f32) {
    static const spry_format formats[] = {SPRY_CSR, SPRY_COO, SPRY_SELL};
    spry_context *context = test_context(2);
    struct list lists[] = {list_new(ROWS, ROWS), list_new(ROWS, ROWS)};
    for (int64_t i = 0; i < ROWS; i++)
        list_add(&lists[0], i, i, 1);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int l = 0; l < 2; l++) {
            struct built built = built_of(context, &lists[l], formats[f], SPRY_F32, SPRY_I32);
            check_matrix(context, built.matrix);
            built_free(&built);
        }
    list_free(&lists[0]);
    list_free(&lists[1]);
    spry_context_destroy(context);
}
