/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEST_LOCALES_H
#define TEST_LOCALES_H

#include <stdbool.h>

/* Has the process adopt the locale of a language, such as "de_DE". It is compiled from what the C library brings along as text,
   which few systems have installed; false where it is not there. */
bool adopt_locale(const char *language);

#endif
