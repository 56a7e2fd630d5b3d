/* SPDX-License-Identifier: BSD-3-Clause */
/* Text for people: as by snprintf and vsnprintf, but with a decimal point whatever the caller's locale. */
#ifndef SPRY_PRINT_H
#define SPRY_PRINT_H

#include <stdarg.h>
#include <stddef.h>

int spry_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int spry_print_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
