/* SPDX-License-Identifier: BSD-3-Clause */
#include "codes/table.h"

#include <stdlib.h>

#include "codes/distinct.h"

/* Values that are looked at once more at a time. */
#define CHUNK 65536

static int compare(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Add values until the set takes no more; how many were added. */
static int64_t add_all(struct spry_distinct *set, spry_value_type type, const void *values, int64_t n) {
    int64_t k = 0;
    while (k < n && spry_distinct_add(set, spry_value_bits(type, values, k)))
        k++;
    return k;
}

/* The first value that is one too many, with room on the host for a set and for a chunk of values. */
static spry_status seek(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                        uint64_t *slots, void *chunk, int64_t *broken) {
    const size_t size = spry_type_size(how->type);
    struct spry_distinct set = {.slot = NULL};
    spry_status status = SPRY_OK;
    int64_t added = 0, count = 0;
    *broken = n;
    for (int64_t k = 0; k < n && added == count && !status; k += count) {
        count = n - k < CHUNK ? n - k : CHUNK;
        status = context->code->copy(context, chunk, (const char *)values + (size_t)k * size,
                                     (size_t)count * size);
        if (status)
            return status;
        if (k == 0)
            set = spry_distinct_in(slots, how->coder->most, spry_value_bits(how->type, chunk, 0));
        added = add_all(&set, how->type, chunk, count);
        *broken = added < count ? k + added : n;
    }
    return status;
}

static spry_status seek_first_beyond(spry_context *context, const struct spry_coded *how, int64_t n,
                                     const void *values, int64_t *broken) {
    const size_t size = spry_type_size(how->type), slots = (size_t)spry_distinct_slots(how->coder->most);
    void *set, *chunk = NULL;
    spry_status status = spry_allocate(context, slots, sizeof(uint64_t), &set);
    if (!status)
        status = spry_allocate(context, CHUNK, size, &chunk);
    if (!status)
        status = seek(context, how, n, values, set, chunk, broken);
    spry_release(&context->allocator, chunk, CHUNK, size);
    spry_release(&context->allocator, set, slots, sizeof(uint64_t));
    return status;
}

/* Values in the order of their bits, the last again up to the end of the table, each as wide as its type has it. */
static void lay_out(spry_value_type type, uint64_t *bits, int64_t count, int64_t most) {
    qsort(bits, (size_t)count, sizeof *bits, compare);
    for (int64_t i = count; i < most; i++)
        bits[i] = bits[count - 1];
    for (int64_t i = 0; i < most && type == SPRY_F32; i++) {
        const uint32_t narrow = (uint32_t)bits[i];
        memcpy((char *)bits + (size_t)i * sizeof narrow, &narrow, sizeof narrow);
    }
}

spry_status spry_fill_table(spry_context *context, struct spry_coded *how, int64_t n, const void *values,
                            int64_t *broken) {
    const int64_t most = how->coder->most;
    int64_t count;
    void *pointer;
    spry_status status = spry_allocate(context, (size_t)most, sizeof(uint64_t), &pointer);
    if (status)
        return status;
    uint64_t *bits = pointer;
    bits[0] = 0; /* of a matrix without entries */
    status = how->coder->collect(context, how, n, values, bits, &count);
    *broken = n;
    if (!status && count > most)
        status = seek_first_beyond(context, how, n, values, broken);
    else if (!status) {
        how->table.count = count > 0 ? count : 1;
        lay_out(how->type, bits, how->table.count, most);
        status =
            context->code->copy(context, how->table.values, bits, (size_t)most * spry_type_size(how->type));
    }
    spry_release(&context->allocator, pointer, (size_t)most, sizeof(uint64_t));
    return status;
}
