/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles of machines that no machine has, so that what is predicted from them is known. */
#ifndef TEST_PROFILES_H
#define TEST_PROFILES_H

#include <stdio.h>

#include "backend.h"

/* Text that grows. */
struct text {
    char *chars;
    size_t length;
    FILE *stream;
};

void text_open(struct text *text);
/* Single quotes become double ones, as long as C has the text. */
void text_close(struct text *text);

/* A profile of a machine for the backend under test, with these two objects. */
struct text profile_of(const char *machine, const char *kernels, const char *conversions);
/* The same of a machine called "a test". */
struct text profile_with(const char *kernels, const char *conversions);
/* Predictions of the context go by it from now on; it is in test_path. */
spry_status load_profile(spry_context *context, const char *kernels, const char *conversions);

/* Nanoseconds, all different. */
double term_price(spry_value_type type, spry_format format, int term);
double conversion_price(spry_format format, int term);
/* A profile of these prices. */
void load_prices(spry_context *context);
/* Products and conversions that cost nothing but their start: so many nanoseconds for each format, and
   for any conversion. Where there are several processors, a product has one start. */
void load_starts(spry_context *context, const double *start, double conversion);
/* The same with one format far cheaper than all others. */
void load_favourite(spry_context *context, int favourite, double conversion);

/* What spry_draft_profile writes, to be freed. */
char *draft_of(spry_context *context);

#endif
