/* SPDX-License-Identifier: BSD-3-Clause */
#include "codes/decode.h"

const void *SHARED(spry_decode)(struct spry_decoder *decoder, int64_t first, int64_t count) {
    const val_t *table = decoder->matrix->table.values;
    val_t *to = decoder->buffer;
    if (decoder->matrix->values == SPRY_VALUES_DICT8) {
        const uint8_t *codes = (const uint8_t *)decoder->codes + first;
        for (int64_t k = 0; k < count; k++)
            to[k] = table[codes[k]];
    } else if (decoder->matrix->values == SPRY_VALUES_DICT16) {
        const uint16_t *codes = (const uint16_t *)decoder->codes + first;
        for (int64_t k = 0; k < count; k++)
            to[k] = table[codes[k]];
    } else
        for (; decoder->filled < count; decoder->filled++)
            to[decoder->filled] = table[0];
    return to;
}
