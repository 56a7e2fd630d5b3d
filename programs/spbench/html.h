/* SPDX-License-Identifier: BSD-3-Clause */
/* What is put into a page in HTML that is XML as well. */
#ifndef SPRY_SPBENCH_HTML_H
#define SPRY_SPBENCH_HTML_H

#include <stdio.h>

#include <jansson.h>

#include "common/number.h"

/* Any bytes, as text or as the value of an attribute in quotes. What is no UTF-8, cannot be shown, or would turn the
   direction of what follows becomes U+FFFD. */
void html_text(FILE *page, const char *text);
/* The first `most` characters of it, with an ellipsis for the rest. */
void html_text_cut(FILE *page, const char *text, int most);

/* A number as a person reads it, with all digits that JSON has for programs: <data value="…">…</data>; a dash where the
   value is no number. `shown` is a function of number.h. */
void html_figure(FILE *page, const json_t *value, struct number (*shown)(double value));
void html_real(FILE *page, double value, struct number (*shown)(double value));
/* Whole numbers, for `shown`. */
struct number html_whole(double value);

#endif
