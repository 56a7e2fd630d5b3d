/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of any type of number, on the host and where a context works, and the algorithms that work on them. */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include <stdbool.h>

#include "backend.h"

/* Numbers between guard zones. */
struct numbers {
    spry_number number;
    int64_t n;
    void *data; /* on the host */
    void
        *block; /* the same and its guard zones; aligned to much more than a number, or to no more than one */
    struct placed placed; /* the block where a context works */
};

/* All bits zero, and placed in `context`. */
struct numbers numbers_new(spry_context *context, spry_number number, int64_t n, bool aligned);
void numbers_free(struct numbers *numbers);
/* Where the numbers are in the context's memory. */
void *numbers_there(const struct numbers *numbers);
/* Copy them there, or back. */
void numbers_put(struct numbers *numbers);
void numbers_get(struct numbers *numbers);
/* Whether nothing was written beside them, by what was got last. */
bool numbers_guarded(const struct numbers *numbers);

bool is_floating(spry_number number);
/* Floating point; integers that are small. */
double number_get(const struct numbers *numbers, int64_t i);
void number_set(struct numbers *numbers, int64_t i, double value);
/* Integers. */
int64_t integer_get(const struct numbers *numbers, int64_t i);
void integer_set(struct numbers *numbers, int64_t i, int64_t value);
/* Reproducible numbers: over -1 to under 1, never zero; integers of all values. */
void numbers_random(struct numbers *numbers, uint64_t seed);

/* Call `check` for each algorithm of a primitive that runs here, with a context that takes it, in which the smallest
   array is split among `threads` threads. */
typedef void algorithm_check(spry_context *context, const spry_algorithm_info *info);
void each_algorithm(spry_primitive primitive, int threads, algorithm_check *check);

/* Sizes about those of vector registers, blocks and pieces, up to more than a piece. */
extern const int64_t test_sizes[];
extern const int test_size_count;
/* Whether the one of that number is tried: where cases are few, one of four, the largest of them 100,003. */
bool test_size_is_tried(int number);

#endif
