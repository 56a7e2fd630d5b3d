/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the kernels of a layout, and of those for the transpose of CSC: it goes by the context's profile. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/table.h"
#include "support/build.h"
#include "support/scenarios.h"

/* ---- profiles ---- */

#define TEMPLATE "/tmp/spry_choice_XXXXXX"
static char folder[] = TEMPLATE;
static char path[100];

static void make_folder(void) {
    memcpy(folder, TEMPLATE, sizeof TEMPLATE);
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/profile.json", folder);
}

static void remove_folder(void) {
    unlink(path);
    rmdir(folder);
}

TestSuite(choice, .init = make_folder, .fini = remove_folder);

/* What a kernel asks for each unit of every term, in nanoseconds; negative: it has no prices. */
typedef double price_of(const spry_kernel *kernel, const void *argument);

/* Those of y = A x with plain values are named; those of the transpose of CSC go by the prices of CSR, and those of codes by
   the prices of plain values. */
static bool is_named(const spry_kernel *kernel, spry_value_type type) {
    return kernel->backend == test_backend() && kernel->type == type && kernel->index == SPRY_I32 &&
           kernel->op == SPRY_N && !kernel->many && kernel->values == SPRY_VALUES_PLAIN &&
           kernel->columns == SPRY_COLUMNS_PLAIN;
}

static void write_type(FILE *file, spry_value_type type, price_of *price, const void *argument) {
    int count = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (!is_named(kernel, type) || price(kernel, argument) < 0)
            continue;
        fprintf(file, "%s\"%s\": {", count++ ? ",\n" : "", kernel->name);
        for (int i = 0; spry_term_name(i); i++)
            fprintf(file, "%s\"%s\": %.17g", i ? "," : "", spry_term_name(i), price(kernel, argument));
        fputs("}", file);
    }
}

static void load(spry_context *context, price_of *price, const void *argument) {
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fprintf(file,
            "{\"machine\": \"a test\", \"backend\": \"%s\", \"processors\": %d, \"memory_gbs\": 10, "
            "\"conversions\": {},\n\"kernels\": {",
            spry_backend_name(test_backend()), spry_context_threads(context));
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        fprintf(file, "%s\"%s\": {", type ? "},\n" : "", spry_type_name((spry_value_type)type));
        write_type(file, (spry_value_type)type, price, argument);
    }
    fputs("}}}", file);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(spry_load_profile(context, path), SPRY_OK, "%s", spry_message(context));
}

/* ---- what is chosen ---- */

/* The kernel that a new matrix has; the matrix is gone. */
static const spry_kernel *chosen(spry_context *context, const struct list *list, spry_format format,
                                 spry_value_type type, spry_op op) {
    struct built built = built_of(context, list, format, type, SPRY_I32);
    const spry_kernel *kernel = spry_kernel_for(built.matrix, op);
    built_free(&built);
    return kernel;
}

/* What the name of a kernel says but for its format. */
static const char *way_of(const spry_kernel *kernel) {
    return kernel ? kernel->name + strlen(spry_format_name(kernel->format)) : "none";
}

#define MOST 32

/* The kernels of y = A x with a format that are compared on this machine, in the order of the table; how many. */
static int compared_of(spry_context *context, const struct list *list, spry_format format,
                       spry_value_type type, const spry_kernel **kernels) {
    struct built built = built_of(context, list, format, type, SPRY_I32);
    int count = 0;
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (is_named(kernel, type) && kernel->work && spry_kernel_runs(context, kernel) &&
            spry_kernel_takes(kernel, built.matrix)) {
            cr_assert(count < MOST);
            kernels[count++] = kernel;
        }
    }
    built_free(&built);
    return count;
}

static int compared(spry_context *context, const struct list *list, spry_value_type type,
                    const spry_kernel **kernels) {
    return compared_of(context, list, SPRY_CSR, type, kernels);
}

static double free_for_one(const spry_kernel *kernel, const void *favourite) {
    return kernel == favourite ? 0 : 1;
}

