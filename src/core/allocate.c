/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: overflow is checked before anything is asked for, and every request goes through the
   context's allocator. */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/allocate.h"

/* Arrays from this size on are aligned to it and backed by huge pages: streaming through 4 KiB pages
   costs a TLB miss every 64 lines. */
#define HUGE_PAGE ((size_t)2 << 20)

static void *default_allocate(void *user, size_t alignment, size_t bytes) {
    (void)user;
    bool huge = bytes >= HUGE_PAGE;
    if (huge)
        alignment = HUGE_PAGE;
    void *pointer = NULL;
    if (posix_memalign(&pointer, alignment, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    /* Advice only: where it is refused, the memory is as good as without it. */
    if (huge)
        (void)madvise(pointer, bytes, MADV_HUGEPAGE);
#endif
    return pointer;
}

static void default_release(void *user, void *pointer, size_t bytes) {
    (void)user;
    (void)bytes;
    free(pointer);
}

const spry_allocator spry_default_allocator = {default_allocate, default_release, NULL};

/* Zero when the product does not fit; at least one byte, so that a null pointer always means failure. */
static size_t total_bytes(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return 0;
    return bytes ? bytes : 1;
}

spry_status spry_allocate(spry_context *context, size_t count, size_t size, void **pointer) {
    *pointer = NULL;
    size_t bytes = total_bytes(count, size);
    if (!bytes)
        return spry_fail(context, SPRY_ERROR_OVERFLOW,
                         "an array of %zu items of %zu bytes is beyond the address space", count, size);
    *pointer = context->allocator.allocate(context->allocator.user, SPRY_ALIGNMENT, bytes);
    if (!*pointer)
        return spry_fail(context, SPRY_ERROR_MEMORY, "no memory for %zu bytes (%zu items of %zu bytes)",
                         bytes, count, size);
    return SPRY_OK;
}

void spry_release(const spry_allocator *allocator, void *pointer, size_t count, size_t size) {
    if (pointer)
        allocator->release(allocator->user, pointer, total_bytes(count, size));
}

spry_status spry_reserve_scratch(spry_context *context, size_t bytes) {
    if (bytes <= context->scratch_bytes)
        return SPRY_OK;
    void *larger;
    spry_status status = spry_allocate(context, bytes, 1, &larger);
    if (status)
        return status;
    spry_release(&context->allocator, context->scratch, context->scratch_bytes, 1);
    context->scratch = larger;
    context->scratch_bytes = bytes;
    return SPRY_OK;
}
