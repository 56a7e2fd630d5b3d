/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel table itself: what it promises, what can be switched off, what is refused. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/many.h"
#include "support/scenarios.h"
#include "support/vector.h"

/* Whether it needs nothing but the backend under test; a device's kernels all need just the device. */
static bool is_plain(const spry_kernel *kernel) {
    spry_kernel_info info = spry_kernel_describe(kernel);
    return info.backend == test_backend() && (info.backend != SPRY_CPU || info.needs[0] == '\0');
}

static const spry_kernel *find_plain(int format, int type, int index, int op) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if ((int)info.format == format && (int)info.type == type && (int)info.index == index &&
            (int)info.op == op && is_plain(spry_kernel_at(k)))
            return spry_kernel_at(k);
    }
    return NULL;
}

Test(kernels, a_plain_one_for_every_combination) {
    spry_context *context = test_context(1);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < SPRY_INDEX_COUNT; index++)
                for (int op = 0; op < SPRY_OP_COUNT; op++) {
                    const spry_kernel *kernel = find_plain(format, type, index, op);
                    cr_expect(kernel && spry_kernel_runs(context, kernel), "%s %s %s op %d",
                              spry_format_name((spry_format)format), spry_type_name((spry_value_type)type),
                              spry_index_name((spry_index_type)index), op);
                }
    spry_context_destroy(context);
}

Test(kernels, described) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        const char *format = spry_format_name(info.format);
        cr_expect(info.name && strncmp(info.name, format, strlen(format)) == 0, "row %zu", k);
        cr_expect_not_null(info.needs, "row %zu", k);
    }
    cr_expect_null(spry_kernel_at(spry_kernel_count()));
    cr_expect_null(spry_kernel_at(SIZE_MAX));
}

/* Two rows must differ in something that a caller can ask for. */
Test(kernels, distinct) {
    const size_t count = spry_kernel_count();
    spry_kernel_info *info = test_malloc(count * sizeof *info);
    for (size_t k = 0; k < count; k++)
        info[k] = spry_kernel_describe(spry_kernel_at(k));
    for (const spry_kernel_info *a = info; a < info + count; a++)
        for (const spry_kernel_info *b = info; b < a; b++)
            if (a->op == b->op && a->type == b->type && a->index == b->index && a->backend == b->backend)
                cr_expect_str_neq(a->name, b->name, "%s twice", a->name);
    free(info);
}

/* Kernels that this machine cannot run were not tested here, and that is said. */
Test(kernels, all_run_here) {
    spry_context *context = test_context(1);
    const char *missing = NULL;
    size_t count = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++)
        if (spry_kernel_describe(spry_kernel_at(k)).backend == test_backend() &&
            !spry_kernel_runs(context, spry_kernel_at(k))) {
            missing = spry_kernel_describe(spry_kernel_at(k)).name;
            count++;
        }
    spry_context_destroy(context);
    if (count)
        cr_skip_test("%zu kernels not tested on this machine, %s among them", count, missing);
}

/* Those of another backend neither run here nor are chosen. */
Test(kernels, run_on_their_own_backend) {
    spry_context *context = test_context(1);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        cr_expect(info.backend == test_backend() || !spry_kernel_runs(context, spry_kernel_at(k)), "%s",
                  info.name);
        cr_expect((strcmp(info.needs, "cuda") == 0) == (info.backend == SPRY_CUDA), "%s", info.name);
    }
    spry_context_destroy(context);
}

Test(kernels, feature_disabled) {
    static const char *const features[] = {"avx2", "avx512", "neon"};
    for (size_t f = 0; f < sizeof features / sizeof features[0]; f++) {
        spry_context *context = test_context_without(1, features[f]);
        for (size_t k = 0; k < spry_kernel_count(); k++) {
            const spry_kernel *kernel = spry_kernel_at(k);
            if (strstr(spry_kernel_describe(kernel).needs, features[f]))
                cr_expect_not(spry_kernel_runs(context, kernel), "%s", spry_kernel_describe(kernel).name);
        }
        spry_context_destroy(context);
    }
}

/* One matrix, in CSR with f64 and i32, and vectors for it. */
static spry_context *context;
static struct list list;
static struct built csr;
static struct placed x_there, y_there;
static void *x, *y;

static void start(void) {
    context = test_context(1);
    list = test_scenario("banded")->make();
    csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    static const double zeros[1000];
    cr_assert(list.cols <= 1000 && list.rows <= 1000);
    x_there = placed_new(context, zeros, sizeof zeros, 0);
    y_there = placed_new(context, zeros, sizeof zeros, 0);
    x = x_there.data;
    y = y_there.data;
}

