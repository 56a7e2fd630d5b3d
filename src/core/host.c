/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/host.h"

#include <string.h>

spry_status spry_host_open(spry_context *context, spry_context **host) {
    *host = context;
    if (context->backend == SPRY_CPU)
        return SPRY_OK;
    spry_context_options options = {.size = sizeof options,
                                    .threads = context->threads,
                                    .grain = context->grain,
                                    .allocator = &context->allocator};
    spry_status status = spry_context_create(host, &options);
    return status ? spry_fail(context, status, "no memory for a context on the host") : SPRY_OK;
}

spry_status spry_host_close(spry_context *context, spry_context *host, spry_status status) {
    if (host == context)
        return status;
    if (status)
        memcpy(context->message, host->message, sizeof context->message);
    spry_context_destroy(host);
    return status;
}
