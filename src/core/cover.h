/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes rounded up. */
#ifndef SPRY_COVER_H
#define SPRY_COVER_H

#include <stdint.h>

#include "core/host_device.h"

/* Groups of `side` that cover so many. */
SPRY_HOST_AND_DEVICE int64_t spry_cover(int64_t n, int64_t side) {
    return n / side + (n % side > 0);
}

/* Bytes of the smallest unsigned integer with a bit for each of up to 64 places. */
SPRY_HOST_AND_DEVICE int spry_mask_bytes(int64_t places) {
    return places <= 8 ? 1 : places <= 16 ? 2 : places <= 32 ? 4 : 8;
}

#endif
