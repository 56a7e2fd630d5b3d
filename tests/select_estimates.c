/* SPDX-License-Identifier: BSD-3-Clause */
/* What a ranking estimates comes true: sizes, kernels, statistics of the matrix. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/profiles.h"
#include "support/rankings.h"
#include "support/scenarios.h"

static void expect_size(const spry_choice *choice, const spry_matrix *made, const char *name,
                        const char *format) {
    double bytes = (double)spry_matrix_bytes(made), slots = (double)spry_matrix_slots(made);
    /* Where padding is far more than entries, it matters little how much. Two entries at one place are counted as on one diagonal. */
    if (choice->format == SPRY_DIA && slots > 3 * (double)spry_matrix_nnz(made)) {
        cr_expect(choice->slots >= slots / 3 && choice->slots <= 2 * slots, "%s: dia has %g slots, not %g",
                  name, slots, choice->slots);
        return;
    }
    /* Of many rows, a sample tells how many stencils or shapes there are. */
    bool is_sampled =
        (choice->format == SPRY_STENCIL || choice->format == SPRY_SHAPE) && spry_matrix_rows(made) > 256;
    bool is_padded =
        choice->format == SPRY_HYB || choice->format == SPRY_SELL || choice->format == SPRY_SHAPE;
    /* By 48 entries, and of the 64 sizes that which comes out best, which chance favours. */
    double blocks = choice->format == SPRY_BSR   ? 1.0 / 4
                    : choice->format == SPRY_DIA ? 1.0 / 8
                                                 : 0,
           padded = is_padded ? 1.0 / 8 : blocks, off = is_sampled ? 1 : padded;
    cr_expect(fabs(choice->bytes - bytes) <= off * bytes, "%s: %s has %g bytes, not %g", name, format, bytes,
              choice->bytes);
    cr_expect(fabs(choice->slots - slots) <= padded * slots, "%s: %s has %g slots, not %g", name, format,
              slots, choice->slots);
}

static void expect_like(const spry_choice *choice, const spry_matrix *made, const char *name) {
    char format[SPRY_STORAGE_TEXT];
    spry_storage_text(&choice->storage, format, sizeof format);
    expect_size(choice, made, name, format);
    const spry_kernel *kernel = spry_kernel_for(made, SPRY_N);
    cr_assert(kernel && choice->kernel, "%s %s", name, format);
    /* Without entries it does not matter which. */
    cr_expect(choice->kernel == kernel || spry_matrix_nnz(made) == 0, "%s: %s is for %s, not %s", name,
              format, spry_kernel_describe(kernel).name, spry_kernel_describe(choice->kernel).name);
}

static void check_candidates(spry_context *context, const struct list *list, spry_value_type type,
                             spry_index_type index, const char *name) {
    struct built csr = built_of(context, list, SPRY_CSR, type, index);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    for (int i = 0; i < ranking.count; i++) {
        spry_matrix *made;
        const spry_choice *choice = &ranking.choice[i];
        spry_status status = spry_convert_to(context, csr.matrix, &choice->storage, NULL, &made);
        /* One whose kernels are all disabled can be made, but not multiplied by. */
        bool useful = status == SPRY_OK && spry_kernel_for(made, SPRY_N);
        /* Of a GPU's kernels, the simplest have no prices: they are never taken but where all others are disabled. */
        bool unknown = spry_context_backend(context) == SPRY_CUDA && !choice->kernel;
        cr_expect((bool)choice->possible == useful || unknown, "%s: %s: %s", name,
                  spry_format_name(choice->format), spry_status_string(status));
        if (useful && !unknown)
            expect_like(choice, made, name);
        spry_matrix_destroy(made);
    }
    built_free(&csr);
}

static void check_all_candidates(const spry_context_options *options) {
    spry_context *context = test_context_with(options);
    load_prices(context);
    for (size_t i = 0; i < test_scenario_count; i++) {
        if (!test_scenario_is_tried(&test_scenarios[i]))
            continue;
        struct list list = test_scenarios[i].make();
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < (test_scenarios[i].large ? 1 : SPRY_INDEX_COUNT); index++)
                if (test_scenarios[i].large || test_index_has_turn(index, i + (size_t)type))
                    check_candidates(context, &list, (spry_value_type)type, (spry_index_type)index,
                                     test_scenarios[i].name);
        list_free(&list);
    }
    spry_context_destroy(context);
}

