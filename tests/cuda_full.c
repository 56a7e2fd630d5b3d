/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices up to more than a device works on at once, by each kernel of CSR, COO and HYB that adds up rows: what kernels do there,
   they do not do with the small matrices of conformance. */
#include <criterion/criterion.h>
#include <math.h>

#include "support/build.h"
#include "support/reference.h"
#include "support/vector.h"

#define COLUMNS 400000

/* About how many entries a matrix has, and its longest row. Segments are dealt out to blocks of each shape on some 130
   multiprocessors; the last size has the largest tiles on up to 500 of them. */
static const struct size {
    int64_t entries, longest;
} sizes[] = {{20000, 100},    {60000, 500},     {150000, 1000},    {40000, 10000},
             {300000, 20000}, {700000, 100000}, {1000000, 100000}, {4500000, 200000}};

/* Rows of length 0 to `most`, in rising columns. */
static void add_rows(struct list *list, int64_t *row, int count, int64_t most, uint64_t *seed) {
    for (int i = 0; i < count; i++, ++*row) {
        const int64_t length = test_below(seed, most + 1), gap = COLUMNS / (length + 1);
        for (int64_t k = 0; k < length; k++)
            list_add(list, *row, k * gap + test_below(seed, gap), test_value(seed));
    }
}

/* Rows of middling length, and among them many short ones in a row, empty ones, and long ones. */
static struct list uneven(const struct size *size) {
    struct list list = list_new(size->entries, COLUMNS);
    const int64_t middling = size->longest < 300 ? size->longest : 300;
    uint64_t seed = 12;
    int64_t row = 0;
    while (list.nnz < size->entries) {
        const int64_t turn = test_below(&seed, 40);
        if (turn == 0)
            add_rows(&list, &row, 300, 3, &seed);
        else if (turn == 1)
            add_rows(&list, &row, 50, 0, &seed);
        else if (turn == 2 && row % 7 == 0)
            add_rows(&list, &row, 1, size->longest, &seed);
        else
            add_rows(&list, &row, 20, middling, &seed);
    }
    list.rows = row;
    return list;
}

/* Whether a kernel gives the product, and the same bits again unless it adds in any order. */
static void check(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                  const struct vector *x, const struct reference *reference) {
    const spry_kernel_info info = spry_kernel_describe(kernel);
    const char *name = info.name;
    struct vector y = vector_new(x->type, spry_matrix_rows(matrix), NAN),
                  again = vector_new(x->type, spry_matrix_rows(matrix), NAN);
    struct placed x_there = vector_place(context, x), y_there = vector_place(context, &y);
    for (int time = 0; time < 2; time++) {
        cr_expect_eq(spry_spmv_with(context, kernel, 1, matrix, x_there.data, 0, y_there.data), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect_eq(vector_fetch(time ? &again : &y, &y_there), SPRY_OK);
    }
    const int64_t i = reference_differs(reference, 1, 0, &y, &y);
    cr_expect(i < 0, "%s: y[%lld] = %g, not %g", name, (long long)i, vector_get(&y, i),
              reference_value(reference, 1, 0, &y, i));
    cr_expect(info.nondeterministic || vector_same_bits(&y, &again), "%s: a second run gave other bits",
              name);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&y);
    vector_free(&again);
}

static void check_all(spry_context *context, const struct list *list, spry_format format,
                      spry_value_type type, spry_index_type index) {
    struct built built;
    cr_assert_eq(build(context, list, format, type, index, CONVERTED, &built), SPRY_OK, "%s",
                 spry_message(context));
    struct vector x = vector_new(type, list->cols, NAN);
    vector_random(&x, 3);
    struct reference reference = reference_new(list, SPRY_N, &x);
    int checked = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        const spry_kernel_info info = spry_kernel_describe(kernel);
        if (info.op != SPRY_N || info.many || !spry_kernel_takes(kernel, built.matrix) ||
            !spry_kernel_runs(context, kernel))
            continue;
        check(context, kernel, built.matrix, &x, &reference);
        checked++;
    }
    cr_expect_gt(checked, 0);
    reference_free(&reference);
    vector_free(&x);
    built_free(&built);
}

static void check_sizes(spry_value_type type, spry_index_type index) {
    static const spry_format formats[] = {SPRY_CSR, SPRY_COO, SPRY_HYB};
    spry_context *context = test_context(1);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct list list = uneven(&sizes[s]);
        list_round(&list, type);
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            check_all(context, &list, formats[f], type, index);
        list_free(&list);
    }
    spry_context_destroy(context);
}

Test(full, f64_i32) {
    check_sizes(SPRY_F64, SPRY_I32);
}

Test(full, f32_i64) {
    check_sizes(SPRY_F32, SPRY_I64);
}
