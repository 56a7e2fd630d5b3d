/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tmpl.h"

#include "formats/stencil.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/work.h"
#include "core/cover.h"
#include "core/scatter.h"
#include "core/table.h"
#include "formats/check.h"

/* ---- runs of rows ---- */

/* Bytes of numbers that are compared at once. */
#define WORDS 8
#define BLOCK (WORDS * (int64_t)sizeof(uint64_t))

static uint64_t word_at(const char *numbers) {
    uint64_t word;
    memcpy(&word, numbers, sizeof word);
    return word;
}

/* Whether a block of numbers is the same as what lies so many bytes before it. */
static bool repeats(const char *numbers, int64_t before) {
    uint64_t differing = 0;
    for (int w = 0; w < WORDS; w++, numbers += sizeof differing)
        differing |= word_at(numbers) ^ word_at(numbers - before);
    return differing == 0;
}

int64_t NAME(spry_stencil_run_end)(const spry_stencil *stencil, int64_t row, int64_t period, int64_t last) {
    const int64_t size = stencil->number_size, before = period * size, end = last * size;
    const char *numbers = (const char *)stencil->number;
    int64_t at = (row + period) * size;
    while (end - at >= BLOCK && repeats(numbers + at, before))
        at += BLOCK;
    while (end - at >= (int64_t)sizeof(uint64_t) && word_at(numbers + at) == word_at(numbers + at - before))
        at += (int64_t)sizeof(uint64_t);
    int64_t i = at / size;
    while (i < last && stencil_number(stencil, i) == stencil_number(stencil, i - period))
        i++;
    return i < last ? i : last;
}

/* ---- what the arrays must be ---- */

/* What one of the lists is called: a stencil or a shape. */
static const char *kind(const spry_matrix *matrix) {
    return spry_format_name(matrix->format);
}

/* Rows begin … end - 1 have the same stencil: its columns are inside the matrix for the first and the last of them. */
static spry_status check_run(spry_context *context, const spry_matrix *matrix, int64_t begin, int64_t end) {
    struct stencil_entries entries = stencil_at(&matrix->stencil, stencil_number(&matrix->stencil, begin));
    for (int64_t k = 0; k < entries.length; k++) {
        int64_t first = begin + entries.offset[k], last = end - 1 + entries.offset[k];
        if (first >= 0 && last < matrix->cols)
            continue;
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "row %" PRId64 ", entry %" PRId64 ": column %" PRId64 " is outside 0 … %" PRId64,
                         first < 0 ? begin : end - 1, k, first < 0 ? first : last, matrix->cols - 1);
    }
    return SPRY_OK;
}

static spry_status check_rows(spry_context *context, const spry_matrix *matrix) {
    const spry_stencil *stencil = &matrix->stencil;
    int64_t total = 0;
    spry_status status = SPRY_OK;
    for (int64_t begin = 0, end; begin < matrix->rows && !status; begin = end) {
        int64_t number = stencil_number(stencil, begin);
        if (number >= stencil->count)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "row %" PRId64 " has %s %" PRId64 ", outside 0 … %" PRId64, begin, kind(matrix),
                             number, stencil->count - 1);
        end = NAME(spry_stencil_run_end)(stencil, begin, 1, matrix->rows);
        status = check_run(context, matrix, begin, end);
        total += (end - begin) * stencil_at(stencil, number).length;
    }
    if (!status && total != matrix->nnz)
        status = spry_fail(context, SPRY_ERROR_INVALID,
                           "the rows have %" PRId64 " entries, expected %" PRId64, total, matrix->nnz);
    return status;
}

/* What the entries of a stencil must be besides. */
static spry_status check_stencil(spry_context *context, const spry_matrix *matrix, int64_t number,
                                 unsigned flags) {
    struct stencil_entries entries = stencil_at(&matrix->stencil, number);
    for (int64_t k = 0; k < entries.length; k++) {
        int64_t offset = entries.offset[k], before = k > 0 ? entries.offset[k - 1] : INT64_MIN;
        bool falls = (flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT)) && offset < before,
             repeats = (flags & SPRY_CHECK_DISTINCT) && offset == before;
        if (falls || repeats)
            return NAME(spry_fail_order)(context, kind(matrix), number, "offset", offset, before);
        double value = entries.val ? (double)entries.val[k] : 0;
        if ((flags & SPRY_CHECK_FINITE) && !isfinite(value))
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "stencil %" PRId64 ", entry %" PRId64 ": the value is %g", number, k, value);
    }
    return SPRY_OK;
}

