/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan in two passes: each thread sums its share, then writes it with the sum of the shares before. */
#include <omp.h>

#include "core/split.h"
#include "primitives/scan.h"

void NAME(spry_scan)(const spry_context *context, ptr_t *ptr, int64_t n) {
    ptr_t share_sum[SPRY_MAX_THREADS + 1] = {0};
    int threads = n > context->grain ? context->threads : 1;
#pragma omp parallel num_threads(threads)
    {
        int t = omp_get_thread_num(), team = omp_get_num_threads();
        int64_t begin = spry_share(n, t, team), end = spry_share(n, t + 1, team);
        ptr_t sum = 0;
        for (int64_t i = begin; i < end; i++)
            sum += ptr[i];
        share_sum[t + 1] = sum;
#pragma omp barrier
        ptr_t before = 0;
        for (int s = 0; s <= t; s++)
            before += share_sum[s];
        for (int64_t i = begin; i < end; i++) {
            ptr_t count = ptr[i];
            ptr[i] = before;
            before += count;
        }
        if (t == team - 1)
            ptr[n] = before;
    }
}
