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

/* What Linux tells of a cache of the first processor; null when it does not. */
static FILE *open_of_cache(int index, const char *what) {
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    return fopen(path, "re");
}

/* How many processors are in a list such as "0-7,16-23". */
static int count_listed(FILE *file) {
    int count = 0, first, last;
    while (fscanf(file, "%d", &first) == 1) {
        if (fscanf(file, "-%d", &last) != 1)
            last = first;
        count += last - first + 1;
        if (fgetc(file) != ',')
            break;
    }
    return count;
}

/* How many processors share one cache; zero where Linux does not tell. */
static int sharers_of_first_cpu(int index) {
    FILE *file = open_of_cache(index, "shared_cpu_list");
    if (!file)
        return 0;
    const int count = count_listed(file);
    fclose(file);
    return count;
}

/* The size in bytes of one cache as Linux tells it, such as "32768K"; zero when it does not. */
static size_t cache_of_first_cpu(int index) {
    size_t kilobytes = 0;
    FILE *file = open_of_cache(index, "size");
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

int spry_cpu_sharers(void) {
    const int all = sharers_of_first_cpu(3), of_core = sharers_of_first_cpu(2);
    return of_core > 0 && all > of_core ? all / of_core : 1;
}

size_t spry_cpu_inner_bytes(void) {
    return cache_of_levels(2, 2, (size_t)1 << 20);
}
