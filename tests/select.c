/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a format: what a ranking promises, how it is said in words, the profiles that it rests on. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/build.h"
#include "support/scenarios.h"

/* ---- profiles ---- */

static char folder[] = "/tmp/spry_select_XXXXXX";
static char path[100];

static void make_folder(void) {
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/profile.json", folder);
}

static void remove_folder(void) {
    unlink(path);
    rmdir(folder);
}

/* Rankings that tests made, which stay until they end. */
static spry_ranking **handles;
static size_t handle_count;

static void end_selections(void) {
    for (size_t i = 0; i < handle_count; i++)
        spry_ranking_destroy(handles[i]);
    free(handles);
    remove_folder();
}

TestSuite(select, .init = make_folder, .fini = end_selections);
TestSuite(profile, .init = make_folder, .fini = remove_folder);

static void put_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    cr_assert(file, "%s", name);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

/* Text that grows. */
struct text {
    char *chars;
    size_t length;
    FILE *stream;
};

static void text_open(struct text *text) {
    *text = (struct text){0};
    text->stream = open_memstream(&text->chars, &text->length);
    cr_assert(text->stream);
}

/* Quotes are single ones as long as C has the text. */
static void text_close(struct text *text) {
    cr_assert_eq(fclose(text->stream), 0);
    for (char *c = text->chars; *c; c++)
        *c = *c == '\'' ? '"' : *c;
}

/* A profile of a machine for the backend under test, with these two objects. */
static struct text profile_of(const char *machine, const char *kernels, const char *conversions) {
    struct text text;
    text_open(&text);
    fprintf(text.stream,
            "{'machine': '%s', 'backend': '%s', 'processors': 2, 'memory_gbs': 10,\n"
            " 'kernels': %s,\n 'conversions': %s}",
            machine, spry_backend_name(test_backend()), kernels, conversions);
    text_close(&text);
    return text;
}

static struct text profile_with(const char *kernels, const char *conversions) {
    return profile_of("a test", kernels, conversions);
}

static spry_status load(spry_context *context, const char *kernels, const char *conversions) {
    struct text text = profile_with(kernels, conversions);
    put_file(path, text.chars, text.length);
    free(text.chars);
    return spry_load_profile(context, path);
}

/* Nanoseconds, all different. */
static double term_price(spry_value_type type, spry_format format, int term) {
    return 0.5 + (double)type + 2.0 * (double)format + 0.0625 * term;
}

static double conversion_price(spry_format format, int term) {
    return 3 + (double)format + 0.5 * term;
}

static const char *const conversion_terms[] = {"start", "bytes", "rows"};
enum { CONVERSION_TERMS = sizeof conversion_terms / sizeof conversion_terms[0] };

static void write_kernels(FILE *stream) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        fprintf(stream, "%s'%s': {", type ? "," : "{", spry_type_name((spry_value_type)type));
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            fprintf(stream, "%s'%s': {", format ? "," : "", spry_format_name((spry_format)format));
            for (int i = 0; spry_term_name(i); i++)
                fprintf(stream, "%s'%s': %.17g", i ? "," : "", spry_term_name(i),
                        term_price((spry_value_type)type, (spry_format)format, i));
            fputs("}", stream);
        }
        fputs("}", stream);
    }
    fputs("}", stream);
}

static void write_conversions(FILE *stream) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        fprintf(stream, "%s'%s': {", format ? "," : "{", spry_format_name((spry_format)format));
        for (int i = 0; i < CONVERSION_TERMS; i++)
            fprintf(stream, "%s'%s': %.17g", i ? "," : "", conversion_terms[i],
                    conversion_price((spry_format)format, i));
        fputs("}", stream);
    }
    fputs("}", stream);
}

/* The prices above. */
static void load_prices(spry_context *context) {
    struct text kernels, conversions;
    text_open(&kernels);
    write_kernels(kernels.stream);
    text_close(&kernels);
    text_open(&conversions);
    write_conversions(conversions.stream);
    text_close(&conversions);
    cr_assert_eq(load(context, kernels.chars, conversions.chars), SPRY_OK, "%s", spry_message(context));
    free(kernels.chars);
    free(conversions.chars);
}

/* Products and conversions that cost nothing but their start: so many nanoseconds for each format, and
   for any conversion. Where there are several processors, a product has one start. */
static void load_starts(spry_context *context, const double *start, double conversion) {
    struct text kernels, conversions;
    text_open(&kernels);
    text_open(&conversions);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        fprintf(kernels.stream, "%s'%s': {", type ? "}," : "{", spry_type_name((spry_value_type)type));
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
            fprintf(kernels.stream, "%s'%s': {'start': %.17g}", format ? "," : "",
                    spry_format_name((spry_format)format), start[format]);
    }
    fputs("}}", kernels.stream);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        fprintf(conversions.stream, "%s'%s': {'start': %.17g}", format ? "," : "{",
                spry_format_name((spry_format)format), conversion);
    fputs("}", conversions.stream);
    text_close(&kernels);
    text_close(&conversions);
    cr_assert_eq(load(context, kernels.chars, conversions.chars), SPRY_OK, "%s", spry_message(context));
    free(kernels.chars);
    free(conversions.chars);
}

/* The same with one format far cheaper than all others. */
static void load_favourite(spry_context *context, int favourite, double conversion) {
    double start[SPRY_FORMAT_COUNT];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        start[format] = format == favourite ? 1 : 1000;
    load_starts(context, start, conversion);
}

/* ---- rankings ---- */

static struct built csr_of(spry_context *context, const char *scenario, spry_value_type type,
                           spry_index_type index) {
    struct list list = test_scenario(scenario)->make();
    struct built csr;
    cr_assert_eq(build(context, &list, SPRY_CSR, type, index, CONVERTED, &csr), SPRY_OK);
    list_free(&list);
    return csr;
}

/* What a ranking says, and the ranking itself. */
struct ranking {
    spry_statistics statistics;
    double products;
    int measured;
    spry_choice choice[SPRY_FORMAT_COUNT];
    const spry_ranking *handle;
};