static void expect_favourite(spry_context *context, const struct list *list, const spry_kernel *favourite) {
    const spry_kernel *across = chosen(context, list, SPRY_CSC, favourite->type, SPRY_N),
                      *back = chosen(context, list, SPRY_CSR, favourite->type, SPRY_T);
    load(context, free_for_one, favourite);
    const spry_kernel *csr = chosen(context, list, SPRY_CSR, favourite->type, SPRY_N),
                      *csc = chosen(context, list, SPRY_CSC, favourite->type, SPRY_T);
    cr_expect_eq(csr, favourite, "csr%s, not %s", way_of(csr), favourite->name);
    cr_expect_str_eq(way_of(csc), way_of(favourite));
    /* Products that scatter have nothing to choose from. */
    cr_expect_eq(chosen(context, list, SPRY_CSC, favourite->type, SPRY_N), across);
    cr_expect_eq(chosen(context, list, SPRY_CSR, favourite->type, SPRY_T), back);
}

/* The cheapest is taken, whichever that is. */
Test(choice, follows_the_profile) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    int most = 0;
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        const spry_kernel *kernels[MOST];
        int count = compared(context, &list, (spry_value_type)type, kernels);
        most = count > most ? count : most;
        for (int k = 0; k < count; k++)
            expect_favourite(context, &list, kernels[k]);
    }
    list_free(&list);
    spry_context_destroy(context);
    if (most < 2)
        cr_skip_test("this machine has one kernel only");
}

/* ---- other layouts, made from CSR ---- */

/* What the selector says of the storage of a layout that it places first. */
static const spry_kernel *predicted(spry_context *context, const spry_matrix *csr, spry_format format,
                                    spry_storage *storage) {
    spry_ranking *ranking;
    const spry_kernel *kernel = NULL;
    cr_assert_eq(spry_select(context, csr, NULL, &ranking), SPRY_OK, "%s", spry_message(context));
    for (int i = spry_ranking_count(ranking) - 1; i >= 0; i--) {
        const spry_choice *choice = spry_ranking_choice(ranking, i);
        if (choice->format == format) {
            *storage = choice->storage;
            kernel = choice->kernel;
        }
    }
    spry_ranking_destroy(ranking);
    cr_assert_not_null(kernel, "%s", spry_format_name(format));
    return kernel;
}

static void expect_favourite_of(spry_context *context, const struct list *list,
                                const spry_kernel *favourite) {
    load(context, free_for_one, favourite);
    struct built csr = built_of(context, list, SPRY_CSR, favourite->type, SPRY_I32);
    spry_matrix *made, *copy;
    spry_storage storage;
    const spry_kernel *expected = predicted(context, csr.matrix, favourite->format, &storage);
    cr_assert_eq(spry_convert_to(context, csr.matrix, &storage, NULL, &made), SPRY_OK);
    const spry_kernel *kernel = spry_kernel_for(made, SPRY_N);
    cr_expect_eq(kernel, favourite, "%s, not %s", kernel->name, favourite->name);
    cr_expect_eq(expected, favourite, "%s is predicted, not %s", expected->name, favourite->name);
    cr_assert_eq(spry_matrix_copy(context, made, &copy), SPRY_OK);
    cr_expect_eq(spry_kernel_for(copy, SPRY_N), favourite, "a copy has %s, not %s",
                 spry_kernel_for(copy, SPRY_N)->name, favourite->name);
    spry_matrix_destroy(copy);
    spry_matrix_destroy(made);
    built_free(&csr);
}

/* Of each layout that is made from CSR the cheapest is taken, and predicted; a copy has it too. */
Test(choice, of_other_layouts_follows_the_profile) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    int most = 0;
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int type = 0; type < SPRY_TYPE_COUNT && format != SPRY_CSR; type++) {
            const spry_kernel *kernels[MOST];
            int count = compared_of(context, &list, (spry_format)format, (spry_value_type)type, kernels);
            most = count > most ? count : most;
            /* With CSC, y = A x scatters, which is not compared. */
            for (int k = 0; k < count && format != SPRY_CSC; k++)
                expect_favourite_of(context, &list, kernels[k]);
        }
    list_free(&list);
    spry_context_destroy(context);
    if (most < 2)
        cr_skip_test("this machine has one kernel of each layout only");
}

