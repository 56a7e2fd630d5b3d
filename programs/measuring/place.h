/* SPDX-License-Identifier: BSD-3-Clause */
/* Where products are measured: the CPU, or a GPU. */
#ifndef SPRY_MEASURING_PLACE_H
#define SPRY_MEASURING_PLACE_H

#include <stdbool.h>

#include "measuring/timing.h"

struct place {
    spry_context *context;
    spry_backend backend;
    char processor[256];
    double memory_gbs; /* what it moves from (GPU: from and to) its memory, in 10^9 bytes a second; CPU: NaN
                          where there was no memory to measure it with */
    /* GPU: second-level cache; CPU: 0, since its own word on that is not to be relied on. */
    size_t cache_bytes;
    /* Of what failed last outside the library, cleared by who begins anew; "" if nothing did. */
    char message[256];
    void *own;
    const struct peer_library *library; /* cusparse/peer_library.h; null: none. Whoever opens it closes it */
    void *library_own;

    /* What each product's time takes; with few seconds the CPU's memory is measured in haste. */
    double seconds;

    /* Measure the memory, once, when there is a first matrix to hold against it. */
    spry_status (*open_memory)(struct place *place);
    /* Time a call: `warm` as it is repeated on the same data; on a GPU `cold`, with nothing of it in the cache,
       as well. About min_time seconds for the warm ones. */
    spry_status (*time)(struct place *place, timed_call *call, void *user, double min_time,
                        struct spread *warm, struct spread *cold);
    /* The rate, in 10^9 bytes a second, at which as many bytes are read again and again. */
    double (*roof_gbs)(const struct place *place, size_t bytes);
    void (*close)(struct place *place);
};

/* The CPU, in a context that stays the caller's. Where there is no memory, false, and place->message says so. */
bool place_open_cpu(struct place *place, spry_context *context);

/* The GPU, in a context of the place's own with so many threads on the host, 0 for all. Where there is no GPU, false, and
   place->message says why. */
bool place_open_gpu(struct place *place, int threads);

/* A vector where products are; on the CPU in memory that its threads touch first. place_vector_free takes null, too. */
spry_status place_vector_new(const struct place *place, spry_value_type type, int64_t count, void **vector);
void place_vector_free(const struct place *place, spry_value_type type, int64_t count, void *vector);

/* What to say of a failure here: place->message, or the library's words. */
const char *place_failure(const struct place *place, spry_status status);

#endif
