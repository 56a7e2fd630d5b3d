/* SPDX-License-Identifier: BSD-3-Clause */
#include "codes/decode.h"

#include "core/integers.h"

void SHARED(spry_set_decoder)(struct spry_decoder *decoder, const spry_kernel *kernel,
                              const spry_matrix *matrix, void *workspace, int p) {
    decoder->matrix = matrix;
    decoder->columns = NULL;
    decoder->values = NULL;
    if (!spry_decodes(matrix))
        return;
    const struct spry_format_code *traits = spry_format_traits(matrix);
    spry_matrix same = *matrix;
    char *room = (char *)workspace + (size_t)p * spry_decoding_bytes(matrix);
    decoder->filled = 0;
    decoder->codes = *traits->values(&same);
    decoder->values = spry_decodes_values(matrix) ? (val_t *)room : NULL;
    if (!spry_decodes_columns(matrix) || kernel->reads_columns)
        return;
    traits->groups(matrix, &decoder->groups);
    decoder->offsets = *traits->columns(&same);
    decoder->columns = (idx_t *)(room + spry_room_for_values(matrix));
}

/* Have the one value at so many places, at least. */
static void fill(struct spry_decoder *decoder, int64_t count, val_t value) {
    val_t *to = decoder->values;
    for (int64_t k = decoder->filled; k < count; k++)
        to[k] = value;
    decoder->filled = count > decoder->filled ? count : decoder->filled;
}

const void *SHARED(spry_decode_values)(struct spry_decoder *decoder, int64_t first, int64_t count) {
    const val_t *table = decoder->matrix->table.values;
    val_t *to = decoder->values;
    if (decoder->matrix->values == SPRY_VALUES_DICT8) {
        const uint8_t *codes = (const uint8_t *)decoder->codes + first;
        for (int64_t k = 0; k < count; k++)
            to[k] = table[codes[k]];
    } else if (decoder->matrix->values == SPRY_VALUES_DICT16) {
        const uint16_t *codes = (const uint16_t *)decoder->codes + first;
        for (int64_t k = 0; k < count; k++)
            to[k] = table[codes[k]];
    } else
        fill(decoder, count, table[0]);
    return to;
}

/* Where the slots of a group end. */
static int64_t group_end(const struct spry_decoder *decoder, int64_t g) {
    const struct spry_column_groups *groups = &decoder->groups;
    const int64_t unit = (g + 1) * groups->each;
    return load_integer(groups->ptr, spry_pointer_size(decoder->matrix->index),
                        unit < groups->units ? unit : groups->units) *
           groups->step;
}

const idx_t *SHARED(spry_decode_columns)(struct spry_decoder *decoder, int64_t unit, int64_t first,
                                         int64_t count) {
    const idx_t *bases = decoder->matrix->bases;
    const uint16_t *offset = (const uint16_t *)decoder->offsets + first;
    idx_t *to = decoder->columns;
    int64_t k = 0;
    for (int64_t g = unit / decoder->groups.each; k < count; g++) {
        const int64_t end = group_end(decoder, g) - first, stop = end < count ? end : count;
        const idx_t base = bases[g];
        for (; k < stop; k++)
            to[k] = base + (idx_t)offset[k];
    }
    return to;
}

int64_t SHARED(spry_decoding_room)(const spry_matrix *matrix, const void *ptr, int64_t units, int64_t step) {
    const size_t size = spry_pointer_size(matrix->index);
    int64_t most = spry_decodes(matrix) ? SPRY_DECODE_NEAR : 0;
    for (int64_t u = 0; most > 0 && u < units; u++) {
        const int64_t count = (load_integer(ptr, size, u + 1) - load_integer(ptr, size, u)) * step;
        most = count > most ? count : most;
    }
    return most;
}

void SHARED(spry_decode_units)(struct spry_decoder *decoder, int64_t unit, int64_t first, int64_t count,
                               spry_matrix *plain) {
    const struct spry_format_code *traits = spry_format_traits(plain);
    if (decoder->values)
        *traits->values(plain) = (val_t *)SHARED(spry_decode_values)(decoder, first, count) - first;
    if (decoder->columns)
        *traits->columns(plain) = (idx_t *)SHARED(spry_decode_columns)(decoder, unit, first, count) - first;
}
