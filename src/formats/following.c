/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/following.h"

#include "analysis/strata.h"
#include "codes/columns.h"
#include "codes/decode.h"
#include "core/bits.h"
#include "core/cover.h"
#include "core/inline.h"
#include "core/team.h"
#include "formats/compressed.h"
#include "formats/major.h"

/* Windows of rows that are looked at first. All rows are looked at only if at least one row in ONE_IN of these begins SIDE_BY_SIDE rows that
   follow each other: as many as are multiplied side by side. */
#define WINDOWS 64
#define ONE_IN 8
#define SIDE_BY_SIDE 8

/* Whether row i > 0, as long as the one before, has its columns, each one further on. */
INLINE bool columns_follow(const spry_matrix *matrix, const compressed_t *all, int64_t i) {
    const int64_t end = all->ptr[i + 1] - all->base, length = all->ptr[i + 1] - all->ptr[i];
    int64_t off = 0;
    if (matrix->columns != SPRY_COLUMNS_PLAIN) {
        for (int64_t k = end - length; k < end && off == 0; k++)
            off = spry_decoded_column(matrix, all->idx, i / SPRY_NARROW_ROWS, k) -
                  spry_decoded_column(matrix, all->idx, (i - 1) / SPRY_NARROW_ROWS, k - length) - 1;
        return off == 0;
    }
    const idx_t *here = all->idx + (end - length), *before = here - length;
    if (length > 0 && here[0] - before[0] != 1)
        return false;
    for (int64_t k = 1; k < length; k++)
        off |= here[k] - before[k] - 1;
    return off == 0;
}

/* Where the rows of a word end that begins with this one. */
static int64_t word_end(const compressed_t *all, int64_t begin) {
    const int64_t left = all->major - begin;
    return begin + (left < SPRY_FOLLOWING_ROWS ? left : SPRY_FOLLOWING_ROWS);
}

/* Of the rows of a word that begins with this one, which follow the one before. */
static uint64_t rows_that_follow(const spry_matrix *matrix, const compressed_t *all, int64_t begin) {
    const int64_t end = word_end(all, begin);
    uint64_t bits = 0;
    for (int64_t i = begin > 0 ? begin : 1; i < end; i++)
        if (major_length(all, i) == major_length(all, i - 1) && columns_follow(matrix, all, i))
            bits |= (uint64_t)1 << (i - begin);
    return bits;
}

/* How many rows, of those with these bits, have SIDE_BY_SIDE - 1 behind them that follow. */
static int begun_runs(uint64_t bits) {
    uint64_t runs = bits;
    for (int r = 1; r < SIDE_BY_SIDE - 1; r++)
        runs &= bits >> r;
    return count_bits(runs);
}

/* Whether enough rows follow for all to be looked at: else to look took as long as a part of a product, for nothing. */
static bool is_worth_it(const spry_matrix *matrix, const compressed_t *all) {
    const struct spry_windows windows = spry_windows_in(all->major, SPRY_FOLLOWING_ROWS, 1, WINDOWS, WINDOWS);
    int64_t runs = 0, rows = 0;
    for (int64_t w = 0; w < windows.count; w++) {
        const int64_t begin = spry_window_in_share(w, windows.share, SPRY_FOLLOWING_ROWS);
        runs += begun_runs(rows_that_follow(matrix, all, begin));
        rows += word_end(all, begin) - begin;
    }
    return runs > 0 && runs * ONE_IN >= rows;
}

spry_status NAME(spry_plan_following)(spry_context *context, spry_matrix *matrix) {
    const compressed_t all = NAME(spry_compressed_of)(matrix);
    if (!is_worth_it(matrix, &all))
        return SPRY_OK;
    const int64_t words = spry_cover(all.major, SPRY_FOLLOWING_ROWS);
    void *array;
    const spry_status status = spry_matrix_array(context, matrix, words, sizeof(uint64_t), &array);
    if (status)
        return status;
    uint64_t *following = array;
#pragma omp parallel for num_threads(spry_team_over(context, matrix->nnz))
    for (int64_t w = 0; w < words; w++)
        following[w] = rows_that_follow(matrix, &all, w * SPRY_FOLLOWING_ROWS);
    matrix->plan.following = following;
    return SPRY_OK;
}
