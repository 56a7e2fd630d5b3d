/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the different values of a matrix: see struct spry_value_table. */
#ifndef SPRY_CODES_TABLE_H
#define SPRY_CODES_TABLE_H

#include "core/backend.h"

/* Fill a table, whose array is as long as the code can have it, with the different ones among n values. *broken becomes the
   number of the first value that it has no room for, or n. */
spry_status spry_fill_table(spry_context *context, struct spry_coded *how, int64_t n, const void *values,
                            int64_t *broken);

/* How many places of a table to search: the least power of two that has all different values. */
static inline int64_t spry_table_reach(const struct spry_coded *how) {
    int64_t reach = 1;
    while (reach < how->table.count)
        reach *= 2;
    return reach;
}

#endif
