/* SPDX-License-Identifier: BSD-3-Clause */
/* A parallel counting sort: where each thread puts its share of entries so that they end up ordered by a
   key, entries of the same key in the order they had. */
#ifndef SPRY_BUCKETS_H
#define SPRY_BUCKETS_H

#include "core/internal.h"
#include "core/tmpl.h"

typedef struct NAME(spry_buckets) {
    int parts;   /* each takes spry_share(entries, p, parts) … */
    int threads; /* the context's, or one for one part */
    int64_t entries, keys;
    ptr_t *position; /* parts × keys: where part p puts its next entry with a key */
} buckets_t;

/* Count the keys (from `base`), set ptr[0 … keys] to where each key's entries begin, and prepare the
   positions. */
spry_status NAME(spry_buckets_open)(spry_context *context, const idx_t *key, int base, int64_t entries,
                                    int64_t keys, ptr_t *ptr, buckets_t *buckets);
void NAME(spry_buckets_close)(spry_context *context, buckets_t *buckets);

#endif
