/* SPDX-License-Identifier: BSD-3-Clause */
/* Storages as text, and those that are none. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/backend.h"
#include "support/build.h"
#include "support/scenarios.h"

static void expect_text(const spry_storage *storage, const char *expected) {
    char text[SPRY_STORAGE_TEXT];
    spry_storage_text(storage, text, sizeof text);
    cr_expect_str_eq(text, expected);
}

Test(storage, storages_as_text) {
    static const struct {
        const char *text;
        spry_storage storage;
        const char *written;
    } cases[] = {
        {"sell", {.format = SPRY_SELL}, "sell"},
        {"SELL:8", {.format = SPRY_SELL, .parameter = {8}}, "sell:8"},
        {"sell:8:256", {.format = SPRY_SELL, .parameter = {8, 256}}, "sell:8:256"},
        {"sell:32:1024+f32",
         {.format = SPRY_SELL, .values = SPRY_VALUES_F32, .parameter = {32, 1024}},
         "sell:32:1024+f32"},
        {"sell:0:1", {.format = SPRY_SELL, .parameter = {0, 1}}, "sell:0:1"},
        {"sell:8:0", {.format = SPRY_SELL, .parameter = {8}}, "sell:8"},
        {"sell:1:9223372036854775807",
         {.format = SPRY_SELL, .parameter = {1, INT64_MAX}},
         "sell:1:9223372036854775807"},
        {"csr", {.format = SPRY_CSR}, "csr"},
        {"csr+f32", {.format = SPRY_CSR, .values = SPRY_VALUES_F32}, "csr+f32"},
        {"csr+plain", {.format = SPRY_CSR}, "csr"},
        {"csc+constant", {.format = SPRY_CSC, .values = SPRY_VALUES_CONSTANT}, "csc+constant"},
        {"SELL:8+Dict8",
         {.format = SPRY_SELL, .values = SPRY_VALUES_DICT8, .parameter = {8}},
         "sell:8+dict8"},
        {"csr+dict16", {.format = SPRY_CSR, .values = SPRY_VALUES_DICT16}, "csr+dict16"},
        {"csr+narrow", {.format = SPRY_CSR, .columns = SPRY_COLUMNS_NARROW}, "csr+narrow"},
        {"sell:32:1+dict8+Narrow",
         {.format = SPRY_SELL,
          .values = SPRY_VALUES_DICT8,
          .parameter = {32, 1},
          .columns = SPRY_COLUMNS_NARROW},
         "sell:32:1+narrow+dict8"},
        {"csr+narrow+plain", {.format = SPRY_CSR, .columns = SPRY_COLUMNS_NARROW}, "csr+narrow"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spry_storage read;
        const char *end = NULL;
        cr_expect_eq(spry_storage_parse(cases[i].text, &read, &end), SPRY_OK, "%s", cases[i].text);
        cr_expect_eq(*end, 0, "%s", cases[i].text);
        cr_expect_eq(memcmp(&read, &cases[i].storage, sizeof read), 0, "%s", cases[i].text);
        expect_text(&read, cases[i].written);
    }
}

/* Where reading ended is said, and the storage is as it was. */
Test(storage, text_that_is_no_storage) {
    static const struct {
        const char *text;
        int end;
    } cases[] = {{"", 0},
                 {"sel", 0},
                 {"sells", 0},
                 {"auto", 0},
                 {"sell:", 4},
                 {"sell:x", 4},
                 {"sell:8:", 6},
                 {"sell:-8", 4},
                 {"sell:8:9:1", 8},
                 {"csr:4", 3},
                 {"csr+f16", 3},
                 {"csr+dict", 3},
                 {"csr+", 3},
                 {"csr ", 3},
                 {"csr,ell", 3},
                 {"sell:1:9223372036854775808", 6},
                 {"csr+narrow+narrow", 10},
                 {"csr+narrow+f32+dict8", 14},
                 {"csr+f32+plain", 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spry_storage read = {.format = SPRY_JDS};
        const char *end = NULL;
        cr_expect_eq(spry_storage_parse(cases[i].text, &read, &end), SPRY_ERROR_SYNTAX, "%s", cases[i].text);
        cr_expect_eq(end - cases[i].text, cases[i].end, "%s", cases[i].text);
        cr_expect_eq(read.format, SPRY_JDS, "%s", cases[i].text);
    }
    spry_storage storage;
    cr_expect_eq(spry_storage_parse(NULL, &storage, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_storage_parse("csr", NULL, NULL), SPRY_ERROR_ARGUMENT);
    expect_text(NULL, "?");
    expect_text(&(spry_storage){.format = SPRY_FORMAT_COUNT}, "?");
    expect_text(&(spry_storage){.format = SPRY_SELL, .parameter = {-1, 4}}, "sell:-1:4");
}

Test(storage, text_that_does_not_fit) {
    char text[] = "........";
    spry_storage_text(&(spry_storage){.format = SPRY_SELL, .parameter = {32, 1024}}, text, 7);
    cr_expect_str_eq(text, "sell:3");
    cr_expect_eq(text[7], '.');
    spry_storage_text(&(spry_storage){.format = SPRY_SELL}, text, 0);
    cr_expect_eq(text[0], 's');
}

/* What the library does not know is refused by name, and no matrix is made. */
Test(storage, what_is_unknown_is_refused) {
    static const struct {
        spry_storage storage;
        const char *message;
    } cases[] = {
        {{.format = SPRY_FORMAT_COUNT}, "invalid format"},
        {{.format = SPRY_CSR, .columns = (spry_column_code)99}, "invalid column code 99"},
        {{.format = SPRY_CSR, .values = (spry_value_code)99}, "invalid value code 99"},
        {{.format = SPRY_CSR, .parameter = {4}}, "invalid storage csr: it has a parameter"},
        {{.format = SPRY_CSR, .reserved = {1}}, "invalid storage csr: made for a newer library"},
        {{.format = SPRY_CSR, .reserved_code = 1}, "invalid storage csr: made for a newer library"},
    };
    spry_context *context = test_context(1);
    struct list list = test_scenario("one entry")->make();
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spry_matrix *made = csr.matrix;
        cr_expect_eq(spry_convert_to(context, csr.matrix, &cases[i].storage, NULL, &made),
                     SPRY_ERROR_ARGUMENT);
        cr_expect_null(made);
        cr_expect_eq(strncmp(spry_message(context), cases[i].message, strlen(cases[i].message)), 0, "%s",
                     spry_message(context));
    }
    spry_matrix *made = csr.matrix;
    cr_expect_eq(spry_convert_to(context, csr.matrix, NULL, NULL, &made), SPRY_ERROR_ARGUMENT);
    cr_expect_null(made);
    cr_expect_str_eq(spry_message(context), "spry_convert_to: the storage is null");
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}
