/* SPDX-License-Identifier: BSD-3-Clause */
/* What this machine's CPU can do, in the steps that kernels are written for. */
#ifndef SPRY_CPU_H
#define SPRY_CPU_H

#include <stddef.h>

enum spry_cpu_feature {
    SPRY_CPU_AVX2 = 1,   /* AVX2 and FMA */
    SPRY_CPU_AVX512 = 2, /* AVX-512 F, VL, BW and DQ, and BMI2 */
    SPRY_CPU_NEON = 4    /* what every 64-bit ARM has */
};

/* One feature: its bit and its name. */
struct spry_cpu_feature_name {
    unsigned bit;
    const char *name;
};

/* All features, ended by a row with bit 0. */
extern const struct spry_cpu_feature_name spry_cpu_feature_names[];

/* The name of the feature that code with these bits needs; "" for none. */
const char *spry_cpu_feature_words(unsigned needs);

/* The features that this machine has: an or of spry_cpu_feature. */
unsigned spry_cpu_detect(void);

/* Bytes of the last-level cache that one thread can reach, or a cautious guess where the system is silent. */
size_t spry_cpu_cache_bytes(void);
/* Cores that share that cache, or 1 where the system is silent. */
int spry_cpu_sharers(void);
/* Bytes of the second-level cache of one core. */
size_t spry_cpu_inner_bytes(void);
/* The maker, family and model of this processor, as it tells them. */
void spry_cpu_name(char *name, size_t size);

#endif
