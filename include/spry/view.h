/* SPDX-License-Identifier: BSD-3-Clause */
/** @file view.h  Dense matrices as they lie in memory. */
#ifndef SPRY_VIEW_H
#define SPRY_VIEW_H

#include "types.h"

/**
 * A dense matrix seen in memory; closed (see sized.h). The value at row i, column j is data[offset + i row_stride + j col_stride], in
 * values. Strides may be in any order, so that a transpose or a part of a matrix is another view of the same array;
 * what is read may also have strides that are negative or zero.
 */
typedef struct spry_view {
    void *data;
    int64_t offset;
    int64_t rows, cols;
    int64_t row_stride, col_stride;
} spry_view;

/** Rows after each other, `stride` values apart (at least cols). */
static inline spry_view spry_view_of_rows(void *data, int64_t rows, int64_t cols, int64_t stride) {
    spry_view view = {data, 0, rows, cols, stride, 1};
    return view;
}

/** Columns after each other, `stride` values apart (at least rows), as BLAS and LAPACK have them. */
static inline spry_view spry_view_of_columns(void *data, int64_t rows, int64_t cols, int64_t stride) {
    spry_view view = {data, 0, rows, cols, 1, stride};
    return view;
}

/** The transpose: nothing is moved. */
static inline spry_view spry_view_transpose(spry_view view) {
    spry_view transpose = {view.data, view.offset, view.cols, view.rows, view.col_stride, view.row_stride};
    return transpose;
}

/** The part of `rows` × `cols` values whose first is at row i, column j. */
static inline spry_view spry_view_part(spry_view view, int64_t i, int64_t j, int64_t rows, int64_t cols) {
    view.offset += i * view.row_stride + j * view.col_stride;
    view.rows = rows;
    view.cols = cols;
    return view;
}

#endif