static struct ranking ranking_of(spry_context *context, const spry_matrix *csr,
                                 const spry_select_options *options) {
    spry_ranking *made;
    cr_assert_eq(spry_select(context, csr, options, &made), SPRY_OK, "%s", spry_message(context));
    cr_assert_eq(spry_ranking_count(made), SPRY_FORMAT_COUNT);
    struct ranking ranking = {.statistics = *spry_ranking_statistics(made),
                              .products = spry_ranking_products(made),
                              .measured = spry_ranking_measured(made),
                              .handle = made};
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++)
        ranking.choice[i] = *spry_ranking_choice(made, i);
    handles = realloc(handles, (handle_count + 1) * sizeof(spry_ranking *));
    cr_assert(handles);
    handles[handle_count++] = made;
    return ranking;
}
static const spry_choice *choice_of(const struct ranking *ranking, spry_format format) {
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++)
        if (ranking->choice[i].storage.format == format)
            return &ranking->choice[i];
    cr_assert_fail("%s is not in the ranking", spry_format_name(format));
    return NULL;
}

/* What a ranking is ordered by. */
static double total_of(const spry_choice *choice, double products) {
    double seconds = choice->measured_seconds > 0 ? choice->measured_seconds : choice->seconds;
    return isinf(products) ? seconds : products * seconds + choice->convert_seconds;
}

/* Whether two numbers that are worked out differently are the same. */
static bool are_close(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static void expect_choice(const spry_choice *choice, double csr_seconds, const char *name) {
    double sum = 0;
    for (int i = 0; i < SPRY_TERM_MOST; i++) {
        cr_expect(choice->amount[i] >= 0 && choice->cost[i] >= 0 && isfinite(choice->cost[i]),
                  "%s %s, term %d", name, spry_format_name(choice->storage.format), i);
        cr_expect(spry_term_name(i) || (choice->amount[i] == 0 && choice->cost[i] == 0), "%s", name);
        sum += choice->cost[i];
    }
    cr_expect(are_close(choice->seconds, sum), "%s: %g seconds, not %g", name, choice->seconds, sum);
    double saved = csr_seconds - choice->seconds, after = choice->storage.format == SPRY_CSR ? 0
                                                          : saved > 0 ? ceil(choice->convert_seconds / saved)
                                                                      : INFINITY;
    cr_expect_eq(choice->pays_back_after, after, "%s %s: after %g, not %g", name,
                 spry_format_name(choice->storage.format), choice->pays_back_after, after);
    cr_expect_eq(choice->measured_seconds, 0);
    cr_expect(choice->storage.format != SPRY_CSR || choice->convert_seconds == 0);
}

/* Every format once, those that are possible first, and those by what they come to. */
static void expect_order(const struct ranking *ranking, const char *name) {
    bool seen[SPRY_FORMAT_COUNT] = {false};
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        const spry_choice *choice = &ranking->choice[i], *before = i ? choice - 1 : choice;
        cr_assert((unsigned)choice->storage.format < SPRY_FORMAT_COUNT);
        cr_expect_not(seen[choice->storage.format], "%s: %s twice", name, spry_format_name(choice->storage.format));
        seen[choice->storage.format] = true;
        cr_expect(before->possible >= choice->possible, "%s: place %d", name, i);
        cr_expect(before->possible > choice->possible ||
                      total_of(before, ranking->products) <= total_of(choice, ranking->products),
                  "%s: place %d", name, i);
    }
}

static void check_ranking(spry_context *context, const spry_matrix *csr, double products, const char *name) {
    spry_select_options options = {.products = products};
    struct ranking ranking = ranking_of(context, csr, &options);
    cr_expect_eq(ranking.products, products > 0 ? products : INFINITY);
    cr_expect_eq(ranking.measured, 0);
    expect_order(&ranking, name);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++)
        expect_choice(&ranking.choice[i], choice_of(&ranking, SPRY_CSR)->seconds, name);
    /* Nothing is to be gained where there is nothing. */
    cr_expect(ranking.statistics.nnz > 0 || ranking.choice[0].storage.format == SPRY_CSR, "%s", name);
}

static void check_rankings(spry_context *context) {
    for (size_t i = 0; i < test_scenario_count; i++) {
        const char *name = test_scenarios[i].name;
        struct built csr = csr_of(context, name, SPRY_F64, SPRY_I32);
        check_ranking(context, csr.matrix, 0, name);
        check_ranking(context, csr.matrix, 1, name);
        check_ranking(context, csr.matrix, 1e6, name);
        built_free(&csr);
    }
}

Test(select, ranks_every_format) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context *context = test_context(threads);
        check_rankings(context);
        load_prices(context);
        check_rankings(context);
        spry_context_destroy(context);
    }
}

Test(select, without_options_is_for_many_products) {
    static const spry_select_options none;
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "power law", SPRY_F32, SPRY_I64);
    load_prices(context);
    struct ranking with = ranking_of(context, csr.matrix, &none),
                   without = ranking_of(context, csr.matrix, NULL);
    cr_expect(isinf(without.products));
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++)
        cr_expect_eq(with.choice[i].storage.format, without.choice[i].storage.format);
    built_free(&csr);
    spry_context_destroy(context);
}

/* Each format saves 999 of CSR's 1000 nanoseconds; making it takes so many microseconds. */
Test(select, conversion_counts_for_few_products) {
    const double microseconds = 10;
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        load_favourite(context, format, 1e3 * microseconds);
        struct ranking once = ranking_of(context, csr.matrix, &(spry_select_options){.products = 1}),
                       many = ranking_of(context, csr.matrix, NULL),
                       some = ranking_of(context, csr.matrix, &(spry_select_options){.products = 100});
        cr_expect_eq(once.choice[0].storage.format, SPRY_CSR, "not %s", spry_format_name(once.choice[0].storage.format));
        cr_expect_eq(many.choice[0].storage.format, format, "%s, not %s", spry_format_name((spry_format)format),
                     spry_format_name(many.choice[0].storage.format));
        cr_expect_eq(some.choice[0].storage.format, format, "%s, not %s", spry_format_name((spry_format)format),
                     spry_format_name(some.choice[0].storage.format));
        cr_expect_eq(many.choice[0].pays_back_after, format == SPRY_CSR ? 0 : ceil(microseconds / 0.999));
    }
    built_free(&csr);
    spry_context_destroy(context);
}

Test(select, keeps_to_the_limit_of_memory) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "full row", SPRY_F64, SPRY_I32);
    load_prices(context);
    struct ranking free_choice = ranking_of(context, csr.matrix, NULL);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++)
        for (int less = 0; less < 2; less++) {
            spry_select_options options = {.memory_limit =
                                               (size_t)free_choice.choice[i].bytes - (size_t)less};
            struct ranking ranking = ranking_of(context, csr.matrix, &options);
            expect_order(&ranking, "limited");
            for (int k = 0; k < SPRY_FORMAT_COUNT; k++) {
                const spry_choice *choice = &ranking.choice[k];
                bool fits = choice->storage.format == SPRY_CSR || choice->bytes <= (double)options.memory_limit;
                cr_expect_eq(choice->possible, fits, "%s in %zu bytes", spry_format_name(choice->storage.format),
                             options.memory_limit);
            }
        }
    struct ranking least = ranking_of(context, csr.matrix, &(spry_select_options){.memory_limit = 1});
    cr_expect_eq(least.choice[0].storage.format, SPRY_CSR);
    cr_expect_not(least.choice[1].possible);
    built_free(&csr);
    spry_context_destroy(context);
}

