/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/blocks.h"

#include <string.h>

/* The sizes of integers are constants wherever this ends up. */
static inline __attribute__((always_inline)) void look(const spry_matrix *csr, size_t ptr_size,
                                                       size_t idx_size, struct spry_block_count *count) {
    const struct spry_rows rows = {csr->csr.ptr, csr->csr.idx, ptr_size, idx_size, csr->rows, csr->csr.base};
    const int64_t groups = spry_block_groups(csr->rows);
    for (int choice = 0; choice < SPRY_BLOCK_CHOICES; choice++)
        for (int64_t group = 0; group < groups; group++) {
            const struct spry_block_count more = spry_count_group(&rows, group, choice);
            count[choice].entries += more.entries;
            count[choice].blocks += more.blocks;
            count[choice].full += more.full;
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
