/* SPDX-License-Identifier: BSD-3-Clause */
/* Row-length statistics: one pass over the pointers, then one over the counts of each length. */
#include <math.h>
#include <string.h>

#include "core/internal.h"

static int64_t pointer_at(const spry_matrix *csr, int64_t i) {
    return spry_pointer_size(csr->index) == sizeof(int32_t) ? ((const int32_t *)csr->csr.ptr)[i]
                                                            : ((const int64_t *)csr->csr.ptr)[i];
}

static int bin(int64_t length) {
    int b = length == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)length);
    return b < SPRY_LENGTH_BINS ? b : SPRY_LENGTH_BINS - 1;
}

static void extent(const spry_context *context, const spry_matrix *csr, spry_row_lengths *lengths) {
    int64_t min = INT64_MAX, max = 0;
    double squares = 0;
    double mean = (double)csr->nnz / (double)csr->rows;
#pragma omp parallel for num_threads(context->threads) if (csr->rows > context->grain)                       \
    reduction(min : min) reduction(max : max) reduction(+ : squares)
    for (int64_t i = 0; i < csr->rows; i++) {
        int64_t length = pointer_at(csr, i + 1) - pointer_at(csr, i);
        min = length < min ? length : min;
        max = length > max ? length : max;
        squares += ((double)length - mean) * ((double)length - mean);
    }
    lengths->min = min;
    lengths->max = max;
    lengths->mean = mean;
    lengths->std = sqrt(squares / (double)csr->rows);
}

/* The length at this rank, 1 … rows, when rows are ordered by length. */
static int64_t at_rank(const int64_t *count, int64_t rank) {
    int64_t length = 0, seen = count[0];
    while (seen < rank)
        seen += count[++length];
    return length;
}

spry_status spry_row_length_stats(spry_context *context, const spry_matrix *csr, spry_row_lengths *lengths) {
    if (!context || !lengths)
        return SPRY_ERROR_ARGUMENT;
    memset(lengths, 0, sizeof *lengths);
    if (!csr || csr->format != SPRY_CSR)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_row_length_stats wants a matrix in csr");
    if (csr->rows == 0)
        return SPRY_OK;
    extent(context, csr, lengths);
    size_t counts = (size_t)lengths->max + 1;
    void *pointer;
    spry_status status = spry_allocate(context, counts, sizeof(int64_t), &pointer);
    if (status)
        return status;
    int64_t *count = pointer;
    memset(count, 0, counts * sizeof *count);
    for (int64_t i = 0; i < csr->rows; i++)
        count[pointer_at(csr, i + 1) - pointer_at(csr, i)]++;
    for (size_t length = 0; length < counts; length++)
        lengths->histogram[bin((int64_t)length)] += count[length];
    lengths->empty = count[0];
    /* Nearest rank: the smallest length that this share of the rows does not exceed. */
    lengths->q1 = at_rank(count, csr->rows / 4 + (csr->rows % 4 > 0));
    lengths->median = at_rank(count, csr->rows / 2 + csr->rows % 2);
    lengths->q3 = at_rank(count, csr->rows - csr->rows / 4);
    spry_release(&context->allocator, pointer, counts, sizeof(int64_t));
    return SPRY_OK;
}
