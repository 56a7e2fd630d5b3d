/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipes, sockets and files that are open already. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "support/files.h"

Test(read_files, pipe) {
    int ends[2];
    char name[40];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], small_text, strlen(small_text)), (ssize_t)strlen(small_text));
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    expect_read(name, small_text, SPRY_OK, NULL);
    close(ends[0]);
}

/* As expect, of an open file that messages call "stream". */
static void expect_descriptor(int descriptor, const char *text, spry_status expected, const char *message) {
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    cr_assert_eq(spry_read_descriptor(context, "stream", descriptor, NULL, &matrix, NULL), expected, "%s",
                 spry_message(context));
    if (expected == SPRY_OK)
        expect_matrix(matrix, text);
    else
        cr_expect_str_eq(spry_message(context), message);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* Plain text by a pipe does not unpack, and has its limit all the same. */
Test(read_files, limit_of_pipe) {
    int ends[2];
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], small_text, strlen(small_text)), (ssize_t)strlen(small_text));
    close(ends[1]);
    const spry_read_options options = {.size = sizeof options, .unpack_limit = 50};
    cr_expect_eq(spry_read_descriptor(context, "stream", ends[0], &options, &matrix, NULL),
                 SPRY_ERROR_TOO_LARGE);
    cr_expect_str_eq(spry_message(context),
                     "stream: it has more than 50 bytes, which unpack_limit in the options sets");
    close(ends[0]);
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
        packed ? put_gzip(small_text, strlen(small_text))
               : put_file(test_path, small_text, strlen(small_text));
        interrupter.bytes = get_file(&interrupter.size);
        cr_assert_eq(pipe(ends), 0);
        interrupter.end = ends[1];
        cr_assert_eq(pthread_create(&interrupter.thread, NULL, interrupt, &interrupter), 0);
        expect_descriptor(ends[0], small_text, SPRY_OK, NULL);
        pthread_join(interrupter.thread, NULL);
        close(ends[0]);
        free((void *)(uintptr_t)interrupter.bytes);
    }
}

/* A file that is open is read from where it stands, and stays open. */
Test(read_files, descriptor) {
    static const char before[] = "not a banner\n";
    char *both = test_malloc(sizeof before + sizeof small_text);
    strcpy(both, before);
    strcat(both, small_text);
    for (int packed = 0; packed < 2; packed++) {
        packed ? put_gzip(small_text, strlen(small_text)) : put_file(test_path, both, strlen(both));
        int file = open(test_path, O_RDONLY);
        cr_assert_geq(file, 0);
        lseek(file, packed ? 0 : (off_t)strlen(before), SEEK_SET);
        expect_descriptor(file, small_text, SPRY_OK, NULL);
        cr_expect_eq(close(file), 0);
        expect_descriptor(file, NULL, SPRY_ERROR_IO, "stream: Bad file descriptor");
    }
    free(both);
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    cr_assert_eq(write(ends[1], small_text, strlen(small_text)), (ssize_t)strlen(small_text));
    close(ends[1]);
    expect_descriptor(ends[0], small_text, SPRY_OK, NULL);
    expect_descriptor(ends[0], NULL, SPRY_ERROR_SYNTAX,
                      "stream:1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\"");
    cr_expect_eq(close(ends[0]), 0);
}
