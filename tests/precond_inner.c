/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands for another preconditioner: sweeps for triangular solves, f32 for f64; and Chebyshev's polynomial over one. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/preconds.h"

/* Apply what is made of a list in f64 by the options to x. */
static void apply_made(spry_context *context, const struct list *list, const spry_precond_options *options,
                       const struct vector *x, struct vector *y) {
    struct made made = made_in(context, list, SPRY_ELL, SPRY_F64, SPRY_I32, CONVERTED, options);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    made_apply(&made, x, y);
    made_free(&made);
}

static double largest_difference(const struct vector *x, const struct vector *y) {
    double largest = 0;
    for (int64_t i = 0; i < x->count; i++)
        largest = fmax(largest, fabs(vector_get(x, i) - vector_get(y, i)));
    return largest;
}

/* ---- sweeps ---- */

/* A strict triangle to the power of the number of rows is zero, so that so many sweeps solve; one sweep does not. */
Test(precond, as_many_sweeps_as_rows_solve) {
    enum { ROWS = 37 };
    spry_context *context = test_context(3);
    struct list list = definite(ROWS);
    struct vector x = vector_new(SPRY_F64, ROWS, NAN), y = vector_new(SPRY_F64, ROWS, NAN),
                  want = vector_new(SPRY_F64, ROWS, NAN);
    vector_random(&x, 6);
    for (spry_precond_kind kind = SPRY_SSOR; kind <= SPRY_IC0; kind++) {
        spry_precond_options options = {.size = sizeof options, .kind = kind, .omega = 1.25};
        apply_made(context, &list, &options, &x, &want);
        options.sweeps = ROWS;
        apply_made(context, &list, &options, &x, &y);
        cr_expect_lt(largest_difference(&y, &want), 1e-13, "%s", spry_precond_name(kind));
        options.sweeps = 1;
        apply_made(context, &list, &options, &x, &y);
        cr_expect_gt(largest_difference(&y, &want), 1e-5, "%s", spry_precond_name(kind));
    }
    vector_free(&x), vector_free(&y), vector_free(&want);
    list_free(&list);
    spry_context_destroy(context);
}

/* Names of all kernels but CSR's, so that nothing else can be picked. */
static void list_others(char *names, size_t size) {
    size_t used = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (info.backend == SPRY_CPU && info.format != SPRY_CSR && info.type == SPRY_F64 &&
            info.index == SPRY_I32)
            used += (size_t)snprintf(names + used, size - used, "%s,", info.name);
    }
    cr_assert_lt(used, size);
}

/* What the sweeps multiply by may stay in CSR, and does where nothing else multiplies. */
Test(precond, sweeps_in_csr) {
    static char names[1 << 16];
    if (test_backend() != SPRY_CPU)
        cr_skip_test("a stand-in for a device has no kernels with prices");
    list_others(names, sizeof names);
    spry_context *context = test_context_without(1, names);
    struct list list = definite(37);
    const spry_precond_options sweeps = {.size = sizeof sweeps, .kind = SPRY_ILU0, .sweeps = 3};
    struct made made = made_in(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &sweeps);
    cr_expect_eq(made.status, SPRY_OK, "%s", spry_message(context));
    made_free(&made);
    list_free(&list);
    spry_context_destroy(context);
}

/* z = D⁻¹ b, then so often z = D⁻¹ (b − N z), where N is what is left of the diagonal, or right of it. */
static void sweep(const struct list *a, bool lower, int count, const double *b, double *z) {
    const int64_t n = a->rows;
    double *diagonal = test_malloc((size_t)n * sizeof *diagonal),
           *rest = test_malloc((size_t)n * sizeof *rest);
    for (int64_t k = 0; k < a->nnz; k++)
        if (a->row[k] == a->col[k])
            diagonal[a->row[k]] = a->val[k];
    for (int64_t i = 0; i < n; i++)
        z[i] = b[i] / diagonal[i];
    for (int s = 0; s < count; s++) {
        for (int64_t i = 0; i < n; i++)
            rest[i] = b[i];
        for (int64_t k = 0; k < a->nnz; k++)
            if (lower ? a->col[k] < a->row[k] : a->col[k] > a->row[k])
                rest[a->row[k]] -= a->val[k] * z[a->col[k]];
        for (int64_t i = 0; i < n; i++)
            z[i] = rest[i] / diagonal[i];
    }
    free(diagonal), free(rest);
}

