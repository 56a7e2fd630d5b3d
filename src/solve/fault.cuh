/* SPDX-License-Identifier: BSD-3-Clause */
/* The first row at which device code finds something wrong. */
#ifndef SPRY_FAULT_CUH
#define SPRY_FAULT_CUH

#include "primitives/temporary.cuh"

struct first_fault : temporary {
    using temporary::temporary;
    /* All bits set are the largest number to atomicMin, and -1 to whom nothing was reported. */
    spry_status start() {
        spry_status status = take(1, sizeof(int64_t));
        return status
                   ? status
                   : spry_cuda_check(context,
                                     cudaMemsetAsync(pointer, 0xff, sizeof(int64_t), context->device->stream),
                                     "preparing to look for faults");
    }
    /* What kernels give to atomicMin together with a row. */
    unsigned long long *place() const {
        return static_cast<unsigned long long *>(pointer);
    }
    /* Waits. -1 where there is none. */
    spry_status read(int64_t *row) const {
        return spry_cuda_fetch(context, row, pointer, sizeof *row);
    }
};

#endif
