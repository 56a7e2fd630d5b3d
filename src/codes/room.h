/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of products that gather and decode some rows at a time on the way. */
#ifndef SPRY_CODES_ROOM_H
#define SPRY_CODES_ROOM_H

#include "core/saturate.h"
#include "core/table.h"

/* Slots that are decoded at once where rows do not ask for more: 16 KiB of f64. */
#define SPRY_DECODE_NEAR 2048

/* Whether kernels on a CPU get values, or columns, that were decoded for them. */
static inline bool spry_decodes_values(const spry_matrix *matrix) {
    return spry_table_length(matrix->values) > 0;
}
static inline bool spry_decodes_columns(const spry_matrix *matrix) {
    return matrix->columns != SPRY_COLUMNS_PLAIN;
}
static inline bool spry_decodes(const spry_matrix *matrix) {
    return spry_decodes_values(matrix) || spry_decodes_columns(matrix);
}

/* Bytes of a part for `room` of them, each of that size, up to the next place that is aligned. */
static inline size_t spry_room_for(const spry_matrix *matrix, size_t size) {
    const size_t bytes = spry_multiply_sizes((size_t)matrix->plan.room, size);
    return spry_sum_sizes(bytes, -bytes % SPRY_ALIGNMENT);
}

/* Of each part: for values, then for columns. */
static inline size_t spry_room_for_values(const spry_matrix *matrix) {
    return spry_decodes_values(matrix) ? spry_room_for(matrix, spry_type_size(matrix->type)) : 0;
}
static inline size_t spry_decoding_bytes(const spry_matrix *matrix) {
    const size_t columns =
        spry_decodes_columns(matrix) ? spry_room_for(matrix, spry_index_size(matrix->index)) : 0;
    return spry_sum_sizes(spry_room_for_values(matrix), columns);
}

#endif
