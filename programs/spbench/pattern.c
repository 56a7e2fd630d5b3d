/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/pattern.h"

#include <math.h>
#include <stdlib.h>

#include "common/integer.h"

/* Entries in each field, row by row. */
typedef int64_t counts[PATTERN_MOST][PATTERN_MOST];

/* How many of a line of `size` a field stands for, where no more than PATTERN_MOST are to be had; 1 at least. */
static int64_t share(int64_t size) {
    return size <= PATTERN_MOST ? 1 : (size - 1) / PATTERN_MOST + 1;
}

static int fields(int64_t size) {
    return size == 0 ? 0 : (int)((size - 1) / share(size)) + 1;
}

static void count(const spry_matrix *csr, const struct pattern *pattern, counts found) {
    const spry_csr *arrays = spry_matrix_csr(csr);
    size_t pointer = spry_pointer_size(spry_matrix_index(csr)),
           index = spry_index_size(spry_matrix_index(csr));
    int64_t rows = spry_matrix_rows(csr), end = integer_at(arrays->ptr, pointer, 0);
    for (int64_t row = 0; row < rows; row++) {
        int64_t begin = end, *line = found[row / pattern->height];
        end = integer_at(arrays->ptr, pointer, row + 1);
        for (int64_t k = begin; k < end; k++)
            line[integer_at(arrays->idx, index, k) / pattern->width]++;
    }
}

static int64_t most_of(const struct pattern *pattern, counts found) {
    int64_t most = 0;
    for (int i = 0; i < pattern->down; i++)
        for (int j = 0; j < pattern->across; j++)
            most = found[i][j] > most ? found[i][j] : most;
    return most;
}

/* One entry has the first shade, unless there are no fields with more: then all have the last. */
static unsigned char shade_of(int64_t entries, int64_t most) {
    if (entries == 0)
        return 0;
    if (most == 1)
        return PATTERN_SHADES - 1;
    return (unsigned char)(1 + lround((PATTERN_SHADES - 2) * log((double)entries) / log((double)most)));
}

struct pattern *pattern_of(const spry_matrix *csr) {
    struct pattern *pattern = calloc(1, sizeof *pattern);
    int64_t(*found)[PATTERN_MOST] = calloc(PATTERN_MOST, sizeof *found);
    if (pattern && found) {
        pattern->height = share(spry_matrix_rows(csr));
        pattern->width = share(spry_matrix_cols(csr));
        pattern->down = fields(spry_matrix_rows(csr));
        pattern->across = fields(spry_matrix_cols(csr));
        count(csr, pattern, found);
        pattern->most = most_of(pattern, found);
        for (int i = 0; i < pattern->down; i++)
            for (int j = 0; j < pattern->across; j++)
                pattern->shade[i][j] = shade_of(found[i][j], pattern->most);
    } else {
        free(pattern);
        pattern = NULL;
    }
    free(found);
    return pattern;
}
