/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of an integer array whose width is known only when running, for code that is compiled once for all
   index types: the branch goes the same way for all of an array, so it costs next to nothing. */
#ifndef SPRY_INTEGERS_H
#define SPRY_INTEGERS_H

#include <stddef.h>
#include <stdint.h>

#include "core/host_device.h"

SPRY_HOST_AND_DEVICE int64_t load_integer(const void *array, size_t size, int64_t k) {
    return size == sizeof(int64_t) ? ((const int64_t *)array)[k] : ((const int32_t *)array)[k];
}

static inline void store_integer(void *array, size_t size, int64_t k, int64_t value) {
    if (size == sizeof(int64_t))
        ((int64_t *)array)[k] = value;
    else
        ((int32_t *)array)[k] = (int32_t)value;
}

#endif