/* ---- what comes true ---- */

static void expect_like(const spry_choice *choice, const spry_matrix *made, const char *name) {
    const char *format = spry_format_name(choice->storage.format);
    double bytes = (double)spry_matrix_bytes(made), slots = (double)spry_matrix_slots(made);
    double off = choice->storage.format == SPRY_HYB ? 1.0 / 8 : 0;
    cr_expect(fabs(choice->bytes - bytes) <= off * bytes, "%s: %s has %g bytes, not %g", name, format, bytes,
              choice->bytes);
    cr_expect(fabs(choice->slots - slots) <= off * slots, "%s: %s has %g slots, not %g", name, format, slots,
              choice->slots);
    const spry_kernel *kernel = spry_kernel_for(made, SPRY_N);
    cr_assert(kernel && choice->kernel, "%s %s", name, format);
    /* Without entries it does not matter which. */
    cr_expect(choice->kernel == kernel || spry_matrix_nnz(made) == 0, "%s: %s is for %s, not %s", name,
              format, spry_kernel_describe(kernel).name, spry_kernel_describe(choice->kernel).name);
}

static void check_candidates(spry_context *context, const struct list *list, spry_value_type type,
                             spry_index_type index, const char *name) {
    struct built csr;
    cr_assert_eq(build(context, list, SPRY_CSR, type, index, CONVERTED, &csr), SPRY_OK);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        spry_matrix *made;
        const spry_choice *choice = &ranking.choice[i];
        spry_status status = spry_convert(context, csr.matrix, choice->storage.format, NULL, &made);
        /* One whose kernels are all disabled can be made, but not multiplied by. */
        bool useful = status == SPRY_OK && spry_kernel_for(made, SPRY_N);
        /* Of a GPU's kernels, the simplest have no prices: they are never taken but where all others are disabled. */
        bool unknown = spry_context_backend(context) == SPRY_CUDA && !choice->kernel;
        cr_expect((bool)choice->possible == useful || unknown, "%s: %s: %s", name,
                  spry_format_name(choice->storage.format), spry_status_string(status));
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
        struct list list = test_scenarios[i].make();
        for (int type = 0; type < SPRY_TYPE_COUNT; type++)
            for (int index = 0; index < (test_scenarios[i].large ? 1 : SPRY_INDEX_COUNT); index++)
                check_candidates(context, &list, (spry_value_type)type, (spry_index_type)index,
                                 test_scenarios[i].name);
        list_free(&list);
    }
    spry_context_destroy(context);
}

Test(select, estimates_sizes_and_kernels) {
    for (int threads = 1; threads <= test_threads(3); threads += 2) {
        spry_context_options options = test_options();
        options.threads = threads;
        check_all_candidates(&options);
    }
}

Test(select, estimates_sums_in_any_order) {
    spry_context_options options = test_options();
    options.nondeterministic = 1;
    check_all_candidates(&options);
}

Test(select, estimates_kernels_without_a_feature) {
    static const char *const disabled[] = {"avx512", "avx2,avx512"};
    for (size_t i = 0; i < sizeof disabled / sizeof disabled[0]; i++) {
        spry_context_options options = test_options();
        options.threads = 2;
        options.disable = disabled[i];
        check_all_candidates(&options);
    }
}

static spry_context *context_without(const char *names) {
    spry_context_options options = test_options();
    options.threads = 2;
    options.disable = names;
    return test_context_with(&options);
}

/* Whether a row of the table is a product y = A x in f64 and i32 that the backend under test has. */
static bool is_product(spry_kernel_info info) {
    return info.backend == test_backend() && info.op == SPRY_N && info.type == SPRY_F64 &&
           info.index == SPRY_I32;
}

Test(select, estimates_kernels_without_one) {
    static const char *const scenarios[] = {"banded", "power law", "empty rows", "no entries"};
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (!is_product(info))
            continue;
        spry_context *context = context_without(info.name);
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
        spry_context *context = context_without(names);
        struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
        load_favourite(context, format, 0);
        for (int measure = 0; measure <= SPRY_FORMAT_COUNT; measure += SPRY_FORMAT_COUNT) {
            struct ranking ranking =
                ranking_of(context, csr.matrix, &(spry_select_options){.measure = measure});
            const spry_choice *last = &ranking.choice[SPRY_FORMAT_COUNT - 1];
            cr_expect_eq(last->storage.format, format);
            cr_expect_not(last->possible);
            cr_expect_null(last->kernel);
            cr_expect_eq(last->measured_seconds, 0);
            cr_expect(ranking.choice[SPRY_FORMAT_COUNT - 2].possible);
        }
        built_free(&csr);
        spry_context_destroy(context);
        free(names);
    }
}

Test(select, all_kernels_disabled) {
    char *names = products_in(SPRY_FORMAT_COUNT);
    spry_context *context = context_without(names);
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
        const char *name = test_scenarios[i].name;
        struct built csr = csr_of(context, name, SPRY_F64, SPRY_I32);
        spry_statistics exact;
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

/* ---- measuring ---- */

/* CSR is measured, and so are others of the first places that were predicted. The least comes first, or CSR:
   what is no clear gain does not replace it. */
static void expect_measured(const struct ranking *predicted, const struct ranking *measured, int measure,
                            const char *name) {
    const spry_choice *first = &measured->choice[0];
    cr_expect_eq(measured->measured, 1);
    cr_expect_gt(choice_of(measured, SPRY_CSR)->measured_seconds, 0, "%s", name);
    cr_expect_gt(first->measured_seconds, 0, "%s", name);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        const spry_choice *expected = &predicted->choice[i], *choice = choice_of(measured, expected->storage.format);
        bool tried = expected->possible && (i < measure || choice->storage.format == SPRY_CSR);
        cr_expect_eq(choice->measured_seconds > 0, tried, "%s: place %d, %d measured", name, i, measure);
        cr_expect_eq(choice->seconds, expected->seconds, "%s", name);
        cr_expect(!tried || first->storage.format == SPRY_CSR ||
                      total_of(first, measured->products) <= total_of(choice, measured->products),
                  "%s: %s before %s", name, spry_format_name(first->storage.format),
                  spry_format_name(choice->storage.format));
    }
}

