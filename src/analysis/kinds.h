/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of things in a sample, by keys that things of one kind have in common: a small open addressing table. */
#ifndef SPRY_KINDS_H
#define SPRY_KINDS_H

#include <stdint.h>

/* Things of a sample, at most; places of the table, twice as many. */
#define SPRY_KINDS_MOST 1024
#define SPRY_KINDS_PLACES (2 * SPRY_KINDS_MOST)

/* Zero before the first is added. */
struct spry_kinds {
    uint16_t first[SPRY_KINDS_PLACES]; /* 1 + the number of the first thing with a key, or 0 */
    uint16_t often[SPRY_KINDS_MOST];   /* by that number */
    int64_t count, once, twice;        /* kinds, and those of which there is one thing, or are two */
};

/* Add thing s, whose key is key[s], after all before it; how many there are of its kind now. Keys are well mixed. */
static inline int spry_kinds_add(struct spry_kinds *kinds, const uint64_t *key, int64_t s) {
    uint64_t at = key[s] % SPRY_KINDS_PLACES;
    while (kinds->first[at] != 0 && key[kinds->first[at] - 1] != key[s])
        at = (at + 1) % SPRY_KINDS_PLACES;
    if (kinds->first[at] == 0)
        kinds->first[at] = (uint16_t)(s + 1);
    const int often = ++kinds->often[kinds->first[at] - 1];
    kinds->count += often == 1;
    kinds->once += often == 1 ? 1 : often == 2 ? -1 : 0;
    kinds->twice += often == 2 ? 1 : often == 3 ? -1 : 0;
    return often;
}

#endif