Test(select, estimates_sizes_and_kernels) {
    for (int threads = test_first_threads(3); threads <= test_threads(3); threads += 2) {
        spry_context_options options = test_options();
        options.threads = threads;
        check_all_candidates(&options);
    }
}

/* Windows of SELL grow, and so does what is said of them. */
Test(select, estimates_uneven_rows) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU");
    struct list list = test_uneven_rows(20000);
    spry_context *context = test_context(test_threads(2));
    load_prices(context);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        check_candidates(context, &list, (spry_value_type)type, SPRY_I32, "uneven rows");
    spry_context_destroy(context);
    list_free(&list);
}

/* Full rows far apart share no slice, in whatever window. */
Test(select, estimates_full_rows_far_apart) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU");
    struct list list = test_uneven_rows(20000);
    for (int64_t row = 1000; row < list.rows; row += 2500)
        for (int64_t col = 0; col < list.cols; col++)
            list_add(&list, row, col, 1);
    spry_context *context = test_context(test_threads(2));
    load_prices(context);
    check_candidates(context, &list, SPRY_F64, SPRY_I32, "full rows far apart");
    spry_context_destroy(context);
    list_free(&list);
}

Test(select, estimates_sums_in_any_order) {
    spry_context_options options = test_options();
    options.nondeterministic = 1;
    check_all_candidates(&options);
}

Test(select, estimates_kernels_without_a_feature) {
    static const char *const disabled[] = {"avx512", "avx2,avx512,neon"};
    if (test_backend() != SPRY_CPU)
        cr_skip_test("features are those of CPUs");
    for (size_t i = 0; i < sizeof disabled / sizeof disabled[0]; i++) {
        spry_context_options options = test_options();
        options.threads = 2;
        options.disable = disabled[i];
        check_all_candidates(&options);
    }
}

/* Whether a row of the table is a product y = A x in f64 and i32 that the backend under test has. */
static bool is_product(spry_kernel_info info) {
    return info.backend == test_backend() && info.op == SPRY_N && info.type == SPRY_F64 &&
           info.index == SPRY_I32;
}

/* In brief, not without those for codes. */
static bool is_left_out(spry_kernel_info info) {
    return is_product(info) && (test_is_plain(info) || !test_is_brief());
}

Test(select, estimates_kernels_without_one) {
    static const char *const scenarios[] = {"banded", "power law", "empty rows", "no entries"};
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (!is_left_out(info))
            continue;
        spry_context *context = test_context_without(2, info.name);
        load_prices(context);
        for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
            struct list list = test_scenario(scenarios[i])->make();
            check_candidates(context, &list, SPRY_F64, SPRY_I32, scenarios[i]);
            list_free(&list);
        }
        spry_context_destroy(context);
    }
}

/* Names of all products in a format, or in all formats, with commas between them. */
static char *products_in(int format) {
    struct text names;
    text_open(&names);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (is_product(info) && (format == SPRY_FORMAT_COUNT || (int)info.format == format))
            fprintf(names.stream, "%s,", info.name);
    }
    text_close(&names);
    names.chars[names.length - 1] = '\0';
    return names.chars;
}

Test(select, does_without_a_format) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        char *names = products_in(format);
        spry_context *context = test_context_without(2, names);
        struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
        load_favourite(context, format, 0);
        for (int measure = 0; measure <= SPRY_FORMAT_COUNT; measure += SPRY_FORMAT_COUNT) {
            struct ranking ranking =
                ranking_of(context, csr.matrix,
                           &(spry_select_options){.size = sizeof(spry_select_options), .measure = measure});
            for (int i = 0; i < ranking.count; i++) {
                const spry_choice *choice = &ranking.choice[i];
                bool gone = (int)choice->format == format;
                cr_expect_eq((bool)choice->possible, !gone);
                cr_expect_eq(choice->kernel == NULL, gone);
                cr_expect(!gone || choice->measured_seconds == 0);
            }
            cr_expect_eq(ranking.choice[ranking.count - 1].format, format);
        }
        built_free(&csr);
        spry_context_destroy(context);
        free(names);
    }
}

