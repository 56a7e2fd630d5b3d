/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look random, always the same for the same ones. */
#ifndef SPRY_HASH_H
#define SPRY_HASH_H

#include <stdint.h>

#include "core/host_device.h"

/* 64 bits that look random, always the same for number i: the finalizer of splitmix64 (Steele, Lea and Flood, Fast splittable
   pseudorandom number generators, OOPSLA 2014). */
SPRY_HOST_AND_DEVICE uint64_t spry_hash(int64_t i) {
    uint64_t bits = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

/* A key with one word more, by multiplication and shift; the constant is one of MurmurHash3's 64-bit finaliser (Appleby, 2011). */
SPRY_HOST_AND_DEVICE uint64_t spry_mix(uint64_t key, uint64_t word) {
    key = (key ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return key ^ key >> 33;
}

#endif
