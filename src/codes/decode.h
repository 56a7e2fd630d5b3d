/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a matrix that keeps them in a table, as kernels for plain values read them: some rows at a time are decoded into a
   buffer that stays near at hand. So every kernel has the bits that it has with plain values, and none is compiled again. */
#ifndef SPRY_DECODE_H
#define SPRY_DECODE_H

#include "core/internal.h"
#include "core/tmpl.h"

/* Values that are decoded at once where rows do not ask for more: 16 KiB of f64. */
#define SPRY_DECODE_NEAR 2048

/* CSR: rows that some kernel takes together, at most. Where it begins with a row tells which those are, so rows are only
   parted between such groups, counted from the first of a part. */
#define SPRY_DECODE_ROWS 16

/* How one thread decodes. */
struct spry_decoder {
    const spry_matrix *matrix;
    const void *codes;
    val_t *buffer;  /* null where kernels read what the matrix has */
    int64_t filled; /* of the buffer, with the one value that a matrix has */
};

/* For part p of a product that gathers, in the workspace that begins here. */
static inline struct spry_decoder spry_decoder_of(const spry_matrix *matrix, const void *codes,
                                                  void *workspace, int p) {
    const int64_t room = matrix->plan.room;
    return (struct spry_decoder){matrix, codes, room > 0 ? (val_t *)workspace + p * room : NULL, 0};
}

/* Decode values first … first + count - 1, of which there is room for. The first of them is at the place returned. */
const void *SHARED(spry_decode)(struct spry_decoder *decoder, int64_t first, int64_t count);

/* One value. */
static inline val_t spry_decoded_value(const spry_matrix *matrix, const void *codes, int64_t k) {
    const val_t *table = matrix->table.values;
    return matrix->values == SPRY_VALUES_DICT8    ? table[((const uint8_t *)codes)[k]]
           : matrix->values == SPRY_VALUES_DICT16 ? table[((const uint16_t *)codes)[k]]
                                                  : table[0];
}

#endif
