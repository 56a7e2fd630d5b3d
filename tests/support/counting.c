/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "counting.h"
#include "list.h"

struct counting_block {
    void *pointer;
    size_t bytes;
    struct counting_block *next;
};

/* Where device memory really comes from; it is there until the program ends. */
static spry_context *source(void) {
    static spry_context *context;
    if (!context)
        context = test_context(1);
    return context;
}

/* Nothing may rely on fresh memory being zero. */
static void *host_memory(size_t alignment, size_t bytes) {
    void *pointer = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return pointer ? memset(pointer, 0xa5, bytes) : NULL;
}

static void *device_memory(size_t bytes) {
    void *pointer, *filler = memset(test_malloc(bytes), 0xa5, bytes);
    if (spry_array_new(source(), bytes, &pointer) == SPRY_OK)
        spry_array_put(source(), pointer, filler, bytes);
    free(filler);
    return pointer;
}

/* Whether a request is granted. */
static bool grant(struct counting *counting, size_t alignment, size_t bytes) {
    bool power_of_two = alignment && (alignment & (alignment - 1)) == 0;
    if (!pthread_equal(counting->owner, pthread_self()) || !power_of_two || alignment < 64 || !bytes)
        counting->misused = true;
    counting->requests++;
    if (bytes > counting->largest)
        counting->largest = bytes;
    if ((counting->refuse_in && --counting->refuse_in == 0) ||
        (counting->refused && counting->refuse_after)) {
        counting->refused = true;
        return false;
    }
    return true;
}

/* Counts a block that is given out. */
static void *remember(struct counting *counting, void *pointer, size_t bytes) {
    if (!pointer)
        return NULL;
    counting->live_bytes += (int64_t)bytes;
    counting->live_blocks++;
    if (counting->live_bytes > counting->most_bytes)
        counting->most_bytes = counting->live_bytes;
    struct counting_block *block = test_malloc(sizeof *block);
    *block = (struct counting_block){pointer, bytes, counting->blocks};
    counting->blocks = block;
    return pointer;
}

/* Whether the block was given out with this size and not released since. */
static bool forget(struct counting *counting, const void *pointer, size_t bytes) {
    struct counting_block **at = &counting->blocks;
    while (*at && (*at)->pointer != pointer)
        at = &(*at)->next;
    struct counting_block *block = *at;
    if (!pthread_equal(counting->owner, pthread_self()) || !block || block->bytes != bytes)
        counting->misused = true;
    if (!block)
        return false;
    counting->live_bytes -= (int64_t)block->bytes;
    counting->live_blocks--;
    *at = block->next;
    free(block);
    return true;
}

static void *host_allocate(void *user, size_t alignment, size_t bytes) {
    return grant(user, alignment, bytes) ? remember(user, host_memory(alignment, bytes), bytes) : NULL;
}

static void host_release(void *user, void *pointer, size_t bytes) {
    if (forget(user, pointer, bytes))
        free(pointer);
}

static void *device_allocate(void *user, size_t alignment, size_t bytes) {
    return grant(user, alignment, bytes) ? remember(user, device_memory(bytes), bytes) : NULL;
}

static void device_release(void *user, void *pointer, size_t bytes) {
    if (forget(user, pointer, bytes))
        spry_array_free(source(), pointer, bytes);
}

void counting_start(struct counting *counting) {
    *counting = (struct counting){.owner = pthread_self()};
    counting->allocator = (spry_allocator){host_allocate, host_release, counting};
    counting->device_allocator = (spry_allocator){device_allocate, device_release, counting};
}

void counting_refuse(struct counting *counting, int64_t n) {
    counting->refuse_in = n;
    counting->refuse_after = false;
    counting->refused = false;
}

void counting_refuse_from(struct counting *counting, int64_t n) {
    counting_refuse(counting, n);
    counting->refuse_after = true;
}

spry_context *counting_context(struct counting *counting, int threads) {
    spry_context_options options = test_options();
    options.threads = threads;
    options.allocator = &counting->allocator;
    options.device_allocator = &counting->device_allocator;
    spry_context *context;
    spry_context_create(&context, &options);
    return context;
}
