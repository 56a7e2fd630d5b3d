/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines "row column value", counted from 1. */
#include <inttypes.h>

#include "io/entry.h"

/* An index from 1 to `limit`, given from 0; null after a fault. */
static inline const char *parse_index(const char *token, const char *name, int64_t limit, int64_t *index,
                                      struct fault *fault) {
    uint64_t value;
    const char *end = scan_unsigned(token, &value);
    /* Without digits the value is 0, which is no index either. */
    if (value - 1 >= (uint64_t)limit || !ends_token(*end)) {
        spry_fault(fault, token, "a %s from 1 to %" PRId64, name, limit);
        return NULL;
    }
    *index = (int64_t)(value - 1);
    return end;
}

void spry_parse_coordinates(const struct body *body, const char *text, const char *end, struct piece *piece) {
    const spry_file_info *info = &body->header->info;
    bool pattern = info->field == SPRY_PATTERN;
    const char *p = text;
    for (int64_t k = piece->first; k < piece->first + piece->count; k++) {
        int64_t row, col;
        p = parse_index(next_entry(p, end), "row", info->rows, &row, &piece->fault);
        if (p)
            p = parse_index(skip_blanks(p), "column", info->cols, &col, &piece->fault);
        if (p)
            p = pattern ? skip_value(body, skip_blanks(p), k)
                        : parse_value(body, skip_blanks(p), k, &piece->fault);
        if (p)
            p = parse_line_end(p, end, &piece->fault);
        if (!p)
            return;
        store_position(body->matrix, k, row, col);
        piece->mirrored += row != col;
    }
}