/* By the library's own profile, each candidate of a ranking that is made has the kernel that was predicted. */
Test(choice, is_as_predicted) {
    for (size_t i = 0; i < test_scenario_count; i++)
        for (int type = 0; type < SPRY_TYPE_COUNT && test_scenario_is_tried(&test_scenarios[i]); type++) {
            spry_context *context = test_context(1 + (int)i % test_threads(3));
            struct list list = test_scenarios[i].make();
            struct built csr = built_of(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32);
            spry_ranking *ranking;
            spry_matrix *made;
            cr_assert_eq(spry_select(context, csr.matrix, NULL, &ranking), SPRY_OK);
            for (int c = 0; c < spry_ranking_count(ranking); c++) {
                const spry_choice *choice = spry_ranking_choice(ranking, c);
                if (!choice->possible)
                    continue;
                cr_assert_eq(spry_convert_to(context, csr.matrix, &choice->storage, NULL, &made), SPRY_OK);
                cr_expect_eq(spry_kernel_for(made, SPRY_N), choice->kernel, "%s: %s, and %s was predicted",
                             test_scenarios[i].name, spry_kernel_for(made, SPRY_N)->name,
                             choice->kernel->name);
                spry_matrix_destroy(made);
            }
            spry_ranking_destroy(ranking);
            built_free(&csr);
            list_free(&list);
            spry_context_destroy(context);
        }
}

static bool has_gather(const spry_kernel *kernel) {
    return strstr(kernel->name, "_gather");
}

static double of_loads(const spry_kernel *kernel, const void *unused) {
    (void)unused;
    return has_gather(kernel) ? -1 : 1;
}

/* No product of a matrix in this format is by the instruction. Returns how many kernels would be. */
static int pass_over_gathers(spry_context *context, const spry_matrix *csr, spry_format format,
                             const char *name) {
    int count = 0;
    spry_matrix *made;
    if (spry_convert(context, csr, format, NULL, &made))
        return 0;
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        cr_expect_not(has_gather(spry_kernel_for(made, (spry_op)op)), "%s: %s", name,
                      spry_kernel_for(made, (spry_op)op)->name);
    for (size_t k = 0; k < spry_kernel_count(); k++)
        count += has_gather(spry_kernel_at(k)) && spry_kernel_runs(context, spry_kernel_at(k)) &&
                 spry_kernel_takes(spry_kernel_at(k), made);
    spry_matrix_destroy(made);
    return count;
}

/* A profile without prices for the gather instruction never leads to it. */
Test(choice, gathers_by_loads_without_prices) {
    spry_context *context = test_context(2);
    int passed_over = 0;
    load(context, of_loads, NULL);
    for (size_t i = 0; i < test_scenario_count; i++) {
        if (test_scenarios[i].large)
            continue;
        struct list list = test_scenarios[i].make();
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            struct built csr = built_of(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32);
            for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
                passed_over +=
                    pass_over_gathers(context, csr.matrix, (spry_format)format, test_scenarios[i].name);
            built_free(&csr);
        }
        list_free(&list);
    }
    spry_context_destroy(context);
    if (passed_over == 0)
        cr_skip_test("no kernel of this machine gathers by an instruction");
}

/* A matrix keeps the kernel that it was made with. */
Test(choice, stays_when_the_profile_changes) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("power law")->make();
    const spry_kernel *kernels[MOST];
    int count = compared(context, &list, SPRY_F64, kernels);
    load(context, free_for_one, kernels[0]);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    load(context, free_for_one, kernels[count - 1]);
    cr_expect_eq(spry_kernel_for(csr.matrix, SPRY_N), kernels[0]);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* Kernels in the order in which they are wanted: by far. */
struct wish {
    const spry_kernel *first, *second;
};

static double by_wish(const spry_kernel *kernel, const void *argument) {
    const struct wish *wish = argument;
    return kernel == wish->first ? 0 : kernel == wish->second ? 1e-6 : 1;
}

