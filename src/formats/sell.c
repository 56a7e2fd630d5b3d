/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/sell.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/work.h"
#include "codes/decode.h"
#include "core/saturate.h"
#include "core/scatter.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/check.h"
#include "formats/sell_slices.h"

/* ---- what the arrays must be ---- */

static spry_status check_pointers(spry_context *context, const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    return NAME(spry_check_slices)(context, sell->ptr, spry_sell_slices(matrix->rows, sell->height),
                                   sell->height, sell->unit, sell->slots);
}

static spry_status check_lengths(spry_context *context, const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    const idx_t *len = sell->len;
    int64_t total = 0, places = spry_sell_slices(matrix->rows, sell->height) * sell->height;
    for (int64_t p = 0; p < places; p++) {
        int64_t most = p < matrix->rows ? slice_at(matrix, p / sell->height).width : 0;
        if (len[p] < 0 || len[p] > most)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "position %" PRId64 " has length %" PRId64 ", outside 0 … %" PRId64, p,
                             (int64_t)len[p], most);
        total += len[p];
    }
    if (total != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID, "the row lengths sum to %" PRId64 ", expected %" PRId64,
                         total, matrix->nnz);
    return SPRY_OK;
}

/* What one entry must be, beside the one before it in its row. */
static spry_status check_entry(spry_context *context, const spry_matrix *matrix, int64_t p, int64_t k,
                               unsigned flags) {
    const spry_sell *sell = &matrix->sell;
    const idx_t *idx = sell->idx;
    int64_t slot = first_slot(matrix, p) + k * sell->height;
    int64_t row = row_at(sell, p), column = idx[slot];
    if (column < 0 || column >= matrix->cols)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "row %" PRId64 ", slot %" PRId64 ": column %" PRId64 " is outside 0 … %" PRId64, row,
                         k, column, matrix->cols - 1);
    int64_t before = k > 0 ? idx[slot - sell->height] : -1;
    bool falls = (flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT)) && column < before,
         repeats = (flags & SPRY_CHECK_DISTINCT) && column == before;
    return falls || repeats ? NAME(spry_fail_order)(context, "row", row, "column", column, before) : SPRY_OK;
}

static spry_status check_entries(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const idx_t *len = matrix->sell.len;
    for (int64_t p = 0; p < matrix->rows; p++)
        for (int64_t k = 0; k < len[p]; k++) {
            spry_status status = check_entry(context, matrix, p, k, flags);
            if (status)
                return status;
        }
    return SPRY_OK;
}

static spry_status check_values(spry_context *context, const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    const idx_t *len = sell->len;
    const val_t *val = sell->val;
    for (int64_t p = 0; p < matrix->rows; p++)
        for (int64_t k = 0; k < len[p]; k++) {
            double value = (double)val[first_slot(matrix, p) + k * sell->height];
            if (!isfinite(value))
                return spry_fail(context, SPRY_ERROR_INVALID,
                                 "row %" PRId64 ", slot %" PRId64 ": the value is %g", row_at(sell, p), k,
                                 value);
        }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_sell *sell = &matrix->sell;
    spry_status status = check_pointers(context, matrix);
    if (!status)
        status = check_lengths(context, matrix);
    if (!status && sell->window > 1)
        status = NAME(spry_check_permutation)(context, sell->perm, matrix->rows, sell->window);
    if (!status)
        status = check_entries(context, matrix, flags);
    return status || !(flags & SPRY_CHECK_FINITE) ? status : check_values(context, matrix);
}

/* ---- wrapped arrays that have no lengths: a row ends at its first column below zero ---- */

static spry_status complete(spry_context *context, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    int64_t places = spry_sell_slices(matrix->rows, sell->height) * sell->height, total = 0;
    const idx_t *idx = sell->idx, *given = sell->len;
    spry_status status = check_pointers(context, matrix);
    if (!status && !given)
        status = spry_matrix_array(context, matrix, places, sizeof(idx_t), &sell->len);
    if (status)
        return status;
    idx_t *len = sell->len;
    for (int64_t p = 0; p < places; p++) {
        struct slice slice = slice_at(matrix, p / sell->height);
        int64_t k = given ? given[p] : 0;
        while (!given && p < matrix->rows && k < slice.width &&
               idx[slice.first + k * sell->height + p % sell->height] >= 0)
            k++;
        if (!given)
            len[p] = (idx_t)k;
        total = spry_sum_counts(total, k); /* given ones are not checked yet */
    }
    matrix->nnz = total;
    return SPRY_OK;
}

/* ---- the plan ---- */

