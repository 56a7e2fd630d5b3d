/* SPDX-License-Identifier: BSD-3-Clause */
/* CPU features, asked of the compiler's run-time support, which also asks the system whether it saves
   the wide registers. */
#define _GNU_SOURCE
#include <unistd.h>

#include "core/cpu.h"

const struct spry_cpu_feature_name spry_cpu_feature_names[] = {
    {SPRY_CPU_AVX2, "avx2"},
    {SPRY_CPU_AVX512, "avx512"},
    {0, NULL},
};

unsigned spry_cpu_detect(void) {
    unsigned features = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        features |= SPRY_CPU_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("bmi2"))
        features |= SPRY_CPU_AVX512;
#endif
    return features;
}

size_t spry_cpu_cache_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes : (size_t)8 << 20;
}
