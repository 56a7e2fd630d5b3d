/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR on a device: what its kernels and the choice among them share. */
#ifndef SPRY_CSR_CUH
#define SPRY_CSR_CUH

#include "formats/formats.cuh"

/* Loads that a thread has in flight before it uses the first. */
#define SPRY_CSR_AHEAD 4

/* How often so many lanes go through their loop for a row of that length. */
static __host__ __device__ inline unsigned long long spry_csr_rounds(unsigned long long length, int lanes) {
    return (length + SPRY_CSR_AHEAD * lanes - 1) / (SPRY_CSR_AHEAD * lanes);
}

#endif
