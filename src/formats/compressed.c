/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>

#include "codes/columns.h"
#include "codes/decode.h"
#include "core/scatter.h"
#include "core/team.h"
#include "formats/check.h"
#include "formats/compressed.h"
#include "formats/major.h"

static const char *major_word(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSR ? "row" : "column";
}

static const char *minor_word(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSR ? "column" : "row";
}

static int64_t major_count(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSR ? matrix->rows : matrix->cols;
}

static int64_t minor_count(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSR ? matrix->cols : matrix->rows;
}

static spry_status check_pointers(spry_context *context, const spry_matrix *matrix) {
    const ptr_t *ptr = matrix->csr.ptr;
    int base = matrix->csr.base;
    if (ptr[0] != base)
        return spry_fail(context, SPRY_ERROR_INVALID, "%s pointer 0 is %" PRId64 ", expected the base, %d",
                         major_word(matrix), (int64_t)ptr[0], base);
    return NAME(spry_check_pointers)(context, major_word(matrix), ptr, major_count(matrix), base,
                                     matrix->nnz);
}

/* The row or column, in the caller's base, that entry k lies in; the pointers have been checked. */
static int64_t major_of(const spry_matrix *matrix, int64_t k) {
    compressed_t compressed = NAME(spry_compressed_of)(matrix);
    return NAME(spry_major_at)(&compressed, k) + matrix->csr.base;
}

static spry_status check_indices(spry_context *context, const spry_matrix *matrix) {
    const idx_t *idx = matrix->csr.idx;
    int base = matrix->csr.base;
    int64_t k = NAME(spry_first_out_of_range)(context, idx, matrix->nnz, base, minor_count(matrix));
    if (k == matrix->nnz)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "%s %" PRId64 ", entry %" PRId64 ": %s %" PRId64 " is outside %d … %" PRId64,
                     major_word(matrix), major_of(matrix, k), k + base, minor_word(matrix), (int64_t)idx[k],
                     base, minor_count(matrix) - 1 + base);
}

static spry_status check_order(spry_context *context, const spry_matrix *matrix, bool distinct) {
    const ptr_t *ptr = matrix->csr.ptr;
    const idx_t *idx = matrix->csr.idx;
    int base = matrix->csr.base;
    for (int64_t i = 0; i < major_count(matrix); i++)
        for (int64_t k = ptr[i] - base + 1; k < ptr[i + 1] - base; k++) {
            if (idx[k] > idx[k - 1] || (idx[k] == idx[k - 1] && !distinct))
                continue;
            return spry_fail(
                context, SPRY_ERROR_INVALID, "%s %" PRId64 ", entry %" PRId64 ": %s %" PRId64 " %s %" PRId64,
                major_word(matrix), i + base, k + base, minor_word(matrix), (int64_t)idx[k],
                idx[k] < idx[k - 1] ? "comes after" : "occurs twice, again after", (int64_t)idx[k - 1]);
        }
    return SPRY_OK;
}

static spry_status check_values(spry_context *context, const spry_matrix *matrix) {
    const val_t *val = matrix->csr.val;
    int base = matrix->csr.base;
    int64_t k = NAME(spry_first_not_finite)(context, val, matrix->nnz);
    if (k == matrix->nnz)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_INVALID, "%s %" PRId64 ", entry %" PRId64 ": the value is %g",
                     major_word(matrix), major_of(matrix, k), k + base, (double)val[k]);
}

spry_status NAME(spry_compressed_validate)(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    spry_status status = check_pointers(context, matrix);
    if (!status)
        status = check_indices(context, matrix);
    if (!status && (flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT)))
        status = check_order(context, matrix, flags & SPRY_CHECK_DISTINCT);
    if (!status && (flags & SPRY_CHECK_FINITE))
        status = check_values(context, matrix);
    return status;
}

/* Cuts the merge path (Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication",
   SC 2016), rows or columns beside entries, into equal lengths. A cut that falls into a short one moves to its
   begin: only one that would upset the balance is worth a carry. */
static void cut(const spry_matrix *matrix, struct spry_split *split) {
    const compressed_t all = NAME(spry_compressed_of)(matrix);
    const ptr_t *ptr = all.ptr;
    int64_t base = all.base, major = all.major, path = major + matrix->nnz;
    int64_t short_major = path / split->parts / 16;
    split->cut[0] = (struct spry_cut){0, 0};
    for (int p = 1; p < split->parts; p++) {
        int64_t target = spry_share(path, p, split->parts);
        int64_t low = NAME(spry_major_on_path)(&all, target);
        int64_t begin = ptr[low] - base, end = ptr[low + 1] - base, entry = target - low;
        if (end - begin <= short_major)
            entry = begin;
        split->cut[p] = (struct spry_cut){low, entry};
    }
    split->cut[split->parts] = (struct spry_cut){major, matrix->nnz};
}

/* Of narrow columns, whose base is 0. */
static struct spry_window span_of_codes(const spry_matrix *matrix, const struct spry_cut *begin) {
    const spry_csr *csr = &matrix->csr;
    const ptr_t *ptr = csr->ptr;
    int64_t low = INT64_MAX, high = -1;
    for (int64_t i = begin[0].unit, k = begin[0].entry; k < begin[1].entry; i++)
        for (; k < begin[1].entry && k < ptr[i + 1]; k++) {
            const int64_t j = spry_decoded_column(matrix, csr->idx, i / SPRY_NARROW_ROWS, k);
            low = j < low ? j : low;
            high = j > high ? j : high;
        }
    return spry_window_between(low, high);
}

