/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of keys by open addressing, which keeps the first row of each: the result does not depend on which thread came
   first. */
#ifndef SPRY_HASH_TABLE_CUH
#define SPRY_HASH_TABLE_CUH

#include <cstdint>

struct alignas(16) hash_slot {
    unsigned long long key, first; /* row */
};

static constexpr unsigned long long NO_KEY = ~0ull;

struct hash_table {
    hash_slot *slots;
    int64_t size; /* a power of two */
    unsigned long long *count;
};

/* Steps of a search after which it is asked whether the table is too full. */
static constexpr int STEPS = 32;

/* Tables are half full at most. */
static __device__ inline bool is_full(const hash_table &t) {
    return *(const volatile unsigned long long *)t.count > (unsigned long long)t.size / 2;
}

/* The slot of a key, which keeps the lowest of the rows that ask; any slot where the table is too full. What a cache
   still has of a slot may be old: then it is empty, or has a higher row, and is asked for again by what changes it. */
static __device__ inline uint32_t slot_of(const hash_table &t, unsigned long long key,
                                          unsigned long long row) {
    const int64_t mask = t.size - 1;
    int64_t at = (int64_t)key & mask;
    for (int step = 1;; step++, at = (at + 1) & mask) {
        unsigned long long there = t.slots[at].key;
        if (there == NO_KEY) {
            if (is_full(t))
                return 0;
            there = atomicCAS(&t.slots[at].key, NO_KEY, key);
            if (there == NO_KEY)
                atomicAdd(t.count, 1ull);
        }
        if (there == NO_KEY || there == key)
            break;
        if (step % STEPS == 0 && is_full(t))
            return 0;
    }
    if (row < t.slots[at].first)
        atomicMin(&t.slots[at].first, row);
    return (uint32_t)at;
}

#endif