static void stop(void) {
    placed_free(&x_there);
    placed_free(&y_there);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

TestSuite(multiply, .init = start, .fini = stop);

/* The same matrix, built with another context's choices. */
static struct built rebuilt(spry_context *other) {
    struct built built = built_of(other, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    return built;
}

/* Switching off a kernel by name stops it, whichever way it is asked for; another takes its place. */
Test(multiply, kernel_disabled) {
    const spry_kernel *best = spry_kernel_for(csr.matrix, SPRY_N);
    cr_assert_not_null(best);
    spry_context *less = test_context_without(1, spry_kernel_describe(best).name);
    struct built without = rebuilt(less);
    cr_expect_not(spry_kernel_runs(less, best));
    cr_expect_neq(spry_kernel_for(without.matrix, SPRY_N), best);
    cr_expect_eq(spry_spmv_with(less, best, 1, without.matrix, x, 0, y), SPRY_ERROR_UNSUPPORTED);
    cr_expect_str_not_empty(spry_message(less));
    built_free(&without);
    spry_context_destroy(less);
}

Test(multiply, every_kernel_disabled) {
    char names[4096] = "";
    for (size_t k = 0; k < spry_kernel_count(); k++)
        if (spry_kernel_takes(spry_kernel_at(k), csr.matrix)) {
            strcat(names, names[0] ? "," : "");
            strcat(names, spry_kernel_describe(spry_kernel_at(k)).name);
        }
    spry_context *none = test_context_without(1, names);
    struct built without = rebuilt(none);
    cr_expect_null(spry_kernel_for(without.matrix, SPRY_N));
    cr_expect_eq(spry_spmv(none, SPRY_N, 1, without.matrix, x, 0, y), SPRY_ERROR_UNSUPPORTED);
    cr_expect_str_not_empty(spry_message(none));
    built_free(&without);
    spry_context_destroy(none);
}

/* HYB's COO part has a kernel of its own: without one, products of matrices that have entries there are refused. */
Test(multiply, parts_without_kernels) {
    char names[4096] = "";
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (info.backend == SPRY_CPU && info.format == SPRY_COO && info.type == SPRY_F64 &&
            info.index == SPRY_I32 && info.op == SPRY_N)
            strcat(strcat(names, names[0] ? "," : ""), info.name);
    }
    if (test_backend() != SPRY_CPU)
        cr_skip_test("parts have no kernels of their own on a device");
    spry_context *less = test_context_without(1, names);
    spry_convert_options options = {.size = sizeof options, .hyb_quantile = 0.5};
    struct list spiked = test_scenario("arrow")->make();
    spry_matrix *hyb;
    struct built built = built_of(less, &spiked, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_convert(less, built.matrix, SPRY_HYB, &options, &hyb), SPRY_OK);
    cr_expect_eq(spry_spmv(less, SPRY_N, 1, hyb, x, 0, y), SPRY_ERROR_UNSUPPORTED);
    cr_expect(strstr(spry_message(less), "the coo part of a hyb matrix"), "%s", spry_message(less));
    spry_matrix_destroy(hyb);
    built_free(&built);
    list_free(&spiked);
    spry_context_destroy(less);
}

Test(multiply, disabled_by_the_environment) {
    cr_assert_eq(setenv("SPRY_DISABLE", "avx2,nothing_of_that_name,avx512,neon", 1), 0);
    spry_context *plain = test_context(1);
    struct built without = rebuilt(plain);
    for (size_t k = 0; k < spry_kernel_count(); k++)
        cr_expect_eq(spry_kernel_runs(plain, spry_kernel_at(k)), is_plain(spry_kernel_at(k)));
    cr_expect(is_plain(spry_kernel_for(without.matrix, SPRY_N)));
    cr_expect_eq(spry_spmv(plain, SPRY_N, 1, without.matrix, x, 0, y), SPRY_OK);
    built_free(&without);
    spry_context_destroy(plain);
}

Test(multiply, kernel_for_another_matrix_refused) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        spry_kernel_info info = spry_kernel_describe(kernel);
        bool fits = info.format == SPRY_CSR && info.type == SPRY_F64 && info.index == SPRY_I32;
        cr_expect(fits || !spry_kernel_takes(kernel, csr.matrix), "%s", info.name);
        spry_status status = spry_spmv_with(context, kernel, 1, csr.matrix, x, 0, y);
        if (!spry_kernel_takes(kernel, csr.matrix))
            cr_expect_eq(status, SPRY_ERROR_UNSUPPORTED, "%s", info.name);
    }
}

