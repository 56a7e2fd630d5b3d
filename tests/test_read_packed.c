/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are compressed, archives, and what is wrong with them. */
#define _GNU_SOURCE
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/counting.h"
#include "support/files.h"

/* An archive whose members are named in `names`, up to a null; each holds as many columns as its place. */
static void put_archive(bool compressed, const char *const *names) {
    struct archive *archive = archive_write_new();
    if (compressed)
        archive_write_add_filter_gzip(archive);
    archive_write_set_format_ustar(archive);
    cr_assert_eq(archive_write_open_filename(archive, test_path), ARCHIVE_OK);
    for (int i = 0; names[i]; i++) {
        char member[100];
        int size =
            snprintf(member, sizeof member, "%%%%MatrixMarket matrix array real general\n1 %d\n", i + 1);
        for (int col = 0; col <= i; col++)
            size += snprintf(member + size, sizeof member - (size_t)size, "%d\n", col);
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, names[i]);
        archive_entry_set_size(entry, size);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK);
        cr_assert_eq(archive_write_data(archive, member, (size_t)size), size);
        archive_entry_free(entry);
    }
    archive_write_free(archive);
}

Test(read_files, gzip) {
    put_gzip(small_text, strlen(small_text));
    expect_read(test_path, small_text, SPRY_OK, NULL);
    put_gzip("", 0);
    expect_read(test_path, NULL, SPRY_ERROR_SYNTAX,
                ":1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\"");
}

/* Files that were put one behind the other are one text. */
Test(read_files, gzip_members) {
    size_t middle = strlen(small_text) / 2;
    put_gzip(small_text, middle);
    gzFile file = gzopen(test_path, "ab");
    cr_assert(file);
    cr_assert_eq(gzputs(file, small_text + middle), (int)(strlen(small_text) - middle));
    cr_assert_eq(gzclose(file), Z_OK);
    expect_read(test_path, small_text, SPRY_OK, NULL);
}

Test(read_files, archive) {
    static const char second_member[] = "%%MatrixMarket matrix array real general\n1 2\n0\n1\n";
    static const char *const names[] = {"A/A_b.mtx", "A/A.mtx", "A/A_coord.mtx", NULL};
    static const char *const nested[] = {"README", "./some/test_folder/B/B.mtx", NULL};
    static const char *const wrong[] = {"A/A_b.mtx", "A/B.mtx", "A.mtx", "A/A.mtx.txt", "A/AA.mtx", NULL};
    for (int compressed = 0; compressed < 2; compressed++) {
        put_archive(compressed, names);
        expect_read(test_path, second_member, SPRY_OK, NULL);
        put_archive(compressed, nested);
        expect_read(test_path, second_member, SPRY_OK, NULL);
        put_archive(compressed, wrong);
        expect_read(test_path, NULL, SPRY_ERROR_IO, ": the archive holds no Name/Name.mtx");
    }
}

/* Messages name the member too. */
Test(read_files, fault_in_archive) {
    static const char *const names[] = {"A/A.mtx", NULL};
    put_archive(false, names);
    size_t size;
    char *bytes = get_file(&size);
    char *banner = memmem(bytes, size, "array", 5);
    memcpy(banner, "arrow", 5);
    put_file(test_path, bytes, size);
    free(bytes);
    expect_read(test_path, NULL, SPRY_ERROR_SYNTAX,
                ":A/A.mtx:1:23: got \"arrow\", expected \"coordinate\" or \"array\"");
}

/* Whatever is cut off the end of compressed data, or changed in it, is noticed. */
Test(read_files, broken_gzip) {
    put_gzip(small_text, strlen(small_text));
    size_t size;
    unsigned char *bytes = get_file(&size);
    for (size_t cut = 3; cut < size; cut++) {
        put_file(test_path, bytes, cut);
        expect_read(test_path, NULL, SPRY_ERROR_IO, ": the compressed data end too early");
    }
    spry_context *context = test_context(1);
    for (size_t i = 10; i < size; i++) {
        spry_matrix *matrix;
        bytes[i] ^= 4;
        put_file(test_path, bytes, size);
        cr_expect_eq(spry_read(context, test_path, NULL, &matrix, NULL), SPRY_ERROR_IO, "byte %zu", i);
        bytes[i] ^= 4;
    }
    spry_context_destroy(context);
    free(bytes);
}

