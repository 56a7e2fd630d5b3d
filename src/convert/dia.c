/* SPDX-License-Identifier: BSD-3-Clause */
/* DIA by slices from CSR and back: the rows of a slice are walked side by side, once to count diagonals and once to fill them. */
#include <string.h>

#include "convert/fill_limit.h"
#include "convert/renew.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/diagonals.h"
#include "formats/major.h"
#include "primitives/pointers.h"

/* Slices that a thread takes at once. */
#define CHUNK 16

/* ---- the rows of a slice ---- */

/* What no offset is: columns are less. */
#define NO_OFFSET ((idx_t)(((uint64_t)1 << (SPRY_TMPL_IDX - 1)) - 1))

/* Rows of a slice, side by side: the entries that are left of each, and the offset of the first of them. */
struct band {
    const idx_t *idx;
    int64_t row, next[SPRY_DIA_ROWS], end[SPRY_DIA_ROWS];
    idx_t offset[SPRY_DIA_ROWS];
};

static void find_offset(struct band *band, int r) {
    band->offset[r] =
        band->next[r] < band->end[r] ? band->idx[band->next[r]] - (idx_t)(band->row + r) : NO_OFFSET;
}

static struct band band_at(const compressed_t *rows, int64_t s) {
    struct band band = {.idx = rows->idx, .row = s * SPRY_DIA_ROWS};
    for (int r = 0; r < SPRY_DIA_ROWS; r++) {
        const bool is_there = band.row + r < rows->major;
        band.next[r] = is_there ? rows->ptr[band.row + r] : 0;
        band.end[r] = is_there ? rows->ptr[band.row + r + 1] : 0;
        find_offset(&band, r);
    }
    return band;
}

/* The next diagonal that a row has an entry on, and the mask of those that have; 0: there is none. */
static uint32_t next_diagonal(const struct band *band, idx_t *offset) {
    idx_t least = NO_OFFSET;
    uint32_t mask = 0;
    for (int r = 0; r < SPRY_DIA_ROWS; r++)
        least = band->offset[r] < least ? band->offset[r] : least;
    for (int r = 0; r < SPRY_DIA_ROWS; r++)
        mask |= (uint32_t)(band->offset[r] == least) << r;
    *offset = least;
    return least == NO_OFFSET ? 0 : mask;
}

/* Take the entry of a row that is on the next diagonal. */
static int64_t take_entry(struct band *band, int r) {
    const int64_t k = band->next[r]++;
    find_offset(band, r);
    return k;
}

static int64_t count_diagonals(const compressed_t *rows, int64_t s) {
    struct band band = band_at(rows, s);
    int64_t count = 0;
    idx_t offset;
    for (uint32_t mask; (mask = next_diagonal(&band, &offset)) != 0; count++)
        for (; mask; mask &= mask - 1)
            take_entry(&band, __builtin_ctz(mask));
    return count;
}

static void fill_slice(const compressed_t *rows, const struct diagonal_arrays *a, int64_t s) {
    struct band band = band_at(rows, s);
    for (int64_t d = a->first[s]; d < a->first[s + 1]; d++) {
        val_t *val = a->val + d * SPRY_DIA_ROWS;
        a->mask[d] = next_diagonal(&band, &a->offset[d]);
        for (int r = 0; r < SPRY_DIA_ROWS; r++)
            val[r] = 0;
        for (uint32_t mask = a->mask[d]; mask; mask &= mask - 1) {
            const int r = __builtin_ctz(mask);
            val[r] = rows->val[take_entry(&band, r)];
        }
    }
}

/* ---- from CSR ---- */

