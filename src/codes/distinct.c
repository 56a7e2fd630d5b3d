/* SPDX-License-Identifier: BSD-3-Clause */
#include "codes/distinct.h"

int64_t spry_distinct_slots(int64_t most) {
    int64_t slots = 4;
    while (slots < 4 * most)
        slots *= 2;
    return slots;
}

struct spry_distinct spry_distinct_in(uint64_t *slots, int64_t most, uint64_t first) {
    const struct spry_distinct set = {slots, spry_distinct_slots(most), first, most, 1};
    for (int64_t i = 0; i < set.slots; i++)
        slots[i] = first;
    return set;
}

bool spry_distinct_add(struct spry_distinct *set, uint64_t bits) {
    int64_t at = spry_distinct_place(bits, set->slots);
    if (bits == set->first)
        return true;
    while (set->slot[at] != bits && set->slot[at] != set->first)
        at = (at + 1) & (set->slots - 1);
    if (set->slot[at] == bits)
        return true;
    if (set->count == set->most)
        return false;
    set->slot[at] = bits;
    set->count++;
    return true;
}

void spry_distinct_list(const struct spry_distinct *set, uint64_t *bits) {
    int64_t count = 0;
    bits[count++] = set->first;
    for (int64_t i = 0; i < set->slots; i++)
        if (set->slot[i] != set->first)
            bits[count++] = set->slot[i];
}
