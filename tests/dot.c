/* SPDX-License-Identifier: BSD-3-Clause */
/* The product that adds up w · y on the way: y is the product's, and the sum is that of w and y. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/scenarios.h"
#include "support/vector.h"

struct vectors {
    struct vector x, y, w, expected;
    struct placed x_there, y_there, w_there;
};

static struct vectors vectors_new(spry_context *context, const struct list *list, spry_value_type type) {
    struct vectors v = {.x = vector_new(type, list->cols, NAN),
                        .y = vector_new(type, list->rows, NAN),
                        .w = vector_new(type, list->rows, NAN),
                        .expected = vector_new(type, list->rows, NAN)};
    vector_random(&v.x, 3);
    vector_random(&v.w, 4);
    v.x_there = vector_place(context, &v.x);
    v.y_there = vector_place(context, &v.y);
    v.w_there = vector_place(context, &v.w);
    return v;
}

static void vectors_free(struct vectors *v) {
    placed_free(&v->x_there);
    placed_free(&v->y_there);
    placed_free(&v->w_there);
    vector_free(&v->x);
    vector_free(&v->y);
    vector_free(&v->w);
    vector_free(&v->expected);
}

/* y and the sum after a product with sum, where w is a vector of its own, or x. */
static void check_product(spry_context *context, const struct built *built, struct vectors *v, bool w_is_x,
                          const char *name) {
    const struct vector *w = w_is_x ? &v->x : &v->w;
    void *there, *w_there = w_is_x ? v->x_there.data : v->w_there.data;
    bool nondeterministic = spry_kernel_describe(spry_kernel_for(built->matrix, SPRY_N)).nondeterministic;
    double sum = NAN;
    cr_assert_eq(spry_array_new(context, sizeof sum, &there), SPRY_OK);
    cr_assert_eq(spry_spmv(context, SPRY_N, 1, built->matrix, v->x_there.data, 0, v->y_there.data), SPRY_OK);
    /* The vectors are another context's, which does not wait for what is in the stream of this one. */
    cr_assert_eq(spry_synchronize(context), SPRY_OK);
    cr_assert_eq(vector_fetch(&v->expected, &v->y_there), SPRY_OK);
    cr_assert_eq(vector_put(&v->y, &v->y_there), SPRY_OK);
    for (int time = 0; time < 2; time++) {
        double before = sum;
        cr_assert_eq(spry_spmv_dot(context, built->matrix, v->x_there.data, v->y_there.data, w_there, there),
                     SPRY_OK, "%s: %s", name, spry_message(context));
        cr_assert_eq(spry_array_get(context, there, &sum, sizeof sum), SPRY_OK);
        cr_expect(time == 0 || nondeterministic || sum == before, "%s: not the same twice", name);
    }
    struct vector got = vector_new(v->y.type, v->y.count, NAN);
    cr_assert_eq(vector_fetch(&got, &v->y_there), SPRY_OK);
    long double expected = 0, size = 0, rounding = v->y.type == SPRY_F32 ? FLT_EPSILON : DBL_EPSILON;
    for (int64_t i = 0; i < got.count; i++) {
        long double term = (long double)vector_get(w, i) * (long double)vector_get(&got, i);
        expected += term;
        size += fabsl(term);
        const double wanted = vector_get(&v->expected, i),
                     allowed = 1e3 * (double)rounding * (1 + fabs(wanted));
        if (!(fabs(vector_get(&got, i) - wanted) <= allowed))
            cr_expect_float_eq(vector_get(&got, i), wanted, allowed, "%s: row %d", name, (int)i);
    }
    cr_expect_float_eq(sum, (double)expected, (double)(size * 1e-13L), "%s: %.17g, not %.17g", name, sum,
                       (double)expected);
    cr_expect(vector_guarded(&got), "%s", name);
    vector_free(&got);
    spry_array_free(context, there, sizeof sum);
}

static void check_scenario(spry_context *context, const char *name) {
    if (!test_scenario_is_tried(test_scenario(name)))
        return;
    struct list list = test_scenario(name)->make();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            struct built built;
            struct vectors v = vectors_new(context, &list, (spry_value_type)type);
            spry_status status = build(context, &list, (spry_format)format, (spry_value_type)type, SPRY_I32,
                                       CONVERTED, &built);
            cr_assert(status == SPRY_OK || status == SPRY_ERROR_TOO_LARGE);
            if (status == SPRY_OK) {
                check_product(context, &built, &v, false, name);
                if (list.rows == list.cols)
                    check_product(context, &built, &v, true, name);
                built_free(&built);
            }
            vectors_free(&v);
        }
    list_free(&list);
}

Test(dot, every_format) {
    static const char *const scenarios[] = {"0x0",   "no entries", "empty rows", "every length",
                                            "arrow", "full row",   "power law",  "long row",
                                            "wide",  "tall",       "random"};
    static const char *const disabled[] = {NULL, "avx512", "avx2,avx512,neon"};
    for (int threads = 1; threads <= test_threads(4); threads += test_is_brief() ? 3 : 1)
        for (int d = 0; d < (test_backend() == SPRY_CPU ? 3 : 1); d++) {
            spry_context *context = test_context_without(threads, disabled[d]);
            for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
                check_scenario(context, scenarios[i]);
            spry_context_destroy(context);
        }
}