Test(select, measures_the_first_ones) {
    static const char *const scenarios[] = {"banded",    "full row",   "empty rows",
                                            "one entry", "no columns", "0x0"};
    static const double products[] = {0, 1, 1000};
    spry_context *context = test_context(2);
    load_prices(context);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        struct built csr = csr_of(context, scenarios[i], SPRY_F64, SPRY_I32);
        for (size_t p = 0; p < sizeof products / sizeof products[0]; p++)
            for (int measure = 1; measure <= SPRY_FORMAT_COUNT + 1; measure++) {
                spry_select_options options = {.products = products[p]};
                struct ranking predicted = ranking_of(context, csr.matrix, &options);
                options.measure = measure;
                struct ranking measured = ranking_of(context, csr.matrix, &options);
                expect_measured(&predicted, &measured, measure, scenarios[i]);
            }
        built_free(&csr);
    }
    spry_context_destroy(context);
}

/* Formats are made from arrays with base 0, whatever the caller's have. */
Test(select, measures_arrays_from_1) {
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built csr;
    load_prices(context);
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_1, &csr), SPRY_OK);
    spry_select_options options = {.measure = SPRY_FORMAT_COUNT};
    struct ranking ranking = ranking_of(context, csr.matrix, &options);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++)
        cr_expect_gt(ranking.choice[i].measured_seconds, 0);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what conversions make of it ---- */

static spry_format chosen(spry_context *context, const spry_matrix *source,
                          const spry_convert_options *options) {
    spry_matrix *result;
    cr_assert_eq(spry_convert(context, source, SPRY_AUTO, options, &result), SPRY_OK, "%s",
                 spry_message(context));
    spry_format format = spry_matrix_format(result);
    spry_matrix_destroy(result);
    return format;
}

/* Whatever the source, and whether it is a matrix that the library made or not. */
static void check_auto(spry_context *context, const struct list *list, spry_format from, enum origin origin,
                       const spry_convert_options *options, spry_format expected) {
    struct built source;
    cr_assert_eq(build(context, list, from, SPRY_F64, SPRY_I32, origin, &source), SPRY_OK);
    spry_format format = chosen(context, source.matrix, options);
    cr_expect_eq(format, expected, "from %s, way %d: %s, not %s", spry_format_name(from), (int)origin,
                 spry_format_name(format), spry_format_name(expected));
    built_free(&source);
}

Test(select, auto_takes_the_first) {
    static const double products[] = {0, 1, 1000};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        load_favourite(context, favourite, 1e4);
        for (size_t p = 0; p < sizeof products / sizeof products[0]; p++) {
            spry_select_options options = {.products = products[p]};
            spry_convert_options how = {.products = products[p]};
            spry_format first = ranking_of(context, csr.matrix, &options).choice[0].storage.format;
            check_auto(context, &list, SPRY_CSR, CONVERTED, &how, first);
            check_auto(context, &list, SPRY_CSR, WRAPPED_FROM_1, &how, first);
            check_auto(context, &list, SPRY_COO, WRAPPED_FROM_0, &how, first);
            check_auto(context, &list, SPRY_CSC, CONVERTED, &how, first);
        }
    }
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(select, auto_measures) {
    static const spry_convert_options how = {.measure = 1};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built coo;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &coo), SPRY_OK);
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        load_favourite(context, favourite, 0);
        spry_format format = chosen(context, coo.matrix, &how);
        cr_expect((int)format == favourite || format == SPRY_CSR, "%s", spry_format_name(format));
    }
    built_free(&coo);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- arguments ---- */

Test(select, wrong_arguments) {
    static const spry_select_options bad[] = {
        {.products = NAN}, {.products = -1}, {.products = -INFINITY}, {.measure = -1}};
    spry_context *context = test_context(2);
    struct list list = test_scenario("banded")->make();
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32), coo;
    spry_ranking *ranking;
    cr_assert_eq(build(context, &list, SPRY_COO, SPRY_F64, SPRY_I32, CONVERTED, &coo), SPRY_OK);
    cr_expect_eq(spry_select(NULL, csr.matrix, NULL, &ranking), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_select(context, csr.matrix, NULL, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_select(context, NULL, NULL, &ranking), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_select(context, coo.matrix, NULL, &ranking), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "csr"), "%s", spry_message(context));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(spry_select(context, csr.matrix, &bad[i], &ranking), SPRY_ERROR_ARGUMENT, "options %zu",
                     i);
        cr_expect(strstr(spry_message(context), bad[i].measure ? "measure" : "products"), "%s",
                  spry_message(context));
        spry_convert_options how = {.products = bad[i].products, .measure = bad[i].measure};
        spry_matrix *result;
        cr_expect_eq(spry_convert(context, csr.matrix, SPRY_AUTO, &how, &result), SPRY_ERROR_ARGUMENT);
        cr_expect_null(result);
    }
    built_free(&coo);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

Test(select, names_of_terms) {
    int count = 0;
    for (; spry_term_name(count); count++)
        for (int i = 0; i < count; i++)
            cr_expect_str_neq(spry_term_name(i), spry_term_name(count));
    cr_expect(count > 0 && count <= SPRY_TERM_MOST);
    cr_expect_null(spry_term_name(-1));
    cr_expect_null(spry_term_name(SPRY_TERM_MOST));
}

/* ---- words ---- */

#define SENTENCE 500

/* In a buffer of any size: as much of the sentence as fits, and nothing past the end. */
static void expect_cut(const struct ranking *ranking, int place, const char *sentence) {
    static const size_t sizes[] = {1, 2, 10, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char words[SENTENCE + 1];
        memset(words, '#', sizeof words);
        spry_explain(ranking->handle, place, words, sizes[i]);
        cr_assert(memchr(words, '\0', sizes[i]), "%zu bytes", sizes[i]);
        size_t length = strlen(sentence) < sizes[i] ? strlen(sentence) : sizes[i] - 1;
        cr_expect_eq(strlen(words), length, "%zu bytes of \"%s\"", sizes[i], sentence);
        cr_expect_eq(memcmp(words, sentence, length), 0, "%zu bytes of \"%s\"", sizes[i], sentence);
        for (size_t k = sizes[i]; k < sizeof words; k++)
            cr_assert_eq(words[k], '#', "byte %zu of %zu", k, sizes[i]);
    }
}

