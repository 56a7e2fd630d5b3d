/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of a cluster: shared memory of each other, and waiting for each other. For GPUs that have clusters; for
   others this compiles, and must not run. */
#ifndef SPRY_SOLVE_CLUSTER_CUH
#define SPRY_SOLVE_CLUSTER_CUH

#include "cuda/grid.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define CLUSTER_ASM(...) asm volatile(__VA_ARGS__)
#else
#define CLUSTER_ASM(...) __trap()
#endif

/* All threads of all blocks; what they wrote before, to whichever block, is seen after it. */
static __device__ inline void cluster_barrier() {
    CLUSTER_ASM("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::
                    : "memory");
}

/* In the shared memory of some block, the address of what is at `mine` in this one's. */
static __device__ inline uint32_t address_in(unsigned block, const void *mine) {
    uint32_t address = 0;
    CLUSTER_ASM("mapa.shared::cluster.u32 %0, %1, %2;"
                : "=r"(address)
                : "r"((uint32_t)__cvta_generic_to_shared(mine)), "r"(block));
    return address;
}

static __device__ inline void cluster_read(uint32_t address, double *value) {
    CLUSTER_ASM("ld.shared::cluster.f64 %0, [%1];" : "=d"(*value) : "r"(address));
}
static __device__ inline void cluster_read(uint32_t address, float *value) {
    CLUSTER_ASM("ld.shared::cluster.f32 %0, [%1];" : "=f"(*value) : "r"(address));
}
static __device__ inline void cluster_store(uint32_t address, double value) {
    CLUSTER_ASM("st.shared::cluster.f64 [%0], %1;" ::"r"(address), "d"(value) : "memory");
}

#endif