/* What is disabled is passed over, however cheap. */
Test(choice, passes_over_what_is_disabled) {
    struct list list = test_scenario("power law")->make();
    spry_context *context = test_context(1);
    const spry_kernel *kernels[MOST];
    int count = compared(context, &list, SPRY_F64, kernels);
    spry_context_destroy(context);
    for (int first = 0; first < count && count > 1; first++) {
        char names[128];
        struct wish wish = {kernels[first], kernels[(first + 1) % count]};
        snprintf(names, sizeof names, "%s,csc%s", wish.first->name, way_of(wish.first));
        context = test_context_without(0, names);
        load(context, by_wish, &wish);
        const spry_kernel *csr = chosen(context, &list, SPRY_CSR, SPRY_F64, SPRY_N),
                          *csc = chosen(context, &list, SPRY_CSC, SPRY_F64, SPRY_T);
        cr_expect_str_eq(way_of(csr), way_of(wish.second));
        cr_expect_str_eq(way_of(csc), way_of(wish.second));
        spry_context_destroy(context);
    }
    list_free(&list);
    if (count < 2)
        cr_skip_test("this machine has one kernel only");
}

/* ---- profiles that say little ---- */

static double priced_alone(const spry_kernel *kernel, const void *known) {
    return kernel == known ? 1e3 : -1;
}

static double the_same(const spry_kernel *kernel, const void *price) {
    (void)kernel;
    return *(const double *)price;
}

/* The last of the table that runs and takes the matrix, whether it is compared or not. */
static const spry_kernel *last_of_all(spry_context *context, const struct list *list) {
    const spry_kernel *last = NULL;
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (size_t k = 0; k < spry_kernel_count(); k++)
        if (is_named(spry_kernel_at(k), SPRY_F64) && spry_kernel_runs(context, spry_kernel_at(k)) &&
            spry_kernel_takes(spry_kernel_at(k), csr.matrix))
            last = spry_kernel_at(k);
    built_free(&csr);
    return last;
}

/* A kernel with prices is taken before those without; of none with prices, or all alike, the last of the table. */
Test(choice, where_the_profile_says_little) {
    spry_context *context = test_context(1);
    struct list list = test_scenario("power law")->make();
    const spry_kernel *kernels[MOST], *none = NULL;
    int count = compared(context, &list, SPRY_F64, kernels);
    static const double prices[] = {0, 1e-300, 1e300, 1.7e308};
    for (int k = 0; k < count; k++) {
        load(context, priced_alone, kernels[k]);
        /* Its prices are also those of kernels whose names begin with its own. */
        const spry_kernel *csr = chosen(context, &list, SPRY_CSR, SPRY_F64, SPRY_N);
        cr_expect_eq(strncmp(csr->name, kernels[k]->name, strlen(kernels[k]->name)), 0, "%s, not %s",
                     csr->name, kernels[k]->name);
    }
    load(context, priced_alone, none);
    cr_expect_eq(chosen(context, &list, SPRY_CSR, SPRY_F64, SPRY_N), last_of_all(context, &list));
    for (size_t p = 0; p < sizeof prices / sizeof *prices; p++) {
        load(context, the_same, &prices[p]);
        const spry_kernel *csr = chosen(context, &list, SPRY_CSR, SPRY_F64, SPRY_N);
        cr_assert_not_null(csr);
        if (prices[p] == 0)
            cr_expect_eq(csr, kernels[count - 1], "%s", csr->name);
    }
    list_free(&list);
    spry_context_destroy(context);
}

/* Nothing has to be compared where there is nothing to multiply by. */
Test(choice, without_entries) {
    spry_context *context = test_context(2);
    struct list lists[] = {list_new(0, 0), list_new(0, 5), list_new(5, 0), list_new(7, 7)};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        cr_expect_not_null(chosen(context, &lists[l], SPRY_CSR, SPRY_F64, SPRY_N));
        cr_expect_not_null(chosen(context, &lists[l], SPRY_CSC, SPRY_F32, SPRY_T));
        list_free(&lists[l]);
    }
    spry_context_destroy(context);
}

/* ---- what the library predicts itself ---- */

/* What is predicted of CSR where that kernel is the only one. */
static double predicted_of(const struct list *list, const spry_kernel *only,
                           const spry_kernel *const *kernels, int count, int threads) {
    char names[4096] = "";
    spry_ranking *ranking;
    double seconds = NAN;
    for (int k = 0; k < count; k++)
        if (kernels[k] != only) {
            strcat(names, ",");
            strcat(names, kernels[k]->name);
        }
    spry_context *context = test_context_without(threads, names);
    struct built csr = built_of(context, list, SPRY_CSR, only->type, SPRY_I32);
    cr_assert_eq(spry_select(context, csr.matrix, NULL, &ranking), SPRY_OK, "%s", spry_message(context));
    for (int i = 0; i < spry_ranking_count(ranking); i++) {
        const spry_choice *choice = spry_ranking_choice(ranking, i);
        if (choice->format == SPRY_CSR && choice->kernel == only)
            seconds = choice->seconds;
    }
    spry_ranking_destroy(ranking);
    built_free(&csr);
    spry_context_destroy(context);
    return seconds;
}

