/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program has to say on standard error. */
#ifndef SPRY_COMMON_COMPLAIN_H
#define SPRY_COMMON_COMPLAIN_H

#include <stdarg.h>
#include <stdbool.h>

/* Print one line, "program: …" by the name that the program was called by, in the place of that of progress.h. Returns false, as what
   failed did. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool complain_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#endif
