/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: plain, compressed, archived, from a pipe, broken, or no file at all. */
#define _GNU_SOURCE
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "support/build.h"
#include "support/counting.h"

static const char text[] = "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 0.5\n3 4 -7\n";

static char folder[] = "/tmp/spry_read_XXXXXX";
static char path[100];

static void make_folder(void) {
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
}

static void remove_folder(void) {
    unlink(path);
    rmdir(folder);
}

TestSuite(read_files, .init = make_folder, .fini = remove_folder);

static void put_file(const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

static void *get_file(size_t *size) {
    FILE *file = fopen(path, "rb");
    cr_assert(file);
    char *bytes = test_malloc(1 << 22);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void put_gzip(const char *bytes, size_t size) {
    gzFile file = gzopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    cr_assert_eq(gzclose(file), Z_OK);
}

/* An archive whose members are named in `names`, up to a null; each holds as many columns as its place. */
static void put_archive(bool compressed, const char *const *names) {
    struct archive *archive = archive_write_new();
    if (compressed)
        archive_write_add_filter_gzip(archive);
    archive_write_set_format_ustar(archive);
    cr_assert_eq(archive_write_open_filename(archive, path), ARCHIVE_OK);
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

/* Read `name`: the number of columns, or -1 and the expected status and end of the message. */
static void expect(const char *name, int64_t cols, spry_status expected, const char *message_end) {
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    spry_status status = spry_read(context, name, NULL, &matrix, NULL);
    const char *message = spry_message(context);
    cr_expect_eq(status, expected, "%s: %s", name, message);
    if (status == SPRY_OK)
        cr_expect_eq(spry_matrix_cols(matrix), cols);
    else
        cr_expect(strncmp(message, name, strlen(name)) == 0 &&
                      strcmp(message + strlen(name), message_end) == 0,
                  "got the message: %s", message);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

Test(read_files, plain) {
    put_file(text, strlen(text));
    expect(path, 4, SPRY_OK, NULL);
}

/* Files that end exactly where a page does have nothing behind them that belongs to them. */
Test(read_files, whole_pages) {
    enum { MOST = 1 << 17 };
    char *long_text = test_malloc(MOST);
    memset(long_text, ' ', MOST);
    memcpy(long_text, text, strlen(text));
    for (size_t size = 4096; size <= MOST; size *= 2) {
        put_file(long_text, size);
        expect(path, 4, SPRY_OK, NULL);
        memcpy(long_text + size - 4, "9999", 4);
        put_file(long_text, size);
        char message[100];
        snprintf(message, sizeof message,
                 ":5:%zu: got \"9999\", expected the end of the file after 2 entries",
                 size - strlen(text) - 3);
        expect(path, 0, SPRY_ERROR_SYNTAX, message);
        memset(long_text + size - 4, ' ', 4);
    }
    free(long_text);
}

/* Somebody who writes to a file again and again while it is read: shorter, as long as before with other bytes, as it
   was. */
struct writer {
    pthread_t thread;
    const char *text;
    size_t size;
    atomic_bool stop;
};

static void *rewrite(void *argument) {
    struct writer *writer = argument;
    uint64_t state = 1;
    char *other = test_malloc(writer->size);
    int file = open(path, O_WRONLY);
    while (!atomic_load(&writer->stop)) {
        static const char bytes[] = {'%', '\n', ' ', '7', '\0', '-', 'x'};
        memset(other, bytes[test_below(&state, sizeof bytes)], writer->size);
        size_t from = (size_t)test_below(&state, (int64_t)writer->size);
        bool good = pwrite(file, other + from, writer->size - from, (off_t)from) > 0;
        if (test_below(&state, 2))
            good &= ftruncate(file, (off_t)from) == 0;
        good &= pwrite(file, writer->text, writer->size, 0) > 0;
        cr_assert(good);
    }
    close(file);
    free(other);
    return NULL;
}

/* It is read, or refused with a reason; with the bits that were there when it is read. */
Test(read_files, written_while_read) {
    enum { ENTRIES = 60000, RUNS = 300 };
    char *text_of_many = test_malloc(ENTRIES * 16 + 100);
    int size = sprintf(text_of_many, "%%%%MatrixMarket matrix coordinate integer general\n%d 9 %d\n", ENTRIES,
                       ENTRIES);
    for (int k = 1; k <= ENTRIES; k++)
        size += sprintf(text_of_many + size, "%d 9 %d\n", k, k % 7);
    put_file(text_of_many, (size_t)size);
    struct writer writer = {.text = text_of_many, .size = (size_t)size};
    cr_assert_eq(pthread_create(&writer.thread, NULL, rewrite, &writer), 0);
    spry_context *context = test_context(3);
    for (int run = 0; run < RUNS; run++) {
        spry_matrix *matrix;
        spry_status status = spry_read(context, path, NULL, &matrix, NULL);
        cr_expect(status == SPRY_OK || status == SPRY_ERROR_IO || status == SPRY_ERROR_SYNTAX, "%s",
                  spry_message(context));
        if (status == SPRY_OK)
            cr_expect_eq(spry_validate(context, matrix, 0), SPRY_OK);
        spry_matrix_destroy(matrix);
    }
    atomic_store(&writer.stop, true);
    pthread_join(writer.thread, NULL);
    spry_context_destroy(context);
    free(text_of_many);
}

/* A file that is shortened and one whose bytes are changed, at a known moment: when the matrix's arrays are asked for,
   after the entries have been counted. */
struct spoiler {
    spry_allocator allocator;
    bool shorten, done;
};

static void *spoil_and_allocate(void *user, size_t alignment, size_t bytes) {
    struct spoiler *spoiler = user;
    int file = open(path, O_WRONLY);
    if (bytes >= 100000 * sizeof(double) && !spoiler->done) {
        spoiler->done = true;
        cr_assert(spoiler->shorten ? ftruncate(file, 200000) == 0 : pwrite(file, "%%%%%%%%", 8, 300000) == 8);
    }
    close(file);
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give_back(void *user, void *pointer, size_t bytes) {
    (void)user;
    (void)bytes;
    free(pointer);
}

Test(read_files, changed_after_counting) {
    enum { ENTRIES = 100000 };
    char *many = test_malloc(ENTRIES * 16 + 100), message[200];
    int size =
        sprintf(many, "%%%%MatrixMarket matrix coordinate integer general\n%d 9 %d\n", ENTRIES, ENTRIES);
    for (int k = 1; k <= ENTRIES; k++)
        size += sprintf(many + size, "%d 9 %d\n", k, k % 7);
    snprintf(message, sizeof message, "%s: it was changed while it was read", path);
    for (int shorten = 0; shorten < 2; shorten++) {
        struct spoiler spoiler = {.shorten = shorten};
        spoiler.allocator = (spry_allocator){spoil_and_allocate, give_back, &spoiler};
        put_file(many, (size_t)size);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* a tick of the file system's clock */
        spry_context *context;
        spry_matrix *matrix;
        cr_assert_eq(spry_context_create(
                         &context, &(spry_context_options){.threads = 2, .allocator = &spoiler.allocator}),
                     SPRY_OK);
        cr_expect_eq(spry_read(context, path, NULL, &matrix, NULL), SPRY_ERROR_IO);
        cr_expect(spoiler.done && !matrix);
        cr_expect_str_eq(spry_message(context), message);
        spry_context_destroy(context);
    }
    free(many);
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
        spry_status status = spry_read_memory(context, path, whole, size, NULL, &matrix, NULL);
        snprintf(in_memory, sizeof in_memory, "%s", spry_message(context) + (status ? strlen(path) : 0));
        spry_matrix_destroy(matrix);
        put_file(whole, size);
        expect(path, 4, status, in_memory);
    }
    spry_context_destroy(context);
    free(filler);
    free(whole);
}

Test(read_files, gzip) {
    put_gzip(text, strlen(text));
    expect(path, 4, SPRY_OK, NULL);
    put_gzip("", 0);
    expect(path, 0, SPRY_ERROR_SYNTAX,
           ":1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\"");
}

/* Files that were put one behind the other are one text. */
Test(read_files, gzip_members) {
    size_t middle = strlen(text) / 2;
    put_gzip(text, middle);
    gzFile file = gzopen(path, "ab");
    cr_assert(file);
    cr_assert_eq(gzputs(file, text + middle), (int)(strlen(text) - middle));
    cr_assert_eq(gzclose(file), Z_OK);
    expect(path, 4, SPRY_OK, NULL);
}

Test(read_files, archive) {
    static const char *const names[] = {"A/A_b.mtx", "A/A.mtx", "A/A_coord.mtx", NULL};
    static const char *const nested[] = {"README", "./some/folder/B/B.mtx", NULL};
    static const char *const wrong[] = {"A/A_b.mtx", "A/B.mtx", "A.mtx", "A/A.mtx.txt", "A/AA.mtx", NULL};
    for (int compressed = 0; compressed < 2; compressed++) {
        put_archive(compressed, names);
        expect(path, 2, SPRY_OK, NULL);
        put_archive(compressed, nested);
        expect(path, 2, SPRY_OK, NULL);
        put_archive(compressed, wrong);
        expect(path, 0, SPRY_ERROR_IO, ": the archive holds no Name/Name.mtx");
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
    put_file(bytes, size);
    free(bytes);
    expect(path, 0, SPRY_ERROR_SYNTAX, ":A/A.mtx:1:23: got \"arrow\", expected \"coordinate\" or \"array\"");
}

/* Whatever is cut off the end of compressed data, or changed in it, is noticed. */
Test(read_files, broken_gzip) {
    put_gzip(text, strlen(text));
    size_t size;
    unsigned char *bytes = get_file(&size);
    for (size_t cut = 3; cut < size; cut++) {
        put_file(bytes, cut);
        expect(path, 0, SPRY_ERROR_IO, ": the compressed data end too early");
    }
    spry_context *context = test_context(1);
    for (size_t i = 10; i < size; i++) {
        spry_matrix *matrix;
        bytes[i] ^= 4;
        put_file(bytes, size);
        cr_expect_eq(spry_read(context, path, NULL, &matrix, NULL), SPRY_ERROR_IO, "byte %zu", i);
        bytes[i] ^= 4;
    }
    spry_context_destroy(context);
    free(bytes);
}

/* Data that would fill the memory once unpacked, but are no matrix, are not unpacked. */
Test(read_files, bomb) {
    char *block = test_malloc(1 << 20);
    memset(block, 'x', 1 << 20);
    gzFile file = gzopen(path, "wb");
    for (int i = 0; i < 64; i++)
        gzwrite(file, block, 1 << 20);
    gzclose(file);
    free(block);
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 1);
    spry_matrix *matrix;
    cr_expect_eq(spry_read(context, path, NULL, &matrix, NULL), SPRY_ERROR_SYNTAX);
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
    put_gzip(zeros, (size_t)size);
    free(zeros);
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    char message[200];
    expect(path, SIDE, SPRY_OK, NULL); /* few enough bytes for everybody */
    snprintf(message, sizeof message,
             "%s: it unpacks to more than %d bytes, which unpack_limit in the options sets", path, LIMIT);
    cr_expect_eq(spry_read(context, path, &(spry_read_options){.unpack_limit = LIMIT}, &matrix, NULL),
                 SPRY_ERROR_TOO_LARGE);
    cr_expect_str_eq(spry_message(context), message);
    cr_expect_eq(spry_read(context, path, &(spry_read_options){.unpack_limit = LIMIT + 100}, &matrix, NULL),
                 SPRY_OK, "%s", spry_message(context));
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* Without the caller's limit: memory for no more than it. */
Test(read_files, unpack_without_limit) {
    enum { MEGABYTES = 300 };
    char *line_ends = test_malloc(1 << 20);
    memset(line_ends, '\n', 1 << 20);
    gzFile file = gzopen(path, "wb1");
    gzputs(file, text);
    for (int i = 0; i < MEGABYTES; i++)
        cr_assert_eq(gzwrite(file, line_ends, 1 << 20), 1 << 20);
    gzclose(file);
    free(line_ends);
    expect(path, 0, SPRY_ERROR_TOO_LARGE,
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
    memset(block, 0, 512);
    snprintf(block, 100, "%s", name);
    memcpy(block + 100, "0000644\0000000000\0000000000", 24);
    snprintf(block + 124, 12, "%011llo", size);
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
        memcpy(tar + 512, text, strlen(text));
        put_file(tar, sizeof tar);
        expect(path, 0, SPRY_ERROR_UNSUPPORTED, ":A/A.mtx: a sparse file in an archive is not read");
    }
}

/* Sizes that are not there, and links, which have no data. */
Test(read_files, hostile_archives) {
    char tar[4 * 512] = {0};
    put_header(tar, "A/A.mtx", '0', 077777777777);
    memcpy(tar + 512, text, strlen(text));
    put_file(tar, sizeof tar);
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    cr_expect_eq(spry_read(context, path, NULL, &matrix, NULL), SPRY_ERROR_IO, "%s", spry_message(context));
    spry_context_destroy(context);
    memset(tar + 512, 0, 512);
    for (const char *kind = "12"; *kind; kind++) {
        put_header(tar, "A/A.mtx", *kind, 0);
        memcpy(tar + 157, "A/B.mtx", 7);
        put_sum(tar);
        put_file(tar, sizeof tar);
        expect(path, 0, SPRY_ERROR_IO, ": the archive holds no Name/Name.mtx");
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
    expect(path, 9, SPRY_OK, NULL);
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
    cr_expect_eq(spry_read(context, path, NULL, &matrix, NULL), SPRY_ERROR_SYNTAX, "%s",
                 spry_message(context));
    spry_context_destroy(context);
    free(blanks);
}

Test(read_files, pipe) {
    int ends[2];
    char name[40];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    expect(name, 4, SPRY_OK, NULL);
    close(ends[0]);
}

/* As expect, of an open file that messages call "stream". */
static void expect_descriptor(int descriptor, int64_t cols, spry_status expected, const char *message) {
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    cr_expect_eq(spry_read_descriptor(context, "stream", descriptor, NULL, &matrix, NULL), expected);
    if (expected == SPRY_OK)
        cr_expect_eq(spry_matrix_cols(matrix), cols, "%s", spry_message(context));
    else
        cr_expect_str_eq(spry_message(context), message);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

static void do_nothing(int number) {
    (void)number;
}

/* Write to a pipe in small pieces, and interrupt who reads it before each. */
struct interrupter {
    pthread_t thread, reader;
    const unsigned char *bytes;
    size_t size;
    int end;
};

static void *interrupt(void *argument) {
    struct interrupter *interrupter = argument;
    for (size_t i = 0; i < interrupter->size; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        pthread_kill(interrupter->reader, SIGUSR1);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        cr_assert_eq(write(interrupter->end, interrupter->bytes + i, 1), 1);
    }
    close(interrupter->end);
    return NULL;
}

/* Signals that the caller handles end no reading, whatever the data are. */
Test(read_files, interrupted_pipe) {
    struct sigaction action = {.sa_handler = do_nothing};
    cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
    for (int packed = 0; packed < 2; packed++) {
        int ends[2];
        struct interrupter interrupter = {.reader = pthread_self()};
        packed ? put_gzip(text, strlen(text)) : put_file(text, strlen(text));
        interrupter.bytes = get_file(&interrupter.size);
        cr_assert_eq(pipe(ends), 0);
        interrupter.end = ends[1];
        cr_assert_eq(pthread_create(&interrupter.thread, NULL, interrupt, &interrupter), 0);
        expect_descriptor(ends[0], 4, SPRY_OK, NULL);
        pthread_join(interrupter.thread, NULL);
        close(ends[0]);
        free((void *)(uintptr_t)interrupter.bytes);
    }
}

/* A file that is open is read from where it stands, and stays open. */
Test(read_files, descriptor) {
    static const char before[] = "not a banner\n";
    char *both = test_malloc(sizeof before + sizeof text);
    strcpy(both, before);
    strcat(both, text);
    for (int packed = 0; packed < 2; packed++) {
        packed ? put_gzip(text, strlen(text)) : put_file(both, strlen(both));
        int file = open(path, O_RDONLY);
        cr_assert_geq(file, 0);
        lseek(file, packed ? 0 : (off_t)strlen(before), SEEK_SET);
        expect_descriptor(file, 4, SPRY_OK, NULL);
        cr_expect_eq(close(file), 0);
        expect_descriptor(file, 0, SPRY_ERROR_IO, "stream: Bad file descriptor");
    }
    free(both);
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    expect_descriptor(ends[0], 4, SPRY_OK, NULL);
    expect_descriptor(ends[0], 0, SPRY_ERROR_SYNTAX,
                      "stream:1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\"");
    cr_expect_eq(close(ends[0]), 0);
}

Test(read_files, no_file) {
    expect(path, 0, SPRY_ERROR_IO, ": No such file or directory");
    expect(folder, 0, SPRY_ERROR_IO, ": Is a directory");
    put_file("", 0);
    expect(path, 0, SPRY_ERROR_SYNTAX,
           ":1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\"");
}

Test(read_files, unreadable) {
    if (geteuid() == 0)
        cr_skip_test("root may read everything");
    put_file(text, strlen(text));
    chmod(path, 0);
    expect(path, 0, SPRY_ERROR_IO, ": Permission denied");
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
        status = spry_read(context, path, NULL, &matrix, NULL);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
        spry_matrix_destroy(matrix);
        cr_expect(status == SPRY_OK || counting.live_blocks == before);
    }
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
