/* SPDX-License-Identifier: BSD-3-Clause */
/* Column codes: how the columns of a matrix are kept. One is a record for each pair of types of each backend. */
#ifndef SPRY_CODES_COLUMNS_H
#define SPRY_CODES_COLUMNS_H

#include "core/table.h"

/* Rows of CSR, and columns of CSC, that have a base together. */
#define SPRY_NARROW_ROWS 32
/* Columns that 16 bits tell apart. */
#define SPRY_NARROW_COLUMNS 65536

/* What the columns of a group span. */
struct spry_column_span {
    int64_t group, low, high; /* of a group without entries, the last two are 0 */
};

/* The first group whose slots lie nowhere, and the first whose base is no column; their number for none. */
struct spry_group_faults {
    int64_t slots, base;
};

/* Narrow columns. Slots that are padding get any code, which stands for a column of the group. */
struct spry_column_coder {
    /* Give each group its base and each slot its code. span->group becomes the first that spans too much, with what it
       spans, or the number of groups. */
    spry_status (*encode)(spry_context *context, const struct spry_column_groups *groups, const void *columns,
                          void *codes, void *bases, struct spry_column_span *span);
    spry_status (*decode)(spry_context *context, const struct spry_column_groups *groups, const void *codes,
                          const void *bases, void *columns);
    /* Where nothing is found, codes can be decoded: no slot is outside the arrays, and no column overflows. Reads no
       codes. */
    spry_status (*check)(spry_context *context, const struct spry_column_groups *groups, int64_t cols,
                         const void *bases, struct spry_group_faults *faults);
};

#endif