static struct spry_window span(const spry_matrix *matrix, const struct spry_cut *begin) {
    if (matrix->columns != SPRY_COLUMNS_PLAIN)
        return span_of_codes(matrix, begin);
    return NAME(spry_index_span)(matrix->csr.idx, matrix->csr.base, begin);
}

/* Entries of the largest group of rows that a part decodes at once, as spry_csr_run goes through it. Of rows that are cut, all
   count: with many columns they are not. */
static int64_t largest_group(const compressed_t *all, const struct spry_cut *cut) {
    const ptr_t *ptr = all->ptr;
    int64_t first = cut[0].unit, last = cut[1].unit, most = 0;
    if (first < all->major && cut[0].entry + all->base > ptr[first]) {
        most = ptr[first + 1] - ptr[first];
        first++;
    }
    for (int64_t i = first; i < last; i += SPRY_DECODE_ROWS) {
        int64_t end = last - i < SPRY_DECODE_ROWS ? last : i + SPRY_DECODE_ROWS;
        most = ptr[end] - ptr[i] > most ? ptr[end] - ptr[i] : most;
    }
    if (last < all->major && ptr[last + 1] - ptr[last] > most)
        most = ptr[last + 1] - ptr[last];
    return most;
}

static int64_t decoding_room(const compressed_t *all, const struct spry_split *split) {
    int64_t most = SPRY_DECODE_NEAR;
#pragma omp parallel for num_threads(spry_team(split->parts)) reduction(max : most)
    for (int p = 0; p < split->parts; p++) {
        int64_t here = largest_group(all, &split->cut[p]);
        most = here > most ? here : most;
    }
    return most;
}

spry_status NAME(spry_compressed_plan)(spry_context *context, spry_matrix *matrix) {
    bool by_rows = matrix->format == SPRY_CSR;
    compressed_t compressed = NAME(spry_compressed_of)(matrix);
    matrix->sorted = matrix->sorted || NAME(spry_is_sorted)(context, &compressed);
    spry_status status = spry_plan_gather(context, matrix, by_rows ? SPRY_N : SPRY_T, cut);
    if (!status)
        status = spry_plan_scatter(context, matrix, by_rows ? SPRY_T : SPRY_N, cut, span);
    if (!status)
        status = NAME(spry_plan_following)(context, matrix);
    if (!status && spry_decodes(matrix))
        matrix->plan.room = decoding_room(&compressed, &matrix->plan.split[by_rows ? SPRY_N : SPRY_T]);
    return status;
}

int64_t NAME(spry_compressed_slots)(const spry_matrix *matrix) {
    return matrix->nnz;
}

void NAME(spry_compressed_estimate)(struct spry_candidate *candidate, int64_t major) {
    const spry_storage *storage = &candidate->storage;
    candidate->slots = (double)candidate->features->nnz;
    candidate->bytes = ((double)major + 1) * sizeof(ptr_t) +
                       candidate->slots * (double)(spry_column_size(TMPL_INDEX, storage->columns) +
                                                   spry_stored_size(TMPL_TYPE, storage->values)) +
                       (double)spry_table_length(storage->values) * sizeof(val_t);
    if (storage->columns != SPRY_COLUMNS_PLAIN)
        candidate->bytes += ceil((double)major / SPRY_NARROW_ROWS) * sizeof(idx_t);
}

/* The columns of a CSC matrix are the rows of its transpose. */
spry_op NAME(spry_compressed_as_csr)(const spry_matrix *matrix, spry_matrix *csr) {
    *csr = *matrix;
    csr->format = SPRY_CSR;
    csr->rows = major_count(matrix);
    csr->cols = minor_count(matrix);
    return matrix->format == SPRY_CSR ? SPRY_N : SPRY_T;
}

int NAME(spry_compressed_arrays)(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_csr *csr = &matrix->csr;
    array[0] = (struct spry_array){&csr->ptr, major_count(matrix) + 1, sizeof(ptr_t)};
    array[1] = (struct spry_array){&csr->idx, matrix->nnz, spry_column_size(TMPL_INDEX, matrix->columns)};
    array[2] = (struct spry_array){&csr->val, matrix->nnz, spry_stored_size(TMPL_TYPE, matrix->values)};
    if (matrix->columns == SPRY_COLUMNS_PLAIN)
        return 3;
    struct spry_column_groups groups;
    NAME(spry_compressed_groups)(matrix, &groups);
    array[3] = (struct spry_array){&matrix->bases, spry_group_count(&groups), sizeof(idx_t)};
    return 4;
}

void **NAME(spry_compressed_values)(spry_matrix *matrix) {
    return &matrix->csr.val;
}

void **NAME(spry_compressed_columns)(spry_matrix *matrix) {
    return &matrix->csr.idx;
}

void NAME(spry_compressed_groups)(const spry_matrix *matrix, struct spry_column_groups *groups) {
    *groups = (struct spry_column_groups){.units = major_count(matrix),
                                          .each = SPRY_NARROW_ROWS,
                                          .ptr = matrix->csr.ptr,
                                          .step = 1,
                                          .slots = matrix->nnz,
                                          .height = 1};
}
