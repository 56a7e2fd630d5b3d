/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils of grids so large that each thread of a device has several rows: beside each other, or in several planes. Values and
   vectors are small integers and halves, so that every order of addition gives the same. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "support/backend.h"
#include "support/vector.h"

#define POINTS 7

struct grid {
    const char *name;
    int64_t side, layers; /* side × side × layers points */
};

/* For the most rows that one of today's devices asks for: some rows for each thread that runs at once, and as many as it ever
   has; then planes that are farther apart than the rows of a block go. The last planes are a group that is not full. */
static const struct grid grids[] = {
    {"few rows a thread", 70, 150},
    {"rows beside each other", 40, 850},
    {"rows in planes", 70, 290},
};

/* On a CPU a few layers are like all. */
static struct grid grid_here(size_t which) {
    struct grid grid = grids[which];
    grid.layers = test_backend() == SPRY_CPU ? grid.layers / 40 : grid.layers;
    return grid;
}

static int64_t rows_of(const struct grid *grid) {
    return grid->side * grid->side * grid->layers;
}

/* The entries of a row; how many. Some rows inside are like no others near them. */
static int entries_of(const struct grid *grid, int64_t i, int32_t *col, double *val) {
    const int64_t side = grid->side, plane = side * side;
    const int64_t step[POINTS] = {-plane, -side, -1, 0, 1, side, plane};
    const bool is_there[POINTS] = {i >= plane,
                                   i % plane >= side,
                                   i % side > 0,
                                   true,
                                   i % side < side - 1,
                                   i % plane < plane - side,
                                   i < rows_of(grid) - plane};
    int count = 0;
    for (int k = 0; k < POINTS; k++)
        if (is_there[k]) {
            col[count] = (int32_t)(i + step[k]);
            val[count++] = k == POINTS / 2 ? 6 + (double)(i % 1009 == 0) : -1 - 0.5 * k;
        }
    return count;
}

static spry_matrix *matrix_of(spry_context *context, const struct grid *grid) {
    const int64_t rows = rows_of(grid);
    int32_t *ptr = malloc(((size_t)rows + 1) * sizeof *ptr),
            *idx = malloc((size_t)rows * POINTS * sizeof *idx);
    double *val = malloc((size_t)rows * POINTS * sizeof *val);
    spry_context *host;
    spry_matrix *csr, *there, *matrix;
    cr_assert(ptr && idx && val);
    ptr[0] = 0;
    for (int64_t i = 0; i < rows; i++)
        ptr[i + 1] = ptr[i] + entries_of(grid, i, idx + ptr[i], val + ptr[i]);
    cr_assert_eq(spry_context_create(&host, NULL), SPRY_OK);
    cr_assert_eq(spry_wrap_csr(host, SPRY_F64, SPRY_I32, rows, rows,
                               &(spry_csr){.ptr = ptr, .idx = idx, .val = val}, &csr),
                 SPRY_OK, "%s", spry_message(host));
    cr_assert_eq(spry_matrix_copy(context, csr, &there), SPRY_OK, "%s", spry_message(context));
    cr_assert_eq(spry_convert(context, there, SPRY_STENCIL, NULL, &matrix), SPRY_OK, "%s",
                 spry_message(context));
    spry_matrix_destroy(there);
    spry_matrix_destroy(csr);
    spry_context_destroy(host);
    free(val);
    free(idx);
    free(ptr);
    return matrix;
}

/* ---- what products must be ---- */

static double input(int64_t i) {
    return (double)(i % 13 - 6);
}

static double before(int64_t i) {
    return (double)(i % 5);
}

/* Value i of A x, which is Aᵀ x too but for the halves that tell the neighbours apart. */
static double product(const struct grid *grid, int64_t i) {
    int32_t col[POINTS];
    double val[POINTS], sum = 0;
    const int count = entries_of(grid, i, col, val);
    for (int k = 0; k < count; k++)
        sum += val[k] * input(col[k]);
    return sum;
}

static double transposed(const struct grid *grid, int64_t j) {
    int32_t col[POINTS], row[POINTS];
    double val[POINTS], sum = 0;
    const int count = entries_of(grid, j, row, val);
    for (int r = 0; r < count; r++) {
        const int others = entries_of(grid, row[r], col, val);
        for (int k = 0; k < others; k++)
            sum += col[k] == j ? val[k] * input(row[r]) : 0;
    }
    return sum;
}

