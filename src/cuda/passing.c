/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What passes through a device's last-level cache. A cache that is full throws out what was used least recently: of what is read again
 * and again in the same order, and is but little larger, that is always what comes next. So as much as there is no room for is told
 * to leave first ("access policy window" of the CUDA Programming Guide): a share of the largest array, most often of the values. The
 * rest of the matrix, x and y stay from one product to the next. Where there is room for all, nothing may be told to leave: what
 * nobody needs any more would stay in its place.
 */
#include "cuda/device.h"

#include "core/table.h"

/* All of it. Of a matrix that is composed of others, theirs. */
static struct spry_passing largest_array(const spry_matrix *matrix) {
    struct spry_array array[SPRY_MAX_ARRAYS];
    struct spry_passing largest = {NULL, 0, 1};
    spry_matrix same = *matrix;
    for (int i = spry_format_traits(matrix)->arrays(&same, array) - 1; i >= 0; i--)
        if ((size_t)array[i].count * array[i].size > largest.bytes)
            largest = (struct spry_passing){*array[i].pointer, (size_t)array[i].count * array[i].size, 1};
    for (int i = 0; i < 2 && matrix->owned_parts[i]; i++) {
        const struct spry_passing other = largest_array(matrix->owned_parts[i]);
        largest = other.bytes > largest.bytes ? other : largest;
    }
    return largest;
}

struct spry_passing spry_cuda_passing(const spry_context *context, const spry_matrix *matrix) {
    const double excess = spry_product_bytes(matrix) - (double)context->lasting_bytes;
    const size_t most = context->device->window_bytes;
    if (excess <= 0)
        return (struct spry_passing){NULL, 0, 0};
    struct spry_passing passing = largest_array(matrix);
    passing.bytes = passing.bytes < most ? passing.bytes : most;
    if (excess < (double)passing.bytes)
        passing.share = (float)(excess / (double)passing.bytes);
    return passing;
}