/* Each number of lanes that a GPU has a kernel for, and CSR by all of them. */
Test(dot, every_number_of_lanes) {
    static const int lengths[] = {1, 7, 15, 30, 60, 120, 500, 5000};
    spry_context *context = test_context(2);
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        struct list list = list_new(600, 6000);
        uint64_t seed = 9;
        for (int64_t i = 0; i < list.rows; i++)
            for (int64_t k = 0; k < lengths[l]; k++)
                list_add(&list, i, (i * 7 + k) % list.cols, test_value(&seed));
        struct vectors v = vectors_new(context, &list, SPRY_F64);
        struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I64);
        check_product(context, &built, &v, false,
                      spry_kernel_describe(spry_kernel_for(built.matrix, SPRY_N)).name);
        built_free(&built);
        vectors_free(&v);
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* An allocator of host memory that keeps what is released, to see whether it is written to afterwards. */
struct keeping {
    spry_allocator allocator;
    struct kept {
        unsigned char *pointer;
        size_t bytes;
    } kept[64];
    int count;
};

#define RELEASED 0x5a

static void *keeping_allocate(void *user, size_t alignment, size_t bytes) {
    (void)user;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void keeping_release(void *user, void *pointer, size_t bytes) {
    struct keeping *keeping = user;
    cr_assert_lt(keeping->count, 64);
    keeping->kept[keeping->count++] = (struct kept){memset(pointer, RELEASED, bytes), bytes};
}

/* Whether what was released is as it was then. It is let go now. */
static bool keeping_end(struct keeping *keeping) {
    bool untouched = true;
    for (int i = 0; i < keeping->count; i++) {
        for (size_t b = 0; b < keeping->kept[i].bytes; b++)
            untouched = untouched && keeping->kept[i].pointer[b] == RELEASED;
        free(keeping->kept[i].pointer);
    }
    return untouched;
}

/* The names of all other kernels of the operation and format of this one, so that it alone is left. */
static void name_others(const spry_kernel *kernel, char *names, size_t size) {
    spry_kernel_info this = spry_kernel_describe(kernel);
    names[0] = '\0';
    for (size_t i = 0; i < spry_kernel_count(); i++) {
        spry_kernel_info other = spry_kernel_describe(spry_kernel_at(i));
        if (other.format != this.format || other.op != this.op || other.backend != this.backend ||
            other.type != this.type || other.index != this.index || other.values != this.values ||
            other.columns != this.columns || strcmp(other.name, this.name) == 0)
            continue;
        cr_assert_lt(strlen(names) + strlen(other.name) + 2, size);
        strcat(strcat(names, other.name), ",");
    }
}

/* The sum in a context that is new to the matrix, whose own workspace the sum shares. */
static void check_new_context(const struct built *built, struct vectors *v, const char *name) {
    struct keeping keeping = {.allocator = {keeping_allocate, keeping_release, &keeping}};
    for (int reserved = 0; reserved < 2; reserved++) {
        spry_context_options options = test_options();
        options.allocator = &keeping.allocator;
        spry_context *fresh = test_context_with(&options);
        void *there;
        cr_assert_eq(spry_array_new(fresh, sizeof(double), &there), SPRY_OK);
        if (reserved)
            cr_expect_eq(spry_reserve(fresh, built->matrix, SPRY_N), SPRY_OK);
        cr_expect_eq(
            spry_spmv_dot(fresh, built->matrix, v->x_there.data, v->y_there.data, v->w_there.data, there),
            SPRY_OK, "%s", name);
        check_product(fresh, built, v, false, name);
        spry_array_free(fresh, there, sizeof(double));
        spry_context_destroy(fresh);
    }
    cr_expect(keeping_end(&keeping), "%s wrote to memory that had been released", name);
}

/* Every kernel for A x in a context that did not build the matrix. Aᵀ x of a band takes workspace, which is more than
   the partial sums do. */
Test(dot, by_another_context) {
    struct list list = list_new(900, 900);
    uint64_t seed = 5;
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = i > 2 ? i - 2 : 0; j < list.cols && j <= i + 2; j++)
            list_add(&list, i, j, test_value(&seed));
    int checked = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info kernel = spry_kernel_describe(spry_kernel_at(k));
        char others[512];
        name_others(spry_kernel_at(k), others, sizeof others);
        spry_context_options options = test_options();
        options.threads = 3;
        options.nondeterministic = 1;
        options.disable = others;
        if (kernel.op != SPRY_N || kernel.backend != options.backend)
            continue;
        spry_context *context = test_context_with(&options);
        struct vectors v = vectors_new(context, &list, kernel.type);
        struct built built = built_of(context, &list, kernel.format, kernel.type, kernel.index);
        if (spry_kernel_for(built.matrix, SPRY_N) == spry_kernel_at(k)) {
            check_new_context(&built, &v, kernel.name);
            checked++;
        }
        built_free(&built);
        vectors_free(&v);
        spry_context_destroy(context);
    }
    cr_expect_geq(checked, SPRY_TYPE_COUNT * SPRY_INDEX_COUNT * (SPRY_FORMAT_COUNT - 1), "%d", checked);
    list_free(&list);
}

Test(dot, arguments) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("random")->make();
    double result = 0;
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_expect_eq(spry_spmv_dot(NULL, built.matrix, &result, &result, &result, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv_dot(context, NULL, &result, &result, &result, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv_dot(context, built.matrix, NULL, &result, &result, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv_dot(context, built.matrix, &result, NULL, &result, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv_dot(context, built.matrix, &result, &result, NULL, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_spmv_dot(context, built.matrix, &result, &result, &result, NULL), SPRY_ERROR_ARGUMENT);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}