/* Factors whose product overflows or vanishes where alpha meets one of the other two first. */
struct extremes {
    double alpha, a, x;
};

/* What a kernel gives for alpha a x, in row or column 0 … n - 1; the other entries are zeros. */
static void check_order(spry_context *with, const spry_kernel *kernel, const spry_matrix *matrix,
                        const struct extremes *e) {
    struct vector in = vector_new(spry_matrix_type(matrix), spry_matrix_rows(matrix), NAN),
                  out = vector_new(spry_matrix_type(matrix), spry_matrix_rows(matrix), NAN);
    vector_fill(&in, e->x);
    struct placed in_there = vector_place(with, &in), out_there = vector_place(with, &out);
    cr_assert_eq(spry_spmv_with(with, kernel, e->alpha, matrix, in_there.data, 0, out_there.data), SPRY_OK);
    cr_assert_eq(vector_fetch(&out, &out_there), SPRY_OK);
    for (int64_t i = 0; i < out.count; i++)
        cr_expect_float_eq(vector_get(&out, i) / e->alpha, 1, 1e-5, "%s: %g (%g · %g) is %g",
                           spry_kernel_describe(kernel).name, e->alpha, e->a, e->x, vector_get(&out, i));
    placed_free(&in_there);
    placed_free(&out_there);
    vector_free(&in);
    vector_free(&out);
}

/* Every kernel that takes a matrix of such entries, in all formats; *seen counts them. */
static void check_orders(spry_context *with, const struct extremes *e, spry_value_type type, bool *seen) {
    struct list entries = list_new(64, 64);
    for (int64_t i = 0; i < entries.rows; i++) {
        list_add(&entries, i, i, e->a);
        for (int64_t j = 0; j < 40 && i % 20 == 3; j++)
            if (j != i)
                list_add(&entries, i, j, 0);
    }
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            for (int shuffled = 0; shuffled <= (format == SPRY_COO); shuffled++) {
                struct list order = list_copy(&entries);
                struct built built;
                if (shuffled)
                    list_shuffle(&order, 8);
                cr_assert_eq(build(with, &order, (spry_format)format, type, (spry_index_type)index,
                                   shuffled ? WRAPPED_FROM_0 : CONVERTED, &built),
                             SPRY_OK);
                for (size_t k = 0; k < spry_kernel_count(); k++) {
                    const spry_kernel *kernel = spry_kernel_at(k);
                    if (!spry_kernel_takes(kernel, built.matrix) || !spry_kernel_runs(with, kernel))
                        continue;
                    seen[k] = true;
                    check_order(with, kernel, built.matrix, e);
                }
                built_free(&built);
                list_free(&order);
            }
    list_free(&entries);
}

/* alpha multiplies what has been multiplied and added up, in every kernel. */
Test(multiply, alpha_comes_last) {
    static const double large[] = {[SPRY_F32] = 1e25, [SPRY_F64] = 1e200};
    bool *seen = calloc(spry_kernel_count(), sizeof *seen);
    cr_assert_not_null(seen);
    for (int w = 0; w < TEST_CHOICES; w++) {
        spry_context *with = test_context_without(w == 0 ? 1 : test_threads(3), test_without(w));
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            double much = large[type], little = 1 / much;
            const struct extremes extremes[] = {
                {much, little, much}, {much, much, little}, {little, little, much}, {little, much, little}};
            for (int e = 0; e < 4; e++)
                check_orders(with, &extremes[e], (spry_value_type)type, seen);
        }
        spry_context_destroy(with);
    }
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        cr_expect(seen[k] || !test_is_plain(info) || !spry_kernel_runs(context, spry_kernel_at(k)),
                  "%s was not run", info.name);
    }
    free(seen);
}

Test(multiply, bad_arguments) {
    cr_expect_eq(spry_spmv(context, SPRY_N, 1, NULL, x, 0, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv(context, SPRY_N, 1, csr.matrix, NULL, 0, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv(context, SPRY_N, 1, csr.matrix, x, 0, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv(NULL, SPRY_N, 1, csr.matrix, x, 0, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv(context, SPRY_OP_COUNT, 1, csr.matrix, x, 0, y), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv_with(context, NULL, 1, csr.matrix, x, 0, y), SPRY_ERROR_ARGUMENT);
}
