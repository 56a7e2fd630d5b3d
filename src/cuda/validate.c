/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that end on the host, whose code has the words for every fault. */
#include "core/host.h"
#include "cuda/device.h"

static spry_status validate_copy(spry_context *host, const spry_matrix *matrix, unsigned flags) {
    spry_matrix *copy;
    spry_status status = spry_matrix_copy_unfinished(host, matrix, &copy);
    if (status)
        return status;
    status = spry_format_code(copy)->validate(host, copy, flags);
    spry_matrix_destroy(copy);
    return status;
}

spry_status spry_cuda_validate_on_host(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    spry_context *host;
    /* The copy is made outside the stream. */
    spry_status status = context->code->synchronize(context);
    if (!status)
        status = spry_host_open(context, &host);
    if (status)
        return status;
    return spry_host_close(context, host, validate_copy(host, matrix, flags));
}
