/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether kernels may be readied early: see early.cuh. */
#include "cuda/early.cuh"

/* Before this, such launches could not be recorded in graphs. */
#define RECORDED_FROM 12030

/* Compiled for the same architectures as all other kernels. */
static __global__ void any_kernel() {
    await_earlier();
}

/* Code of an older architecture, compiled by the driver for a newer one, does not wait. */
static bool code_waits() {
    cudaFuncAttributes kernel;
    if (cudaFuncGetAttributes(&kernel, any_kernel) == cudaSuccess)
        return kernel.ptxVersion >= 90;
    (void)cudaGetLastError();
    return false;
}

extern "C" bool spry_cuda_starts_early(void) {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess)
        return false;
    return CUDART_VERSION >= RECORDED_FROM && driver >= RECORDED_FROM && code_waits();
}
