/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/scratch.h"

spry_status spry_cpu_scratch(spry_context *context, size_t bytes, void **pointer) {
    if (bytes > context->scratch_bytes) {
        void *larger;
        spry_status status = spry_allocate(context, bytes, 1, &larger);
        if (status)
            return status;
        spry_release(&context->allocator, context->scratch, context->scratch_bytes, 1);
        context->scratch = larger;
        context->scratch_bytes = bytes;
    }
    *pointer = context->scratch;
    return SPRY_OK;
}
