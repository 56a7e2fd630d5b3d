/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a matrix that keeps them in a table, and narrow columns, as kernels for plain ones read them: some rows at a time
   are decoded into a buffer that stays near at hand. So every kernel has the bits that it has with plain ones, and only where
   reading columns as they are kept is faster, as in SELL (spmv/columns_simd.h), is one compiled again. */
#ifndef SPRY_DECODE_H
#define SPRY_DECODE_H

#include "codes/room.h"
#include "codes/stored.h"

/* CSR: rows that some kernel takes together, at most. Where it begins with a row tells which those are, so rows are only
   parted between such groups, counted from the first of a part. */
#define SPRY_DECODE_ROWS 16

/* How one thread decodes. */
struct spry_decoder {
    const spry_matrix *matrix;
    struct spry_column_groups groups;
    const void *offsets, *codes; /* the matrix's arrays of columns and of values */
    idx_t *columns;              /* null where kernels read those of the matrix */
    val_t *values;               /* the same */
    int64_t filled;              /* of the values, with the one that a matrix has */
};

/* For part p of a product by this kernel, which gathers, in the workspace that begins here; without buffers where the kernel
   reads all as it is kept, and nothing else is set then: small products are over before a record this long is copied. */
void SHARED(spry_set_decoder)(struct spry_decoder *decoder, const spry_kernel *kernel,
                              const spry_matrix *matrix, void *workspace, int p);

static inline bool spry_is_decoding(const struct spry_decoder *decoder) {
    return decoder->columns || decoder->values;
}

/* Decode the values of slots first … first + count - 1, of which there is room for. The first of them is at the place
   returned. */
const void *SHARED(spry_decode_values)(struct spry_decoder *decoder, int64_t first, int64_t count);

/* The same of columns; `unit` is the row, or slice, of the first slot. */
const idx_t *SHARED(spry_decode_columns)(struct spry_decoder *decoder, int64_t unit, int64_t first,
                                         int64_t count);

/* Slots that are decoded at once, at most, where rows lie in units, rows of blocks or slices, that are not parted: where each
   begins is in `ptr`, counted in `step` slots. 0 where nothing is decoded. */
int64_t SHARED(spry_decoding_room)(const spry_matrix *matrix, const void *ptr, int64_t units, int64_t step);

/* Decode so many slots from the first of a unit on; `plain`, a copy of the matrix, finds them where its own would be. */
void SHARED(spry_decode_units)(struct spry_decoder *decoder, int64_t unit, int64_t first, int64_t count,
                               spry_matrix *plain);

/* One value, whatever it is kept in. */
static inline val_t spry_decoded_value(const spry_matrix *matrix, const void *codes, int64_t k) {
    const val_t *table = matrix->table.values;
    return matrix->values == SPRY_VALUES_DICT8      ? table[((const uint8_t *)codes)[k]]
           : matrix->values == SPRY_VALUES_DICT16   ? table[((const uint16_t *)codes)[k]]
           : matrix->values == SPRY_VALUES_CONSTANT ? table[0]
                                                    : ((const stored_t *)codes)[k];
}

/* One column, that of slot k in its group. */
static inline int64_t spry_decoded_column(const spry_matrix *matrix, const void *columns, int64_t group,
                                          int64_t k) {
    return matrix->columns == SPRY_COLUMNS_NARROW
               ? (int64_t)((const idx_t *)matrix->bases)[group] + ((const uint16_t *)columns)[k]
               : ((const idx_t *)columns)[k];
}

#endif
