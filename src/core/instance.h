/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_INSTANCE_H
#define SPRY_INSTANCE_H

#include "core/table.h"

struct spry_diagonal_code;
struct spry_triangle_code;
struct spry_column_coder;

/* Everything that exists for one pair of value and index type. */
struct spry_instance {
    const struct spry_format_code *format[SPRY_FORMAT_COUNT];
    const struct spry_convert_code *convert[SPRY_FORMAT_COUNT];
    const struct spry_diagonal_code *diagonal;
    const struct spry_triangle_code *triangle;
    const struct spry_column_coder *narrow;
    size_t lists;
    const struct spry_kernel_list *const *list;
};

#endif
