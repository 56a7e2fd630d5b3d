/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzzers share: input taken apart into numbers, files in memory, contexts that live as long as the process. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/build.h"

/* libFuzzer calls it with one input after the other. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold, whatever the input: otherwise says what did not, and aborts, so that the input is kept. */
#define MUST(condition, ...)                                                                                 \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fuzz_fail(__FILE__, __LINE__, __VA_ARGS__);                                                      \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An input that is read from the front; past its end all bytes are zero. */
struct bytes {
    const uint8_t *at;
    size_t left;
};

uint8_t take_byte(struct bytes *bytes);
/* From 0 to below - 1; below is 256 at most. */
int take_below(struct bytes *bytes, int below);
/* Most often a small number with few bits, now and then a large, a tiny or, if asked for, no finite one. */
double take_value(struct bytes *bytes, bool special);

/* A context of the CPU with 1, 2, 3 or 7 threads, in which the smallest matrix is split among all, and which has a
   profile, so that no machine is measured. The same one each time. */
spry_context *fuzz_context(int threads);

/* A file in memory, and a path that leads to it. */
struct memory_file {
    int file;
    char path[32];
};

/* The same one each time for a number below 2, with this content. */
const struct memory_file *memory_file(int number, const void *content, size_t size);

#endif
