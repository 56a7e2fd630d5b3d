/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row is sorted where it is: short ones by the rank of each entry, longer ones by the digits of their indices, the lowest first, to
   and fro between the row and as much room beside it. */
#include "convert/sort_minor.h"

#include <string.h>

#include "convert/digits.h"
#include "core/team.h"

/* Entries whose ranks take no longer to count than their digits. */
#define SHORT 64

struct entries {
    idx_t *idx;
    val_t *val;
};

static bool is_rising(const idx_t *idx, int64_t count) {
    for (int64_t k = 1; k < count; k++)
        if (idx[k] < idx[k - 1])
            return false;
    return true;
}

/* Each entry goes behind those that are less, and equal ones that come before it. They are counted, as branches would be guessed
   wrong. */
static void sort_by_rank(struct entries row, int64_t count) {
    idx_t idx[SHORT];
    val_t val[SHORT];
    for (int64_t k = 0; k < count; k++) {
        const idx_t index = row.idx[k];
        idx_t rank = 0;
        for (int64_t j = 0; j < k; j++)
            rank += row.idx[j] <= index;
        for (int64_t j = k + 1; j < count; j++)
            rank += row.idx[j] < index;
        idx[rank] = index;
        val[rank] = row.val[k];
    }
    memcpy(row.idx, idx, (size_t)count * sizeof *idx);
    memcpy(row.val, val, (size_t)count * sizeof *val);
}

/* A digit of all indices, counted from the lowest. */
struct digit {
    idx_t low;
    int shift, bits;
};

static int64_t digit_of(const struct digit *digit, idx_t index) {
    return (index - digit->low) >> digit->shift & (((idx_t)1 << digit->bits) - 1);
}

static void sort_by_digit(struct entries from, int64_t count, const struct digit *digit, struct entries to) {
    ptr_t place[SPRY_DIGITS] = {0}, before = 0;
    for (int64_t k = 0; k < count; k++)
        place[digit_of(digit, from.idx[k])]++;
    for (int d = 0; d < 1 << digit->bits; d++) {
        const ptr_t alike = place[d];
        place[d] = before;
        before += alike;
    }
    for (int64_t k = 0; k < count; k++) {
        const ptr_t at = place[digit_of(digit, from.idx[k])]++;
        to.idx[at] = from.idx[k];
        to.val[at] = from.val[k];
    }
}

static void sort_by_digits(struct entries row, int64_t count, struct entries spare) {
    idx_t low = row.idx[0], high = low;
    for (int64_t k = 1; k < count; k++) {
        low = row.idx[k] < low ? row.idx[k] : low;
        high = row.idx[k] > high ? row.idx[k] : high;
    }
    struct entries from = row, to = spare;
    struct digit digit = {low, 0, spry_digit_bits(count)};
    for (; spry_has_digits(high - low, digit.shift); digit.shift += digit.bits) {
        const struct entries other = from;
        sort_by_digit(from, count, &digit, to);
        from = to;
        to = other;
    }
    if (from.idx != row.idx) {
        memcpy(row.idx, from.idx, (size_t)count * sizeof *row.idx);
        memcpy(row.val, from.val, (size_t)count * sizeof *row.val);
    }
}

static void sort_row(const compressed_t *rows, int64_t i, struct entries spare) {
    const int64_t first = rows->ptr[i], count = major_length(rows, i);
    const struct entries row = {rows->idx + first, rows->val + first};
    if (is_rising(row.idx, count))
        return;
    if (count <= SHORT)
        sort_by_rank(row, count);
    else
        sort_by_digits(row, count, (struct entries){spare.idx + first, spare.val + first});
}

spry_status NAME(spry_sort_minor)(spry_context *context, const compressed_t *compressed) {
    const size_t room = NAME(spry_longest)(context, compressed) > SHORT ? (size_t)compressed->nnz : 0;
    void *idx = NULL, *val = NULL;
    spry_status status = spry_allocate(context, room, sizeof(idx_t), &idx);
    if (!status)
        status = spry_allocate(context, room, sizeof(val_t), &val);
    if (!status) {
        const struct entries spare = {idx, val};
#pragma omp parallel for num_threads(spry_team_over(context, compressed->nnz)) schedule(dynamic, 128)
        for (int64_t i = 0; i < compressed->major; i++)
            sort_row(compressed, i, spare);
    }
    spry_release(&context->allocator, idx, room, sizeof(idx_t));
    spry_release(&context->allocator, val, room, sizeof(val_t));
    return status;
}