Test(select, all_kernels_disabled) {
    char *names = products_in(SPRY_FORMAT_COUNT);
    spry_context *context = test_context_without(2, names);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    spry_matrix *result;
    spry_ranking *ranking;
    cr_expect_eq(spry_select(context, csr.matrix, NULL, &ranking), SPRY_ERROR_UNSUPPORTED);
    cr_expect_null(ranking);
    cr_expect_str_not_empty(spry_message(context));
    cr_expect_eq(spry_convert(context, csr.matrix, SPRY_AUTO, NULL, &result), SPRY_ERROR_UNSUPPORTED);
    cr_expect_null(result);
    built_free(&csr);
    spry_context_destroy(context);
    free(names);
}

/* To an eighth where rows are long: the ranking's is the least of its bin. */
static void expect_quartile(int64_t roughly, int64_t exactly, const char *name) {
    int64_t off = exactly < 128 ? 0 : exactly / 8;
    cr_expect(roughly <= exactly && roughly >= exactly - off, "%s: %d, not %d", name, (int)roughly,
              (int)exactly);
}

Test(select, statistics_are_those_of_the_matrix) {
    spry_context *context = test_context(2);
    load_prices(context);
    for (size_t i = 0; i < test_scenario_count; i++) {
        if (!test_scenario_is_tried(&test_scenarios[i]))
            continue;
        const char *name = test_scenarios[i].name;
        struct built csr = csr_of(context, name, SPRY_F64, SPRY_I32);
        spry_statistics exact = {.size = sizeof exact};
        cr_assert_eq(spry_matrix_statistics(context, csr.matrix, &exact), SPRY_OK);
        spry_statistics rough = ranking_of(context, csr.matrix, NULL).statistics;
        expect_quartile(rough.lengths.q1, exact.lengths.q1, name);
        expect_quartile(rough.lengths.median, exact.lengths.median, name);
        expect_quartile(rough.lengths.q3, exact.lengths.q3, name);
        rough.lengths.q1 = exact.lengths.q1;
        rough.lengths.median = exact.lengths.median;
        rough.lengths.q3 = exact.lengths.q3;
        cr_expect_arr_eq(&rough, &exact, sizeof exact, "%s", name);
        built_free(&csr);
    }
    spry_context_destroy(context);
}

/* However many threads there are, and however many rows a register has: the one that has the longest row takes a step for each entry. */
Test(select, a_long_row_is_one_threads) {
    const spry_format formats[] = {SPRY_JDS, SPRY_SELL, SPRY_STENCIL, SPRY_SHAPE};
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU: a GPU deals such rows out");
    spry_context *context = test_context(8);
    load_prices(context);
    struct built csr = csr_of(context, "long row", SPRY_F64, SPRY_I32);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    const double longest = (double)ranking.statistics.lengths.max;
    cr_assert(longest > (double)spry_matrix_nnz(csr.matrix) / 16);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const spry_choice *choice = choice_of(&ranking, formats[f]);
        const double steps = amount_of(choice, "steps") + amount_of(choice, "critical");
        cr_expect(steps >= longest, "%s: %g steps of a row with %g entries", spry_format_name(formats[f]),
                  steps, longest);
    }
    built_free(&csr);
    spry_context_destroy(context);
}

/* HYB's parts are split each by itself: those that are not worth a second thread call none, though all entries together are. */
Test(select, small_parts_call_no_threads) {
    if (test_backend() != SPRY_CPU)
        cr_skip_test("of the CPU: a GPU has no threads to call");
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "long row", SPRY_F64, SPRY_I32);
    const int64_t work = spry_matrix_nnz(csr.matrix) + spry_matrix_rows(csr.matrix);
    built_free(&csr);
    spry_context_destroy(context);

    const spry_context_options options = {.size = sizeof options, .threads = 2, .grain = work};
    cr_assert_eq(spry_context_create(&context, &options), SPRY_OK);
    load_prices(context);
    csr = csr_of(context, "long row", SPRY_F64, SPRY_I32);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    const spry_choice *all = choice_of(&ranking, SPRY_CSR), *parts = choice_of(&ranking, SPRY_HYB);
    cr_expect_eq(amount_of(all, "start"), 1);
    cr_expect_eq(amount_of(parts, "start"), 0);
    cr_expect_eq(amount_of(parts, "extra"), 0);
    built_free(&csr);
    spry_context_destroy(context);
}
