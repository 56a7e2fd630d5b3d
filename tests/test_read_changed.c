/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that others write to while they are read. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/files.h"

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
    int file = open(test_path, O_WRONLY);
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

/* It is read as a sound matrix of whatever was there, or refused with a reason; once nobody writes to it, it is read as it is. */
Test(read_files, written_while_read) {
    enum { ENTRIES = 60000, RUNS = 300 };
    char *text_of_many = test_malloc(ENTRIES * 16 + 100);
    int size = sprintf(text_of_many, "%%%%MatrixMarket matrix coordinate integer general\n%d 9 %d\n", ENTRIES,
                       ENTRIES);
    for (int k = 1; k <= ENTRIES; k++)
        size += sprintf(text_of_many + size, "%d 9 %d\n", k, k % 7);
    put_file(test_path, text_of_many, (size_t)size);
    struct writer writer = {.text = text_of_many, .size = (size_t)size};
    cr_assert_eq(pthread_create(&writer.thread, NULL, rewrite, &writer), 0);
    spry_context *context = test_context(3);
    for (int run = 0; run < RUNS; run++) {
        spry_matrix *matrix;
        spry_status status = spry_read(context, test_path, NULL, &matrix, NULL);
        cr_expect(status == SPRY_OK || status == SPRY_ERROR_IO || status == SPRY_ERROR_SYNTAX, "%s",
                  spry_message(context));
        if (status == SPRY_OK)
            cr_expect_eq(spry_validate(context, matrix, 0), SPRY_OK);
        spry_matrix_destroy(matrix);
    }
    atomic_store(&writer.stop, true);
    pthread_join(writer.thread, NULL);
    expect_read(test_path, text_of_many, SPRY_OK, NULL);
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
    int file = open(test_path, O_WRONLY);
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
    snprintf(message, sizeof message, "%s: it was changed while it was read", test_path);
    for (int shorten = 0; shorten < 2; shorten++) {
        struct spoiler spoiler = {.shorten = shorten};
        spoiler.allocator = (spry_allocator){spoil_and_allocate, give_back, &spoiler};
        put_file(test_path, many, (size_t)size);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* a tick of the file system's clock */
        spry_context *context;
        spry_matrix *matrix;
        cr_assert_eq(
            spry_context_create(&context, &(spry_context_options){.size = sizeof(spry_context_options),
                                                                  .threads = 2,
                                                                  .allocator = &spoiler.allocator}),
            SPRY_OK);
        cr_expect_eq(spry_read(context, test_path, NULL, &matrix, NULL), SPRY_ERROR_IO);
        cr_expect(spoiler.done && !matrix);
        cr_expect_str_eq(spry_message(context), message);
        spry_context_destroy(context);
    }
    free(many);
}
