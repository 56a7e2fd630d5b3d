/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms, in two ways, neither of which lets two threads write to one counter. With bins enough for few numbers,
   each thread counts its share of the numbers in counters of its own, which are added up in the end. Where those
   would outnumber the numbers, each thread has a share of the bins instead, and looks at all numbers. */
#include <string.h>

#include "core/algorithm.h"
#include "core/number.h"
#include "core/split.h"
#include "core/team.h"

/* Count those of n numbers that are from `first` to first + bins - 1. */
static void count_range(int64_t n, const num_t *x, int64_t first, int64_t bins, int64_t *count) {
    memset(count, 0, (size_t)bins * sizeof *count);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bin = (uint64_t)x[i] - (uint64_t)first;
        if (bin < (uint64_t)bins)
            count[bin]++;
    }
}

static void by_bins(const struct spry_histogram_call *call, int parts) {
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        int64_t begin = spry_share(call->bins, p, parts), end = spry_share(call->bins, p + 1, parts);
        count_range(call->n, call->x, begin, end - begin, call->count + begin);
    }
}

/* The first part counts where the result is to be, the others in `more`, which has bins counters for each. */
static void by_numbers(const struct spry_histogram_call *call, int parts, int64_t *more) {
#pragma omp parallel num_threads(spry_team(parts))
    {
#pragma omp for schedule(static, 1)
        for (int p = 0; p < parts; p++) {
            int64_t begin = spry_share(call->n, p, parts), end = spry_share(call->n, p + 1, parts);
            count_range(end - begin, (const num_t *)call->x + begin, 0, call->bins,
                        p == 0 ? call->count : more + (p - 1) * call->bins);
        }
#pragma omp for schedule(static)
        for (int64_t b = 0; b < call->bins; b++)
            for (int p = 1; p < parts; p++)
                call->count[b] += more[(p - 1) * call->bins + b];
    }
}

static spry_status run(spry_context *context, const struct spry_histogram_call *call) {
    int parts = spry_part_count(context, call->n);
    if (call->bins > call->n / parts) {
        by_bins(call, spry_part_count(context, call->n + call->bins));
        return SPRY_OK;
    }
    size_t count = (size_t)(parts - 1) * (size_t)call->bins;
    void *more;
    spry_status status = spry_allocate(context, count, sizeof(int64_t), &more);
    if (status)
        return status;
    by_numbers(call, parts, more);
    spry_release(&context->allocator, more, count, sizeof(int64_t));
    return SPRY_OK;
}

static const struct spry_algorithm algorithms[] = {
    {.name = "histogram",
     .primitive = SPRY_HISTOGRAM,
     .backend = SPRY_CPU,
     .number = TMPL_NUMBER,
     .histogram = run},
};

extern const struct spry_algorithm_list NAME(spry_algorithms_histogram);
const struct spry_algorithm_list NAME(spry_algorithms_histogram) = {sizeof algorithms / sizeof *algorithms,
                                                                    algorithms};
