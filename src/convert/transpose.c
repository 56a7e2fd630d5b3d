/* SPDX-License-Identifier: BSD-3-Clause */
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
