/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: overflow is checked before anything is asked for, and every request goes through the
   context's allocator. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/allocate.h"
#include "core/backend.h"
#include "core/size.h"

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

/* A device says how much it has left, which is where its user has to look; of a host that is no one number. */
static spry_status refuse(spry_context *context, const spry_allocator *allocator, size_t bytes, size_t count,
                          size_t size) {
    const struct spry_backend_code *code = context->code;
    char left[64] = "";
    size_t rest;
    if (allocator == &context->arrays && code->memory_left && code->memory_left(context, &rest))
        snprintf(left, sizeof left, ": the device has %s left", spry_size_text((double)rest).text);
    return spry_fail(context, SPRY_ERROR_MEMORY, "no memory for %s (%zu items of %zu bytes)%s",
                     spry_size_text((double)bytes).text, count, size, left);
}

static spry_status allocate(spry_context *context, const spry_allocator *allocator, size_t count, size_t size,
                            void **pointer) {
    *pointer = NULL;
    size_t bytes = total_bytes(count, size);
    if (!bytes)
        return spry_fail(context, SPRY_ERROR_OVERFLOW,
                         "an array of %zu items of %zu bytes is beyond the address space", count, size);
    *pointer = allocator->allocate(allocator->user, SPRY_ALIGNMENT, bytes);
    return *pointer ? SPRY_OK : refuse(context, allocator, bytes, count, size);
}

spry_status spry_allocate(spry_context *context, size_t count, size_t size, void **pointer) {
    return allocate(context, &context->allocator, count, size, pointer);
}

spry_status spry_allocate_counts(spry_context *context, int64_t count, int64_t **counts) {
    void *pointer;
    spry_status status = spry_allocate(context, (size_t)count, sizeof **counts, &pointer);
    *counts = pointer;
    return status;
}

spry_status spry_allocate_array(spry_context *context, size_t count, size_t size, void **pointer) {
    return allocate(context, &context->arrays, count, size, pointer);
}

void spry_release(const spry_allocator *allocator, void *pointer, size_t count, size_t size) {
    if (pointer)
        allocator->release(allocator->user, pointer, total_bytes(count, size));
}

spry_status spry_array_new(spry_context *context, size_t bytes, void **array) {
    if (!context || !array)
        return spry_no_result(context, "spry_array_new");
    spry_status status = spry_allocate_array(context, bytes, 1, array);
    if (status)
        return status;
    status = context->code->synchronize(context);
    if (status) {
        spry_release(&context->arrays, *array, bytes, 1);
        *array = NULL;
    }
    return status;
}

void spry_array_free(spry_context *context, void *array, size_t bytes) {
    if (!context || !array)
        return;
    context->code->synchronize_device(context->device_number);
    spry_release(&context->arrays, array, bytes, 1);
}

static spry_status copy(spry_context *context, const char *call, void *to, const void *from, size_t bytes) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (bytes > 0 && (!to || !from))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: an array is null", call);
    return context->code->copy(context, to, from, bytes);
}

spry_status spry_array_put(spry_context *context, void *array, const void *host, size_t bytes) {
    return copy(context, "spry_array_put", array, host, bytes);
}

spry_status spry_array_get(spry_context *context, const void *array, void *host, size_t bytes) {
    return copy(context, "spry_array_get", host, array, bytes);
}
