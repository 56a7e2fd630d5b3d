/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/spread.h"

#include "analysis/rows.h"
#include "analysis/windows.h"
#include "codes/columns.h"

/* Rows of a window that are looked at, but for its last. */
#define ROWS_SEEN 32

struct span {
    int64_t low, high;
};

/* In sorted rows the first and the last column are the outermost; in others two of them. */
static void widen(struct span *span, const struct spry_rows *a, int64_t row) {
    const int64_t begin = spry_row_begin(a, row), end = spry_row_begin(a, row + 1);
    if (begin == end)
        return;
    const int64_t first = spry_column_of(a, begin), last = spry_column_of(a, end - 1);
    span->low = first < span->low ? first : span->low;
    span->high = last > span->high ? last : span->high;
}

/* Columns from the first to the last of the rows from `begin` on. */
static int64_t spread_of(const struct spry_rows *a, int64_t begin) {
    const int64_t left = a->count - begin, rows = left < SPRY_WINDOW_ROWS ? left : SPRY_WINDOW_ROWS,
                  step = spry_cover(rows, ROWS_SEEN);
    struct span span = {INT64_MAX, -1};
    for (int64_t i = begin; i < begin + rows; i += step)
        widen(&span, a, i);
    widen(&span, a, begin + rows - 1);
    return span.high < span.low ? 0 : span.high - span.low + 1;
}

static void look_from(const struct spry_rows *a, int64_t begin, struct spry_features *features) {
    const int64_t spread = spread_of(a, begin);
    features->spread = spread > features->spread ? spread : features->spread;
}

void spry_look_at_spread(const spry_matrix *csr, struct spry_features *features) {
    const struct spry_windows windows = spry_windows_of(csr->rows);
    const struct spry_rows a = spry_rows_of(csr, spry_pointer_size(csr->index), spry_index_size(csr->index));
    if (csr->rows == 0)
        return;
    look_from(&a, 0, features);
    for (int64_t w = 0; w < windows.count; w++)
        look_from(&a, spry_window_begin(windows, w), features);
    if (csr->rows > SPRY_WINDOW_ROWS)
        look_from(&a, csr->rows - SPRY_WINDOW_ROWS, features);
}

bool spry_has_few_columns(int64_t cols) {
    return cols <= SPRY_NARROW_COLUMNS;
}

bool spry_expects_columns(const struct spry_features *features, int64_t rows, spry_column_code code) {
    if (code != SPRY_COLUMNS_NARROW)
        return code == SPRY_COLUMNS_PLAIN;
    return spry_has_few_columns(features->cols) ||
           (rows <= SPRY_WINDOW_ROWS && features->spread <= SPRY_NARROW_COLUMNS);
}
