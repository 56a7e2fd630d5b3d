/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of rows: what tells whether two of them may have the same stencil. */
#ifndef SPRY_STENCIL_KEY_H
#define SPRY_STENCIL_KEY_H

#include "core/hash.h"

/*
 * The key of a row is a number that follows from its entries, which rows of one stencil have in common and others hardly ever:
 * whoever goes by it compares the entries then, and takes another salt where they differ. Each entry is mixed in,
 * with constants of MurmurHash3's 64-bit finaliser (Appleby, 2011).
 */
#define SPRY_STENCIL_SALTS 8

/* Where a key begins, for a row of this length. */
SPRY_HOST_AND_DEVICE uint64_t spry_stencil_key(int salt, int64_t length) {
    return spry_mix(UINT64_C(0xc4ceb9fe1a85ec53) * (uint64_t)(salt + 1), (uint64_t)length);
}

/* The key with one entry more: its offset, and the bits of its value. */
SPRY_HOST_AND_DEVICE uint64_t spry_stencil_add(uint64_t key, int64_t offset, uint64_t value_bits) {
    return spry_mix(spry_mix(key, (uint64_t)offset), value_bits);
}

#endif
