/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrow columns among what is ranked: where rows should lie close enough together and vector registers read them as they are kept; and
   what is made where a sample was wrong. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/table.h"
#include "support/build.h"
#include "support/list.h"
#include "support/profiles.h"
#include "support/rankings.h"

/* ---- matrices ---- */

enum { ROWS = 100000, LENGTH = 8, ROOM = 65536 };

/* Rows of one length, whose columns lie `step` apart, around the diagonal, and never repeat a value. */
static struct list band(int64_t step) {
    struct list list = list_new(ROWS, ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        const int64_t most = ROWS - step * (LENGTH - 1) - 1, first = i < most ? i : most;
        for (int64_t k = 0; k < LENGTH; k++)
            list_add(&list, i, first + step * k, 1.0 / (double)(3 + i * LENGTH + k));
    }
    return list;
}

/* One row of it, in no window of a sample, reaches over all columns. */
static struct list band_but_for_one(void) {
    struct list list = band(1);
    const int64_t row = ROWS / 3;
    list.col[row * LENGTH] = 0;
    list.col[row * LENGTH + LENGTH - 1] = ROWS - 1;
    return list;
}

/* Rows that wrap around, as those of a periodic grid do, reach over all columns: the first ones here. */
static struct list ring(void) {
    struct list list = band(1);
    for (int64_t i = 0; i < LENGTH; i++)
        list.col[i * LENGTH + LENGTH - 1] = ROWS - 1 - i;
    return list;
}

static struct built csr_from(spry_context *context, struct list list) {
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    list_free(&list);
    return csr;
}

/* ---- prices ---- */

/* SELL is the fastest, and with narrow columns more so; beside it there is CSR alone. */
static void load_narrow(spry_context *context) {
    struct text kernels;
    text_open(&kernels);
    fputs("{'f64': {'csr': {'start': 1000}, 'sell': {'start': 100}", kernels.stream);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (info.backend == test_backend() && info.format == SPRY_SELL && info.op == SPRY_N && !info.many &&
            info.type == SPRY_F64 && info.index == SPRY_I32 && info.columns == SPRY_COLUMNS_NARROW)
            fprintf(kernels.stream, ", '%s': {'start': 10}", info.name);
    }
    fputs("}}", kernels.stream);
    text_close(&kernels);
    cr_assert_eq(load_profile(context, kernels.chars, "{}"), SPRY_OK, "%s", spry_message(context));
    free(kernels.chars);
}

/* ---- what is ranked ---- */

/* Whether there is a kernel that reads narrow columns as they are kept: on a CPU with vector registers. */
static bool reads_narrow(const spry_context *context) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (kernel->reads_columns && kernel->format == SPRY_SELL && !kernel->many &&
            spry_kernel_runs(context, kernel))
            return true;
    }
    return false;
}

/* Storages with narrow columns, which must be of SELL, take fewer bytes than without, and have as many slots. */
static int narrow_ranked(const struct ranking *ranking) {
    int count = 0;
    for (int i = 0; i < ranking->count; i++) {
        const spry_choice *choice = &ranking->choice[i];
        if (choice->storage.columns == SPRY_COLUMNS_PLAIN)
            continue;
        spry_choice plain = *choice;
        plain.storage.columns = SPRY_COLUMNS_PLAIN;
        const spry_choice *other = choice_like(ranking, &plain);
        cr_expect_eq(choice->format, SPRY_SELL);
        cr_expect_lt(choice->bytes, other->bytes);
        cr_expect_eq(choice->slots, other->slots);
        count++;
    }
    return count;
}

static int narrow_of(spry_context *context, struct list list, const spry_select_options *options) {
    struct built csr = csr_from(context, list);
    const struct ranking ranking = ranking_of(context, csr.matrix, options);
    const int count = narrow_ranked(&ranking);
    built_free(&csr);
    return count;
}