static void even_cut(const spry_matrix *matrix, struct spry_split *split) {
    const spry_sell *sell = &matrix->sell;
    spry_cut_by_work(matrix, split, spry_sell_slices(matrix->rows, sell->height), sell->slots + matrix->rows,
                     slice_work_before);
}

/* The end of a window nearest to slice s by the work between them, if that is no more than it is worth to a part not to share one; or s. */
static int64_t window_end_near(const spry_matrix *matrix, int64_t s, int64_t part) {
    const spry_sell *sell = &matrix->sell;
    const int64_t slices = spry_sell_slices(matrix->rows, sell->height), each = sell->window / sell->height,
                  before = s - s % each, after = before + each < slices ? before + each : slices,
                  work = slice_work_before(matrix, s), back = work - slice_work_before(matrix, before),
                  on = slice_work_before(matrix, after) - work, less = back < on ? back : on;
    return less > spry_sell_unshared_worth(part, sell->window) ? s : less == back ? before : after;
}

/* Parts of a product that gathers: those that share a window write the same lines of y. */
static void cut(const spry_matrix *matrix, struct spry_split *split) {
    const spry_sell *sell = &matrix->sell;
    even_cut(matrix, split);
    for (int p = 1; p < split->parts && sell->window > 1; p++)
        split->cut[p].unit =
            window_end_near(matrix, split->cut[p].unit, (sell->slots + matrix->rows) / split->parts);
}

static struct spry_window span(const spry_matrix *matrix, const struct spry_cut *begin) {
    const spry_sell *sell = &matrix->sell;
    const idx_t *len = sell->len;
    int64_t low = INT64_MAX, high = -1;
    for (int64_t s = begin[0].unit; s < begin[1].unit; s++) {
        struct slice slice = slice_at(matrix, s);
        for (int64_t k = 0; k < slice.width; k++)
            for (int64_t r = 0; r < sell->height; r++) {
                if (k >= len[s * sell->height + r])
                    continue;
                int64_t j = spry_decoded_column(matrix, sell->idx, s, slice.first + k * sell->height + r);
                low = j < low ? j : low;
                high = j > high ? j : high;
            }
    }
    return spry_window_between(low, high);
}

/* Whether columns fall nowhere within a row, as they may in the caller's arrays. */
static bool is_sorted(const spry_context *context, const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    const idx_t *len = sell->len, *idx = sell->idx;
    int falls = 0;
#pragma omp parallel for num_threads(spry_team_over(context, matrix->nnz)) reduction(| : falls)
    for (int64_t p = 0; p < matrix->rows; p++) {
        int64_t slot = slice_begin(matrix, p / sell->height) + p % sell->height;
        for (int64_t k = 1; k < len[p]; k++, slot += sell->height)
            falls |= idx[slot + sell->height] < idx[slot];
    }
    return !falls;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    matrix->sorted = matrix->sorted || is_sorted(context, matrix);
    matrix->plan.room = SHARED(spry_decoding_room)(matrix, sell->ptr,
                                                   spry_sell_slices(matrix->rows, sell->height), sell->unit);
    const spry_status status = spry_plan_gather(context, matrix, SPRY_N, cut);
    return status ? status : spry_plan_scatter(context, matrix, SPRY_T, even_cut, span);
}

/* ---- traits ---- */

static int64_t slots(const spry_matrix *matrix) {
    return matrix->sell.slots;
}

static size_t slot_size(const spry_matrix *matrix) {
    return spry_column_size(TMPL_INDEX, matrix->columns) + spry_stored_size(TMPL_TYPE, matrix->values);
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_sell *sell = &matrix->sell;
    int64_t slices = spry_sell_slices(matrix->rows, sell->height);
    array[0] = (struct spry_array){&sell->ptr, slices + 1, sizeof(ptr_t)};
    array[1] = (struct spry_array){&sell->len, slices * sell->height, sizeof(idx_t)};
    array[2] = (struct spry_array){&sell->idx, sell->slots, spry_column_size(TMPL_INDEX, matrix->columns)};
    array[3] = (struct spry_array){&sell->val, sell->slots, spry_stored_size(TMPL_TYPE, matrix->values)};
    int count = 4;
    if (sell->window > 1)
        array[count++] = (struct spry_array){&sell->perm, matrix->rows, sizeof(idx_t)};
    if (matrix->columns != SPRY_COLUMNS_PLAIN)
        array[count++] = (struct spry_array){&matrix->bases, slices, sizeof(idx_t)};
    return count;
}

static void **values(spry_matrix *matrix) {
    return &matrix->sell.val;
}

static void **columns(spry_matrix *matrix) {
    return &matrix->sell.idx;
}