static void set_pointers(spry_context *context, const compressed_t *rows, spry_matrix *matrix) {
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz)) schedule(dynamic, CHUNK)
    for (int64_t s = 0; s < a.slices; s++)
        a.first[s] = (ptr_t)count_diagonals(rows, s);
    NAME(spry_scan)(context, a.first, a.slices);
    matrix->dia.diagonals = a.first[a.slices];
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    matrix->sorted = true;
    spry_status status = spry_matrix_array(context, matrix, spry_dia_slices(matrix->rows) + 1, sizeof(ptr_t),
                                           &matrix->dia.first);
    if (status)
        return status;
    set_pointers(context, &rows, matrix);
    status = spry_check_slots(context, csr, options, matrix);
    if (!status)
        status = spry_dia_diagonal_arrays(context, matrix);
    if (status)
        return status;
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, CHUNK)
    for (int64_t s = 0; s < a.slices; s++)
        fill_slice(&rows, &a, s);
    return SPRY_OK;
}

/* ---- to CSR ---- */

static void count_entries(const struct diagonal_arrays *a, int64_t s, ptr_t *length) {
    for (int64_t d = a->first[s]; d < a->first[s + 1]; d++)
        for (uint32_t mask = a->mask[d]; mask; mask &= mask - 1)
            length[s * SPRY_DIA_ROWS + __builtin_ctz(mask)]++;
}

static void collect_slice(const struct diagonal_arrays *a, int64_t s, const compressed_t *rows) {
    const int64_t row = s * SPRY_DIA_ROWS;
    int64_t next[SPRY_DIA_ROWS];
    for (int r = 0; r < SPRY_DIA_ROWS; r++)
        next[r] = row + r < a->rows ? rows->ptr[row + r] : 0;
    for (int64_t d = a->first[s]; d < a->first[s + 1]; d++)
        for (uint32_t mask = a->mask[d]; mask; mask &= mask - 1) {
            const int r = __builtin_ctz(mask);
            const int64_t k = next[r]++;
            rows->idx[k] = (idx_t)(row + r + a->offset[d]);
            rows->val[k] = a->val[d * SPRY_DIA_ROWS + r];
        }
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
    for (int64_t row = 0; row < a.rows; row++)
        rows.ptr[row] = 0;
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, CHUNK)
    for (int64_t s = 0; s < a.slices; s++)
        count_entries(&a, s, rows.ptr);
    NAME(spry_scan)(context, rows.ptr, a.rows);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, CHUNK)
    for (int64_t s = 0; s < a.slices; s++)
        collect_slice(&a, s, &rows);
    return SPRY_OK;
}

/* ---- new values ---- */

/* The next entry of each row of a slice, and where those of the rows end. */
struct slice_walk {
    int64_t next[SPRY_DIA_ROWS], end[SPRY_DIA_ROWS];
};

static struct slice_walk walk_slice(const compressed_t *rows, int64_t s) {
    struct slice_walk walk = {{0}, {0}};
    for (int64_t r = 0, row = s * SPRY_DIA_ROWS; r < SPRY_DIA_ROWS && row < rows->major; r++, row++) {
        walk.next[r] = rows->ptr[row] - rows->base;
        walk.end[r] = rows->ptr[row + 1] - rows->base;
    }
    return walk;
}

static bool is_same_slice(const compressed_t *rows, const spry_matrix *matrix, int64_t s) {
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
    const int64_t row = s * SPRY_DIA_ROWS;
    struct slice_walk walk = walk_slice(rows, s);
    for (int64_t d = a.first[s]; d < a.first[s + 1]; d++)
        for (uint32_t mask = a.mask[d]; mask; mask &= mask - 1) {
            const int r = __builtin_ctz(mask);
            const int64_t k = walk.next[r]++;
            if (k >= walk.end[r] || rows->idx[k] - rows->base != row + r + a.offset[d])
                return false;
        }
    return memcmp(walk.next, walk.end, sizeof walk.next) == 0;
}

static void take_slice(const compressed_t *rows, const spry_matrix *matrix, int64_t s) {
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
    struct slice_walk walk = walk_slice(rows, s);
    for (int64_t d = a.first[s]; d < a.first[s + 1]; d++)
        for (uint32_t mask = a.mask[d]; mask; mask &= mask - 1) {
            const int r = __builtin_ctz(mask);
            a.val[d * SPRY_DIA_ROWS + r] = rows->val[walk.next[r]++];
        }
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal) renewal = {spry_dia_slices(matrix->rows), is_same_slice, take_slice};
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_dia_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
