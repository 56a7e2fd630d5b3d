/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "core/team.h"

/* Small enough that a second look at one block costs nothing, large enough to run at full speed. */
#define BLOCK 4096

static int64_t block_end(int64_t begin, int64_t n) {
    return n - begin > BLOCK ? begin + BLOCK : n;
}

/* Unsigned, what lies below the base wraps to more than any limit. */
static int outside(idx_t index, int base, int64_t limit) {
    return (unsigned_idx_t)index - (unsigned_idx_t)base >= (unsigned_idx_t)limit;
}

int64_t NAME(spry_first_out_of_range)(const spry_context *context, const idx_t *idx, int64_t n, int base,
                                      int64_t limit) {
    int64_t first = n;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
        int64_t end = block_end(begin, n);
        int bad = 0;
        for (int64_t k = begin; k < end; k++)
            bad |= outside(idx[k], base, limit);
        for (int64_t k = begin; bad && k < end && k < first; k++)
            if (outside(idx[k], base, limit))
                first = k;
    }
    return first;
}

static int64_t first_falling(const ptr_t *ptr, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (ptr[i] < ptr[i - 1])
            return i;
    return n;
}

spry_status NAME(spry_check_pointers)(spry_context *context, const char *unit, const ptr_t *ptr,
                                      int64_t count, int base, int64_t items) {
    if (ptr[0] != base)
        return spry_fail(context, SPRY_ERROR_INVALID, "%s pointer 0 is %" PRId64 ", expected %d", unit,
                         (int64_t)ptr[0], base);
    const int64_t i = first_falling(ptr, count + 1);
    if (i <= count)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "%s pointer %" PRId64 " is %" PRId64 ", smaller than the one before it, %" PRId64,
                         unit, i, (int64_t)ptr[i], (int64_t)ptr[i - 1]);
    if (ptr[count] - base != items)
        return spry_fail(context, SPRY_ERROR_INVALID, "the last %s pointer is %" PRId64 ", expected %" PRId64,
                         unit, (int64_t)ptr[count], items + base);
    return SPRY_OK;
}

spry_status NAME(spry_check_slices)(spry_context *context, const ptr_t *ptr, int64_t slices, int64_t height,
                                    int64_t unit, int64_t slots) {
    spry_status status = NAME(spry_check_pointers)(context, "slice", ptr, slices, 0, slots / unit);
    for (int64_t s = 0; s < slices && !status; s++)
        if ((ptr[s + 1] - ptr[s]) * unit % height != 0)
            status = spry_fail(context, SPRY_ERROR_INVALID,
                               "slice %" PRId64 " has %" PRId64 " slots, no multiple of its height, %" PRId64,
                               s, (int64_t)(ptr[s + 1] - ptr[s]) * unit, height);
    return status;
}

spry_status NAME(spry_check_permutation)(spry_context *context, const idx_t *perm, int64_t rows,
                                         int64_t window) {
    void *pointer;
    spry_status status = spry_allocate(context, (size_t)rows, sizeof(bool), &pointer);
    if (status)
        return status;
    bool *seen = memset(pointer, 0, (size_t)rows);
    for (int64_t p = 0; p < rows && !status; p++) {
        const int64_t row = perm[p];
        const char *fault = row < 0 || row >= rows       ? "does not exist"
                            : row / window != p / window ? "is not of its window"
                            : seen[row]                  ? "occurs twice"
                                                         : NULL;
        if (fault)
            status = spry_fail(context, SPRY_ERROR_INVALID, "sorted position %" PRId64 ": row %" PRId64 " %s",
                               p, row, fault);
        else
            seen[row] = true;
    }
    spry_release(&context->allocator, pointer, (size_t)rows, sizeof(bool));
    return status;
}

spry_status NAME(spry_fail_order)(spry_context *context, const char *unit, int64_t i, const char *item,
                                  int64_t here, int64_t before) {
    return spry_fail(context, SPRY_ERROR_INVALID, "%s %" PRId64 ": %s %" PRId64 " %s %" PRId64, unit, i, item,
                     here, here < before ? "comes after" : "occurs twice, again after", before);
}

int64_t NAME(spry_first_not_finite)(const spry_context *context, const val_t *val, int64_t n) {
    int64_t first = n;
#pragma omp parallel for num_threads(spry_team_over(context, n)) reduction(min : first)
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
        int64_t end = block_end(begin, n);
        for (int64_t k = begin; k < end && k < first; k++)
            if (!isfinite(val[k]))
                first = k;
    }
    return first;
}

struct spry_window NAME(spry_index_span)(const idx_t *idx, int base, const struct spry_cut *begin) {
    if (begin[0].entry >= begin[1].entry)
        return (struct spry_window){0, 0};
    idx_t low = idx[begin[0].entry], high = low;
    for (int64_t k = begin[0].entry; k < begin[1].entry; k++) {
        low = idx[k] < low ? idx[k] : low;
        high = idx[k] > high ? idx[k] : high;
    }
    return (struct spry_window){(int64_t)low - base, (int64_t)high - low + 1};
}
