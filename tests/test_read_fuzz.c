/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged text gives an error or a valid matrix, never a crash: every beginning of a few texts, every byte
   of them replaced, and random mixtures. Run it under the sanitizers. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"

static const char *const seeds[] = {
    "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 4\n1 1 1.5\n2 1 -2e-3\n\n3 2 inf\n3 3 "
    "0.1234567890123456789\n",
    "\xef\xbb\xbf%%MatrixMarket matrix coordinate complex hermitian\r\n2 2 2\r\n1 1 1 0\r\n2 1 1.5D+02 "
    "-3\r\n",
    "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n-2\n%\n18446744073709551616",
    "%%MatrixMarket matrix coordinate pattern general\n2 123456789 3\n1 1\n 2 12345\n2 12345678\n",
};
#define SEEDS (sizeof seeds / sizeof *seeds)

/* One thread is enough: it takes the text in as many pieces as several would, and waits for nobody. */

/* What a byte is replaced by: what the format gives a meaning, and what it does not. */
static const char others[] = {'0', '9', ' ', '\n', '\r', '%', '-', '.', 'e', 'n', '\0', '\x7f', '\xff'};

/* From a block of just this size, so that a sanitizer sees what is read beyond it. */
static void check(spry_context *context, const char *text, size_t size) {
    char *exact = test_malloc(size);
    memcpy(exact, text, size);
    spry_read_options options = {.size = sizeof options, .real_part = 1, .as_f32 = (int)(size & 1)};
    spry_matrix *matrix;
    spry_status status = spry_read_memory(context, "t", exact, size, &options, &matrix, NULL);
    free(exact);
    if (status == SPRY_OK)
        cr_expect_eq(spry_validate(context, matrix, 0), SPRY_OK, "%.*s", (int)size, text);
    else
        cr_expect(status == SPRY_ERROR_SYNTAX && !matrix, "%s", spry_message(context));
    spry_matrix_destroy(matrix);
}

Test(read_fuzz, every_beginning) {
    spry_context *context = test_context(1);
    for (size_t s = 0; s < SEEDS; s++)
        for (size_t size = 0; size <= strlen(seeds[s]); size++)
            check(context, seeds[s], size);
    spry_context_destroy(context);
}

Test(read_fuzz, every_byte) {
    spry_context *context = test_context(1);
    for (size_t s = 0; s < SEEDS; s++) {
        char text[300];
        size_t size = strlen(seeds[s]);
        memcpy(text, seeds[s], size);
        for (size_t i = 0; i < size; i++) {
            for (size_t o = 0; o < sizeof others; o++) {
                text[i] = others[o];
                check(context, text, size);
            }
            for (int bit = 0; bit < 8; bit++) {
                text[i] = (char)(seeds[s][i] ^ (1 << bit));
                check(context, text, size);
            }
            text[i] = seeds[s][i];
        }
    }
    spry_context_destroy(context);
}

/* How a text of which nothing may be read ends: the message, which is gone with the next one. */
static const char *message_of(spry_context *context, const char *text, size_t size) {
    static const spry_read_options options = {.size = sizeof options, .real_part = 1};
    spry_matrix *matrix;
    cr_expect_eq(spry_read_memory(context, "t", text, size, &options, &matrix, NULL), SPRY_ERROR_SYNTAX);
    return spry_message(context);
}

/* A zero byte is a fault wherever it stands, also where pieces are cut and in comments: the same with any number of
   threads, which cut in other places. */
Test(read_fuzz, zero_bytes) {
    enum { MOST = 4 };
    spry_context *contexts[MOST];
    for (int t = 0; t < MOST; t++)
        contexts[t] = test_context(t + 1);
    for (size_t s = 0; s < SEEDS; s++)
        for (size_t at = 0; at < strlen(seeds[s]); at++) {
            char text[300], expected[300];
            strcpy(text, seeds[s]);
            text[at] = '\0';
            snprintf(expected, sizeof expected, "%s", message_of(contexts[0], text, strlen(seeds[s])));
            for (int t = 1; t < MOST; t++)
                cr_expect_str_eq(message_of(contexts[t], text, strlen(seeds[s])), expected);
        }
    for (int t = 0; t < MOST; t++)
        spry_context_destroy(contexts[t]);
}

/* Behind a sound banner, pieces of all the texts in any order. */
Test(read_fuzz, mixtures) {
    spry_context *context = test_context(1);
    uint64_t state = 1;
    for (int round = 0; round < 5000; round++) {
        char text[600];
        const char *seed = seeds[test_below(&state, SEEDS)];
        size_t used = (size_t)(strchr(seed, '\n') - seed) + 1;
        memcpy(text, seed, used);
        for (int part = 0; part < 12; part++) {
            const char *from = seeds[test_below(&state, SEEDS)];
            from += test_below(&state, (int64_t)strlen(from));
            size_t length = strnlen(from, (size_t)test_below(&state, 40));
            memcpy(text + used, from, length);
            used += length;
        }
        check(context, text, used);
    }
    spry_context_destroy(context);
}
