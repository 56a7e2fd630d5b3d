/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "list.h"
#include "numbers.h"

/* Numbers on either side. With one more, the data begins beside all boundaries but its own. */
#define GUARD 64
#define FILLING 0x5b

const int64_t test_sizes[] = {0,   1,   2,    3,    4,    5,    7,    8,    15,     16,     17,     31,
                              32,  33,  63,   64,   65,   127,  128,  129,  255,    256,    257,    511,
                              512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 100003, 300000, 1000003};
const int test_size_count = (int)(sizeof test_sizes / sizeof *test_sizes);

bool test_size_is_tried(int number) {
    return !test_has_few_cases() || number % 4 == 1;
}

static size_t block_bytes(const struct numbers *numbers) {
    return (size_t)(numbers->n + 2 * GUARD + 1) * spry_number_size(numbers->number);
}

struct numbers numbers_new(spry_context *context, spry_number number, int64_t n, bool aligned) {
    struct numbers numbers = {.number = number, .n = n};
    size_t size = spry_number_size(number), bytes = block_bytes(&numbers);
    numbers.block = test_malloc(bytes);
    memset(numbers.block, FILLING, bytes);
    numbers.data = (char *)numbers.block + (GUARD + !aligned) * size;
    memset(numbers.data, 0, (size_t)n * size);
    numbers.placed = placed_new(context, numbers.block, bytes, 0);
    return numbers;
}

void numbers_free(struct numbers *numbers) {
    placed_free(&numbers->placed);
    free(numbers->block);
}

void *numbers_there(const struct numbers *numbers) {
    return (char *)numbers->placed.block + ((char *)numbers->data - (char *)numbers->block);
}

static void must(spry_status status) {
    if (status)
        abort();
}

void numbers_put(struct numbers *numbers) {
    must(
        spry_array_put(numbers->placed.context, numbers->placed.block, numbers->block, block_bytes(numbers)));
}

void numbers_get(struct numbers *numbers) {
    must(
        spry_array_get(numbers->placed.context, numbers->placed.block, numbers->block, block_bytes(numbers)));
}

static bool is_filling(const char *from, const char *to) {
    while (from < to && *from == FILLING)
        from++;
    return from == to;
}

bool numbers_guarded(const struct numbers *numbers) {
    const char *block = numbers->block, *data = numbers->data;
    return is_filling(block, data) &&
           is_filling(data + (size_t)numbers->n * spry_number_size(numbers->number),
                      block + block_bytes(numbers));
}

bool is_floating(spry_number number) {
    return number == SPRY_NUMBER_F32 || number == SPRY_NUMBER_F64;
}

double number_get(const struct numbers *numbers, int64_t i) {
    switch (numbers->number) {
    case SPRY_NUMBER_F32:
        return ((const float *)numbers->data)[i];
    case SPRY_NUMBER_F64:
        return ((const double *)numbers->data)[i];
    default:
        return (double)integer_get(numbers, i);
    }
}

void number_set(struct numbers *numbers, int64_t i, double value) {
    if (numbers->number == SPRY_NUMBER_F32)
        ((float *)numbers->data)[i] = (float)value;
    else if (numbers->number == SPRY_NUMBER_F64)
        ((double *)numbers->data)[i] = value;
    else
        integer_set(numbers, i, (int64_t)value);
}

int64_t integer_get(const struct numbers *numbers, int64_t i) {
    return numbers->number == SPRY_NUMBER_I32 ? ((const int32_t *)numbers->data)[i]
                                              : ((const int64_t *)numbers->data)[i];
}

void integer_set(struct numbers *numbers, int64_t i, int64_t value) {
    if (numbers->number == SPRY_NUMBER_I32)
        ((int32_t *)numbers->data)[i] = (int32_t)value;
    else
        ((int64_t *)numbers->data)[i] = value;
}

void numbers_random(struct numbers *numbers, uint64_t seed) {
    for (int64_t i = 0; i < numbers->n; i++)
        if (is_floating(numbers->number))
            number_set(numbers, i, test_value(&seed));
        else
            integer_set(numbers, i, (int64_t)test_random(&seed));
}

void each_algorithm(spry_primitive primitive, int threads, algorithm_check *check) {
    const spry_algorithm *algorithm;
    for (size_t i = 0; (algorithm = spry_algorithm_at(i)); i++) {
        spry_algorithm_info info = spry_algorithm_describe(algorithm);
        if (info.primitive != primitive || info.backend != test_backend())
            continue;
        spry_context_options options = test_options();
        options.threads = threads;
        options.algorithms = info.name;
        spry_context *context = test_context_with(&options);
        if (spry_algorithm_for(context, primitive, info.number) == algorithm)
            check(context, &info);
        spry_context_destroy(context);
    }
}
