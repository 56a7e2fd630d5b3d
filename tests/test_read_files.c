/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain files, or no file at all. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/counting.h"
#include "support/files.h"

TestSuite(read_files, .init = make_folder, .fini = remove_folder);

Test(read_files, plain) {
    put_file(test_path, small_text, strlen(small_text));
    expect_read(test_path, small_text, SPRY_OK, NULL);
}

/* Files that end exactly where a page does have nothing behind them that belongs to them. */
Test(read_files, whole_pages) {
    enum { MOST = 1 << 17 };
    char *long_text = test_malloc(MOST);
    memset(long_text, ' ', MOST);
    memcpy(long_text, small_text, strlen(small_text));
    for (size_t size = 4096; size <= MOST; size *= 2) {
        put_file(test_path, long_text, size);
        expect_read(test_path, small_text, SPRY_OK, NULL);
        memcpy(long_text + size - 4, "9999", 4);
        put_file(test_path, long_text, size);
        char message[100];
        snprintf(message, sizeof message,
                 ":5:%zu: got \"9999\", expected the end of the file after 2 entries",
                 size - strlen(small_text) - 3);
        expect_read(test_path, NULL, SPRY_ERROR_SYNTAX, message);
        memset(long_text + size - 4, ' ', 4);
    }
    free(long_text);
}

/* A hole behind the text, or behind the banner, is neither looked through nor held in memory. */
Test(read_files, holes) {
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1";
    put_file(test_path, text, strcspn(text, "\n") + 1);
    cr_assert_eq(truncate(test_path, (off_t)1 << 36), 0);
    expect_read(test_path, NULL, SPRY_ERROR_SYNTAX,
                ":2:1: got a zero byte, expected the number of rows, an integer from 0 to 2^63 - 1");
    put_file(test_path, text, sizeof text - 1);
    cr_assert_eq(truncate(test_path, (off_t)1 << 36), 0);
    expect_read(test_path, NULL, SPRY_ERROR_SYNTAX, ":3:6: got a zero byte, expected the end of the line");
}

/* Comments of all lengths about that of what is read at a time, and many of them, in little memory. */
Test(read_files, long_headers) {
    enum { PIECE = 1 << 15, LINES = 3000 };
    static const char banner[] = "%%MatrixMarket matrix coordinate real general\n",
                      size_line[] = "3 4 1\n1 2 5\n";
    char *text = test_malloc(LINES * 1000 + 3 * PIECE);
    for (int shift = -70; shift < 10; shift++) {
        int length = sprintf(text, "%s%%", banner), end = PIECE + shift;
        memset(text + length, '%', (size_t)(end - length));
        length = end + sprintf(text + end, "\n \r\n%% and\n%s", size_line);
        put_file(test_path, text, (size_t)length);
        expect_read(test_path, text, SPRY_OK, NULL);
        memset(text + end, ' ', 3);
        put_file(test_path, text, (size_t)length);
        expect_read(test_path, text, SPRY_OK, NULL);
    }
    int length = sprintf(text, "%s", banner);
    for (int i = 0; i < LINES; i++)
        length += sprintf(text + length, "%%%*d\n", i % 1000, i);
    put_file(test_path, text, (size_t)(length + sprintf(text + length, "%s", size_line)));
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 1);
    spry_matrix *matrix;
    cr_expect_eq(spry_read(context, test_path, NULL, &matrix, NULL), SPRY_OK, "%s", spry_message(context));
    cr_expect_lt(counting.largest, 1 << 20);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
    sprintf(text + length, "3 x\n");
    put_file(test_path, text, strlen(text));
    expect_read(test_path, NULL, SPRY_ERROR_SYNTAX,
                ":3002:3: got \"x\", expected the number of columns, an integer from 0 to 2^63 - 1");
    free(text);
}

/* Lines longer than the pieces that a file is read in, in the header and behind it, give what they give in memory. */
Test(read_files, long_lines) {
    enum { LONG = 3 << 20 };
    static const char *const forms[] = {
        "%%%%MatrixMarket matrix coordinate real general\n%%%s\n3 4 2\n1 2 0.5\n3 4 -7\n",
        "%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 0.5\n%%%s\n%%\n3 4 -7\n",
        "%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 0.%s\n3 4 -7\n",
        "%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 0.5\n3 4 -7 x%s\n",
        "%%%%MatrixMarket matrix coordinate real general%s\n3 4 2\n1 2 0.5\n3 4 -7\n",
    };
    char *filler = test_malloc(LONG + 1), *whole = test_malloc(LONG + 200), in_memory[200];
    memset(filler, '5', LONG);
    filler[LONG] = '\0';
    spry_context *context = test_context(2);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        spry_matrix *matrix;
        size_t size = (size_t)sprintf(whole, forms[i], filler);
        spry_status status = spry_read_memory(context, test_path, whole, size, NULL, &matrix, NULL);
        snprintf(in_memory, sizeof in_memory, "%s", spry_message(context) + (status ? strlen(test_path) : 0));
        spry_matrix_destroy(matrix);
        put_file(test_path, whole, size);
        expect_read(test_path, whole, status, in_memory);
    }
    spry_context_destroy(context);
    free(filler);
    free(whole);
}

Test(read_files, no_file) {
    expect_read(test_path, NULL, SPRY_ERROR_IO, ": No such file or directory");
    expect_read("", NULL, SPRY_ERROR_IO, "'' is no name for a file");
    expect_read(test_folder, NULL, SPRY_ERROR_IO, ": Is a directory");
    put_file(test_path, "", 0);
    expect_read(test_path, NULL, SPRY_ERROR_SYNTAX,
                ":1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\"");
}

Test(read_files, unreadable) {
    const uid_t user = geteuid();
    put_file(test_path, small_text, strlen(small_text));
    cr_assert_eq(chmod(test_path, 0) + chmod(test_folder, 0755), 0);
    /* Root, who may read everything, becomes somebody else meanwhile. */
    if (user == 0 && seteuid(65534) != 0)
        cr_skip_test("root may read everything, and cannot be anybody else");
    expect_read(test_path, NULL, SPRY_ERROR_IO, ": Permission denied");
    cr_assert_eq(seteuid(user), 0);
}
