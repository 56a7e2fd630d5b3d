/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/bsr.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/work.h"
#include "codes/decode.h"
#include "core/saturate.h"
#include "core/scatter.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/bsr_blocks.h"
#include "formats/check.h"

/* ---- what the arrays must be ---- */

static spry_status check_columns(spry_context *context, const struct blocks *a) {
    const int64_t columns = spry_cover(a->cols, a->width);
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t b = a->ptr[i]; b < a->ptr[i + 1]; b++)
            if (a->idx[b] < 0 || a->idx[b] >= columns)
                return spry_fail(context, SPRY_ERROR_INVALID,
                                 "block %" PRId64 ", in row %" PRId64 " of blocks: column %" PRId64
                                 " of blocks is outside 0 … %" PRId64,
                                 b, i, (int64_t)a->idx[b], columns - 1);
    return SPRY_OK;
}

static spry_status check_masks(spry_context *context, const spry_matrix *matrix) {
    const struct blocks a = blocks_of(matrix);
    int64_t total = 0;
    for (int64_t i = 0; i < a.count; i++)
        for (int64_t b = a.ptr[i]; b < a.ptr[i + 1]; b++) {
            const uint64_t mask = mask_at(&a, b), outside = mask & ~inside_mask(&a, i, a.idx[b]);
            if (outside)
                return spry_fail(
                    context, SPRY_ERROR_INVALID,
                    "block %" PRId64 ", in row %" PRId64 " of blocks: place %d is no place of the %s", b, i,
                    __builtin_ctzll(outside), outside & ~spry_bsr_full_mask(a.places) ? "block" : "matrix");
            total += count_bits(mask);
        }
    if (total != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID, "the masks have %" PRId64 " places, expected %" PRId64,
                         total, matrix->nnz);
    return SPRY_OK;
}

/* What block b must be beside the one before it in row i of blocks. */
static spry_status check_order(spry_context *context, const struct blocks *a, int64_t i, int64_t b,
                               bool distinct) {
    const int64_t before = a->idx[b - 1], here = a->idx[b];
    uint64_t taken = 0;
    if (here < before)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "block %" PRId64 ", in row %" PRId64 " of blocks: column %" PRId64
                         " of blocks comes after %" PRId64,
                         b, i, here, before);
    for (int64_t c = b - 1; distinct && c >= a->ptr[i] && a->idx[c] == here; c--)
        taken |= mask_at(a, c);
    taken &= mask_at(a, b);
    if (!taken)
        return SPRY_OK;
    const int place = __builtin_ctzll(taken);
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "row %" PRId64 ": column %" PRId64 " occurs twice, again in block %" PRId64,
                     i * a->height + place / a->width, here * a->width + place % a->width, b);
}

static spry_status check_all_in_order(spry_context *context, const struct blocks *a, unsigned flags) {
    spry_status status = SPRY_OK;
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t b = a->ptr[i] + 1; b < a->ptr[i + 1] && !status; b++)
            status = check_order(context, a, i, b, flags & SPRY_CHECK_DISTINCT);
    return status;
}

static spry_status check_values(spry_context *context, const struct blocks *a) {
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t b = a->ptr[i]; b < a->ptr[i + 1]; b++)
            for (uint64_t left = mask_at(a, b); left; left &= left - 1) {
                const int place = __builtin_ctzll(left);
                const double value = (double)a->val[b * a->places + place];
                if (!isfinite(value))
                    return spry_fail(context, SPRY_ERROR_INVALID,
                                     "row %" PRId64 ", column %" PRId64 ": the value is %g",
                                     i * a->height + place / a->width,
                                     (int64_t)a->idx[b] * a->width + place % a->width, value);
            }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const struct blocks a = blocks_of(matrix);
    spry_status status = NAME(spry_check_pointers)(context, "block", a.ptr, a.count, 0, matrix->bsr.blocks);
    if (!status)
        status = check_columns(context, &a);
    if (!status)
        status = check_masks(context, matrix);
    if (!status && flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT))
        status = check_all_in_order(context, &a, flags);
    return status || !(flags & SPRY_CHECK_FINITE) ? status : check_values(context, &a);
}

/* ---- wrapped arrays do not say how many entries they have ---- */

static spry_status complete(spry_context *context, spry_matrix *matrix) {
    const struct blocks a = blocks_of(matrix);
    int64_t total = 0;
    (void)context;
    for (int64_t b = 0; b < matrix->bsr.blocks && a.mask; b++)
        total += count_bits(mask_at(&a, b));
    matrix->nnz = a.mask ? total : matrix->bsr.blocks * a.places;
    return SPRY_OK;
}

/* ---- the plan ---- */

/* Places and rows before row i of blocks. */
static int64_t work_before(const spry_matrix *matrix, int64_t i) {
    const struct blocks a = blocks_of(matrix);
    return (int64_t)a.ptr[i] * a.places + i * a.height;
}

