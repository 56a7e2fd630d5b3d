/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "convert/buckets.h"
#include "core/split.h"
#include "core/team.h"
#include "primitives/pointers.h"

/* Every part has a counter per key, so parts only pay while their entries outnumber the keys. */
static int part_count(const spry_context *context, int64_t entries, int64_t keys) {
    int64_t worth = entries / (keys > context->grain ? keys : context->grain);
    return worth < 1 ? 1 : worth < context->threads ? (int)worth : context->threads;
}

static void count(const idx_t *key, int base, buckets_t *buckets) {
#pragma omp parallel for num_threads(spry_team(buckets->threads)) schedule(static, 1)
    for (int p = 0; p < buckets->parts; p++) {
        ptr_t *position = buckets->position + p * buckets->keys;
        int64_t end = spry_share(buckets->entries, p + 1, buckets->parts);
        memset(position, 0, (size_t)buckets->keys * sizeof *position);
        for (int64_t k = spry_share(buckets->entries, p, buckets->parts); k < end; k++)
            position[key[k] - base]++;
    }
}

spry_status NAME(spry_buckets_open)(spry_context *context, const idx_t *key, int base, int64_t entries,
                                    int64_t keys, ptr_t *ptr, buckets_t *buckets) {
    const int parts = part_count(context, entries, keys);
    *buckets = (buckets_t){
        .parts = parts, .threads = parts > 1 ? context->threads : 1, .entries = entries, .keys = keys};
    void *position;
    spry_status status =
        spry_allocate(context, (size_t)keys, (size_t)buckets->parts * sizeof(ptr_t), &position);
    if (status)
        return status;
    buckets->position = position;
    count(key, base, buckets);
#pragma omp parallel for num_threads(spry_team(buckets->threads))
    for (int64_t j = 0; j < keys; j++) {
        ptr_t sum = 0;
        for (int p = 0; p < buckets->parts; p++)
            sum += buckets->position[p * keys + j];
        ptr[j] = sum;
    }
    NAME(spry_scan)(context, ptr, keys);
#pragma omp parallel for num_threads(spry_team(buckets->threads))
    for (int64_t j = 0; j < keys; j++) {
        ptr_t next = ptr[j];
        for (int p = 0; p < buckets->parts; p++) {
            ptr_t here = buckets->position[p * keys + j];
            buckets->position[p * keys + j] = next;
            next += here;
        }
    }
    return SPRY_OK;
}

void NAME(spry_buckets_close)(spry_context *context, buckets_t *buckets) {
    spry_release(&context->allocator, buckets->position, (size_t)buckets->keys,
                 (size_t)buckets->parts * sizeof(ptr_t));
}
