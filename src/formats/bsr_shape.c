/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/bsr.h"

#include "analysis/work.h"
#include "core/table.h"

double spry_bsr_bytes(const spry_matrix *like, spry_value_code code, int64_t height, int64_t width,
                      double blocks, bool full) {
    const double places = (double)(height * width), mask = full ? 0 : (double)spry_mask_bytes(height * width);
    return blocks * (places * (double)spry_stored_size(like->type, code) +
                     (double)spry_index_size(like->index) + mask) +
           (double)(spry_cover(like->rows, height) + 1) * (double)spry_pointer_size(like->index) +
           (double)(spry_table_length(code) * (int64_t)spry_type_size(like->type));
}

/* The share of the bytes of single entries that blocks may take: where they are not filled well, what they save is lost again on
   masks and padding. A guess. */
#define WORTH_IT (7.0 / 8)

static double expected_bytes(const spry_matrix *like, const struct spry_block_counts *counts, int64_t height,
                             int64_t width) {
    const struct spry_block_estimate found = spry_estimate_blocks(counts, like->nnz, height, width);
    return spry_bsr_bytes(like, SPRY_VALUES_PLAIN, height, width, found.blocks, found.full >= found.blocks);
}

struct spry_block_size spry_bsr_size(const spry_matrix *like, const struct spry_block_counts *counts) {
    struct spry_block_size best = {1, 1};
    double least = WORTH_IT * expected_bytes(like, counts, 1, 1);
    if (counts->entries == 0)
        return best;
    for (int64_t height = 1; height <= SPRY_BLOCK_MOST; height++)
        for (int64_t width = 1; width <= SPRY_BLOCK_MOST; width++) {
            const double bytes = expected_bytes(like, counts, height, width);
            if (bytes < least) {
                least = bytes;
                best = (struct spry_block_size){height, width};
            }
        }
    return best;
}

void spry_bsr_set_size(spry_matrix *matrix, const struct spry_block_counts *counts) {
    const struct spry_block_size size = spry_bsr_size(matrix, counts);
    matrix->bsr.height = size.height;
    matrix->bsr.width = size.width;
}

/* Not by slots, which may be more than there is memory for. */
void spry_bsr_set_blocks(spry_matrix *matrix, int64_t blocks) {
    spry_bsr *bsr = &matrix->bsr;
    const int64_t places = bsr->height * bsr->width;
    const bool full = matrix->nnz % places == 0 && matrix->nnz / places == blocks;
    bsr->blocks = blocks;
    bsr->mask_bytes = full ? 0 : spry_mask_bytes(places);
}

spry_status spry_bsr_block_arrays(spry_context *context, spry_matrix *matrix) {
    spry_bsr *bsr = &matrix->bsr;
    spry_status status =
        spry_matrix_array(context, matrix, bsr->blocks, spry_index_size(matrix->index), &bsr->idx);
    if (!status)
        status = spry_matrix_array(context, matrix, bsr->blocks * bsr->height * bsr->width,
                                   spry_type_size(matrix->type), &bsr->val);
    if (!status && bsr->mask_bytes > 0)
        status = spry_matrix_array(context, matrix, bsr->blocks, (size_t)bsr->mask_bytes, &bsr->mask);
    return status;
}

spry_status spry_refuse_bsr_update(spry_context *context) {
    return spry_fail(
        context, SPRY_ERROR_UNSUPPORTED,
        "the columns of blocks do not rise in the BSR matrix: change its values in place instead");
}
