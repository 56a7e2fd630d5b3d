/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "build.h"
#include "files.h"

const char small_text[80] = "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 0.5\n3 4 -7\n";

void *get_file(size_t *size) {
    FILE *file = fopen(test_path, "rb");
    cr_assert(file);
    char *bytes = test_malloc(1 << 22);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

void put_gzip(const char *bytes, size_t size) {
    gzFile file = gzopen(test_path, "wb");
    cr_assert(file);
    cr_assert_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    cr_assert_eq(gzclose(file), Z_OK);
}

void expect_matrix(const spry_matrix *matrix, const char *text) {
    spry_context *context = test_context(1);
    spry_matrix *in_memory;
    cr_assert_eq(spry_read_memory(context, "text", text, strlen(text), NULL, &in_memory, NULL), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect(same_entries(matrix, in_memory), "another matrix than that of the text");
    spry_matrix_destroy(in_memory);
    spry_context_destroy(context);
}

void expect_read(const char *name, const char *text, spry_status expected, const char *message_end) {
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    spry_status status = spry_read(context, name, NULL, &matrix, NULL);
    const char *message = spry_message(context);
    cr_expect_eq(status, expected, "%s: %s", name, message);
    if (status == SPRY_OK)
        expect_matrix(matrix, text);
    else
        cr_expect(strncmp(message, name, strlen(name)) == 0 &&
                      strcmp(message + strlen(name), message_end) == 0,
                  "got the message: %s", message);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}
