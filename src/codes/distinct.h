/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of different values, told apart by their bits. */
#ifndef SPRY_DISTINCT_H
#define SPRY_DISTINCT_H

#include "core/bits.h"
#include "core/internal.h"

/* The bits of value k, as a number. */
static inline uint64_t spry_value_bits(spry_value_type type, const void *values, int64_t k) {
    return load_bits(values, type == SPRY_F32 ? sizeof(float) : sizeof(double), k);
}

/* A hash table with linear probing. The first value is in every set without a slot of its own: slots that hold it are empty. */
struct spry_distinct {
    uint64_t *slot;
    int64_t slots;
    uint64_t first;
    int64_t most, count; /* different values that it takes, and has: one at least */
};

/* Slots of a set of so many values: a power of two, a quarter full at most. */
int64_t spry_distinct_slots(int64_t most);

/* The slot where a value is sought first, of so many. */
SPRY_HOST_AND_DEVICE int64_t spry_distinct_place(uint64_t bits, int64_t slots) {
    bits ^= bits >> 32;
    bits *= 0x9e3779b97f4a7c15u;
    return (int64_t)(bits >> 32 & (uint64_t)(slots - 1));
}

/* A set of one value in so many slots as it takes. */
struct spry_distinct spry_distinct_in(uint64_t *slots, int64_t most, uint64_t first);

/* Add a value. False: it is new, and one more than the set takes. */
bool spry_distinct_add(struct spry_distinct *set, uint64_t bits);

/* Take out all values, in any order. */
void spry_distinct_list(const struct spry_distinct *set, uint64_t *bits);

#endif
