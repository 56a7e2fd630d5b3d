/* SPDX-License-Identifier: BSD-3-Clause */
/* How many entries a piece of text holds, so that each piece knows where its own go. */
#include "io/pieces.h"
#include "io/scan.h"

/* Bytes whose counts fit one byte each: small enough loops for the compiler to vectorize. */
#define STRIDE 128

/* Line ends; and what makes a line that may hold no entry: comment signs, and line ends behind a blank. */
struct census {
    int64_t lines, doubtful;
};

static void take_census(const char *p, size_t size, struct census *census) {
    unsigned char lines = 0, doubtful = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char is_end = p[i] == '\n';
        unsigned char follows_blank = (unsigned char)p[(ptrdiff_t)i - 1] <= ' ';
        lines = (unsigned char)(lines + is_end);
        doubtful = (unsigned char)(doubtful + ((is_end & follows_blank) | (p[i] == '%')));
    }
    census->lines += lines;
    census->doubtful += doubtful;
}

static int64_t count_one_by_one(const char *p, const char *end) {
    int64_t count = 0;
    while (p < end) {
        p = skip_blanks(p);
        if (*p == '%')
            p = skip_comment(p, end);
        if (p >= end)
            break;
        count += *p != '\n';
        p = skip_line(p, end) + 1;
    }
    return count;
}

int64_t spry_count_entries(const char *begin, const char *end) {
    struct census census = {0};
    const char *p = begin;
    for (; end - p >= STRIDE; p += STRIDE)
        take_census(p, STRIDE, &census);
    take_census(p, (size_t)(end - p), &census);
    bool plain = !census.doubtful && end[-1] == '\n';
    return plain ? census.lines : count_one_by_one(begin, end);
}
