/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR from CSR and back: the rows of a row of blocks are walked side by side, once to count blocks and once to fill them. */
#include "convert/fill_limit.h"
#include "convert/renew.h"
#include "convert/sort_minor.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/bsr_blocks.h"
#include "formats/major.h"
#include "primitives/pointers.h"

/* ---- the rows of a row of blocks ---- */

/* Rows that a row of blocks is made from, side by side: the entries that are left of each. */
struct band {
    const idx_t *idx;
    int64_t next[SPRY_BLOCK_MOST], end[SPRY_BLOCK_MOST];
    int rows;
};

/* Those of row i of blocks. */
static struct band band_at(const struct blocks *a, int64_t i, const compressed_t *rows) {
    const int64_t first = i * a->height, left = a->rows - first;
    struct band band = {.idx = rows->idx, .rows = (int)(left < a->height ? left : a->height)};
    for (int r = 0; r < band.rows; r++) {
        band.next[r] = rows->ptr[first + r];
        band.end[r] = rows->ptr[first + r + 1];
    }
    return band;
}

/* The least column of blocks in which an entry is left, or -1. */
static int64_t least_column(const struct band *band, int width) {
    int64_t least = -1;
    for (int r = 0; r < band->rows; r++) {
        const int64_t column = band->next[r] < band->end[r] ? band->idx[band->next[r]] : -1;
        least = column >= 0 && (least < 0 || column < least) ? column : least;
    }
    return least < 0 ? -1 : least / width;
}

/* Pass by the entries in a column of blocks. Gives how many blocks they take: as many as the most frequent of them. */
static int64_t pass_blocks(struct band *band, int64_t column, int width) {
    const int64_t limit = (column + 1) * width;
    int64_t most = 1;
    for (int r = 0; r < band->rows; r++) {
        int64_t k = band->next[r], equal = 1, before = -1;
        for (; k < band->end[r] && band->idx[k] < limit; k++) {
            equal = band->idx[k] == before ? equal + 1 : 1;
            most = equal > most ? equal : most;
            before = band->idx[k];
        }
        band->next[r] = k;
    }
    return most;
}

/* Blocks that row i of blocks is made from. */
static int64_t count_blocks(const struct blocks *a, int64_t i, const compressed_t *rows) {
    struct band band = band_at(a, i, rows);
    int64_t count = 0, column;
    while ((column = least_column(&band, a->width)) >= 0)
        count += pass_blocks(&band, column, a->width);
    return count;
}

/* Begin block b, without entries. */
static void begin_block(const struct blocks *a, int64_t b, int64_t column) {
    a->idx[b] = (idx_t)column;
    for (int place = 0; place < a->places; place++)
        a->val[b * a->places + place] = 0;
    if (a->mask)
        set_mask(a, b, 0);
}

/* What row r of a band has in a column of blocks, into the blocks from number `first` on, of which those before `begun` are there. Gives
   the number of the next one. */
static int64_t fill_row(const struct blocks *a, struct band *band, int r, int64_t column, const val_t *val,
                        int64_t first, int64_t begun) {
    const int64_t left = column * a->width, limit = left + a->width;
    int64_t b = first, k = band->next[r];
    for (; k < band->end[r] && band->idx[k] < limit; k++) {
        b = k > band->next[r] && band->idx[k] == band->idx[k - 1] ? b + 1 : first;
        if (b == begun)
            begin_block(a, begun++, column);
        const int place = r * a->width + (int)(band->idx[k] - left);
        a->val[b * a->places + place] = val[k];
        if (a->mask)
            set_mask(a, b, mask_at(a, b) | (uint64_t)1 << place);
    }
    band->next[r] = k;
    return begun;
}

/* Fill row i of blocks, whose pointer is set. */
static void fill_blocks(const struct blocks *a, int64_t i, const compressed_t *rows) {
    struct band band = band_at(a, i, rows);
    int64_t begun = a->ptr[i], column;
    while ((column = least_column(&band, a->width)) >= 0) {
        const int64_t first = begun;
        for (int r = 0; r < band.rows; r++)
            begun = fill_row(a, &band, r, column, rows->val, first, begun);
    }
}

