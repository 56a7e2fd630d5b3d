/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of reading is refused once, in turn. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "support/refusals.h"

static spry_status read_text(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    static const char text[] = "%%MatrixMarket matrix coordinate real symmetric\n"
                               "3 3 4\n1 1 2.5\n2 1 -1\n3 2 1e3\n3 3 4\n";
    (void)inputs, (void)format;
    return spry_read_memory(context, "text", text, sizeof text - 1, NULL, result, NULL);
}

/* Files that are read, with a comment longer than any first look or block: as it is, and compressed. */
static char folder[] = "/tmp/spry_allocation_XXXXXX";
static char text_path[sizeof folder + 10], packed_path[sizeof folder + 10];

static void write_texts(void) {
    enum { COMMENT = 600000 };
    static char text[COMMENT + 200] = "%%MatrixMarket matrix coordinate real symmetric\n%";
    memset(text + strlen(text), '-', COMMENT);
    strcat(text, "\n3 3 4\n1 1 2.5\n2 1 -1\n3 2 1e3\n3 3 4\n");
    cr_assert(mkdtemp(folder));
    snprintf(text_path, sizeof text_path, "%s/a.mtx", folder);
    snprintf(packed_path, sizeof packed_path, "%s/a.mtx.gz", folder);
    FILE *file = fopen(text_path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    gzFile packed = gzopen(packed_path, "w");
    cr_assert(packed && gzputs(packed, text) >= 0 && gzclose(packed) == Z_OK);
}

static void remove_texts(void) {
    cr_expect(unlink(text_path) == 0 && unlink(packed_path) == 0 && rmdir(folder) == 0);
}

static spry_status read_file(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    (void)inputs, (void)format;
    return spry_read(context, text_path, NULL, result, NULL);
}

static spry_status read_packed(spry_context *context, const struct inputs *inputs, spry_format format,
                               spry_matrix **result) {
    (void)inputs, (void)format;
    return spry_read(context, packed_path, NULL, result, NULL);
}

static spry_status read_descriptor(spry_context *context, const struct inputs *inputs, spry_format format,
                                   spry_matrix **result) {
    (void)inputs, (void)format;
    int file = open(text_path, O_RDONLY);
    cr_assert_geq(file, 0);
    spry_status status = spry_read_descriptor(context, "a file", file, NULL, result, NULL);
    cr_expect_eq(close(file), 0);
    return status;
}

static spry_status read_pipe(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    static const char text[] = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n";
    int ends[2];
    (void)inputs, (void)format;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    spry_status status = spry_read_descriptor(context, "a pipe", ends[0], NULL, result, NULL);
    cr_expect_eq(close(ends[0]), 0);
    return status;
}

Test(allocation, read) {
    check_once("read", read_text, SPRY_COO);
    write_texts();
    check_once("read a file", read_file, SPRY_COO);
    check_once("read a compressed file", read_packed, SPRY_COO);
    check_once("read a descriptor", read_descriptor, SPRY_COO);
    check_once("read a pipe", read_pipe, SPRY_COO);
    remove_texts();
}
