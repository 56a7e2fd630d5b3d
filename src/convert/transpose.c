/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "convert/buckets.h"
#include "convert/transpose.h"
#include "core/split.h"
#include "core/team.h"

static void deal(const compressed_t *from, const compressed_t *to, ptr_t *position, int64_t begin,
                 int64_t end) {
    int base = from->base;
    int64_t i = NAME(spry_major_at)(from, begin);
    for (int64_t k = begin; k < end; i++) {
        int64_t stop = from->ptr[i + 1] - base < end ? from->ptr[i + 1] - base : end;
        for (; k < stop; k++) {
            ptr_t place = position[from->idx[k] - base]++;
            to->idx[place] = (idx_t)i;
            to->val[place] = from->val[k];
        }
    }
}

spry_status NAME(spry_transpose_compressed)(spry_context *context, const compressed_t *from,
                                            const compressed_t *to) {
    buckets_t buckets;
    spry_status status =
        NAME(spry_buckets_open)(context, from->idx, from->base, from->nnz, from->minor, to->ptr, &buckets);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team(buckets.threads)) schedule(static, 1)
    for (int p = 0; p < buckets.parts; p++)
        deal(from, to, buckets.position + p * buckets.keys, spry_share(from->nnz, p, buckets.parts),
             spry_share(from->nnz, p + 1, buckets.parts));
    NAME(spry_buckets_close)(context, &buckets);
    return SPRY_OK;
}

/* Twice transposed, every row has its entries in the order of their columns. */
static spry_status sort_by_transposing(spry_context *context, const compressed_t *compressed) {
    compressed_t transposed = {
        .major = compressed->minor, .minor = compressed->major, .nnz = compressed->nnz};
    size_t pointers = (size_t)compressed->minor + 1, entries = (size_t)compressed->nnz;
    void *ptr = NULL, *idx = NULL, *val = NULL;
    spry_status status = spry_allocate(context, pointers, sizeof(ptr_t), &ptr);
    if (!status)
        status = spry_allocate(context, entries, sizeof(idx_t), &idx);
    if (!status)
        status = spry_allocate(context, entries, sizeof(val_t), &val);
    transposed.ptr = ptr;
    transposed.idx = idx;
    transposed.val = val;
    if (!status)
        status = NAME(spry_transpose_compressed)(context, compressed, &transposed);
    if (!status)
        status = NAME(spry_transpose_compressed)(context, &transposed, compressed);
    spry_release(&context->allocator, ptr, pointers, sizeof(ptr_t));
    spry_release(&context->allocator, idx, entries, sizeof(idx_t));
    spry_release(&context->allocator, val, entries, sizeof(val_t));
    return status;
}

/* An entry of a row: entries in one column stay in their order. */
struct entry {
    idx_t column;
    ptr_t place;
    val_t value;
};

static int compare_entries(const void *a, const void *b) {
    const struct entry *one = a, *other = b;
    if (one->column != other->column)
        return one->column < other->column ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

static void sort_row(const compressed_t *rows, int64_t begin, int64_t end, struct entry *entry) {
    for (int64_t k = begin; k < end; k++)
        entry[k - begin] = (struct entry){rows->idx[k], (ptr_t)k, rows->val[k]};
    qsort(entry, (size_t)(end - begin), sizeof *entry, compare_entries);
    for (int64_t k = begin; k < end; k++) {
        rows->idx[k] = entry[k - begin].column;
        rows->val[k] = entry[k - begin].value;
    }
}

static spry_status sort_each_row(spry_context *context, const compressed_t *rows) {
    const int64_t longest = NAME(spry_longest)(context, rows);
    void *entry;
    spry_status status = spry_allocate(context, (size_t)longest, sizeof(struct entry), &entry);
    for (int64_t i = 0; i < rows->major && !status; i++)
        sort_row(rows, rows->ptr[i] - rows->base, rows->ptr[i + 1] - rows->base, entry);
    spry_release(&context->allocator, entry, (size_t)longest, sizeof(struct entry));
    return status;
}

/* Transposing takes memory and time for every column, also for those without an entry. */
spry_status NAME(spry_sort_minor)(spry_context *context, const compressed_t *compressed) {
    return compressed->minor > compressed->nnz ? sort_each_row(context, compressed)
                                               : sort_by_transposing(context, compressed);
}
