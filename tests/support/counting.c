/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "counting.h"

/* The size is kept in front of each block; as wide as the largest alignment that the library asks for. */
#define HEADER 64

static void *counting_allocate(void *user, size_t alignment, size_t bytes) {
    struct counting *counting = user;
    bool power_of_two = alignment && (alignment & (alignment - 1)) == 0;
    if (!pthread_equal(counting->owner, pthread_self()) || !power_of_two || alignment < 64 || !bytes)
        counting->misused = true;
    if (bytes > counting->largest)
        counting->largest = bytes;
    if (counting->refuse_in && --counting->refuse_in == 0) {
        counting->refused = true;
        return NULL;
    }
    size_t room = (HEADER + bytes + HEADER - 1) / HEADER * HEADER;
    char *block = aligned_alloc(HEADER, room);
    if (!block)
        return NULL;
    /* Nothing may rely on fresh memory being zero. */
    memset(block, 0xa5, room);
    memcpy(block, &bytes, sizeof bytes);
    counting->live_bytes += (int64_t)bytes;
    counting->live_blocks++;
    return block + HEADER;
}

static void counting_release(void *user, void *pointer, size_t bytes) {
    struct counting *counting = user;
    char *block = (char *)pointer - HEADER;
    size_t asked;
    memcpy(&asked, block, sizeof asked);
    if (!pthread_equal(counting->owner, pthread_self()) || asked != bytes)
        counting->misused = true;
    counting->live_bytes -= (int64_t)asked;
    counting->live_blocks--;
    free(block);
}

void counting_start(struct counting *counting) {
    *counting = (struct counting){.owner = pthread_self()};
    counting->allocator = (spry_allocator){counting_allocate, counting_release, counting};
}

void counting_refuse(struct counting *counting, int64_t n) {
    counting->refuse_in = n;
    counting->refused = false;
}

spry_context *counting_context(struct counting *counting, int threads) {
    spry_context_options options = {.threads = threads, .grain = 1, .allocator = &counting->allocator};
    spry_context *context;
    spry_context_create(&context, &options);
    return context;
}
