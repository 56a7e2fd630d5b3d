/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that gather by one instruction do what those do that load value by value: the same bits. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/list.h"
#include "support/scenarios.h"
#include "support/vector.h"

static const char way[] = "_gather";

/* A kernel's name without the way that it gathers in; false: it has none. */
static bool without_way(const char *name, char *rest, size_t size) {
    const char *at = strstr(name, way);
    if (at)
        snprintf(rest, size, "%.*s%s", (int)(at - name), name, at + strlen(way));
    return at;
}

/* Along the rows of CSR, which kernels by products go as well where rows are long, registers of 512 bits gather what is left of
   a row too, and add in another order. */
static bool adds_otherwise(const char *name) {
    return strncmp(name, "cs", 2) == 0 && strstr(name, "_avx512");
}

/* The kernel that does the same with loads; null: this one has no other way. */
static const spry_kernel *other_way(const spry_kernel *kernel) {
    const spry_kernel_info wanted = spry_kernel_describe(kernel);
    char name[64];
    if (!without_way(wanted.name, name, sizeof name) || adds_otherwise(name))
        return NULL;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (strcmp(info.name, name) == 0 && info.op == wanted.op && info.type == wanted.type &&
            info.index == wanted.index)
            return spry_kernel_at(k);
    }
    cr_assert_fail("%s has no counterpart that loads", wanted.name);
    return NULL;
}

static struct vector multiply(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix) {
    const spry_kernel_info info = spry_kernel_describe(kernel);
    int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix);
    bool transposed = info.op == SPRY_T;
    struct vector x = vector_new(info.type, transposed ? rows : cols, NAN),
                  y = vector_new(info.type, transposed ? cols : rows, 7);
    vector_random(&x, 5);
    vector_random(&y, 9);
    cr_expect_eq(spry_spmv_with(context, kernel, 1.5, matrix, x.data, 0.75, y.data), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect(vector_guarded(&y));
    vector_free(&x);
    return y;
}

/* `seen` has a place for each row of the table. */
static void compare_ways(spry_context *context, const spry_matrix *matrix, bool *seen, const char *name) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k), *loads;
        if (!spry_kernel_takes(kernel, matrix) || !spry_kernel_runs(context, kernel) ||
            !(loads = other_way(kernel)))
            continue;
        cr_assert(spry_kernel_takes(loads, matrix));
        struct vector a = multiply(context, kernel, matrix), b = multiply(context, loads, matrix);
        cr_expect(vector_same_bits(&a, &b), "%s, %s: other bits than %s", name,
                  spry_kernel_describe(kernel).name, spry_kernel_describe(loads).name);
        vector_free(&a);
        vector_free(&b);
        seen[k] = true;
    }
}

/* Layouts that have both ways, with codes, and with slices that are not whole registers of the widest. */
static const char *const texts[] = {"csr",
                                    "csc",
                                    "ell",
                                    "hyb",
                                    "jds",
                                    "sell:4:8",
                                    "sell:16",
                                    "csr+f32",
                                    "csc+f32",
                                    "sell+f32",
                                    "csr+dict8",
                                    "csc+dict8",
                                    "sell+dict8",
                                    "csr+dict16",
                                    "csc+dict16",
                                    "sell+dict16",
                                    "csr+constant",
                                    "csc+constant",
                                    "sell+constant",
                                    "csr+narrow",
                                    "csc+narrow",
                                    "sell+narrow",
                                    "csr+narrow+f32",
                                    "csc+narrow+f32",
                                    "sell+narrow+f32",
                                    "csr+narrow+dict8",
                                    "csc+narrow+dict8",
                                    "sell+narrow+dict8",
                                    "csr+narrow+dict16",
                                    "csc+narrow+dict16",
                                    "sell+narrow+dict16",
                                    "csr+narrow+constant",
                                    "csc+narrow+constant",
                                    "sell+narrow+constant"};

static void compare_storages(spry_context *context, const struct list *list, spry_value_type type,
                             spry_index_type index, bool *seen, const char *scenario) {
    struct built csr = built_of(context, list, SPRY_CSR, type, index);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const spry_storage storage = storage_of(texts[t]);
        spry_matrix *matrix;
        char name[120];
        if (type == SPRY_F32 && storage.values == SPRY_VALUES_F32)
            continue;
        const spry_convert_options any = {
            .size = sizeof any, .duplicates = SPRY_KEEP, .fill_limit = INFINITY};
        const spry_status status = spry_convert_to(context, csr.matrix, &storage, &any, &matrix);
        if (status == SPRY_ERROR_UNSUPPORTED) /* too many values for a table, or columns too far apart */
            continue;
        cr_assert_eq(status, SPRY_OK, "%s: %s", texts[t], spry_message(context));
        snprintf(name, sizeof name, "%s, %s", scenario, texts[t]);
        compare_ways(context, matrix, seen, name);
        spry_matrix_destroy(matrix);
    }
    built_free(&csr);
}

/* In brief, a third of all pairs of types, others in the next scenario. */
static void compare_scenario(spry_context *context, size_t number, bool *seen) {
    const struct scenario *scenario = &test_scenarios[number];
    struct list list = scenario->make();
    list_round(&list, SPRY_F32);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            if (!test_is_brief() || (number + (size_t)index) % SPRY_INDEX_COUNT == (size_t)type)
                compare_storages(context, &list, (spry_value_type)type, (spry_index_type)index, seen,
                                 scenario->name);
    list_free(&list);
}

/* Whether the context runs a kernel that has another way. */
static bool there_is_one(spry_context *context) {
    for (size_t k = 0; k < spry_kernel_count(); k++)
        if (spry_kernel_runs(context, spry_kernel_at(k)) && other_way(spry_kernel_at(k)))
            return true;
    return false;
}

Test(gather, has_the_same_bits_both_ways) {
    bool *seen = calloc(spry_kernel_count(), sizeof *seen);
    cr_assert_not_null(seen);
    spry_context *context = test_context(test_threads(3));
    int compared = 0;
    for (size_t s = 0; s < test_scenario_count && there_is_one(context); s++)
        if (!test_scenarios[s].large)
            compare_scenario(context, s, seen);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        bool wanted = spry_kernel_runs(context, kernel) && other_way(kernel);
        cr_expect(seen[k] || !wanted, "%s was not run", spry_kernel_describe(kernel).name);
        compared += seen[k];
    }
    free(seen);
    spry_context_destroy(context);
    if (compared == 0)
        cr_skip_test("no kernel of this machine gathers by an instruction");
}