static void expect_least(const struct scenario *scenario, spry_value_type type, int threads) {
    struct list list = scenario->make();
    spry_context *context = test_context(threads);
    const spry_kernel *kernels[MOST], *taken = chosen(context, &list, SPRY_CSR, type, SPRY_N);
    int count = list.nnz > 0 ? compared(context, &list, type, kernels) : 0;
    double least = INFINITY, its = NAN;
    for (int k = 0; k < count; k++) {
        double seconds = predicted_of(&list, kernels[k], kernels, count, threads);
        least = fmin(least, seconds);
        its = kernels[k] == taken ? seconds : its;
    }
    /* The stand-in for a device has kernels that no profile knows. */
    if (isfinite(least))
        cr_expect(its <= least * (1 + 1e-12), "%s: %s takes %g s, another %g s", scenario->name, taken->name,
                  its, least);
    list_free(&list);
    spry_context_destroy(context);
}

/* By the library's own profile, the kernel that is taken is predicted to take the least time of all. */
Test(choice, has_the_least_predicted_time) {
    for (size_t i = 0; i < test_scenario_count; i++)
        for (int type = 0; type < SPRY_TYPE_COUNT && test_scenario_is_tried(&test_scenarios[i]); type++)
            if (!test_has_few_cases() || (int)i % SPRY_TYPE_COUNT == type)
                expect_least(&test_scenarios[i], (spry_value_type)type, 1 + (int)i % test_threads(3));
}

/* The columns of CSC are the rows of its transpose: the same loop, and the same prices. */
Test(choice, sees_columns_as_rows) {
    spry_context *context = test_context(2);
    for (size_t i = 0; i < test_scenario_count; i++)
        for (int type = 0; type < SPRY_TYPE_COUNT && test_scenario_is_tried(&test_scenarios[i]); type++) {
            struct list list = test_scenarios[i].make();
            struct built csr = built_of(context, &list, SPRY_CSR, (spry_value_type)type, SPRY_I32);
            spry_matrix *transposed, *csc;
            cr_assert_eq(spry_transpose(context, csr.matrix, &transposed), SPRY_OK);
            cr_assert_eq(spry_convert(context, transposed, SPRY_CSC, NULL, &csc), SPRY_OK);
            if (list.nnz > 0)
                cr_expect_str_eq(way_of(spry_kernel_for(csc, SPRY_T)),
                                 way_of(spry_kernel_for(csr.matrix, SPRY_N)), "%s", test_scenarios[i].name);
            spry_matrix_destroy(csc);
            spry_matrix_destroy(transposed);
            built_free(&csr);
            list_free(&list);
        }
    spry_context_destroy(context);
}

/* What a matrix was found to be like when it was made serves contexts with as many threads, and no others. */
Test(choice, looks_again_for_other_threads) {
    struct list list = test_scenario("power law")->make();
    spry_context *one = test_context(1), *three = test_context(test_threads(3));
    struct built of_one = built_of(one, &list, SPRY_CSR, SPRY_F64, SPRY_I32),
                 of_three = built_of(three, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    spry_ranking *lent, *own;
    cr_assert_eq(spry_select(three, of_one.matrix, NULL, &lent), SPRY_OK);
    cr_assert_eq(spry_select(three, of_three.matrix, NULL, &own), SPRY_OK);
    cr_expect_eq(spry_ranking_statistics(lent)->imbalance, spry_ranking_statistics(own)->imbalance);
    cr_expect(test_threads(3) == 1 || spry_ranking_statistics(own)->imbalance > 1);
    spry_ranking_destroy(lent);
    spry_ranking_destroy(own);
    built_free(&of_one);
    built_free(&of_three);
    list_free(&list);
    spry_context_destroy(one);
    spry_context_destroy(three);
}
