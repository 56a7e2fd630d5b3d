/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers, for files that are compiled once for both widths of them. */
#ifndef SPRY_FORMATS_POINTER_H
#define SPRY_FORMATS_POINTER_H

#include "core/internal.h"
#include "core/tmpl.h"

/* Pointer i of an array of a matrix, as wide as its index type says. */
static inline int64_t pointer_at(const spry_matrix *matrix, const void *ptr, int64_t i) {
    return SPRY_TMPL_IDX == 32 && matrix->index == SPRY_I32 ? ((const int32_t *)ptr)[i]
                                                            : ((const int64_t *)ptr)[i];
}

#endif
