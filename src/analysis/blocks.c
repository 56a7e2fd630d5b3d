/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/blocks.h"

#include <string.h>

static void add_sample(const struct spry_block_sample *sample, const uint16_t *around,
                       struct spry_block_counts *counts) {
    int column[SPRY_BLOCK_MOST + 1];
    for (int width = 1; width <= SPRY_BLOCK_MOST; width++)
        column[width] = (int)(sample->column % width);
    for (int height = 1; height <= SPRY_BLOCK_MOST; height++) {
        const int row = (int)(sample->row % height);
        for (int width = 1; width <= SPRY_BLOCK_MOST; width++) {
            struct spry_block_count *count = &counts->of[spry_block_number(height, width)];
            const struct spry_block_count more =
                spry_sample_counts(around, sample->weight, row, column[width], height, width);
            count->saved += more.saved;
            count->full += more.full;
        }
    }
}

/* The sizes of integers are constants wherever this ends up. The rows next to the sample come first: they tell whether the others are
   needed. */
static inline __attribute__((always_inline)) void look(const spry_matrix *csr, size_t ptr_size,
                                                       size_t idx_size, struct spry_block_counts *counts) {
    const struct spry_rows rows = {csr->csr.ptr, csr->csr.idx, ptr_size, idx_size, csr->rows, csr->csr.base};
    const int64_t samples = spry_block_samples(csr->rows);
    for (int64_t s = 0; s < samples; s++) {
        const struct spry_block_sample sample = spry_block_sampled(&rows, s);
        uint16_t around[SPRY_BLOCK_AROUND];
        counts->entries += sample.weight;
        for (int r = SPRY_BLOCK_REACH - 1; r <= SPRY_BLOCK_REACH + 1; r++)
            around[r] = (uint16_t)spry_row_around(&rows, &sample, r);
        if (spry_is_alone(around))
            continue;
        for (int r = 0; r < SPRY_BLOCK_AROUND; r++)
            around[r] = (uint16_t)spry_row_around(&rows, &sample, r);
        add_sample(&sample, around, counts);
    }
}

void spry_look_at_blocks(const spry_matrix *csr, struct spry_block_counts *counts) {
    memset(counts, 0, sizeof *counts);
    if (csr->index == SPRY_I32)
        look(csr, sizeof(int32_t), sizeof(int32_t), counts);
    else if (csr->index == SPRY_I32P64)
        look(csr, sizeof(int64_t), sizeof(int32_t), counts);
    else
        look(csr, sizeof(int64_t), sizeof(int64_t), counts);
}
