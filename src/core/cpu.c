/* SPDX-License-Identifier: BSD-3-Clause */
/* CPU features, asked of the compiler's run-time support, which also asks the system whether it saves
   the wide registers. */
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/cpu.h"

const struct spry_cpu_feature_name spry_cpu_feature_names[] = {
    {SPRY_CPU_AVX2, "avx2"},
    {SPRY_CPU_AVX512, "avx512"},
    {SPRY_CPU_NEON, "neon"},
    {0, NULL},
};

const char *spry_cpu_feature_words(unsigned needs) {
    const struct spry_cpu_feature_name *feature = spry_cpu_feature_names;
    while (feature->bit && !(feature->bit & needs))
        feature++;
    return feature->bit ? feature->name : "";
}

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
#elif defined(__aarch64__)
    features |= SPRY_CPU_NEON;
#endif
    return features;
}

void spry_cpu_name(char *name, size_t size) {
#if defined(__x86_64__)
    unsigned most, signature, word[3], unused;
    char maker[13] = "";
    /* Both leaves are in every processor of 64 bits. */
    __cpuid(0, most, word[0], word[2], word[1]);
    __cpuid(1, signature, unused, unused, unused);
    memcpy(maker, word, sizeof word);
    /* The manuals of both makers: model and family are in two pieces each. */
    unsigned family = (signature >> 8 & 15) + (signature >> 20 & 255),
             model = (signature >> 4 & 15) | (signature >> 12 & 240);
    snprintf(name, size, "%s family %u model %u", maker, family, model);
#else
    snprintf(name, size, "unknown processor");
#endif
}

/* The size in bytes of one cache as Linux tells it, such as "32768K"; zero when it does not. */
static size_t cache_of_first_cpu(int index) {
    char path[80];
    size_t kilobytes = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%zuK", &kilobytes) != 1)
        kilobytes = 0;
    fclose(file);
    return kilobytes << 10;
}

/* Of the outermost of these levels that there is. */
static size_t cache_of_levels(int from, int to, size_t otherwise) {
    for (int index = from; index >= to; index--) {
        size_t bytes = cache_of_first_cpu(index);
        if (bytes > 0)
            return bytes;
    }
    return otherwise;
}

size_t spry_cpu_cache_bytes(void) {
    /* The C library adds up what all cores of a package have, of which one core may reach a part only. */
    return cache_of_levels(3, 2, (size_t)8 << 20);
}

size_t spry_cpu_inner_bytes(void) {
    return cache_of_levels(2, 2, (size_t)1 << 20);
}