/* Data that would fill the memory once unpacked, but are no matrix, are not unpacked. */
Test(read_files, bomb) {
    char *block = test_malloc(1 << 20);
    memset(block, 'x', 1 << 20);
    gzFile file = gzopen(test_path, "wb");
    for (int i = 0; i < 64; i++)
        gzwrite(file, block, 1 << 20);
    gzclose(file);
    free(block);
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 1);
    spry_matrix *matrix;
    cr_expect_eq(spry_read(context, test_path, NULL, &matrix, NULL), SPRY_ERROR_SYNTAX);
    cr_expect_lt(counting.largest, 1 << 20);
    spry_context_destroy(context);
}

/* A matrix that unpacks to much more than it has bytes is refused, unless the caller allows for it. */
Test(read_files, unpack_limit) {
    enum { SIDE = 1000, LIMIT = 2000000 };
    char *zeros = test_malloc(2 * SIDE * SIDE + 100);
    int size = sprintf(zeros, "%%%%MatrixMarket matrix array real general\n%d %d\n", SIDE, SIDE);
    for (int k = 0; k < SIDE * SIDE; k++, size += 2)
        memcpy(zeros + size, "0\n", 2);
    zeros[size] = '\0';
    put_gzip(zeros, (size_t)size);
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    char message[200];
    expect_read(test_path, zeros, SPRY_OK, NULL); /* few enough bytes for everybody */
    free(zeros);
    snprintf(message, sizeof message,
             "%s: it unpacks to more than %d bytes, which unpack_limit in the options sets", test_path,
             LIMIT);
    cr_expect_eq(spry_read(context, test_path,
                           &(spry_read_options){.size = sizeof(spry_read_options), .unpack_limit = LIMIT},
                           &matrix, NULL),
                 SPRY_ERROR_TOO_LARGE);
    cr_expect_str_eq(spry_message(context), message);
    cr_expect_eq(
        spry_read(context, test_path,
                  &(spry_read_options){.size = sizeof(spry_read_options), .unpack_limit = LIMIT + 100},
                  &matrix, NULL),
        SPRY_OK, "%s", spry_message(context));
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* Without the caller's limit: memory for no more than it. */
Test(read_files, unpack_without_limit) {
    enum { MEGABYTES = 300 };
    char *line_ends = test_malloc(1 << 20);
    memset(line_ends, '\n', 1 << 20);
    gzFile file = gzopen(test_path, "wb1");
    gzputs(file, small_text);
    for (int i = 0; i < MEGABYTES; i++)
        cr_assert_eq(gzwrite(file, line_ends, 1 << 20), 1 << 20);
    gzclose(file);
    free(line_ends);
    expect_read(test_path, NULL, SPRY_ERROR_TOO_LARGE,
                ": it unpacks to more than 256 MiB and than 100 times its size; unpack_limit in the options "
                "allows for more");
}

/* The sum of a tar's header, in it. */
static void put_sum(char block[512]) {
    unsigned sum = 0;
    memset(block + 148, ' ', 8);
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    snprintf(block + 148, 8, "%06o", sum);
    block[155] = ' ';
}

static void put_header(char block[512], const char *name, char kind, unsigned long long size) {
    char octal[24];
    memset(block, 0, 512);
    snprintf(block, 100, "%s", name);
    memcpy(block + 100, "0000644\0000000000\0000000000", 24);
    snprintf(octal, sizeof octal, "%011llo", size);
    memcpy(block + 124, octal, 11);
    memcpy(block + 136, "00000000000", 11);
    block[156] = kind;
    memcpy(block + 257, "ustar  ", 8);
    put_sum(block);
}

/* A member of one block of text that says it has 2^50 bytes, the rest being a hole (GNU's old form). */
Test(read_files, sparse_member) {
    char tar[4 * 512] = {0};
    for (int before = 0; before < 2; before++) {
        put_header(tar, "A/A.mtx", 'S', 512);
        snprintf(tar + 386, 12, "%011llo", before ? 1ull << 30 : 0ull);
        snprintf(tar + 398, 12, "%011o", 512);
        memcpy(tar + 483, "\x80\0\0\0\0\x04\0\0\0\0\0\0", 12);
        put_sum(tar);
        memset(tar + 512, '\n', 512);
        memcpy(tar + 512, small_text, strlen(small_text));
        put_file(test_path, tar, sizeof tar);
        expect_read(test_path, NULL, SPRY_ERROR_UNSUPPORTED,
                    ":A/A.mtx: a sparse file in an archive is not read");
    }
}

enum { MEMBER = 2000 * 1000 / 512 * 512, LONG_ARCHIVE = 5 * 512 + MEMBER };

/* A matrix in an archive, and behind it more than is unpacked at once. */
static void put_long_archive(const char *mode) {
    char *tar = test_malloc(LONG_ARCHIVE);
    memset(tar, 0, LONG_ARCHIVE);
    put_header(tar, "A/A.mtx", '0', strlen(small_text));
    memcpy(tar + 512, small_text, strlen(small_text));
    put_header(tar + 2 * 512, "A/A_b.mtx", '0', MEMBER);
    memset(tar + 3 * 512, '\n', MEMBER);
    gzFile file = gzopen(test_path, mode);
    cr_assert(file);
    cr_assert_eq(gzwrite(file, tar, LONG_ARCHIVE), LONG_ARCHIVE);
    cr_assert_eq(gzclose(file), Z_OK);
    free(tar);
}

/* What follows the matrix in an archive counts: its sum, which tells of a changed digit, is behind that. */
Test(read_files, broken_archive) {
    put_long_archive("wb0"); /* as it is, but for the sum */
    expect_read(test_path, small_text, SPRY_OK, NULL);
    size_t size;
    char *bytes = get_file(&size);
    for (int half = 0; half < 2; half++) {
        put_file(test_path, bytes, half ? size / 2 : size - 1);
        expect_read(test_path, NULL, SPRY_ERROR_IO, ":A/A.mtx: the compressed data end too early");
    }
    char *value = memmem(bytes, size, "-7\n", 3);
    cr_assert(value);
    value[1] = '8';
    put_file(test_path, bytes, size);
    expect_read(test_path, NULL, SPRY_ERROR_IO, ":A/A.mtx: incorrect data check");
    free(bytes);
}

/* And its size. */
Test(read_files, unpack_limit_of_archive) {
    put_long_archive("wb");
    spry_context *context = test_context(1);
    for (int more = -1; more <= 0; more++) {
        spry_matrix *matrix;
        spry_read_options options = {.size = sizeof options, .unpack_limit = (uint64_t)(LONG_ARCHIVE + more)};
        cr_expect_eq(spry_read(context, test_path, &options, &matrix, NULL),
                     more ? SPRY_ERROR_TOO_LARGE : SPRY_OK, "%s", spry_message(context));
        spry_matrix_destroy(matrix);
    }
    spry_context_destroy(context);
}

/* Sizes that are not there, and links, which have no data. */
Test(read_files, hostile_archives) {
    char tar[4 * 512] = {0};
    put_header(tar, "A/A.mtx", '0', 077777777777);
    memcpy(tar + 512, small_text, strlen(small_text));
    put_file(test_path, tar, sizeof tar);
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    cr_expect_eq(spry_read(context, test_path, NULL, &matrix, NULL), SPRY_ERROR_IO, "%s",
                 spry_message(context));
    spry_context_destroy(context);
    memset(tar + 512, 0, 512);
    for (const char *kind = "12"; *kind; kind++) {
        put_header(tar, "A/A.mtx", *kind, 0);
        memcpy(tar + 157, "A/B.mtx", 7);
        put_sum(tar);
        put_file(test_path, tar, sizeof tar);
        expect_read(test_path, NULL, SPRY_ERROR_IO, ": the archive holds no Name/Name.mtx");
    }
}

/* More text than the first block, compressed. */
Test(read_files, long_gzip) {
    enum { ENTRIES = 100000 };
    char *long_text = test_malloc(ENTRIES * 16 + 100);
    int size =
        sprintf(long_text, "%%%%MatrixMarket matrix coordinate integer general\n%d 9 %d\n", ENTRIES, ENTRIES);
    for (int k = 1; k <= ENTRIES; k++)
        size += sprintf(long_text + size, "%d 9 %d\n", k, k % 7);
    put_gzip(long_text, (size_t)size);
    expect_read(test_path, long_text, SPRY_OK, NULL);
    free(long_text);
}

/* More blanks than a block, and no banner behind them. */
Test(read_files, blank_gzip) {
    enum { BLANKS = 400000 };
    char *blanks = test_malloc(BLANKS);
    memset(blanks, ' ', BLANKS);
    put_gzip(blanks, BLANKS);
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    cr_expect_eq(spry_read(context, test_path, NULL, &matrix, NULL), SPRY_ERROR_SYNTAX, "%s",
                 spry_message(context));
    spry_context_destroy(context);
    free(blanks);
}

Test(read_files, each_allocation_refused) {
    static const char *const names[] = {"A/A.mtx", NULL};
    put_archive(true, names);
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    int64_t before = counting.live_blocks;
    spry_status status = SPRY_ERROR_MEMORY;
    for (int n = 1; status; n++) {
        cr_assert_lt(n, 100);
        counting_refuse(&counting, n);
        spry_matrix *matrix;
        status = spry_read(context, test_path, NULL, &matrix, NULL);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
        spry_matrix_destroy(matrix);
        cr_expect(status == SPRY_OK || counting.live_blocks == before);
    }
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
