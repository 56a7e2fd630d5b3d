/* SPDX-License-Identifier: BSD-3-Clause */
/* f64 values that are exact in f32, on a device. */
#include "cuda/grid.cuh"
#include "primitives/temporary.cuh"

extern "C" {
#include "codes/coder.h"
}

#define BLOCK 256

/* The cast must give back all bits. *fault becomes the first that does not. */
static __global__ void encode_all(int64_t n, const double *from, float *to, unsigned long long *fault) {
    int64_t first = n;
    FOR_ALL(k, 0, n) {
        to[k] = (float)from[k];
        const bool exact = __double_as_longlong((double)to[k]) == __double_as_longlong(from[k]);
        if (!exact && first == n)
            first = k;
    }
    if (first < n)
        atomicMin(fault, (unsigned long long)first);
}

/* Waits. */
static spry_status encode(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                          void *codes, int64_t *broken) {
    (void)how;
    first_fault found(context);
    *broken = n;
    if (n == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    encode_all<<<blocks_at_once(context, n, BLOCK), BLOCK, 0, context->device->stream>>>(
        n, static_cast<const double *>(values), static_cast<float *>(codes), found.place());
    status = launched(context, "encoding values");
    return status ? status : found.read(broken, n);
}

static spry_status decode(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                          void *values) {
    (void)how;
    return context->code->cast_values(context, codes, SPRY_F32, values, SPRY_F64, n);
}

extern "C" {
extern const struct spry_value_coder spry_cuda_f32;
const struct spry_value_coder spry_cuda_f32 = {.size = sizeof(float), .encode = encode, .decode = decode};
}
