/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

void fuzz_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

uint8_t take_byte(struct bytes *bytes) {
    if (!bytes->left)
        return 0;
    bytes->left--;
    return *bytes->at++;
}

int take_below(struct bytes *bytes, int below) {
    return take_byte(bytes) % below;
}

double take_value(struct bytes *bytes, bool special) {
    static const double rare[] = {0.0, -0.0, 1e-40, -1e-40, 1e-310, 1e18, -1e18, 0x1p-30, 1.0, -1.0};
    static const double strange[] = {INFINITY, -INFINITY, NAN};
    int byte = take_byte(bytes);
    if (byte >= 250)
        return special ? strange[byte % 3] : rare[byte % 10];
    if (byte >= 240)
        return rare[byte - 240];
    return ldexp(byte - 120 + take_byte(bytes) / 256.0, -6);
}

/* Prices are all that it is about: the choice goes by them, not by this machine. */
static const char profile[] =
    "{\"machine\": \"any\", \"backend\": \"cpu\", \"processors\": 1, \"memory_gbs\": 10, "
    "\"kernels\": {\"f32\": {\"coo\": {\"entries\": 2}, \"csr\": {\"units\": 2}, "
    "\"csc\": {\"entries\": 1}, \"ell\": {\"entries\": 0.5}, \"hyb\": {\"start\": 9}, "
    "\"jds\": {\"far\": 1}}, \"f64\": {\"csr\": {\"entries\": 1}, \"ell\": {\"near\": 1}, "
    "\"jds\": {\"entries\": 1}}}, \"conversions\": {\"ell\": {}}}";

static spry_context *make_context(int threads) {
    spry_context *context = test_context(threads);
    const struct memory_file *file = memory_file(0, profile, strlen(profile));
    MUST(!spry_load_profile(context, file->path), "%s", spry_message(context));
    return context;
}

spry_context *fuzz_context(int threads) {
    static spry_context *contexts[8];
    MUST(threads > 0 && threads < 8, "%d threads", threads);
    if (!contexts[threads])
        contexts[threads] = make_context(threads);
    return contexts[threads];
}

const struct memory_file *memory_file(int number, const void *content, size_t size) {
    static struct memory_file files[2];
    struct memory_file *file = &files[number];
    if (!file->path[0]) {
        file->file = memfd_create("fuzz", 0);
        MUST(file->file >= 0, "no file in memory");
        snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->file);
    }
    MUST(!ftruncate(file->file, 0) && pwrite(file->file, content, size, 0) == (ssize_t)size, "short write");
    return file;
}
