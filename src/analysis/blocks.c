/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/blocks.h"

#include <string.h>

/* The sizes of integers are constants wherever this ends up. */
static inline __attribute__((always_inline)) void look(const spry_matrix *csr, size_t ptr_size,
                                                       size_t idx_size, struct spry_block_count *count) {
    const struct spry_rows rows = {csr->csr.ptr, csr->csr.idx, ptr_size, idx_size, csr->rows, csr->csr.base};
    const int64_t samples = spry_block_samples(csr->rows);
    for (int64_t s = 0; s < samples; s++) {
        const struct spry_block_sample sample = spry_block_sampled(&rows, s);
        for (int choice = 0; choice < SPRY_BLOCK_CHOICES; choice++) {
            const int side = spry_block_side(choice);
            int entries = 0;
            for (int r = 0; r < side; r++)
                entries += spry_sample_row(&rows, &sample, side, r);
            const struct spry_block_count more = spry_sample_counts(&sample, side, entries);
            count[choice].blocks += more.blocks;
            count[choice].full += more.full;
            count[choice].entries += more.entries;
        }
    }
}

void spry_look_at_blocks(const spry_matrix *csr, struct spry_block_count *count) {
    memset(count, 0, SPRY_BLOCK_CHOICES * sizeof *count);
    if (csr->index == SPRY_I32)
        look(csr, sizeof(int32_t), sizeof(int32_t), count);
    else if (csr->index == SPRY_I32P64)
        look(csr, sizeof(int64_t), sizeof(int32_t), count);
    else
        look(csr, sizeof(int64_t), sizeof(int64_t), count);
}
