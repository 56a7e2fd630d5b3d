/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"
#include "list.h"
#include "profiles.h"

void text_open(struct text *text) {
    *text = (struct text){0};
    text->stream = open_memstream(&text->chars, &text->length);
    cr_assert(text->stream);
}

void text_close(struct text *text) {
    cr_assert_eq(fclose(text->stream), 0);
    for (char *c = text->chars; *c; c++)
        *c = *c == '\'' ? '"' : *c;
}

struct text profile_of(const char *machine, const char *kernels, const char *conversions) {
    struct text text;
    text_open(&text);
    fprintf(text.stream,
            "{'machine': '%s', 'backend': '%s', 'processors': 2, 'memory_gbs': 10,\n"
            " 'kernels': %s,\n 'conversions': %s}",
            machine, spry_backend_name(test_backend()), kernels, conversions);
    text_close(&text);
    return text;
}

struct text profile_with(const char *kernels, const char *conversions) {
    return profile_of("a test", kernels, conversions);
}

spry_status load_profile(spry_context *context, const char *kernels, const char *conversions) {
    struct text text = profile_with(kernels, conversions);
    put_file(test_path, text.chars, text.length);
    free(text.chars);
    return spry_load_profile(context, test_path);
}

double term_price(spry_value_type type, spry_format format, int term) {
    return 0.5 + (double)type + 2.0 * (double)format + 0.0625 * term;
}

double conversion_price(spry_format format, int term) {
    return 3 + (double)format + 0.5 * term;
}

static const char *const conversion_terms[] = {"start", "bytes", "rows", "encoding"};
enum { CONVERSION_TERMS = sizeof conversion_terms / sizeof conversion_terms[0] };

static void write_kernels(FILE *stream) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        fprintf(stream, "%s'%s': {", type ? "," : "{", spry_type_name((spry_value_type)type));
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            fprintf(stream, "%s'%s': {", format ? "," : "", spry_format_name((spry_format)format));
            for (int i = 0; spry_term_name(i); i++)
                fprintf(stream, "%s'%s': %.17g", i ? "," : "", spry_term_name(i),
                        term_price((spry_value_type)type, (spry_format)format, i));
            fputs("}", stream);
        }
        fputs("}", stream);
    }
    fputs("}", stream);
}

static void write_conversions(FILE *stream) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        fprintf(stream, "%s'%s': {", format ? "," : "{", spry_format_name((spry_format)format));
        for (int i = 0; i < CONVERSION_TERMS; i++)
            fprintf(stream, "%s'%s': %.17g", i ? "," : "", conversion_terms[i],
                    conversion_price((spry_format)format, i));
        fputs("}", stream);
    }
    fputs("}", stream);
}

void load_prices(spry_context *context) {
    struct text kernels, conversions;
    text_open(&kernels);
    write_kernels(kernels.stream);
    text_close(&kernels);
    text_open(&conversions);
    write_conversions(conversions.stream);
    text_close(&conversions);
    cr_assert_eq(load_profile(context, kernels.chars, conversions.chars), SPRY_OK, "%s",
                 spry_message(context));
    free(kernels.chars);
    free(conversions.chars);
}

void load_starts(spry_context *context, const double *start, double conversion) {
    struct text kernels, conversions;
    text_open(&kernels);
    text_open(&conversions);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        fprintf(kernels.stream, "%s'%s': {", type ? "}," : "{", spry_type_name((spry_value_type)type));
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
            fprintf(kernels.stream, "%s'%s': {'start': %.17g}", format ? "," : "",
                    spry_format_name((spry_format)format), start[format]);
    }
    fputs("}}", kernels.stream);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        fprintf(conversions.stream, "%s'%s': {'start': %.17g}", format ? "," : "{",
                spry_format_name((spry_format)format), conversion);
    fputs("}", conversions.stream);
    text_close(&kernels);
    text_close(&conversions);
    cr_assert_eq(load_profile(context, kernels.chars, conversions.chars), SPRY_OK, "%s",
                 spry_message(context));
    free(kernels.chars);
    free(conversions.chars);
}

void load_favourite(spry_context *context, int favourite, double conversion) {
    double start[SPRY_FORMAT_COUNT];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        start[format] = format == favourite ? 1 : 1000;
    load_starts(context, start, conversion);
}

enum { DRAFT_BYTES = 65536 };

char *draft_of(spry_context *context) {
    char *text = test_malloc(DRAFT_BYTES);
    cr_assert_eq(spry_draft_profile(context, text, DRAFT_BYTES), SPRY_OK, "%s", spry_message(context));
    return text;
}
