/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/windows.h"

#include <string.h>

#include "analysis/rows.h"

void spry_look_at_windows(const spry_matrix *csr, struct spry_features *features) {
    struct spry_windows windows = spry_windows_of(csr->rows);
    size_t size = spry_pointer_size(csr->index);
    for (int64_t w = 0; w < windows.count; w++) {
        int32_t count[SPRY_LENGTH_COUNTERS];
        int64_t begin = spry_window_begin(windows, w), left = csr->rows - begin,
                end = begin + (left < SPRY_WINDOW_ROWS ? left : SPRY_WINDOW_ROWS);
        memset(count, 0, sizeof count);
        for (int64_t i = begin; i < end; i++)
            count[spry_length_bin(spry_row_length(csr->csr.ptr, size, i))]++;
        struct spry_window_sums sums = spry_sum_window(count);
        if (sums.longest > features->window_longest)
            features->window_longest = sums.longest;
        features->window_entries += sums.entries;
        features->sorted_eight += sums.eight;
        features->sorted_sixteen += sums.sixteen;
        features->sorted_warp += sums.warp;
    }
}