static void check_words(const struct ranking *ranking, const char *name) {
    char words[SENTENCE];
    for (int place = 0; place < SPRY_FORMAT_COUNT; place++) {
        spry_explain(ranking->handle, place, words, sizeof words);
        cr_expect(words[0] && strlen(words) < sizeof words - 1, "%s, place %d", name, place);
        cr_expect(!strstr(words, "nan") && !strstr(words, "inf"), "%s: %s", name, words);
        expect_cut(ranking, place, words);
    }
}

Test(select, every_place_is_explained) {
    spry_context *context = test_context(2);
    for (int own = 0; own < 2; own++) {
        if (own)
            load_prices(context);
        for (size_t i = 0; i < test_scenario_count; i++) {
            struct built csr = csr_of(context, test_scenarios[i].name, SPRY_F64, SPRY_I32);
            struct ranking many = ranking_of(context, csr.matrix, NULL),
                           once = ranking_of(context, csr.matrix, &(spry_select_options){.products = 1});
            check_words(&many, test_scenarios[i].name);
            check_words(&once, test_scenarios[i].name);
            built_free(&csr);
        }
    }
    spry_context_destroy(context);
}

static void expect_words(const struct ranking *ranking, spry_format format, const char *const *expected) {
    char words[SENTENCE];
    spry_explain(ranking->handle, (int)(choice_of(ranking, format) - ranking->choice), words, sizeof words);
    for (; *expected; expected++)
        cr_expect(strstr(words, *expected), "\"%s\" not in \"%s\"", *expected, words);
}

#define EXPECT_WORDS(ranking, format, ...)                                                                   \
    expect_words(ranking, format, (const char *const[]){__VA_ARGS__, NULL})

Test(select, says_what_matters) {
    spry_context *context = test_context(2);
    struct built spiked = csr_of(context, "arrow", SPRY_F64, SPRY_I32),
                 even = csr_of(context, "dense", SPRY_F64, SPRY_I32),
                 empty = csr_of(context, "no entries", SPRY_F64, SPRY_I32);
    load_favourite(context, SPRY_JDS, 5000);
    struct ranking ranking = ranking_of(context, spiked.matrix, NULL);
    /* 120 rows, rounded up to 128, of 120 slots, for 358 entries. */
    EXPECT_WORDS(&ranking, SPRY_ELL, "rows vary from 2 to 120 entries", "43 times the nonzeros", "ell",
                 "never pays back");
    EXPECT_WORDS(&ranking, SPRY_JDS, "jds should take 0.001 µs", "csr would take 1 µs", "starting",
                 "converting takes 5 µs", "after 6 products");
    ranking = ranking_of(context, spiked.matrix, &(spry_select_options){.memory_limit = 10000});
    EXPECT_WORDS(&ranking, SPRY_ELL, "rows vary", "43 times the nonzeros", "past the limit");
    ranking = ranking_of(context, even.matrix, &(spry_select_options){.memory_limit = 1000});
    EXPECT_WORDS(&ranking, SPRY_COO, "every row has 47 entries", "coo would be made", "past the limit");
    ranking = ranking_of(context, spiked.matrix, &(spry_select_options){.products = 1});
    EXPECT_WORDS(&ranking, SPRY_CSR, "csr should take 1 µs", "not worth the conversion");
    ranking = ranking_of(context, even.matrix, &(spry_select_options){.measure = 1});
    EXPECT_WORDS(&ranking, ranking.choice[0].storage.format, "every row has 47 entries", " took ");
    ranking = ranking_of(context, empty.matrix, NULL);
    EXPECT_WORDS(&ranking, SPRY_CSR, "nothing to multiply");
    built_free(&spiked);
    built_free(&even);
    built_free(&empty);
    spry_context_destroy(context);
}

/* Prices that no machine has: the factor between two formats has 300 digits. */
Test(select, says_what_is_beyond_measure) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "dense", SPRY_F64, SPRY_I32);
    double start[SPRY_FORMAT_COUNT];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        start[format] = format == SPRY_CSR ? 1e300 : 1;
    load_starts(context, start, 0);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    EXPECT_WORDS(&ranking, SPRY_CSR, "1e+300 times");
    built_free(&csr);
    spry_context_destroy(context);
}

Test(select, no_words_for_what_is_not_there) {
    char words[10] = "#########";
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    spry_explain(ranking.handle, 0, NULL, 5);
    spry_explain(ranking.handle, 0, words, 0);
    cr_expect_eq(words[0], '#');
    static const int places[] = {-1, SPRY_FORMAT_COUNT, SPRY_FORMAT_COUNT + 1000};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        words[0] = '#';
        spry_explain(ranking.handle, places[i], words, sizeof words);
        cr_expect_str_empty(words);
    }
    words[0] = '#';
    spry_explain(NULL, 0, words, sizeof words);
    cr_expect_str_empty(words);
    built_free(&csr);
    spry_context_destroy(context);
}

/* ---- good profiles ---- */

static void expect_prices(const struct ranking *ranking, const spry_matrix *csr, const char *name) {
    spry_value_type type = spry_matrix_type(csr);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        const spry_choice *choice = &ranking->choice[i];
        spry_format format = choice->storage.format;
        double seconds = 0;
        for (int term = 0; spry_term_name(term); term++) {
            double cost = 1e-9 * term_price(type, format, term) * choice->amount[term];
            cr_expect(are_close(choice->cost[term], cost), "%s %s %s", name, spry_format_name(format),
                      spry_term_name(term));
            seconds += cost;
        }
        cr_expect(are_close(choice->seconds, seconds), "%s %s: %g seconds, not %g", name,
                  spry_format_name(format), choice->seconds, seconds);
        double convert =
            1e-9 * (conversion_price(format, 0) +
                    conversion_price(format, 1) * ((double)spry_matrix_bytes(csr) + choice->bytes) +
                    conversion_price(format, 2) * (double)spry_matrix_rows(csr));
        cr_expect(are_close(choice->convert_seconds, format == SPRY_CSR ? 0 : convert),
                  "%s %s: %g seconds, not %g", name, spry_format_name(format), choice->convert_seconds,
                  convert);
    }
}

Test(profile, prices_are_what_is_paid) {
    spry_context *context = test_context(2);
    load_prices(context);
    cr_expect_str_eq(spry_profile_machine(context), "a test");
    for (size_t i = 0; i < test_scenario_count; i++)
        for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
            struct built csr = csr_of(context, test_scenarios[i].name, (spry_value_type)type, SPRY_I32);
            struct ranking ranking = ranking_of(context, csr.matrix, NULL);
            expect_prices(&ranking, csr.matrix, test_scenarios[i].name);
            built_free(&csr);
        }
    spry_context_destroy(context);
}

