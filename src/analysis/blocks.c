/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/blocks.h"

#include <string.h>

#include "core/inline.h"

/* Rows of a word, 16 bits each; the lowest bit of each of them. */
#define ROWS_OF_WORD 4
#define EACH UINT64_C(0x0001000100010001)
#define WORDS ((SPRY_BLOCK_AROUND + ROWS_OF_WORD - 1) / ROWS_OF_WORD)

/* before[r] becomes how many entries there are in rows 0 … r - 1 and `width` columns from `first` on. Bits are counted in all rows of a
   word at a time, and added up over them by a multiplication. */
static void count_above(const uint64_t *around, int first, int width, int *before) {
    const uint64_t window = EACH * ((1u << width) - 1);
    uint64_t sum = 0;
    before[0] = 0;
    for (int w = 0; w < WORDS; w++) {
        uint64_t bits = around[w] >> first & window;
        bits -= bits >> 1 & EACH * 0x5555;
        bits = (bits & EACH * 0x3333) + (bits >> 2 & EACH * 0x3333);
        bits = (bits + (bits >> 4)) & EACH * 0x000f;
        bits = (bits + sum) * EACH;
        for (int r = 0; r < ROWS_OF_WORD; r++)
            before[ROWS_OF_WORD * w + r + 1] = (int)(bits >> 16 * r & 0xffff);
        sum = bits >> 48;
    }
}

/* `saving` is that of each number of entries. */
static void add_sample(const struct spry_block_sample *sample, const uint16_t *around, const int *saving,
                       struct spry_block_counts *counts) {
    uint64_t word[WORDS] = {0};
    int top[SPRY_BLOCK_MOST + 1];
    for (int r = 0; r < SPRY_BLOCK_AROUND; r++)
        word[r / ROWS_OF_WORD] |= (uint64_t)around[r] << 16 * (r % ROWS_OF_WORD);
    for (int height = 1; height <= SPRY_BLOCK_MOST; height++)
        top[height] = SPRY_BLOCK_REACH - (int)(sample->row % height);
    for (int width = 1; width <= SPRY_BLOCK_MOST; width++) {
        int before[ROWS_OF_WORD * WORDS + 1];
        count_above(word, SPRY_BLOCK_REACH - (int)(sample->column % width), width, before);
        for (int height = 1; height <= SPRY_BLOCK_MOST; height++) {
            struct spry_block_count *count = &counts->of[spry_block_number(height, width)];
            const int entries = before[top[height] + height] - before[top[height]];
            count->saved += sample->weight * saving[entries];
            count->full += entries == height * width ? sample->weight : 0;
        }
    }
}

/* The sizes of integers are constants below. */

/* The rows of a window's entries, and which have one beside them, a bit each. */
INLINE unsigned look_along(const struct spry_rows *rows, const struct spry_block_window *window,
                           int64_t *row) {
    int64_t at = spry_row_of(rows, window->begin);
    unsigned beside = 0;
    for (int i = 0; i < window->length; i++) {
        while (spry_row_begin(rows, at + 1) <= window->begin + i)
            at++;
        row[i] = at;
        beside |= (unsigned)(spry_nearest_column(rows, at, window->begin + i) == 1) << i;
    }
    return beside;
}

/* The rows next to the sample come first: they tell whether the others are needed. */
INLINE void look_around(const struct spry_rows *rows, int64_t row, int64_t entry, int weight,
                        const int *saving, struct spry_block_counts *counts) {
    const struct spry_block_sample sample = spry_block_sampled(rows, row, entry, weight);
    uint16_t around[SPRY_BLOCK_AROUND];
    for (int r = SPRY_BLOCK_REACH - 1; r <= SPRY_BLOCK_REACH + 1; r++)
        around[r] = (uint16_t)spry_row_around(rows, &sample, r);
    if (spry_is_alone(around))
        return;
    for (int r = 0; r < SPRY_BLOCK_AROUND; r++)
        around[r] = (uint16_t)spry_row_around(rows, &sample, r);
    add_sample(&sample, around, saving, counts);
}

INLINE void look(const spry_matrix *csr, size_t ptr_size, size_t idx_size, struct spry_block_counts *counts) {
    const struct spry_rows rows = spry_rows_of(csr, ptr_size, idx_size);
    int saving[SPRY_BLOCK_SIZES + 1];
    for (int entries = 0; entries <= SPRY_BLOCK_SIZES; entries++)
        saving[entries] = spry_block_saving(entries);
    for (int64_t w = 0; w < spry_block_windows(&rows); w++) {
        const struct spry_block_window window = spry_block_window_of(&rows, w);
        int64_t row[SPRY_BLOCK_WINDOW];
        const unsigned beside = look_along(&rows, &window, row);
        counts->entries += window.length;
        for (int k = 0; k < SPRY_BLOCK_KINDS; k++) {
            const struct spry_block_choice choice = spry_block_chosen(w, spry_of_kind(&window, beside, k));
            if (choice.weight > 0)
                look_around(&rows, row[choice.place], window.begin + choice.place, choice.weight, saving,
                            counts);
        }
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
