/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "core/print.h"

#include <locale.h>
#include <stdio.h>

/* Only the calling thread's locale changes, and only here. Without memory for one, it stays. */
int spry_print_list(char *text, size_t size, const char *format, va_list arguments) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    const int length = vsnprintf(text, size, format, arguments);
    uselocale(before);
    if (plain)
        freelocale(plain);
    return length;
}

int spry_print(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = spry_print_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}