static void groups(const spry_matrix *matrix, struct spry_column_groups *groups) {
    const spry_sell *sell = &matrix->sell;
    *groups = (struct spry_column_groups){.units = spry_sell_slices(matrix->rows, sell->height),
                                          .each = 1,
                                          .ptr = sell->ptr,
                                          .step = sell->unit,
                                          .slots = sell->slots,
                                          .len = sell->len,
                                          .height = sell->height};
}

static struct spry_units units(const spry_matrix *matrix) {
    const spry_sell *sell = &matrix->sell;
    return (struct spry_units){sell->ptr, sell->unit, sell->height, sell->window > 1 ? sell->perm : NULL};
}

static int64_t reach(const int64_t *parameter) {
    return parameter[1] > 1 ? parameter[1] : parameter[0];
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    const spry_storage *storage = &candidate->storage;
    const int64_t *parameter = storage->parameter;
    double slices = (double)spry_sell_slices(features->rows, parameter[0]);
    candidate->slots = spry_slice_slots(features, (int)parameter[0], parameter[1]);
    candidate->bytes = (slices + 1) * sizeof(ptr_t) + slices * (double)parameter[0] * sizeof(idx_t) +
                       candidate->slots * (double)(spry_column_size(TMPL_INDEX, storage->columns) +
                                                   spry_stored_size(TMPL_TYPE, storage->values)) +
                       (parameter[1] > 1 ? (double)features->rows * sizeof(idx_t) : 0) +
                       (storage->columns != SPRY_COLUMNS_PLAIN ? slices * sizeof(idx_t) : 0) +
                       (double)spry_table_length(storage->values) * sizeof(val_t);
}

static const char *check(const int64_t *parameter) {
    if (parameter[0] < 0 || parameter[0] > SPRY_SELL_HEIGHT_MOST)
        return "the height of a slice is from 1 to 1024";
    if (parameter[1] < 0)
        return "a window has 1 row or more";
    if (parameter[1] > 1 && parameter[0] > 0 && parameter[1] % parameter[0] != 0)
        return "a window of more than one row is a multiple of the height";
    if (parameter[1] > 1 && parameter[0] == 0)
        return "a window needs a height";
    return NULL;
}

static void configure(const spry_context *context, const int64_t *parameter, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    sell->height = parameter[0] > 0 ? parameter[0] : spry_sell_height(context, matrix->type);
    sell->window = parameter[1]; /* 0: as the rows ask for */
    sell->unit = 1;
}

static void describe(const spry_matrix *matrix, int64_t *parameter) {
    parameter[0] = matrix->sell.height;
    parameter[1] = matrix->sell.window;
}

/* The window that slices of so many rows are full within, or the longest; a shorter one where threads would share most of them. */
static int64_t fitting_window(const struct spry_candidate *candidate, int64_t height) {
    const struct spry_features *features = candidate->features;
    const spry_context *context = candidate->context;
    const int64_t rows = features->rows, nnz = features->nnz;
    int64_t window = spry_sell_window(height);
    const double slots = spry_slice_slots(features, (int)height, window),
                 most = (double)spry_sell_slots_shrunk((int64_t)slots, rows, features->longest, height);
    while (!spry_sell_is_fuller((int64_t)spry_slice_slots(features, (int)height, window), nnz) &&
           spry_sell_window_grows(context, window, rows, nnz))
        window *= 2;
    while (spry_sell_window_shrinks(context, height, window, rows, nnz) &&
           spry_slice_slots(features, (int)height, window / 2) <= most)
        window /= 2;
    return window;
}

/* Rows as they are, and sorted where that could save padding. */
static int candidates(const struct spry_candidate *candidate,
                      int64_t parameter[SPRY_CANDIDATES_MOST][SPRY_STORAGE_PARAMETERS]) {
    const struct spry_features *features = candidate->features;
    int64_t height = spry_sell_height(candidate->context, TMPL_TYPE);
    parameter[0][0] = height;
    parameter[0][1] = 1;
    parameter[1][0] = height;
    parameter[1][1] = fitting_window(candidate, height);
    return features->shortest == features->longest ? 1 : 2;
}

const struct spry_format_code NAME(spry_sell_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .slot_size = slot_size,
    .pads = true,
    .arrays = arrays,
    .estimate = estimate,
    .complete = complete,
    .values = values,
    .codes = TMPL_CODES,
    .columns = columns,
    .groups = groups,
    .column_codes = TMPL_COLUMN_CODES,
    .units = units,
    .reach = reach,
    .parameters = 2,
    .check = check,
    .configure = configure,
    .describe = describe,
    .candidates = candidates,
};
