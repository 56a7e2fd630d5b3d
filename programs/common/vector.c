/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/vector.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_LINE 64

void vector_set(spry_value_type type, void *vector, int64_t i, double value) {
    if (type == SPRY_F32)
        ((float *)vector)[i] = (float)value;
    else
        ((double *)vector)[i] = value;
}

double vector_at(spry_value_type type, const void *vector, int64_t i) {
    return type == SPRY_F32 ? (double)((const float *)vector)[i] : ((const double *)vector)[i];
}

void *vector_new(spry_value_type type, int64_t count, const spry_context *context) {
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, spry_type_size(type), &bytes) ||
        bytes > PTRDIFF_MAX - CACHE_LINE)
        return NULL;
    bytes = (bytes / CACHE_LINE + 1) * CACHE_LINE;
    char *vector = aligned_alloc(CACHE_LINE, bytes);
    if (!vector)
        return NULL;
#pragma omp parallel for schedule(static) num_threads(spry_context_team(context))
    for (size_t line = 0; line < bytes / CACHE_LINE; line++)
        memset(vector + line * CACHE_LINE, 0, CACHE_LINE);
    return vector;
}

void vector_randomise(spry_value_type type, void *vector, int64_t count) {
    /* A linear congruential generator (Knuth, MMIX), its upper bits: as many as a double holds, so that
       products are rounded. */
    uint64_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        vector_set(type, vector, i, ((double)(state >> 12) + 0.5) * 0x1p-51 - 1.0);
    }
}

void vector_fill(spry_value_type type, void *vector, int64_t count, double value) {
    for (int64_t i = 0; i < count; i++)
        vector_set(type, vector, i, value);
}

void vector_poison(spry_value_type type, void *vector, int64_t count) {
    vector_fill(type, vector, count, (double)NAN);
}
