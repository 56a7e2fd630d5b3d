/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines with one value each, column by column: all rows, or those from the diagonal down, or those below. */
#include "io/entry.h"

/* First row of a column that the file holds. */
static int64_t first_row(const spry_file_info *info, int64_t col) {
    if (info->symmetry == SPRY_GENERAL)
        return 0;
    return info->symmetry == SPRY_SKEW_SYMMETRIC ? col + 1 : col;
}

/* Where entry k is. The columns gone through are no more than the entries before it. */
static void locate(const spry_file_info *info, int64_t k, int64_t *row, int64_t *col) {
    *col = info->symmetry == SPRY_GENERAL && info->rows ? k / info->rows : 0;
    k -= info->symmetry == SPRY_GENERAL ? *col * info->rows : 0;
    while (k && k >= info->rows - first_row(info, *col)) {
        k -= info->rows - first_row(info, *col);
        ++*col;
    }
    *row = first_row(info, *col) + k;
}

void spry_parse_array(const struct body *body, const char *text, const char *end, struct piece *piece) {
    const spry_file_info *info = &body->header->info;
    const char *p = text;
    int64_t row, col;
    if (!piece->count)
        return;
    locate(info, piece->first, &row, &col);
    for (int64_t k = piece->first; k < piece->first + piece->count; k++) {
        p = parse_value(body, next_entry(p, end), k, &piece->fault);
        if (p)
            p = parse_line_end(p, end, &piece->fault);
        if (!p)
            return;
        store_position(body->matrix, k, row, col);
        piece->mirrored += row != col;
        if (++row == info->rows)
            row = first_row(info, ++col);
    }
}