static void cut(const spry_matrix *matrix, struct spry_split *split) {
    const struct blocks a = blocks_of(matrix);
    spry_cut_by_work(matrix, split, a.count, matrix->bsr.blocks * a.places + a.count * a.height, work_before);
}

static struct spry_window span(const spry_matrix *matrix, const struct spry_cut *begin) {
    const struct blocks a = blocks_of(matrix);
    int64_t low = INT64_MAX, high = -1;
    for (int64_t b = a.ptr[begin[0].unit]; b < a.ptr[begin[1].unit]; b++) {
        low = a.idx[b] < low ? a.idx[b] : low;
        high = a.idx[b] > high ? a.idx[b] : high;
    }
    if (high < 0)
        return (struct spry_window){0, 0};
    const int64_t end = (high + 1) * a.width;
    return (struct spry_window){low * a.width, (end < a.cols ? end : a.cols) - low * a.width};
}

/* Whether columns of blocks fall nowhere within a row, as they may in the caller's arrays. */
static bool is_sorted(const spry_context *context, const spry_matrix *matrix) {
    const struct blocks a = blocks_of(matrix);
    int falls = 0;
#pragma omp parallel for num_threads(spry_team_over(context, matrix->bsr.blocks)) reduction(| : falls)
    for (int64_t i = 0; i < a.count; i++)
        for (int64_t b = a.ptr[i] + 1; b < a.ptr[i + 1]; b++)
            falls |= a.idx[b] < a.idx[b - 1];
    return !falls;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    const struct blocks a = blocks_of(matrix);
    matrix->sorted = matrix->sorted || is_sorted(context, matrix);
    matrix->plan.room = SHARED(spry_decoding_room)(matrix, a.ptr, a.count, a.places);
    return spry_plan_by_rows(context, matrix, cut, span);
}

/* ---- traits ---- */

static int64_t slots(const spry_matrix *matrix) {
    return spry_multiply_counts(matrix->bsr.blocks, matrix->bsr.height * matrix->bsr.width);
}

static size_t slot_size(const spry_matrix *matrix) {
    return spry_stored_size(TMPL_TYPE, matrix->values);
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_bsr *bsr = &matrix->bsr;
    array[0] = (struct spry_array){&bsr->ptr, spry_cover(matrix->rows, bsr->height) + 1, sizeof(ptr_t)};
    array[1] = (struct spry_array){&bsr->idx, bsr->blocks, sizeof(idx_t)};
    array[2] = (struct spry_array){&bsr->val, slots(matrix), spry_stored_size(TMPL_TYPE, matrix->values)};
    array[3] = (struct spry_array){&bsr->mask, bsr->blocks, (size_t)bsr->mask_bytes};
    return bsr->mask_bytes > 0 ? 4 : 3;
}

static void **values(spry_matrix *matrix) {
    return &matrix->bsr.val;
}

static struct spry_units units(const spry_matrix *matrix) {
    const spry_bsr *bsr = &matrix->bsr;
    return (struct spry_units){bsr->ptr, bsr->height * bsr->width, bsr->height, NULL};
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    const spry_value_code code = candidate->storage.values;
    const int64_t height = candidate->storage.parameter[0], width = candidate->storage.parameter[1];
    const struct spry_block_estimate found = spry_blocks_of(features, height, width);
    candidate->slots = found.blocks * (double)(height * width);
    candidate->bytes =
        spry_bsr_bytes(candidate->csr, code, height, width, found.blocks, found.full >= found.blocks);
}

static const char *check(const int64_t *parameter) {
    if (parameter[0] < 0 || parameter[0] > SPRY_BLOCK_MOST || parameter[1] < 0 ||
        parameter[1] > SPRY_BLOCK_MOST)
        return "the height and the width of a block are from 1 to 8";
    if (parameter[0] == 0 && parameter[1] > 0)
        return "a width needs a height";
    return NULL;
}

/* Zeros: as the entries ask for; of a height alone, squares. */
static void configure(const spry_context *context, const int64_t *parameter, spry_matrix *matrix) {
    (void)context;
    matrix->bsr.height = parameter[0];
    matrix->bsr.width = parameter[1] > 0 ? parameter[1] : parameter[0];
}

static void describe(const spry_matrix *matrix, int64_t *parameter) {
    parameter[0] = matrix->bsr.height;
    parameter[1] = matrix->bsr.width;
}

/* The size that is made where none is asked for. */
static int candidates(const struct spry_candidate *candidate,
                      int64_t parameter[SPRY_CANDIDATES_MOST][SPRY_STORAGE_PARAMETERS]) {
    const struct spry_block_size size = spry_bsr_size(candidate->csr, &candidate->features->blocks);
    parameter[0][0] = size.height;
    parameter[0][1] = size.width;
    return 1;
}

const struct spry_format_code NAME(spry_bsr_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .slot_size = slot_size,
    .pads = true,
    .arrays = arrays,
    .estimate = estimate,
    .complete = complete,
    .values = values,
    .units = units,
    .codes = TMPL_CODES,
    .parameters = 2,
    .check = check,
    .configure = configure,
    .describe = describe,
    .candidates = candidates,
};
