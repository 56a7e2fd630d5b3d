/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense vectors of either type between guard zones, so that a product that reads or writes beside its
   vectors is seen. */
#ifndef TEST_VECTOR_H
#define TEST_VECTOR_H

#include <stdbool.h>

#include "backend.h"

struct vector {
    spry_value_type type;
    int64_t count;
    void *data; /* aligned to one value, on purpose not to a cache line */
    void *block;
    double guard;
};

/* All values and both guard zones hold `guard`: NaN shows reads beside the values, a number shows writes. */
struct vector vector_new(spry_value_type type, int64_t count, double guard);
void vector_free(struct vector *vector);
/* Here, as loops over all values call them. */
static inline double vector_get(const struct vector *vector, int64_t i) {
    return vector->type == SPRY_F32 ? (double)((const float *)vector->data)[i]
                                    : ((const double *)vector->data)[i];
}

static inline void vector_set(struct vector *vector, int64_t i, double value) {
    if (vector->type == SPRY_F32)
        ((float *)vector->data)[i] = (float)value;
    else
        ((double *)vector->data)[i] = value;
}

/* Copies the values of a vector of the same type and length. */
void vector_copy(struct vector *to, const struct vector *from);
void vector_fill(struct vector *vector, double value);
/* Reproducible values over -1 to under 1. */
void vector_random(struct vector *vector, uint64_t seed);
bool vector_same_bits(const struct vector *a, const struct vector *b);
/* Whether nothing was written beside the values. */
bool vector_guarded(const struct vector *vector);

/* A copy where a context works, guard zones and all. */
struct placed vector_place(spry_context *context, const struct vector *vector);
/* Copy a vector, guard zones and all, to such a copy of one of the same type and length, or back. */
spry_status vector_put(const struct vector *vector, const struct placed *to);
spry_status vector_fetch(struct vector *vector, const struct placed *from);

#endif
