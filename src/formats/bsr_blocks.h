/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the entries of BSR lie: the same in C and in device code. */
#ifndef SPRY_FORMATS_BSR_BLOCKS_H
#define SPRY_FORMATS_BSR_BLOCKS_H

#include "core/bits.h"
#include "core/tmpl.h"
#include "formats/bsr.h"

struct blocks {
    int64_t rows, cols, count; /* rows of blocks */
    int height, width, places, mask_bytes;
    ptr_t *ptr;
    idx_t *idx;
    val_t *val;
    void *mask; /* null where each place is an entry */
};

static inline struct blocks blocks_of(const spry_matrix *matrix) {
    const spry_bsr *bsr = &matrix->bsr;
    struct blocks a;
    a.rows = matrix->rows;
    a.cols = matrix->cols;
    a.count = spry_cover(matrix->rows, bsr->height);
    a.height = (int)bsr->height;
    a.width = (int)bsr->width;
    a.places = a.height * a.width;
    a.mask_bytes = spry_mask_bytes(a.places);
    a.ptr = (ptr_t *)bsr->ptr;
    a.idx = (idx_t *)bsr->idx;
    a.val = (val_t *)bsr->val;
    a.mask = bsr->mask;
    return a;
}

/* Which places of block b are entries. */
SPRY_HOST_AND_DEVICE uint64_t mask_at(const struct blocks *a, int64_t b) {
    if (!a->mask)
        return spry_bsr_full_mask(a->places);
    switch (a->mask_bytes) {
    case 1:
        return ((const uint8_t *)a->mask)[b];
    case 2:
        return ((const uint16_t *)a->mask)[b];
    case 4:
        return ((const uint32_t *)a->mask)[b];
    default:
        return ((const uint64_t *)a->mask)[b];
    }
}

SPRY_HOST_AND_DEVICE void set_mask(const struct blocks *a, int64_t b, uint64_t mask) {
    store_bits(a->mask, (size_t)a->mask_bytes, b, mask);
}

/* Places of the block in row i and column `column` of blocks that lie within the matrix. */
SPRY_HOST_AND_DEVICE uint64_t inside_mask(const struct blocks *a, int64_t i, int64_t column) {
    const int64_t rows = a->rows - i * a->height, cols = a->cols - column * a->width;
    uint64_t mask = 0;
    for (int r = 0; r < a->height && r < rows; r++)
        mask |= spry_bsr_full_mask(cols < a->width ? cols : a->width) << r * a->width;
    return mask;
}

/* Entries of a row. */
SPRY_HOST_AND_DEVICE int64_t row_entries(const struct blocks *a, int64_t row) {
    const int64_t i = row / a->height, r = row % a->height;
    const uint64_t places = spry_bsr_full_mask(a->width) << r * a->width;
    int64_t count = 0;
    if (!a->mask)
        return (int64_t)(a->ptr[i + 1] - a->ptr[i]) * a->width;
    for (int64_t b = a->ptr[i]; b < a->ptr[i + 1]; b++)
        count += count_bits(mask_at(a, b) & places);
    return count;
}

/* ---- the entries of a row ---- */

/* A walk over the entries of a row by their columns, equal ones in the order of their blocks. The blocks first … last - 1
   have the same column. */
struct row_walk {
    int64_t first, last, end, next; /* blocks */
    int row, column;                /* within a block */
    int64_t slot, col;              /* what it has come to */
};

SPRY_HOST_AND_DEVICE struct row_walk walk_row(const struct blocks *a, int64_t row) {
    const int64_t i = row / a->height;
    struct row_walk walk;
    walk.first = walk.last = walk.next = a->ptr[i];
    walk.end = a->ptr[i + 1];
    walk.row = (int)(row % a->height);
    walk.column = a->width;
    walk.slot = walk.col = -1;
    return walk;
}

/* Go on to the blocks of the next column; false: there are none. */
SPRY_HOST_AND_DEVICE bool next_blocks(const struct blocks *a, struct row_walk *walk) {
    walk->first = walk->next = walk->last;
    walk->column = 0;
    if (walk->first == walk->end)
        return false;
    do
        walk->last++;
    while (walk->last < walk->end && a->idx[walk->last] == a->idx[walk->first]);
    return true;
}

/* Go on to the next entry; false: there is none. Not to be called after that. */
SPRY_HOST_AND_DEVICE bool next_entry(const struct blocks *a, struct row_walk *walk) {
    for (;;) {
        if (walk->next == walk->last) {
            walk->next = walk->first;
            walk->column++;
        }
        if (walk->column >= a->width && !next_blocks(a, walk))
            return false;
        const int64_t b = walk->next++;
        const int place = walk->row * a->width + walk->column;
        if (mask_at(a, b) >> place & 1) {
            walk->slot = b * a->places + place;
            walk->col = (int64_t)a->idx[b] * a->width + walk->column;
            return true;
        }
    }
}

#endif
