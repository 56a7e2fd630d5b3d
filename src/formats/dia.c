/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tmpl.h"

#include "formats/diagonals.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/diagonals.h"
#include "core/bits.h"
#include "core/saturate.h"
#include "core/scatter.h"
#include "core/table.h"
#include "formats/check.h"

/* ---- what the arrays must be ---- */

/* The first and the last row of a slice that have an entry on a diagonal, which one has. */
static int lowest_row(uint32_t mask) {
    return __builtin_ctz(mask);
}

static int highest_row(uint32_t mask) {
    return SPRY_DIA_ROWS - 1 - __builtin_clz(mask);
}

/* The entries on diagonal d of slice s are within the matrix. */
static spry_status check_diagonal(spry_context *context, const struct diagonal_arrays *a, int64_t s,
                                  int64_t d) {
    if (a->mask[d] == 0)
        return SPRY_OK;
    const int64_t first = s * SPRY_DIA_ROWS + lowest_row(a->mask[d]),
                  last = s * SPRY_DIA_ROWS + highest_row(a->mask[d]), left = first + a->offset[d],
                  right = last + a->offset[d];
    if (last >= a->rows)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "diagonal %" PRId64 ", in slice %" PRId64 ": row %" PRId64
                         " is outside 0 … %" PRId64,
                         d, s, last, a->rows - 1);
    if (left >= 0 && right < a->cols)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "row %" PRId64 ", diagonal %" PRId64 ": column %" PRId64 " is outside 0 … %" PRId64,
                     left < 0 ? first : last, d, left < 0 ? left : right, a->cols - 1);
}

static spry_status check_places(spry_context *context, const spry_matrix *matrix) {
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
    int64_t total = 0;
    for (int64_t s = 0; s < a.slices; s++)
        for (int64_t d = a.first[s]; d < a.first[s + 1]; d++) {
            spry_status status = check_diagonal(context, &a, s, d);
            if (status)
                return status;
            total += count_bits(a.mask[d]);
        }
    if (total != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID, "the masks have %" PRId64 " rows, expected %" PRId64,
                         total, matrix->nnz);
    return SPRY_OK;
}

/* What diagonal d must be beside those before it, of which there is one in slice s. */
static spry_status check_order(spry_context *context, const struct diagonal_arrays *a, int64_t s, int64_t d,
                               bool distinct) {
    const int64_t before = a->offset[d - 1], here = a->offset[d];
    uint32_t taken = 0;
    if (here < before)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "diagonal %" PRId64 ", in slice %" PRId64 ": offset %" PRId64
                         " comes after %" PRId64,
                         d, s, here, before);
    for (int64_t e = d - 1; distinct && e >= a->first[s] && a->offset[e] == here; e--)
        taken |= a->mask[e];
    taken &= a->mask[d];
    if (!taken)
        return SPRY_OK;
    const int64_t row = s * SPRY_DIA_ROWS + lowest_row(taken);
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "row %" PRId64 ": column %" PRId64 " occurs twice, again on diagonal %" PRId64, row,
                     row + here, d);
}

static spry_status check_all_in_order(spry_context *context, const struct diagonal_arrays *a, bool distinct) {
    spry_status status = SPRY_OK;
    for (int64_t s = 0; s < a->slices; s++)
        for (int64_t d = a->first[s] + 1; d < a->first[s + 1] && !status; d++)
            status = check_order(context, a, s, d, distinct);
    return status;
}

static spry_status check_values(spry_context *context, const struct diagonal_arrays *a) {
    for (int64_t s = 0; s < a->slices; s++)
        for (int64_t d = a->first[s]; d < a->first[s + 1]; d++)
            for (uint32_t left = a->mask[d]; left; left &= left - 1) {
                const int r = lowest_row(left);
                const double value = (double)a->val[d * SPRY_DIA_ROWS + r];
                if (!isfinite(value))
                    return spry_fail(context, SPRY_ERROR_INVALID,
                                     "row %" PRId64 ", column %" PRId64 ": the value is %g",
                                     s * SPRY_DIA_ROWS + r, s * SPRY_DIA_ROWS + r + a->offset[d], value);
            }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
    spry_status status = NAME(spry_check_slices)(context, a.first, a.slices, SPRY_DIA_ROWS, SPRY_DIA_ROWS,
                                                 spry_matrix_slots(matrix));
    if (!status)
        status = check_places(context, matrix);
    if (!status && flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT))
        status = check_all_in_order(context, &a, flags & SPRY_CHECK_DISTINCT);
    return status || !(flags & SPRY_CHECK_FINITE) ? status : check_values(context, &a);
}

/* ---- the plan ---- */

/* Diagonals and slices before slice s. */
static int64_t work_before(const spry_matrix *matrix, int64_t s) {
    return diagonal_arrays_of(matrix).first[s] + s;
}

/* Parts of whole slices; units are rows. */
static void cut(const spry_matrix *matrix, struct spry_split *split) {
    const int64_t slices = spry_dia_slices(matrix->rows);
    spry_cut_by_work(matrix, split, slices, matrix->dia.diagonals + slices, work_before);
    for (int p = 0; p <= split->parts; p++) {
        const int64_t row = split->cut[p].unit * SPRY_DIA_ROWS;
        split->cut[p].unit = row < matrix->rows ? row : matrix->rows;
    }
}

static struct spry_window span(const spry_matrix *matrix, const struct spry_cut *begin) {
    const struct diagonal_arrays a = diagonal_arrays_of(matrix);
    int64_t low = INT64_MAX, high = -1;
    for (int64_t i = begin[0].unit; i < begin[1].unit; i += SPRY_DIA_ROWS)
        for (int64_t s = i / SPRY_DIA_ROWS, d = a.first[s]; d < a.first[s + 1]; d++) {
            if (a.mask[d] == 0)
                continue;
            const int64_t left = i + lowest_row(a.mask[d]) + a.offset[d],
                          right = i + highest_row(a.mask[d]) + a.offset[d];
            low = left < low ? left : low;
            high = right > high ? right : high;
        }
    return spry_window_between(low, high);
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    return spry_plan_by_rows(context, matrix, cut, span);
}

/* ---- traits ---- */

static int64_t slots(const spry_matrix *matrix) {
    return spry_multiply_counts(matrix->dia.diagonals, SPRY_DIA_ROWS);
}

static size_t slot_size(const spry_matrix *matrix) {
    (void)matrix;
    return sizeof(val_t);
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_dia *dia = &matrix->dia;
    array[0] = (struct spry_array){&dia->first, spry_dia_slices(matrix->rows) + 1, sizeof(ptr_t)};
    array[1] = (struct spry_array){&dia->offset, dia->diagonals, sizeof(idx_t)};
    array[2] = (struct spry_array){&dia->mask, dia->diagonals, sizeof(uint32_t)};
    array[3] = (struct spry_array){&dia->val, slots(matrix), sizeof(val_t)};
    return 4;
}

static void **values(spry_matrix *matrix) {
    return &matrix->dia.val;
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    const double diagonals = spry_expected_diagonals(features).diagonals;
    candidate->slots = diagonals * SPRY_DIA_ROWS;
    candidate->bytes = ((double)spry_dia_slices(features->rows) + 1) * sizeof(ptr_t) +
                       diagonals * (sizeof(idx_t) + sizeof(uint32_t)) + candidate->slots * sizeof(val_t);
}

const struct spry_format_code NAME(spry_dia_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .slot_size = slot_size,
    .pads = true,
    .arrays = arrays,
    .values = values,
    .estimate = estimate,
};