Test(select, ranks_narrow_columns_that_should_have_room) {
    const spry_select_options change = {.size = sizeof change, .values_change = 1},
                              old = {.size = offsetof(spry_select_options, values_change)};
    spry_context *context = test_context(2);
    const int ranked = reads_narrow(context);
    load_narrow(context);
    cr_expect_eq(narrow_of(context, band(1), NULL), ranked);
    cr_expect_eq(narrow_of(context, band((ROOM - 600) / (LENGTH - 1)), NULL), ranked);
    cr_expect_eq(narrow_of(context, band((ROOM + 600) / (LENGTH - 1)), NULL), 0,
                 "more than 16 bits tell apart");
    cr_expect_eq(narrow_of(context, ring(), NULL), 0, "rows that wrap around");
    cr_expect_eq(narrow_of(context, band(1), &change), ranked, "values that will change");
    cr_expect_eq(narrow_of(context, band(1), &old), 0, "options from before there were codes");
    spry_context_destroy(context);
}

/* Plain C decodes them first. */
Test(select, ranks_no_narrow_columns_that_are_decoded) {
    spry_context *context = test_context_without(2, "avx512,avx2,neon");
    load_narrow(context);
    cr_expect_not(reads_narrow(context));
    cr_expect_eq(narrow_of(context, band(1), NULL), 0);
    spry_context_destroy(context);
}

/* ---- what is made ---- */

static void expect_made(spry_context *context, struct list list, spry_column_code expected) {
    struct list same = list_copy(&list);
    struct built csr = csr_from(context, list);
    char before[256];
    spry_matrix *made;
    spry_storage storage;
    snprintf(before, sizeof before, "%s", spry_message(context));
    cr_assert_eq(spry_convert(context, csr.matrix, SPRY_AUTO, NULL, &made), SPRY_OK, "%s",
                 spry_message(context));
    spry_matrix_storage(made, &storage);
    cr_expect_eq(storage.format, SPRY_SELL, "%s", spry_format_name(storage.format));
    cr_expect_eq(storage.columns, expected, "%s, not %s", spry_column_code_name(storage.columns),
                 spry_column_code_name(expected));
    cr_expect_str_eq(spry_message(context), before);
    cr_expect_eq(spry_validate(context, made, SPRY_CHECK_SORTED), SPRY_OK, "%s", spry_message(context));
    cr_expect(equals_list(context, made, &same));
    spry_matrix_destroy(made);
    built_free(&csr);
    list_free(&same);
}

/* Where they turn out to have no room they are passed over without a word. */
Test(select, auto_passes_over_columns_that_have_no_room) {
    spry_context *context = test_context(2);
    const spry_column_code expected = reads_narrow(context) ? SPRY_COLUMNS_NARROW : SPRY_COLUMNS_PLAIN;
    load_narrow(context);
    cr_expect_eq(narrow_of(context, band_but_for_one(), NULL), reads_narrow(context), "the sample saw it");
    expect_made(context, band(1), expected);
    expect_made(context, band_but_for_one(), SPRY_COLUMNS_PLAIN);
    spry_context_destroy(context);
}

/* ---- in words ---- */

/* All over as many columns as a code tells apart. */
static struct list few_columns(void) {
    struct list list = list_new(ROWS, ROOM);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t k = 0; k < LENGTH; k++)
            list_add(&list, i, (i * 40503 + k * (ROOM / LENGTH)) % ROOM, 1.0 / (double)(3 + i * LENGTH + k));
    return list;
}

/* Slices of a device are higher, so that they are fewer, and where each begins takes less. */
static void expect_words(spry_context *context, struct list list, const char *why) {
    struct built csr = csr_from(context, list);
    char words[500], expected[200];
    snprintf(expected, sizeof expected, "; %s, 2 bytes each: %s;", why,
             test_backend() == SPRY_CPU ? "8.50 MB in place of 10.1 MB" : "8.43 MB in place of 10.0 MB");
    const struct ranking ranking = ranking_of(context, csr.matrix, NULL);
    spry_explain(ranking.handle, 0, words, sizeof words);
    if (reads_narrow(context))
        cr_expect(strstr(words, expected), "%s", words);
    else
        cr_expect_null(strstr(words, "2 bytes each"), "%s", words);
    built_free(&csr);
}

Test(select, says_what_narrow_columns_rest_on) {
    spry_context *context = test_context(2);
    load_narrow(context);
    expect_words(context, band(1), "columns of neighbouring rows should lie close together");
    expect_words(context, few_columns(), "there are few enough columns");
    spry_context_destroy(context);
}