/* Those of the longest name that the kernel's begins with; of other types there are none. */
Test(profile, prices_by_name) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32),
                 single = csr_of(context, "banded", SPRY_F32, SPRY_I32);
    const char *name = spry_kernel_describe(spry_kernel_for(csr.matrix, SPRY_N)).name;
    char kernels[200];
    snprintf(kernels, sizeof kernels,
             "{'f64': {'csr': {'start': 1}, '%s': {'start': 2}, '%s_': {'start': 3}, 'jds': {'start': 4}, "
             "'x': {}}}",
             name, name);
    if (strcmp(name, "csr") == 0)
        strcpy(
            kernels,
            "{'f64': {'c': {'start': 1}, 'csr': {'start': 2}, 'csr_': {'start': 3}, 'jds': {'start': 4}}}");
    cr_assert_eq(load(context, kernels, "{'jds': {}}"), SPRY_OK, "%s", spry_message(context));
    struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    cr_expect(are_close(choice_of(&ranking, SPRY_CSR)->seconds, 2e-9));
    cr_expect_eq(choice_of(&ranking, SPRY_JDS)->convert_seconds, 0);
    cr_expect(choice_of(&ranking, SPRY_JDS)->possible);
    cr_expect_not(choice_of(&ranking, SPRY_ELL)->possible, "its kernels have no prices");
    spry_ranking *none;
    cr_expect_eq(spry_select(context, single.matrix, NULL, &none), SPRY_ERROR_UNSUPPORTED);
    cr_expect_null(none);
    built_free(&csr);
    built_free(&single);
    spry_context_destroy(context);
}

Test(profile, the_last_one_counts) {
    spry_context *context = test_context(2);
    struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
    for (int favourite = 0; favourite < SPRY_FORMAT_COUNT; favourite++) {
        load_favourite(context, favourite, 0);
        cr_expect_eq(ranking_of(context, csr.matrix, NULL).choice[0].storage.format, favourite);
    }
    cr_assert_eq(load(context, "{}", "{}"), SPRY_OK);
    spry_ranking *ranking;
    cr_expect_eq(spry_select(context, csr.matrix, NULL, &ranking), SPRY_ERROR_UNSUPPORTED);
    built_free(&csr);
    spry_context_destroy(context);
}

/* A draft has the machine's own name and the prices that it was drafted from. */
Test(profile, draft_is_a_profile) {
    enum { SIZE = 65536 };
    char *text = test_malloc(SIZE);
    spry_context *context = test_context(2), *other = test_context(2);
    struct built csr = csr_of(context, "power law", SPRY_F32, SPRY_I32);
    load_prices(context);
    cr_assert_eq(spry_draft_profile(context, text, SIZE), SPRY_OK, "%s", spry_message(context));
    cr_expect_null(strstr(text, "a test"));
    put_file(path, text, strlen(text));
    cr_assert_eq(spry_load_profile(other, path), SPRY_OK, "%s", spry_message(other));
    struct ranking own = ranking_of(context, csr.matrix, NULL), drafted = ranking_of(other, csr.matrix, NULL);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        cr_expect_eq(own.choice[i].storage.format, drafted.choice[i].storage.format);
        /* Prices are written with six digits. */
        cr_expect_float_eq(own.choice[i].seconds, drafted.choice[i].seconds, 1e-5 * own.choice[i].seconds);
    }
    cr_expect_eq(spry_draft_profile(context, text, 10), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_draft_profile(NULL, text, SIZE), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_draft_profile(context, NULL, SIZE), SPRY_ERROR_ARGUMENT);
    built_free(&csr);
    spry_context_destroy(context);
    spry_context_destroy(other);
    free(text);
}

/* ---- the library's own profiles ---- */

enum { DRAFT_BYTES = 65536 };

static char *draft_of(spry_context *context) {
    char *text = test_malloc(DRAFT_BYTES);
    cr_assert_eq(spry_draft_profile(context, text, DRAFT_BYTES), SPRY_OK, "%s", spry_message(context));
    return text;
}

/* Nothing that changes from one moment to the next has a say in prices: threads of a program and ranks of a job choose
   alike. There is no profile for all of these numbers of threads, whatever the machine is. */
Test(profile, same_in_every_context) {
    for (int threads = 1; threads <= test_threads(4); threads++) {
        spry_context *one = test_context(threads), *other = test_context(threads);
        char *first = draft_of(one), *second = draft_of(other);
        cr_expect_str_eq(first, second);
        cr_expect_str_eq(spry_profile_machine(one), spry_profile_machine(other));
        free(first);
        free(second);
        spry_context_destroy(one);
        spry_context_destroy(other);
    }
}

/* Grants no request for more than so many bytes. */
static void *allocate_little(void *user, size_t alignment, size_t bytes) {
    size_t most = *(size_t *)user;
    return bytes <= most ? aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : NULL;
}

static void release_little(void *user, void *pointer, size_t bytes) {
    (void)user, (void)bytes;
    free(pointer);
}

Test(profile, needs_little_memory) {
    size_t most = (size_t)1 << 20;
    spry_allocator allocator = {allocate_little, release_little, &most};
    for (int threads = 1; threads <= test_threads(4); threads++) {
        spry_context_options options = test_options();
        options.threads = threads;
        options.allocator = &allocator;
        spry_context *context = test_context_with(&options);
        struct built csr = csr_of(context, "banded", SPRY_F64, SPRY_I32);
        spry_matrix *made;
        cr_expect_eq(spry_convert(context, csr.matrix, SPRY_AUTO, NULL, &made), SPRY_OK, "%d threads: %s",
                     threads, spry_message(context));
        spry_matrix_destroy(made);
        built_free(&csr);
        spry_context_destroy(context);
    }
}

/* ---- fitted to the number of threads ---- */

/* The price of bytes from memory in the context's draft, in nanoseconds. */
static double far_price(spry_context *context) {
    char *text = draft_of(context), *found = strstr(text, "\"far\": ");
    cr_assert(found, "%s", text);
    double price = atof(found + strlen("\"far\": "));
    free(text);
    return price;
}

