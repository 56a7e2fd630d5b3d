/* SPDX-License-Identifier: BSD-3-Clause */
/* Indices and row pointers of either width. */
#ifndef SPRY_COMMON_INTEGER_H
#define SPRY_COMMON_INTEGER_H

#include <stddef.h>
#include <stdint.h>

/* Integer i of an array of such with so many bytes, 4 or 8. */
static inline int64_t integer_at(const void *array, size_t bytes, int64_t i) {
    return bytes == sizeof(int32_t) ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}

#endif