/* SSOR with ω = 1 is (D + U)⁻¹ D (D + L)⁻¹. */
Test(precond, each_number_of_sweeps) {
    enum { ROWS = 40 };
    spry_context *context = test_context(2);
    struct list list = definite(ROWS);
    struct vector x = vector_new(SPRY_F64, ROWS, NAN), y = vector_new(SPRY_F64, ROWS, NAN);
    double b[ROWS], t[ROWS], want[ROWS], ones[ROWS], diagonal[ROWS];
    vector_random(&x, 3);
    for (int i = 0; i < ROWS; i++) {
        b[i] = vector_get(&x, i);
        ones[i] = 1;
    }
    multiply_blocks(&list, 1, ones, diagonal);
    for (int count = 1; count <= 4; count++) {
        const spry_precond_options options = {.size = sizeof options, .kind = SPRY_SSOR, .sweeps = count};
        sweep(&list, true, count, b, t);
        for (int i = 0; i < ROWS; i++)
            t[i] *= diagonal[i];
        sweep(&list, false, count, t, want);
        apply_made(context, &list, &options, &x, &y);
        for (int i = 0; i < ROWS; i++)
            cr_expect_lt(fabs(vector_get(&y, i) - want[i]), 1e-13, "%d sweeps, row %d", count, i);
    }
    vector_free(&x), vector_free(&y);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- f32 ---- */

/* The bits of the preconditioner that is made of the matrix in f32, applied to the vector in f32. */
static void check_single(spry_context *context, const struct list *list, const struct made_choice *choice) {
    spry_precond_options options = choice->options;
    struct vector x = vector_new(SPRY_F64, list->rows, NAN), y = vector_new(SPRY_F64, list->rows, NAN),
                  x32 = vector_new(SPRY_F32, list->rows, NAN), y32 = vector_new(SPRY_F32, list->rows, NAN);
    vector_random(&x, 8);
    for (int64_t i = 0; i < list->rows; i++)
        vector_set(&x32, i, vector_get(&x, i));
    options.single = 1;
    struct made made = made_in(context, list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &options),
                made32 = made_in(context, list, SPRY_CSR, SPRY_F32, SPRY_I32, CONVERTED, &options);
    cr_assert(made.status == SPRY_OK && made32.status == SPRY_OK, "%s", spry_message(context));
    made_apply(&made, &x, &y);
    made_apply(&made32, &x32, &y32);
    for (int64_t i = 0; i < list->rows; i++)
        cr_expect_eq(vector_get(&y, i), vector_get(&y32, i), "%s, row %d: %g, %g", choice->name, (int)i,
                     vector_get(&y, i), vector_get(&y32, i));
    cr_expect_eq(spry_precond_shift(made.precond), spry_precond_shift(made32.precond));
    made_free(&made), made_free(&made32);
    vector_free(&x), vector_free(&y), vector_free(&x32), vector_free(&y32);
}

Test(precond, single_is_what_f32_makes_of_it) {
    spry_context *context = test_context(2);
    struct list list = definite(75);
    for (size_t i = 0; i < MADE_CHOICES; i++)
        if (made_choices[i].options.kind != SPRY_JACOBI)
            check_single(context, &list, &made_choices[i]);
    list_free(&list);
    spry_context_destroy(context);
}

/* With the off-diagonal entries of a Laplacian so many times as large. */
static struct list stretched(int64_t n, double times) {
    struct list list = laplacian(n);
    for (int64_t k = 0; k < list.nnz; k++)
        if (list.row[k] != list.col[k])
            list.val[k] *= times;
    return list;
}

/* The shift that the factors in f32 needed, when they were made and when they took new values. */
Test(precond, single_says_the_shift) {
    enum { ROWS = 40 };
    spry_context *context = test_context(2);
    struct list indefinite = stretched(ROWS, 1.5), dominant = stretched(ROWS, 0.5);
    const spry_precond_options options = {.size = sizeof options, .kind = SPRY_IC0, .single = 1};
    struct made made = made_of(context, &indefinite, &options);
    cr_assert_eq(made.status, SPRY_OK, "%s", spry_message(context));
    cr_expect_gt(spry_precond_shift(made.precond), 0);
    made_update(&made, &dominant);
    cr_expect_eq(spry_precond_shift(made.precond), 0);
    made_free(&made);
    list_free(&indefinite);
    list_free(&dominant);
    spry_context_destroy(context);
}

/* Jacobi stays what methods apply on the way, in the type of the matrix. */
Test(precond, single_leaves_jacobi_alone) {
    spry_context *context = test_context(1);
    struct list list = definite(12);
    const spry_precond_options single = {.size = sizeof single, .single = 1};
    struct made made = made_of(context, &list, &single);
    cr_assert_eq(made.status, SPRY_OK);
    cr_expect_not_null(spry_operator_of_precond(made.precond).diagonal);
    made_free(&made);
    list_free(&list);
    spry_context_destroy(context);
}

static size_t whole_pages(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* Memory that ends, up to the alignment, where a page begins that nobody may touch. */
static void *allocate_guarded(void *user, size_t alignment, size_t bytes) {
    const size_t room = whole_pages(bytes);
    (void)user;
    char *block =
        mmap(NULL, room + whole_pages(1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    cr_assert_eq(mprotect(block + room, whole_pages(1), PROT_NONE), 0);
    return block + (room - bytes) / alignment * alignment;
}

static void release_guarded(void *user, void *pointer, size_t bytes) {
    (void)user;
    char *block = (char *)pointer - (uintptr_t)pointer % whole_pages(1);
    munmap(block, whole_pages(bytes) + whole_pages(1));
}

/* Of a matrix that the caller keeps in that storage, the bits of one that is kept as it is; where codes are passed over, nothing is
   said of it. */
static void expect_kept_alike(spry_context *context, const struct list *list, const spry_storage *storage,
                              const spry_precond_options *options) {
    const char *name = spry_precond_name(options->kind);
    struct made plain = made_of(context, list, options), kept = {.context = context};
    struct vector x = vector_new(SPRY_F64, list->rows, NAN), y = vector_new(SPRY_F64, list->rows, NAN),
                  want = vector_new(SPRY_F64, list->rows, NAN);
    spry_matrix *matrix;
    vector_random(&x, 5);
    cr_assert_eq(spry_convert_to(context, plain.built.matrix, storage, NULL, &matrix), SPRY_OK, "%s",
                 spry_message(context));
    cr_assert_eq(spry_precond_create(context, matrix, options, &kept.precond), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    cr_expect_str_empty(spry_message(context), "%s: %s", name, spry_message(context));
    made_apply(&plain, &x, &want);
    made_apply(&kept, &x, &y);
    cr_expect(vector_same_bits(&y, &want), "%s", name);
    cr_expect_eq(spry_precond_update(context, kept.precond, matrix), SPRY_OK, "%s: %s", name,
                 spry_message(context));
    spry_precond_destroy(kept.precond);
    spry_matrix_destroy(matrix);
    made_free(&plain);
    vector_free(&x), vector_free(&y), vector_free(&want);
}

/* Of a matrix in f64 that is kept in f32, the bits and no more than the values of one that is kept as it is. */
Test(precond, single_of_values_in_f32) {
    enum { ROWS = 1500 };
    const spry_allocator guarded = {allocate_guarded, release_guarded, NULL};
    const spry_storage coded = {.format = SPRY_CSR, .values = SPRY_VALUES_F32};
    const spry_precond_options choices[] = {
        {.size = sizeof choices[0], .kind = SPRY_CHEBYSHEV, .single = 1},
        {.size = sizeof choices[0], .kind = SPRY_SSOR, .sweeps = 2, .single = 1}};
    spry_context_options options = test_options();
    options.threads = 2;
    options.allocator = &guarded;
    if (test_backend() != SPRY_CPU)
        cr_skip_test("memory of a device has no such ends");
    spry_context *context = test_context_with(&options);
    struct list list = laplacian(ROWS);
    for (int i = 0; i < 2; i++)
        expect_kept_alike(context, &list, &coded, &choices[i]);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- Chebyshev over another ---- */

/* Saad's algorithm 12.1 with a preconditioner that is applied to vectors on the host. */
static void polynomial(const struct made *inner, const struct list *a, const spry_precond_options *options,
                       struct vector *b, double *y) {
    const int64_t n = a->rows;
    const double theta = (options->largest + options->smallest) / 2,
                 delta = (options->largest - options->smallest) / 2, sigma = theta / delta;
    double rho = 1 / sigma, *d = test_malloc((size_t)n * sizeof *d),
           *ad = test_malloc((size_t)n * sizeof *ad);
    struct vector z = vector_new(SPRY_F64, n, NAN);
    made_apply(inner, b, &z);
    for (int64_t i = 0; i < n; i++)
        y[i] = d[i] = vector_get(&z, i) / theta;
    for (int k = 0; k < options->degree; k++) {
        const double next = 1 / (2 * sigma - rho);
        multiply_blocks(a, n, d, ad);
        for (int64_t i = 0; i < n; i++)
            vector_set(b, i, vector_get(b, i) - ad[i]);
        made_apply(inner, b, &z);
        for (int64_t i = 0; i < n; i++) {
            d[i] = next * rho * d[i] + 2 * next / delta * vector_get(&z, i);
            y[i] += d[i];
        }
        rho = next;
    }
    free(d), free(ad);
    vector_free(&z);
}

Test(precond, chebyshev_over_others) {
    enum { ROWS = 66 };
    spry_context *context = test_context(2);
    struct list list = definite(ROWS);
    struct vector x = vector_new(SPRY_F64, ROWS, NAN), y = vector_new(SPRY_F64, ROWS, NAN);
    double want[ROWS];
    for (spry_precond_kind kind = SPRY_JACOBI; kind <= SPRY_IC0; kind++)
        for (int degree = 1; degree <= 4; degree++) {
            const spry_precond_options options = {.size = sizeof options,
                                                  .kind = SPRY_CHEBYSHEV,
                                                  .inner = kind,
                                                  .degree = degree,
                                                  .smallest = 0.25,
                                                  .largest = 1.75},
                                       alone = {.size = sizeof alone, .kind = kind};
            struct made inner = made_of(context, &list, &alone);
            cr_assert_eq(inner.status, SPRY_OK, "%s", spry_message(context));
            vector_random(&x, 11);
            apply_made(context, &list, &options, &x, &y);
            polynomial(&inner, &list, &options, &x, want);
            for (int i = 0; i < ROWS; i++)
                cr_expect_lt(fabs(vector_get(&y, i) - want[i]), 1e-13, "over %s, degree %d, row %d",
                             spry_precond_name(kind), degree, i);
            made_free(&inner);
        }
    vector_free(&x), vector_free(&y);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- how it is kept ---- */

/* 101 × 5 quotients of values, which sweeps multiply with, are too many for a table that keeps the values themselves: then they are
   kept plain, and what was refused is not the caller's error. */
Test(precond, codes_that_do_not_keep_what_is_scaled) {
    enum { ROWS = 600 };
    spry_context *context = test_context(2);
    struct list list = list_new(ROWS, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        list_add(&list, i, i, 8 + (double)(i % 101) / 8);
        if (i + 1 < ROWS)
            list_add(&list, i, i + 1, -1 - (double)(i % 5) / 4),
                list_add(&list, i + 1, i, -1 - (double)(i % 5) / 4);
    }
    const spry_storage coded = {.format = SPRY_CSR, .values = SPRY_VALUES_DICT8};
    const spry_precond_options choices[] = {
        {.size = sizeof choices[0], .kind = SPRY_CHEBYSHEV, .smallest = 0.25, .largest = 2},
        {.size = sizeof choices[0], .kind = SPRY_SSOR, .sweeps = 3}};
    for (int i = 0; i < 2; i++)
        expect_kept_alike(context, &list, &coded, &choices[i]);
    list_free(&list);
    spry_context_destroy(context);
}