/* A device is as it was measured; the CPU's profile says nothing of another number of threads than its own two. */
Test(profile, fitted_to_threads) {
    for (int threads = 1; threads <= test_threads(4); threads++) {
        char machine[80] = "a test";
        bool same = threads == 2 || test_backend() != SPRY_CPU;
        spry_context *context = test_context(threads);
        cr_assert_eq(load(context, "{'f64': {'csr': {'far': 3, 'near': 5}}}", "{}"), SPRY_OK);
        cr_expect_float_eq(far_price(context), same ? 3 : 3 * sqrt(2.0 / threads), 1e-4);
        if (!same)
            snprintf(machine, sizeof machine, "a test (2 threads fitted to %d)", threads);
        cr_expect_str_eq(spry_profile_machine(context), machine);
        spry_context_destroy(context);
    }
}

/* ---- files that are none ---- */

/* A context that predicts already, and what it predicts. */
struct witness {
    spry_context *context;
    struct built csr;
    struct ranking before;
};

/* With a profile of its own, or the library's. */
static struct witness witness_new(bool own) {
    struct witness witness = {.context = test_context(2)};
    witness.csr = csr_of(witness.context, "power law", SPRY_F64, SPRY_I32);
    if (own)
        load_prices(witness.context);
    witness.before = ranking_of(witness.context, witness.csr.matrix, NULL);
    return witness;
}

static void witness_free(struct witness *witness) {
    built_free(&witness->csr);
    spry_context_destroy(witness->context);
}

/* The file is refused, with these words, and predictions are what they were. */
static void expect_refused(const struct witness *witness, const char *name, spry_status expected,
                           const char *words) {
    cr_expect_eq(spry_load_profile(witness->context, name), expected, "\"%s\" expected: %s", words,
                 spry_message(witness->context));
    cr_expect(strstr(spry_message(witness->context), words), "\"%s\" expected: %s", words,
              spry_message(witness->context));
    struct ranking after = ranking_of(witness->context, witness->csr.matrix, NULL);
    for (int i = 0; i < SPRY_FORMAT_COUNT; i++) {
        cr_expect_eq(after.choice[i].storage.format, witness->before.choice[i].storage.format, "%s", words);
        cr_expect_eq(after.choice[i].seconds, witness->before.choice[i].seconds, "%s", words);
        cr_expect_eq(after.choice[i].convert_seconds, witness->before.choice[i].convert_seconds, "%s", words);
    }
}

static void expect_text_refused(const struct witness *witness, const void *text, size_t size,
                                const char *words) {
    put_file(path, text, size);
    expect_refused(witness, path, SPRY_ERROR_SYNTAX, words);
    cr_expect(strstr(spry_message(witness->context), path), "%s", spry_message(witness->context));
}

/* Two objects of a profile, one of which is wrong, and words of the message. */
struct faulty {
    const char *kernels, *conversions, *words;
};

static const struct faulty faults[] = {
    {"{'f64': {'csr': {'steps': 1, 'stepps': 1}}}", "{}", "stepps"},
    {"{'f64': {'csr': {'steps': -1e-300}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': '1'}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': null}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': true}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': [1]}}}", "{}", "steps"},
    {"{'f64': {'csr': {'steps': 1e999}}}", "{}", ".json:2:"},
    {"{'f64': {'csr': {'steps': NaN}}}", "{}", ".json:2:"},
    {"{'f64': {'csr': {'steps': 1, 'steps': 1}}}", "{}", "duplicate"},
    {"{'f64': {'csr': {}, 'csr': {}}}", "{}", "duplicate"},
    {"{'f64': {'': {'steps': 1}}}", "{}", "letters"},
    {"{'f64': {'csr_5678901234567890123456789012': {}}}", "{}", "letters"},
    {"{'f64': {'csr': 1}}", "{}", "csr"},
    {"{'f64': {'csr': []}}", "{}", "csr"},
    {"{'f64': 1}", "{}", "f64"},
    {"{'f16': {'csr': {}}}", "{}", "f16"},
    {"{'csr': {'steps': 1}}", "{}", "csr"},
    {"[]", "{}", "object"},
    {"null", "{}", "object"},
    {"{}", "[]", "object"},
    {"{}", "{'crs': {}}", "crs"},
    {"{}", "{'auto': {}}", "auto"},
    {"{}", "{'ell': {'entries': 1}}", "entries"},
    {"{}", "{'ell': {'rows': -1}}", "rows"},
    {"{}", "{'ell': 7}", "ell"},
    {"{}", "{}, 'colour': 1", "colour"},
    {"{}", "{}, 'kernels': {}", "duplicate"},
    {"{}", "{}}}", ".json:3:"},
    {"{}", "{", ".json:3:"},
};

Test(profile, faults_of_objects) {
    for (int own = 0; own < 2; own++) {
        struct witness witness = witness_new(own);
        for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
            struct text text = profile_with(faults[i].kernels, faults[i].conversions);
            expect_text_refused(&witness, text.chars, text.length, faults[i].words);
            free(text.chars);
        }
        witness_free(&witness);
    }
}

/* Whole texts, and words of the message. The backend of "%s" is the one under test. */
static const char *const whole[][2] = {
    {"", ":"},
    {"[]", "no profile"},
    {"7", ":"},
    {"{}", "no profile"},
    {"{'machine': 'm'", ":1:"},
    {"{'machine': 'm',\n 'backend' '%s'}", ".json:2:"},
    {"{'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}", "machine"},
    {"{'machine': 'm', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}", "backend"},
    {"{'machine': 'm', 'backend': '%s', 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}", "processors"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'kernels': {}, 'conversions': {}}", "memory_gbs"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'conversions': {}}", "kernels"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}}", "conversions"},
    {"{'machine': 7, 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}",
     "string"},
    {"{'machine': 'm', 'backend': 'abacus', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, 'conversions': "
     "{}}",
     "abacus"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 0, 'memory_gbs': 1, 'kernels': {}, 'conversions': {}}",
     "over 0"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2.5, 'memory_gbs': 1, 'kernels': {}, 'conversions': "
     "{}}",
     "integer"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 0, 'kernels': {}, 'conversions': {}}",
     "over 0"},
    {"{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': '1', 'kernels': {}, 'conversions': "
     "{}}",
     "real"},
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
Test(profile, faults_of_texts) {
    struct witness witness = witness_new(true);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        struct text text;
        text_open(&text);
        fprintf(text.stream, whole[i][0], spry_backend_name(test_backend()));
        text_close(&text);
        expect_text_refused(&witness, text.chars, text.length, whole[i][1]);
        free(text.chars);
    }
    witness_free(&witness);
}
#pragma GCC diagnostic pop

