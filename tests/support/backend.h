/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the tests work: on the backend that the environment variable SPRY_TEST_BACKEND names, which is the CPU
   without it. */
#ifndef TEST_BACKEND_H
#define TEST_BACKEND_H

#include <stdbool.h>

#include "spry/spry.h"

/* What meson takes for "skipped". */
#define TEST_SKIPPED 77

spry_backend test_backend(void);
/* Whether that backend has a device here. Where it has none, says so, and why, on standard output. */
bool test_backend_is_here(void);

/* Choices for a context of that backend in which the smallest matrix is split among all threads. */
spry_context_options test_options(void);
/* A context with these choices, on the CPU with the prices of the profile that the environment variable SPRY_TEST_PROFILE
   names, as another machine would have; the program ends when there is none. */
spry_context *test_context_with(const spry_context_options *options);
/* As test_options, for `threads` threads, or as many as there are. */
spry_context *test_context(int threads);
/* The same without what a comma-separated list names; null: with all. */
spry_context *test_context_without(int threads, const char *names);

/* Whether the environment variable SPRY_TEST_BRIEF is set: under tools that make everything many times slower, tests go
   through each kind of case, and not through each with each. */
bool test_is_brief(void);
/* Whether large matrices are left out too: SPRY_TEST_BRIEF=small, or few. */
bool test_is_small(void);
/* Whether most cases of long lists are left out besides, under tools for device code: SPRY_TEST_BRIEF=few. */
bool test_has_few_cases(void);
/* Whether a type of index is looked at in case number `number` where types of index are of little weight: where cases are few, each
   has its turn. */
bool test_index_has_turn(int index, size_t number);
/* Whether case number `number` of a test that goes over scenarios or files is to be looked at: all are, unless the
   environment variable SPRY_TEST_PART says k/n, which is every n-th, beginning with case k, for tools under which a whole
   test takes too long. The program ends when that is no such text. */
bool test_is_in_part(size_t number);
/* Whether it is set. Then cases are looked at in one process, in which a tool has to prepare each kernel once only. */
bool test_has_parts(void);

/* Whether a kernel is for plain columns and values. */
static inline bool test_is_plain(spry_kernel_info info) {
    return info.values == SPRY_VALUES_PLAIN && info.columns == SPRY_COLUMNS_PLAIN;
}

/* How many to go up to where numbers of threads are tried one after the other: 1 on a device, to which they
   mean nothing. */
int test_threads(int most);
/* How many to begin with on the way there: 1, or in brief the most alone. */
int test_first_threads(int most);

/* Host memory's copy where a context works, `before` bytes into an array of it. */
struct placed {
    spry_context *context;
    void *block, *data;
    size_t bytes; /* of the block */
};

/* The program ends when there is no memory. */
struct placed placed_new(spry_context *context, const void *host, size_t bytes, size_t before);
void placed_free(struct placed *placed);

/* Whether an array where a context works holds what `bytes` bytes of host memory do. */
bool array_holds(spry_context *context, const void *array, const void *host, size_t bytes);

#endif
