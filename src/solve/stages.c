/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How threads walk over levels. A level with enough work is a stage that they share; levels with less that follow
 * each other are one stage together, which one thread walks over. All threads wait between two stages.
 */
#include <omp.h>

#include "core/integers.h"
#include "core/split.h"
#include "core/team.h"
#include "solve/triangle.h"

/* Entries and rows for each thread that are worth waiting for each other: a share of the context's grain, as the
   threads run already and only meet. */
#define GRAINS_SHARE 4

struct levels {
    const struct spry_order *order;
    const int64_t *begin;
    const void *ptr;
    size_t ptr_size;
    int64_t grain;
};

/* Entries and rows before a position. */
static int64_t work_before(const struct levels *levels, int64_t position) {
    return load_integer(levels->ptr, levels->ptr_size, position) + position;
}

/* Among how many threads a level is shared. */
static int sharers(const struct levels *levels, int64_t level, int threads) {
    int64_t worth =
        (work_before(levels, levels->begin[level + 1]) - work_before(levels, levels->begin[level])) /
        levels->grain;
    return worth < 2 ? 1 : worth < threads ? (int)worth : threads;
}

/* The first position from `low` to `high` before which there is so much work. */
static int64_t find_work(const struct levels *levels, int64_t low, int64_t high, int64_t work) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (work_before(levels, middle) < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The cuts of a stage from `begin` to `end`: `shares` parts have about as much work each, the others none. */
static void cut_stage(const struct levels *levels, int64_t begin, int64_t end, int shares, int64_t *cut) {
    int64_t before = work_before(levels, begin), work = work_before(levels, end) - before;
    cut[0] = begin;
    for (int p = 1; p < levels->order->parts; p++)
        cut[p] = p < shares ? find_work(levels, cut[p - 1], end, before + spry_share(work, p, shares)) : end;
}

/* Count the stages, and cut them unless `cut` is null. */
static int64_t walk_levels(const struct levels *levels, int threads, int64_t *cut) {
    const struct spry_order *order = levels->order;
    int64_t stages = 0;
    for (int64_t l = 0, end; l < order->levels; l = end, stages++) {
        int shares = sharers(levels, l, threads);
        for (end = l + 1; shares == 1 && end < order->levels && sharers(levels, end, threads) == 1;)
            end++;
        if (cut)
            cut_stage(levels, levels->begin[l], levels->begin[end], shares, &cut[stages * order->parts]);
    }
    return stages;
}

spry_status spry_cut_stages(spry_context *context, const int64_t *begin, const void *ptr, size_t ptr_size,
                            struct spry_order *order) {
    int64_t grain = context->grain / GRAINS_SHARE;
    struct levels levels = {order, begin, ptr, ptr_size, grain > 0 ? grain : 1};
    int threads = context->threads;
    bool shared = false;
    for (int64_t l = 0; l < order->levels && !shared; l++)
        shared = sharers(&levels, l, threads) > 1;
    order->parts = shared ? threads : 1;
    order->stages = walk_levels(&levels, threads, NULL);
    void *cut;
    spry_status status =
        spry_allocate(context, (size_t)(order->stages * order->parts + 1), sizeof *order->cut, &cut);
    if (status)
        return status;
    order->cut = cut;
    walk_levels(&levels, threads, order->cut);
    order->cut[order->stages * order->parts] = order->n;
    return SPRY_OK;
}

void spry_walk_stages(const struct spry_order *order,
                      void (*rows)(const void *call, int64_t begin, int64_t end), const void *call) {
    if (order->parts == 1) {
        rows(call, 0, order->n);
        return;
    }
#pragma omp parallel num_threads(spry_team(order->parts))
    {
        int team = omp_get_num_threads();
        for (int64_t s = 0; s < order->stages; s++) {
            const int64_t *cut = &order->cut[s * order->parts];
            for (int p = omp_get_thread_num(); p < order->parts; p += team)
                if (cut[p] < cut[p + 1])
                    rows(call, cut[p], cut[p + 1]);
#pragma omp barrier
        }
    }
}
