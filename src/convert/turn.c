/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/buckets.h"
#include "convert/turn.h"
#include "core/split.h"
#include "core/team.h"

static void deal(const slices_t *from, const slices_t *to, ptr_t *position, int64_t begin, int64_t end) {
    int base = from->base;
    int64_t i = NAME(spry_slice_at)(from, begin);
    for (int64_t k = begin; k < end; i++) {
        int64_t stop = from->ptr[i + 1] - base < end ? from->ptr[i + 1] - base : end;
        for (; k < stop; k++) {
            ptr_t place = position[from->idx[k] - base]++;
            to->idx[place] = (idx_t)i;
            to->val[place] = from->val[k];
        }
    }
}

spry_status NAME(spry_turn)(spry_context *context, const slices_t *from, const slices_t *to) {
    buckets_t buckets;
    spry_status status =
        NAME(spry_buckets_open)(context, from->idx, from->base, from->nnz, from->across, to->ptr, &buckets);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team(buckets.parts)) schedule(static, 1)
    for (int p = 0; p < buckets.parts; p++)
        deal(from, to, buckets.position + p * buckets.keys, spry_share(from->nnz, p, buckets.parts),
             spry_share(from->nnz, p + 1, buckets.parts));
    NAME(spry_buckets_close)(context, &buckets);
    return SPRY_OK;
}

spry_status NAME(spry_sort_slices)(spry_context *context, const slices_t *slices) {
    slices_t turned = {.slices = slices->across, .across = slices->slices, .nnz = slices->nnz};
    size_t pointers = (size_t)slices->across + 1, entries = (size_t)slices->nnz;
    void *ptr = NULL, *idx = NULL, *val = NULL;
    spry_status status = spry_allocate(context, pointers, sizeof(ptr_t), &ptr);
    if (!status)
        status = spry_allocate(context, entries, sizeof(idx_t), &idx);
    if (!status)
        status = spry_allocate(context, entries, sizeof(val_t), &val);
    turned.ptr = ptr;
    turned.idx = idx;
    turned.val = val;
    if (!status)
        status = NAME(spry_turn)(context, slices, &turned);
    if (!status)
        status = NAME(spry_turn)(context, &turned, slices);
    spry_release(&context->allocator, ptr, pointers, sizeof(ptr_t));
    spry_release(&context->allocator, idx, entries, sizeof(idx_t));
    spry_release(&context->allocator, val, entries, sizeof(val_t));
    return status;
}
