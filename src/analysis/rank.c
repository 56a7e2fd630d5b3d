/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantiles of the row lengths by counting, 16 bits at a time from the highest: memory is bounded however
   long a row is, and one pass does where no row has more than 65,535 entries. */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/features.h"
#include "analysis/rank.h"
#include "analysis/rows.h"

#define DIGIT 16
#define COUNTERS ((size_t)1 << DIGIT)

/* Count the lengths that begin with `prefix` by their next digit, the lowest bit of which is `shift`. */
static void count_digits(const spry_matrix *csr, int64_t prefix, int shift, int64_t *count) {
    const size_t size = spry_pointer_size(csr->index);
    memset(count, 0, COUNTERS * sizeof *count);
    for (int64_t i = 0; i < csr->rows; i++) {
        int64_t head = spry_row_length(csr->csr.ptr, size, i) >> shift;
        if (head >> DIGIT == prefix)
            count[head & (int64_t)(COUNTERS - 1)]++;
    }
}

/* Of short rows it is known already, where the matrix has counters of lengths. */
spry_status spry_length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest, int64_t rank,
                                int64_t *length) {
    const int bin = csr->features ? spry_bin_at_rank(csr->features->by_row, rank) : SPRY_LENGTH_EXACT;
    if (bin >= SPRY_LENGTH_EXACT)
        return context->code->analysis->length_at_rank(context, csr, longest, rank, length);
    *length = bin;
    return SPRY_OK;
}

spry_status spry_cpu_length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest,
                                    int64_t rank, int64_t *length) {
    void *pointer;
    spry_status status = spry_allocate(context, COUNTERS, sizeof(int64_t), &pointer);
    if (status)
        return status;
    int64_t *count = pointer;
    int shift = 0;
    while (longest >> shift >> DIGIT)
        shift += DIGIT;
    *length = 0;
    for (; shift >= 0; shift -= DIGIT) {
        count_digits(csr, *length, shift, count);
        int64_t digit = 0;
        for (; count[digit] < rank; digit++)
            rank -= count[digit];
        *length = *length << DIGIT | digit;
    }
    spry_release(&context->allocator, pointer, COUNTERS, sizeof(int64_t));
    return SPRY_OK;
}
