/* SPDX-License-Identifier: BSD-3-Clause */
/* Row-length statistics. */
#include <math.h>
#include <string.h>

#include "core/backend.h"
#include "select/rank.h"

static int bin(int64_t length) {
    int b = length == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)length);
    return b < SPRY_LENGTH_BINS ? b : SPRY_LENGTH_BINS - 1;
}

/* All but the quartiles. */
spry_status spry_cpu_survey(spry_context *context, const spry_matrix *csr, spry_row_lengths *lengths) {
    int64_t min = INT64_MAX, max = 0, histogram[SPRY_LENGTH_BINS] = {0};
    double mean = (double)csr->nnz / (double)csr->rows, squares = 0;
#pragma omp parallel for num_threads(context->threads) if (csr->rows > context->grain)                       \
    reduction(min : min) reduction(max : max) reduction(+ : squares, histogram)
    for (int64_t i = 0; i < csr->rows; i++) {
        int64_t length = spry_row_length(csr, i);
        min = length < min ? length : min;
        max = length > max ? length : max;
        squares += ((double)length - mean) * ((double)length - mean);
        histogram[bin(length)]++;
    }
    lengths->min = min;
    lengths->max = max;
    lengths->mean = mean;
    lengths->std = sqrt(squares / (double)csr->rows);
    lengths->empty = histogram[0];
    memcpy(lengths->histogram, histogram, sizeof histogram);
    return SPRY_OK;
}

spry_status spry_row_length_stats(spry_context *context, const spry_matrix *csr, spry_row_lengths *lengths) {
    if (!context || !lengths)
        return SPRY_ERROR_ARGUMENT;
    memset(lengths, 0, sizeof *lengths);
    if (!csr || csr->format != SPRY_CSR)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_row_length_stats wants a matrix in csr");
    if (csr->rows == 0)
        return SPRY_OK;
    spry_status status = spry_check_place(context, csr, "spry_row_length_stats");
    if (!status)
        status = context->code->survey(context, csr, lengths);
    /* Nearest rank: the smallest length that this share of the rows does not exceed. */
    int64_t rows = csr->rows, longest = lengths->max;
    if (!status)
        status = spry_length_at_rank(context, csr, longest, rows / 4 + (rows % 4 > 0), &lengths->q1);
    if (!status)
        status = spry_length_at_rank(context, csr, longest, rows / 2 + rows % 2, &lengths->median);
    if (!status)
        status = spry_length_at_rank(context, csr, longest, rows - rows / 4, &lengths->q3);
    return status;
}
