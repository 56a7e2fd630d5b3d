/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

spry_backend test_backend(void) {
    const char *name = getenv("SPRY_TEST_BACKEND");
    for (int backend = 0; name && *name && backend < SPRY_BACKEND_COUNT; backend++)
        if (strcmp(name, spry_backend_name((spry_backend)backend)) == 0)
            return (spry_backend)backend;
    if (!name || !*name)
        return SPRY_CPU;
    fprintf(stderr, "SPRY_TEST_BACKEND=%s: no such backend\n", name);
    exit(EXIT_FAILURE);
}

bool test_backend_is_here(void) {
    char reason[256];
    if (test_backend() != SPRY_CUDA || spry_cuda_devices(reason, sizeof reason))
        return true;
    printf("skipped: %s\n", reason);
    return false;
}

spry_context_options test_options(void) {
    return (spry_context_options){
        .size = sizeof(spry_context_options), .backend = test_backend(), .grain = 1};
}

spry_context *test_context_with(const spry_context_options *options) {
    spry_context *context;
    spry_status status = spry_context_create(&context, options);
    if (status) {
        fprintf(stderr, "no %s context: %s\n", spry_backend_name(options->backend),
                spry_status_string(status));
        abort();
    }
    const char *profile = getenv("SPRY_TEST_PROFILE");
    if (profile && *profile && options->backend == SPRY_CPU && spry_load_profile(context, profile)) {
        fprintf(stderr, "SPRY_TEST_PROFILE: %s\n", spry_message(context));
        abort();
    }
    return context;
}

spry_context *test_context(int threads) {
    return test_context_without(threads, NULL);
}

spry_context *test_context_without(int threads, const char *names) {
    spry_context_options options = test_options();
    options.threads = threads;
    options.disable = names;
    return test_context_with(&options);
}

bool test_is_brief(void) {
    return getenv("SPRY_TEST_BRIEF") != NULL;
}

bool test_has_few_cases(void) {
    return test_is_brief() && strcmp(getenv("SPRY_TEST_BRIEF"), "few") == 0;
}

bool test_is_small(void) {
    return test_has_few_cases() || (test_is_brief() && strcmp(getenv("SPRY_TEST_BRIEF"), "small") == 0);
}

bool test_has_parts(void) {
    const char *text = getenv("SPRY_TEST_PART");
    return text && *text;
}

bool test_is_in_part(size_t number) {
    const char *text = getenv("SPRY_TEST_PART");
    size_t part, parts;
    char beyond;
    if (!test_has_parts())
        return true;
    if (sscanf(text, "%zu/%zu%c", &part, &parts, &beyond) == 2 && part < parts)
        return number % parts == part;
    fprintf(stderr, "SPRY_TEST_PART=%s: no part k/n with k < n\n", text);
    exit(EXIT_FAILURE);
}

int test_threads(int most) {
    return test_backend() == SPRY_CPU ? most : 1;
}

bool test_index_has_turn(int index, size_t number) {
    return !test_has_few_cases() || number % SPRY_INDEX_COUNT == (size_t)index;
}

int test_first_threads(int most) {
    return test_is_brief() ? test_threads(most) : 1;
}

struct placed placed_new(spry_context *context, const void *host, size_t bytes, size_t before) {
    struct placed placed = {.context = context, .bytes = before + bytes};
    spry_status status = spry_array_new(context, placed.bytes, &placed.block);
    if (!status) {
        placed.data = (char *)placed.block + before;
        status = spry_array_put(context, placed.data, host, bytes);
    }
    if (status) {
        fprintf(stderr, "no copy of %zu bytes: %s\n", bytes, spry_message(context));
        abort();
    }
    return placed;
}

void placed_free(struct placed *placed) {
    spry_array_free(placed->context, placed->block, placed->bytes);
    *placed = (struct placed){0};
}

bool array_holds(spry_context *context, const void *array, const void *host, size_t bytes) {
    void *got = malloc(bytes ? bytes : 1);
    bool same = got && spry_array_get(context, array, got, bytes) == SPRY_OK && memcmp(got, host, bytes) == 0;
    free(got);
    return same;
}
