/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows by their shapes: numbers and offsets are those of stencils, values lie in slices as in SELL. */
#include "core/tmpl.h"

#include "formats/shape.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/work.h"
#include "core/scatter.h"
#include "formats/check.h"
#include "formats/sell.h"

/* ---- what the arrays must be ---- */

/* Slices have room for each of their rows, whose values are what `flags` ask for. */
static spry_status check_values(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_shape *shape = &matrix->shape;
    const ptr_t *first = shape->first;
    for (int64_t i = 0; i < matrix->rows; i++) {
        int64_t s = i / shape->height, width = (first[s + 1] - first[s]) / shape->height;
        struct shape_row row = shape_row(shape, i);
        if (row.entries.length > width)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "row %" PRId64 " has %" PRId64 " entries, but its slice has room for %" PRId64,
                             i, row.entries.length, width);
        for (int64_t k = 0; k < row.entries.length && (flags & SPRY_CHECK_FINITE); k++) {
            double value = (double)row.val[k * shape->height];
            if (!isfinite(value))
                return spry_fail(context, SPRY_ERROR_INVALID,
                                 "row %" PRId64 ", slot %" PRId64 ": the value is %g", i, k, value);
        }
    }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_shape *shape = &matrix->shape;
    spry_status status = NAME(spry_stencil_check)(context, matrix, flags);
    if (!status)
        status = NAME(spry_check_slices)(context, shape->first, spry_sell_slices(matrix->rows, shape->height),
                                         shape->height, 1, shape->slots);
    return status ? status : check_values(context, matrix, flags);
}

/* ---- the plan ---- */

static void cut(const spry_matrix *matrix, struct spry_split *split) {
    NAME(spry_stencil_cut)(matrix, matrix->shape.height, split);
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    return spry_plan_by_rows(context, matrix, cut, NAME(spry_stencil_span));
}

/* ---- traits ---- */

static int64_t slots(const spry_matrix *matrix) {
    return matrix->shape.slots;
}

static size_t slot_size(const spry_matrix *matrix) {
    (void)matrix;
    return sizeof(val_t);
}

static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    spry_shape *shape = &matrix->shape;
    int count = NAME(spry_stencil_arrays)(matrix, &shape->rows, array);
    array[count] =
        (struct spry_array){&shape->first, spry_sell_slices(matrix->rows, shape->height) + 1, sizeof(ptr_t)};
    array[count + 1] = (struct spry_array){&shape->val, shape->slots, sizeof(val_t)};
    return count + 2;
}

static void **values(spry_matrix *matrix) {
    return &matrix->shape.val;
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    const int64_t height = candidate->storage.parameter[0];
    double count, entries;
    spry_expected_kinds(features, &features->shapes, &count, &entries);
    candidate->slots = spry_slice_slots(features, (int)height, 1);
    candidate->bytes = (double)features->rows * (double)spry_stencil_number_size((int64_t)count) +
                       (count + 1) * sizeof(ptr_t) + entries * sizeof(idx_t) +
                       ((double)spry_sell_slices(features->rows, height) + 1) * sizeof(ptr_t) +
                       candidate->slots * sizeof(val_t);
}

static const char *check(const int64_t *parameter) {
    if (parameter[0] < 0 || parameter[0] > SPRY_SHAPE_HEIGHT_MOST || (parameter[0] & (parameter[0] - 1)) != 0)
        return "the height of a slice is a power of two, to 512";
    return NULL;
}

static void configure(const spry_context *context, const int64_t *parameter, spry_matrix *matrix) {
    (void)context;
    matrix->shape.height = parameter[0] > 0 ? parameter[0] : SPRY_SHAPE_HEIGHT;
}

static void describe(const spry_matrix *matrix, int64_t *parameter) {
    parameter[0] = matrix->shape.height;
}

static int candidates(const struct spry_candidate *candidate,
                      int64_t parameter[SPRY_CANDIDATES_MOST][SPRY_STORAGE_PARAMETERS]) {
    (void)candidate;
    parameter[0][0] = SPRY_SHAPE_HEIGHT;
    return 1;
}

const struct spry_format_code NAME(spry_shape_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .slot_size = slot_size,
    .pads = true,
    .arrays = arrays,
    .values = values,
    .estimate = estimate,
    .parameters = 1,
    .check = check,
    .configure = configure,
    .describe = describe,
    .candidates = candidates,
};
