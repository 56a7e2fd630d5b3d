/* SPDX-License-Identifier: BSD-3-Clause */
/* The library in a program that has adopted another locale: names are found, and numbers have a decimal point. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <spry/spry.h>

#include "support/locales.h"

/* A small i is no capital I there. */
Test(locale, turkish) {
    if (!adopt_locale("tr_TR"))
        cr_skip_test("no localedef, or no Turkish locale for it");
    cr_expect_eq(spry_format_by_name("DIA"), SPRY_DIA);
    cr_expect_eq(spry_precond_by_name("ILU0"), SPRY_ILU0);
    cr_expect_eq(spry_method_by_name("BICGSTAB"), SPRY_BICGSTAB);
    spry_storage storage;
    cr_expect_eq(spry_storage_parse("CSR+DICT8", &storage, NULL), SPRY_OK);
}

/* Numbers have a comma there. */
Test(locale, german) {
    if (!adopt_locale("de_DE"))
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