Test(profile, of_another_backend) {
    struct witness witness = witness_new(true);
    for (int backend = 0; backend < SPRY_BACKEND_COUNT; backend++) {
        const char *name = spry_backend_name((spry_backend)backend);
        struct text text;
        text_open(&text);
        fprintf(text.stream,
                "{'machine': 'm', 'backend': '%s', 'processors': 2, 'memory_gbs': 1, 'kernels': {}, "
                "'conversions': {}}",
                name);
        text_close(&text);
        if (backend != (int)test_backend())
            expect_text_refused(&witness, text.chars, text.length, name);
        free(text.chars);
    }
    witness_free(&witness);
}

/* As many kernels as there are places for, with names as long as may be, and one more. */
Test(profile, too_many_kernels) {
    enum { MOST = 64 };
    struct witness witness = witness_new(true);
    for (int count = MOST; count <= MOST + 1; count++) {
        struct text kernels;
        text_open(&kernels);
        for (int i = 0; i < count; i++)
            fprintf(kernels.stream, "%s'csr_5678901234567890123456789%02d': {'steps': %d}",
                    i == 0   ? "{'f32': {"
                    : i == 9 ? "}, 'f64': {"
                             : ",",
                    i, i);
        fputs("}}", kernels.stream);
        text_close(&kernels);
        struct text text = profile_with(kernels.chars, "{}");
        put_file(path, text.chars, text.length);
        if (count > MOST)
            expect_refused(&witness, path, SPRY_ERROR_SYNTAX, "at most 64");
        else
            cr_expect_eq(spry_load_profile(witness.context, path), SPRY_OK, "%s",
                         spry_message(witness.context));
        load_prices(witness.context);
        free(text.chars);
        free(kernels.chars);
    }
    witness_free(&witness);
}

Test(profile, large_and_strange_files) {
    enum { LARGE = 2 << 20, DEEP = 100000, JUNK = 5000 };
    struct witness witness = witness_new(true);
    char *bytes = test_malloc(LARGE);
    uint64_t seed = 31;
    memset(bytes, ' ', LARGE);
    expect_text_refused(&witness, bytes, LARGE, "too large");
    memset(bytes, '[', DEEP);
    expect_text_refused(&witness, bytes, DEEP, ":1:");
    for (int i = 0; i < JUNK; i++)
        bytes[i] = (char)test_random(&seed);
    expect_text_refused(&witness, bytes, JUNK, ":1:");
    memset(bytes, 0, JUNK);
    expect_text_refused(&witness, bytes, JUNK, ":1:");
    free(bytes);
    witness_free(&witness);
}

Test(profile, no_file) {
    struct witness witness = witness_new(true);
    unlink(path);
    expect_refused(&witness, path, SPRY_ERROR_IO, path);
    expect_refused(&witness, "", SPRY_ERROR_IO, "");
    expect_refused(&witness, folder, SPRY_ERROR_IO, folder);
    cr_expect_eq(spry_load_profile(NULL, path), SPRY_ERROR_ARGUMENT);
    witness_free(&witness);
}

/* ---- the standard file ---- */

static void expect_path(spry_context *context, const char *expected) {
    char standard[200];
    cr_expect_eq(spry_profile_path(context, standard, sizeof standard), SPRY_OK, "%s", spry_message(context));
    cr_expect_str_eq(standard, expected);
    cr_expect_eq(spry_profile_path(context, standard, strlen(expected)), SPRY_ERROR_IO);
    cr_expect_eq(spry_profile_path(context, standard, strlen(expected) + 1), SPRY_OK);
    cr_expect_str_eq(standard, expected);
}

/* What this machine is called in profiles. */
static void get_machine(spry_context *context, char *machine) {
    char *text = draft_of(context);
    cr_assert_eq(sscanf(text, "{ \"machine\": \"%127[^\"]", machine), 1, "%s", text);
    free(text);
}

/* The folder is $XDG_CONFIG_HOME, else .config in $HOME. */
static void check_standard_file(spry_context *context, const char *config) {
    char inner[150], standard[200], machine[128];
    get_machine(context, machine);
    struct text text = profile_of(machine, "{'f64': {'csr': {}}}", "{}");
    cr_assert(strcmp(config, folder) == 0 || mkdir(config, 0700) == 0);
    snprintf(inner, sizeof inner, "%s/spry", config);
    cr_assert_eq(mkdir(inner, 0700), 0);
    snprintf(standard, sizeof standard, "%s/%s.json", inner, spry_backend_name(test_backend()));
    expect_path(context, standard);
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_ERROR_IO);
    put_file(standard, text.chars, text.length);
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_OK, "%s", spry_message(context));
    cr_expect_str_eq(spry_profile_machine(context), machine);
    put_file(standard, "{", 1);
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_ERROR_SYNTAX);
    cr_expect(strstr(spry_message(context), standard), "%s", spry_message(context));
    free(text.chars);
    unlink(standard);
    rmdir(inner);
    cr_expect(strcmp(config, folder) == 0 || rmdir(config) == 0);
}

Test(profile, standard_file) {
    char config[120];
    spry_context *context = test_context(2);
    snprintf(config, sizeof config, "%s/.config", folder);
    setenv("HOME", "/nowhere", 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    check_standard_file(context, folder);
    setenv("HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", "", 1);
    check_standard_file(context, config);
    unsetenv("XDG_CONFIG_HOME");
    check_standard_file(context, config);
    unsetenv("HOME");
    cr_expect_eq(spry_load_profile(context, NULL), SPRY_ERROR_IO);
    cr_expect(strstr(spry_message(context), "HOME"), "%s", spry_message(context));
    spry_context_destroy(context);
}

/* In a home folder that machines share. The file is taken where it is asked for by name. */
Test(profile, standard_file_of_another_machine) {
    char inner[150], standard[200];
    struct witness witness = witness_new(true);
    struct text text = profile_with("{'f64': {'csr': {'start': 1}}}", "{}");
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(inner, sizeof inner, "%s/spry", folder);
    snprintf(standard, sizeof standard, "%s/%s.json", inner, spry_backend_name(test_backend()));
    cr_assert_eq(mkdir(inner, 0700), 0);
    put_file(standard, text.chars, text.length);
    expect_refused(&witness, NULL, SPRY_ERROR_UNSUPPORTED, "this machine is");
    cr_expect(strstr(spry_message(witness.context), "'a test'"), "%s", spry_message(witness.context));
    cr_expect_eq(spry_load_profile(witness.context, standard), SPRY_OK, "%s", spry_message(witness.context));
    free(text.chars);
    unlink(standard);
    rmdir(inner);
    witness_free(&witness);
}
