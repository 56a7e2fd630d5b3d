/* SPDX-License-Identifier: BSD-3-Clause */
/* The library in a program that has adopted another locale: names are found, and numbers have a decimal point. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <spry/spry.h>

#define TEMPLATE "/tmp/spry-locale-XXXXXX"

static char folder[sizeof TEMPLATE];

/* Compiles a locale from what the C library brings along as text, which few systems have installed; false where it is not there. */
static bool adopt(const char *language) {
    char command[200], name[60];
    snprintf(name, sizeof name, "%s.UTF-8", language);
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1", language, folder,
             name);
    return system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, name);
}

static void make_folder(void) {
    strcpy(folder, TEMPLATE);
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

TestSuite(locale, .init = make_folder, .fini = remove_folder);

/* A small i is no capital I there. */
Test(locale, turkish) {
    if (!adopt("tr_TR"))
        cr_skip_test("no localedef, or no Turkish locale for it");
    cr_expect_eq(spry_format_by_name("DIA"), SPRY_DIA);
    cr_expect_eq(spry_precond_by_name("ILU0"), SPRY_ILU0);
    cr_expect_eq(spry_method_by_name("BICGSTAB"), SPRY_BICGSTAB);
    spry_storage storage;
    cr_expect_eq(spry_storage_parse("CSR+DICT8", &storage, NULL), SPRY_OK);
}

/* Numbers have a comma there. */
Test(locale, german) {
    if (!adopt("de_DE"))
        cr_skip_test("no localedef, or no German locale for it");
    char number[10];
    snprintf(number, sizeof number, "%.1f", 0.5);
    cr_assert_str_eq(number, "0,5");
    spry_context *context;
    cr_assert_eq(spry_context_create(&context, NULL), SPRY_OK);
    const spry_precond_options options = {.size = sizeof options, .kind = SPRY_SSOR, .omega = 2.5};
    const int32_t ptr[] = {0, 1}, idx[] = {0};
    const double val[] = {1};
    const spry_csr arrays = {.ptr = (void *)ptr, .idx = (void *)idx, .val = (void *)val};
    spry_matrix *matrix;
    spry_precond *precond;
    cr_assert_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 1, 1, &arrays, &matrix), SPRY_OK);
    cr_expect_eq(spry_precond_create(context, matrix, &options, &precond), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(context), "omega is 2.5"), "%s", spry_message(context));
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    snprintf(number, sizeof number, "%.1f", 0.5);
    cr_expect_str_eq(number, "0,5"); /* the caller's locale is as it was */
}