/* ---- from CSR ---- */

/* Blocks of each row of blocks become pointers, and all of them tell whether there are masks. */
static void set_pointers(const spry_context *context, const compressed_t *rows, spry_matrix *matrix) {
    const struct blocks a = blocks_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz)) schedule(dynamic, 128)
    for (int64_t i = 0; i < a.count; i++)
        a.ptr[i] = (ptr_t)count_blocks(&a, i, rows);
    NAME(spry_scan)(context, a.ptr, a.count);
    spry_bsr_set_blocks(matrix, a.ptr[a.count]);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    matrix->sorted = true;
    if (matrix->bsr.height == 0) {
        struct spry_block_counts counts;
        spry_look_at_blocks(csr, &counts);
        spry_bsr_set_size(matrix, &counts);
    }
    spry_status status = spry_matrix_array(context, matrix, spry_cover(matrix->rows, matrix->bsr.height) + 1,
                                           sizeof(ptr_t), &matrix->bsr.ptr);
    if (status)
        return status;
    set_pointers(context, &rows, matrix);
    status = spry_check_slots(context, csr, options, matrix);
    if (!status)
        status = spry_bsr_block_arrays(context, matrix);
    if (status)
        return status;
    const struct blocks a = blocks_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 128)
    for (int64_t i = 0; i < a.count; i++)
        fill_blocks(&a, i, &rows);
    return SPRY_OK;
}

/* ---- to CSR ---- */

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct blocks a = blocks_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(static)
    for (int64_t row = 0; row < rows.major; row++)
        rows.ptr[row] = (ptr_t)row_entries(&a, row);
    NAME(spry_scan)(context, rows.ptr, rows.major);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 128)
    for (int64_t row = 0; row < rows.major; row++) {
        struct row_walk walk = walk_row(&a, row);
        for (int64_t k = rows.ptr[row]; next_entry(&a, &walk); k++) {
            rows.idx[k] = (idx_t)walk.col;
            rows.val[k] = a.val[walk.slot];
        }
    }
    return matrix->sorted ? SPRY_OK : NAME(spry_sort_minor)(context, &rows);
}

/* ---- new values ---- */

/* The rows of row i of blocks end here. */
static int64_t end_of_band(const struct blocks *a, int64_t i) {
    const int64_t end = (i + 1) * a->height;
    return end < a->rows ? end : a->rows;
}

static bool is_same_row(const compressed_t *rows, const struct blocks *a, int64_t row) {
    struct row_walk walk = walk_row(a, row);
    int64_t k = rows->ptr[row] - rows->base;
    const int64_t end = rows->ptr[row + 1] - rows->base;
    for (; next_entry(a, &walk); k++)
        if (k == end || walk.col != rows->idx[k] - rows->base)
            return false;
    return k == end;
}

static bool is_same_band(const compressed_t *rows, const spry_matrix *matrix, int64_t i) {
    const struct blocks a = blocks_of(matrix);
    int64_t row = i * a.height;
    while (row < end_of_band(&a, i) && is_same_row(rows, &a, row))
        row++;
    return row == end_of_band(&a, i);
}

static void take_band(const compressed_t *rows, const spry_matrix *matrix, int64_t i) {
    const struct blocks a = blocks_of(matrix);
    for (int64_t row = i * a.height; row < end_of_band(&a, i); row++) {
        struct row_walk walk = walk_row(&a, row);
        for (int64_t k = rows->ptr[row] - rows->base; next_entry(&a, &walk); k++)
            a.val[walk.slot] = rows->val[k];
    }
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix->sorted)
        return spry_refuse_bsr_update(context);
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal) renewal = {blocks_of(matrix).count, is_same_band, take_band};
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_bsr_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
