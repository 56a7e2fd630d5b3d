/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense vectors of either value type. */
#ifndef SPRY_COMMON_VECTOR_H
#define SPRY_COMMON_VECTOR_H

#include <spry/spry.h>

/* A vector of `count` values, in cache lines of its own, touched first by the context's threads, which will use it; null
   when there is no memory. The caller frees it. */
void *vector_new(spry_value_type type, int64_t count, const spry_context *context);

/* Values even in (-1, 1), the same on every machine. */
void vector_randomise(spry_value_type type, void *vector, int64_t count);

/* Every value the same. */
void vector_fill(spry_value_type type, void *vector, int64_t count, double value);

/* Every value NaN, so that one which is read, or not written, shows. */
void vector_poison(spry_value_type type, void *vector, int64_t count);

/* Set value i, rounded to the type. */
void vector_set(spry_value_type type, void *vector, int64_t i, double value);

/* Value i. */
double vector_at(spry_value_type type, const void *vector, int64_t i);

#endif
