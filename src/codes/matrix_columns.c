/* SPDX-License-Identifier: BSD-3-Clause */
#include "codes/matrix_columns.h"

#include <inttypes.h>

#include "codes/columns.h"
#include "core/backend.h"

static void **columns_of(spry_matrix *matrix) {
    return spry_format_traits(matrix)->columns(matrix);
}

static struct spry_column_groups groups_of(const spry_matrix *matrix) {
    struct spry_column_groups groups;
    spry_format_traits(matrix)->groups(matrix, &groups);
    return groups;
}

static const struct spry_column_coder *coder_of(const spry_context *context, const spry_matrix *matrix) {
    return context->code->instance[matrix->type][matrix->index]->narrow;
}

/* The rows of a group, first … last, those of CSR or of a slice: what messages call them, and what crosses them. */
struct group_rows {
    const char *name, *crossing;
    int64_t first, last;
};

static struct group_rows rows_of(const spry_matrix *matrix, const struct spry_column_groups *groups,
                                 int64_t group) {
    const bool by_rows = matrix->format != SPRY_CSC;
    const int64_t each = groups->each * groups->height, all = by_rows ? matrix->rows : matrix->cols,
                  end = (group + 1) * each;
    const bool sorted = groups->len && matrix->sell.window > 1;
    return (struct group_rows){sorted    ? "sorted positions"
                               : by_rows ? "rows"
                                         : "columns",
                               by_rows ? "columns" : "rows", group * each, (end < all ? end : all) - 1};
}

static spry_status refuse(spry_context *context, const spry_matrix *matrix, spry_column_code code,
                          const struct spry_column_groups *groups, struct spry_column_span span) {
    const struct group_rows rows = rows_of(matrix, groups, span.group);
    return spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                     "%s+%s: %s %" PRId64 " … %" PRId64 " have %s from %" PRId64 " to %" PRId64
                     ", which span %" PRId64 " (at most %d)",
                     spry_format_name(matrix->format), spry_column_code_name(code), rows.name, rows.first,
                     rows.last, rows.crossing, span.low, span.high, span.high - span.low + 1,
                     SPRY_NARROW_COLUMNS);
}

spry_status spry_encode_columns(spry_context *context, spry_matrix *matrix, spry_column_code code) {
    const struct spry_column_groups groups = groups_of(matrix);
    const int64_t count = spry_group_count(&groups);
    struct spry_column_span span;
    void *plain = *columns_of(matrix), *codes;
    spry_status status =
        spry_matrix_array(context, matrix, groups.slots, spry_column_size(matrix->index, code), &codes);
    if (!status)
        status = spry_matrix_array(context, matrix, count, spry_index_size(matrix->index), &matrix->bases);
    if (!status)
        status = coder_of(context, matrix)->encode(context, &groups, plain, codes, matrix->bases, &span);
    if (status)
        return status;
    if (span.group < count)
        return refuse(context, matrix, code, &groups, span);
    matrix->columns = code;
    *columns_of(matrix) = codes;
    spry_matrix_drop_array(matrix, plain);
    return SPRY_OK;
}

spry_status spry_decode_columns(spry_context *context, const spry_matrix *matrix, void **columns) {
    const struct spry_column_groups groups = groups_of(matrix);
    spry_matrix same = *matrix;
    spry_status status =
        spry_allocate_array(context, (size_t)groups.slots, spry_index_size(matrix->index), columns);
    return status ? status
                  : coder_of(context, matrix)
                        ->decode(context, &groups, *columns_of(&same), matrix->bases, *columns);
}

void spry_close_columns(spry_context *context, const spry_matrix *matrix, void *columns) {
    spry_release(&context->arrays, columns, (size_t)spry_matrix_slots(matrix),
                 spry_index_size(matrix->index));
}

void spry_view_columns(spry_matrix *view, void *columns) {
    view->columns = SPRY_COLUMNS_PLAIN;
    view->bases = NULL;
    *columns_of(view) = columns;
}

spry_status spry_check_columns(spry_context *context, const spry_matrix *matrix) {
    struct spry_group_faults faults;
    if (matrix->columns == SPRY_COLUMNS_PLAIN)
        return SPRY_OK;
    const struct spry_column_groups groups = groups_of(matrix);
    const int64_t count = spry_group_count(&groups),
                  across = matrix->format == SPRY_CSC ? matrix->rows : matrix->cols;
    spry_status status = coder_of(context, matrix)->check(context, &groups, across, matrix->bases, &faults);
    if (status || (faults.slots == count && faults.base == count))
        return status;
    const bool no_slots = faults.slots < count;
    const struct group_rows rows = rows_of(matrix, &groups, no_slots ? faults.slots : faults.base);
    return no_slots
               ? spry_fail(context, SPRY_ERROR_INVALID,
                           "%s %" PRId64 " … %" PRId64 ": the pointers decrease, or lead outside the arrays",
                           rows.name, rows.first, rows.last)
               : spry_fail(context, SPRY_ERROR_INVALID,
                           "%s %" PRId64 " … %" PRId64 ": the base of their %s is outside 0 … %" PRId64,
                           rows.name, rows.first, rows.last, rows.crossing, across - 1);
}