static void expect_values(spry_context *context, const spry_matrix *matrix, const struct grid *grid,
                          spry_op op, double alpha, double beta) {
    const int64_t rows = rows_of(grid);
    struct vector x = vector_new(SPRY_F64, rows, NAN), y = vector_new(SPRY_F64, rows, -77);
    for (int64_t i = 0; i < rows; i++) {
        vector_set(&x, i, input(i));
        vector_set(&y, i, before(i));
    }
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    cr_assert_eq(spry_spmv(context, op, alpha, matrix, x_there.data, beta, y_there.data), SPRY_OK, "%s: %s",
                 grid->name, spry_message(context));
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    int64_t differing = 0;
    for (int64_t i = 0; i < rows; i++) {
        const double sum = op == SPRY_N ? product(grid, i) : transposed(grid, i);
        differing += vector_get(&y, i) != alpha * sum + (beta == 0 ? 0 : beta * before(i));
    }
    cr_expect_eq(differing, 0, "%s, op %d, beta %g: %" PRId64 " values are wrong", grid->name, (int)op, beta,
                 differing);
    cr_expect(vector_guarded(&y), "%s", grid->name);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
}

/* A half, one or two, so that all stays exact. */
static double factor(int64_t i) {
    return ldexp(1, (int)(i % 3) - 1);
}

static double scaled_product(const struct grid *grid, int64_t i, bool left, bool right) {
    int32_t col[POINTS];
    double val[POINTS], sum = 0;
    const int count = entries_of(grid, i, col, val);
    for (int k = 0; k < count; k++)
        sum += val[k] * input(col[k]) * (right ? factor(col[k]) : 1);
    return left ? factor(i) * sum : sum;
}

static void expect_scaled(spry_context *context, const spry_matrix *matrix, const struct grid *grid,
                          bool left, bool right) {
    const int64_t rows = rows_of(grid);
    struct vector x = vector_new(SPRY_F64, rows, NAN), y = vector_new(SPRY_F64, rows, -77),
                  d = vector_new(SPRY_F64, rows, NAN);
    for (int64_t i = 0; i < rows; i++) {
        vector_set(&x, i, input(i));
        vector_set(&y, i, before(i));
        vector_set(&d, i, factor(i));
    }
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y),
                  d_there = vector_place(context, &d);
    spry_scaled *scaled;
    cr_assert_eq(
        spry_scaled_create(context, matrix, left ? d_there.data : NULL, right ? d_there.data : NULL, &scaled),
        SPRY_OK);
    cr_assert_eq(spry_scaled_spmv(context, SPRY_N, 1.5, scaled, x_there.data, 0.5, y_there.data), SPRY_OK,
                 "%s: %s", grid->name, spry_message(context));
    cr_assert_eq(vector_fetch(&y, &y_there), SPRY_OK);
    int64_t differing = 0;
    for (int64_t i = 0; i < rows; i++)
        differing += vector_get(&y, i) != 1.5 * scaled_product(grid, i, left, right) + 0.5 * before(i);
    cr_expect_eq(differing, 0, "%s, scaled%s%s: %" PRId64 " values are wrong", grid->name,
                 left ? " left" : "", right ? " right" : "", differing);
    cr_expect(vector_guarded(&y), "%s", grid->name);
    spry_scaled_destroy(scaled);
    placed_free(&x_there);
    placed_free(&y_there);
    placed_free(&d_there);
    vector_free(&x);
    vector_free(&y);
    vector_free(&d);
}

static void expect_dot(spry_context *context, const spry_matrix *matrix, const struct grid *grid) {
    const int64_t rows = rows_of(grid);
    struct vector x = vector_new(SPRY_F64, rows, NAN);
    double expected = 0, found = NAN;
    for (int64_t i = 0; i < rows; i++) {
        vector_set(&x, i, input(i));
        expected += input(i) * product(grid, i);
    }
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &x),
                  dot = placed_new(context, &found, sizeof found, 0);
    cr_assert_eq(spry_spmv_dot(context, matrix, x_there.data, y_there.data, x_there.data, dot.data), SPRY_OK,
                 "%s: %s", grid->name, spry_message(context));
    cr_expect(array_holds(context, dot.data, &expected, sizeof expected), "%s: the sum is not %g", grid->name,
              expected);
    placed_free(&dot);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
}

Test(stencil_grids, products) {
    spry_context *context = test_context(2);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const struct grid grid = grid_here(g);
        spry_matrix *matrix = matrix_of(context, &grid);
        /* Corners, edges, sides and the inside, and what is different about some rows of each. */
        cr_expect_geq(spry_matrix_stencil(matrix)->count, 28, "%s", grid.name);
        cr_expect_eq(spry_matrix_stencil(matrix)->number_size, 1, "%s", grid.name);
        expect_values(context, matrix, &grid, SPRY_N, 1, 0);
        expect_values(context, matrix, &grid, SPRY_N, 1.5, 0.5);
        expect_values(context, matrix, &grid, SPRY_T, 1.5, 0.5);
        expect_dot(context, matrix, &grid);
        expect_scaled(context, matrix, &grid, true, false);
        expect_scaled(context, matrix, &grid, true, true);
        spry_matrix_destroy(matrix);
    }
    spry_context_destroy(context);
}