spry_status NAME(spry_stencil_check)(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_stencil *stencil = &matrix->stencil;
    spry_status status =
        NAME(spry_check_pointers)(context, kind(matrix), stencil->ptr, stencil->count, 0, stencil->entries);
    if (!status)
        status = check_rows(context, matrix);
    for (int64_t s = 0; s < stencil->count && !status; s++)
        status = check_stencil(context, matrix, s, flags);
    return status;
}

/* ---- the plan ---- */

/* A row that is a multiple of `step`, or the last. */
static int64_t round_up(int64_t row, int64_t step, int64_t rows) {
    int64_t up = spry_cover(row, step) * step;
    return up < rows ? up : rows;
}

void NAME(spry_stencil_cut)(const spry_matrix *matrix, int64_t step, struct spry_split *split) {
    const spry_stencil *stencil = &matrix->stencil;
    int64_t total = matrix->nnz + matrix->rows, done = 0;
    int p = 0;
    for (int64_t begin = 0, end; begin < matrix->rows; begin = end) {
        int64_t each = stencil_at(stencil, stencil_number(stencil, begin)).length + 1;
        end = NAME(spry_stencil_run_end)(stencil, begin, 1, matrix->rows);
        for (; p < split->parts && done + (end - begin) * each > spry_share(total, p, split->parts); p++)
            split->cut[p] = (struct spry_cut){
                round_up(begin + (spry_share(total, p, split->parts) - done) / each, step, matrix->rows), 0};
        done += (end - begin) * each;
    }
    for (; p <= split->parts; p++)
        split->cut[p] = (struct spry_cut){matrix->rows, 0};
    split->cut[0].unit = 0;
}

struct spry_window NAME(spry_stencil_span)(const spry_matrix *matrix, const struct spry_cut *part) {
    const spry_stencil *stencil = &matrix->stencil;
    int64_t low = INT64_MAX, high = -1;
    for (int64_t begin = part[0].unit, end; begin < part[1].unit; begin = end) {
        struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, begin));
        end = NAME(spry_stencil_run_end)(stencil, begin, 1, part[1].unit);
        for (int64_t k = 0; k < entries.length; k++) {
            int64_t first = begin + entries.offset[k], last = end - 1 + entries.offset[k];
            low = first < low ? first : low;
            high = last > high ? last : high;
        }
    }
    return spry_window_between(low, high);
}

static void cut(const spry_matrix *matrix, struct spry_split *split) {
    NAME(spry_stencil_cut)(matrix, 1, split);
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    return spry_plan_by_rows(context, matrix, cut, NAME(spry_stencil_span));
}

/* ---- traits ---- */

/* Nothing is padded. */
static int64_t slots(const spry_matrix *matrix) {
    return matrix->nnz;
}

int NAME(spry_stencil_arrays)(spry_matrix *matrix, spry_stencil *stencil, struct spry_array *array) {
    array[0] = (struct spry_array){&stencil->number, matrix->rows, (size_t)stencil->number_size};
    array[1] = (struct spry_array){&stencil->ptr, stencil->count + 1, sizeof(ptr_t)};
    array[2] = (struct spry_array){&stencil->offset, stencil->entries, sizeof(idx_t)};
    return 3;
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_stencil *stencil = &matrix->stencil;
    int count = NAME(spry_stencil_arrays)(matrix, stencil, array);
    array[count] = (struct spry_array){&stencil->val, stencil->entries, sizeof(val_t)};
    return count + 1;
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    double count, entries;
    spry_expected_kinds(features, &features->stencils, &count, &entries);
    candidate->slots = (double)features->nnz;
    candidate->bytes = (double)features->rows * (double)spry_stencil_number_size((int64_t)count) +
                       (count + 1) * sizeof(ptr_t) + entries * (sizeof(idx_t) + sizeof(val_t));
}

const struct spry_format_code NAME(spry_stencil_code) = {
    .validate = NAME(spry_stencil_check),
    .plan = plan,
    .slots = slots,
    .arrays = arrays,
    .estimate = estimate,
    .rests_on_values = true,
};
