/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in for src/cuda/ in a library that is built without it. */
#include <stdio.h>

#include "core/backend.h"

const struct spry_backend_code *spry_cuda_backend(void) {
    return NULL;
}

int spry_cuda_devices(char *reason, size_t size) {
    if (reason && size > 0)
        snprintf(reason, size, "this library was built without CUDA");
    return 0;
}

void *spry_context_stream(const spry_context *context) {
    (void)context;
    return NULL;
}
