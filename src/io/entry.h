/* SPDX-License-Identifier: BSD-3-Clause */
/* What coordinate and array lines have in common: values, line ends, and where entries go. */
#ifndef SPRY_IO_ENTRY_H
#define SPRY_IO_ENTRY_H

#include "core/integers.h"
#include "io/pieces.h"
#include "io/decimal.h"
#include "io/scan.h"

static inline void store_position(const spry_matrix *matrix, int64_t k, int64_t row, int64_t col) {
    size_t size = matrix->index == SPRY_I64 ? sizeof(int64_t) : sizeof(int32_t);
    store_integer(matrix->coo.row, size, k, row);
    store_integer(matrix->coo.col, size, k, col);
}

static inline void store_value(const spry_matrix *matrix, int64_t k, const char *token, double value) {
    if (matrix->type == SPRY_F64)
        ((double *)matrix->coo.val)[k] = value;
    else
        ((float *)matrix->coo.val)[k] = spry_narrow(token, value);
}

/* To the first character of the next line that holds an entry, or to the zero behind the text. */
static inline const char *next_entry(const char *p, const char *end) {
    for (;;) {
        p = skip_blanks(p);
        if (*p == '%')
            p = skip_comment(p, end);
        if (*p != '\n')
            return p;
        p++;
    }
}

/* A number as the field has it, with a token's end behind it; null when there is none. */
static inline const char *parse_number(const char *token, spry_field field, double *value) {
    const char *end = field == SPRY_INTEGER ? spry_scan_integer(token, value) : spry_scan_real(token, value);
    return end && ends_token(*end) ? end : NULL;
}

/* The value of entry k, of complex ones the real part. Returns what stands behind it, null after a fault. */
static inline const char *parse_value(const struct body *body, const char *token, int64_t k,
                                      struct fault *fault) {
    spry_field field = body->header->info.field;
    double value, imaginary;
    const char *end = parse_number(token, field, &value);
    if (!end) {
        spry_fault(fault, token, field == SPRY_INTEGER ? "an integer" : "a real number");
        return NULL;
    }
    store_value(body->matrix, k, token, value);
    if (field != SPRY_COMPLEX)
        return end;
    token = skip_blanks(end);
    end = parse_number(token, field, &imaginary);
    if (!end)
        spry_fault(fault, token, "an imaginary part");
    return end;
}

/* A pattern has no values; where a file gives numbers all the same, they are passed over. */
static inline const char *skip_value(const struct body *body, const char *token, int64_t k) {
    double ignored;
    store_value(body->matrix, k, "1", 1.0);
    const char *end = *token == '\n' ? NULL : parse_number(token, SPRY_REAL, &ignored);
    return end ? end : token;
}

/* Over the end of a line; null after a fault. */
static inline const char *parse_line_end(const char *p, const char *end, struct fault *fault) {
    p = skip_blanks(p);
    if (*p == '\n')
        return p + 1;
    if (p == end)
        return p;
    spry_fault(fault, p, "the end of the line");
    return NULL;
}

#endif
