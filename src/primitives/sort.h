/* SPDX-License-Identifier: BSD-3-Clause */
/* Radix sort on the device, of integers whose width is known only when running: code for it is large, so it
   is compiled once for all value and index types. */
#ifndef SPRY_SORT_H
#define SPRY_SORT_H

#include "cuda/device.h"

/* Bits that tell apart the `limit` numbers that are counted from `base`. */
static inline int spry_bits_for(int base, int64_t limit) {
    uint64_t largest = limit > 0 ? (uint64_t)limit - 1 + (uint64_t)base : 0;
    return largest > 0 ? 64 - __builtin_clzll(largest) : 0;
}

/* Stable sort of n pairs by the low `bits` bits of their keys. Keys and payload are unsigned integers of 4 or
   8 bytes; the inputs are kept. */
spry_status spry_cuda_sort_pairs(spry_context *context, size_t key_size, const void *keys, void *keys_out,
                                 size_t payload_size, const void *payload, void *payload_out, int64_t n,
                                 int bits);

/* Width of an integer that holds any position among n: half as much to move where 4 bytes do. */
static inline size_t spry_position_size(int64_t n) {
    return n > (int64_t)1 << 32 ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* As spry_cuda_sort_pairs, where the payload is the pair's position before: of spry_position_size(n). */
spry_status spry_cuda_sort_positions(spry_context *context, size_t key_size, const void *keys, void *keys_out,
                                     void *positions, int64_t n, int bits);

#endif
