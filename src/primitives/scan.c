/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan in pieces: a thread sums one, lets the others know, adds up what they let it know of the pieces before, and
   scans the piece, which it still has in cache. Threads take one piece after the other and pass on sums, not
   prefixes: a thread that the system has put aside holds up the others only while it sums. So do GPUs: Merrill and
   Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002. Every prefix is added up from
   the left, so it has the same bits whoever does it. */
#define _POSIX_C_SOURCE 200809L
#include <sched.h>
#include <stdatomic.h>

#include "core/split.h"
#include "core/team.h"
#include "primitives/lanes.h"
#include "primitives/prefix.h"
#include "primitives/scan.h"

/* Numbers in a piece, at most: with what is written they are to fit a second-level cache. */
#define PIECE (((int64_t)256 << 10) / (int64_t)sizeof(num_t))
/* Pieces of a slab, at most: so many sums lie on the stack. */
#define SLAB 1024

struct piece {
    acc_t sum;
    atomic_bool is_known;
};

static void publish(struct piece *piece, acc_t sum) {
    piece->sum = sum;
    atomic_store_explicit(&piece->is_known, true, memory_order_release);
}

static acc_t sum_when_known(struct piece *piece) {
    while (!atomic_load_explicit(&piece->is_known, memory_order_acquire))
        sched_yield();
    return piece->sum;
}

/* Scan n numbers, no more than a slab has, after others whose sum is `before`. Returns the sum of all. */
static acc_t scan_slab(const spry_context *context, spry_scan_kind kind, int64_t n, const num_t *x, num_t *y,
                       acc_t before) {
    int threads = spry_part_count(context, n), fit = (int)((n - 1) / PIECE) + 1;
    int pieces = threads > fit ? threads : fit;
    struct piece piece[SLAB];
    atomic_int next = 0;
    for (int p = 0; p < pieces; p++)
        atomic_init(&piece[p].is_known, false);
#pragma omp parallel num_threads(spry_team(threads))
    {
        acc_t sum = before;
        for (int p, known = 0; (p = atomic_fetch_add(&next, 1)) < pieces;) {
            int64_t begin = spry_share(n, p, pieces), count = spry_share(n, p + 1, pieces) - begin;
            publish(&piece[p], sum_of(count, x + begin));
            for (; known < p; known++)
                sum += sum_when_known(&piece[known]);
            scan_piece(kind, count, x + begin, y + begin, (wrap_t)sum);
        }
    }
    for (int p = 0; p < pieces; p++)
        before += piece[p].sum;
    return before;
}

void NAME(spry_cpu_scan)(const spry_context *context, const struct spry_scan_call *call) {
    const num_t *x = call->x;
    num_t *y = call->y;
    acc_t before = 0;
    for (int64_t i = 0; i < call->n; i += SLAB * PIECE) {
        int64_t count = call->n - i < SLAB * PIECE ? call->n - i : SLAB * PIECE;
        before = scan_slab(context, call->kind, count, x + i, y + i, before);
    }
}

static spry_status run(spry_context *context, const struct spry_scan_call *call) {
    NAME(spry_cpu_scan)(context, call);
    return SPRY_OK;
}

static const struct spry_algorithm algorithms[] = {
    {.name = "scan", .primitive = SPRY_SCAN, .backend = SPRY_CPU, .number = TMPL_NUMBER, .scan = run},
};

extern const struct spry_algorithm_list NAME(spry_algorithms_scan);
const struct spry_algorithm_list NAME(spry_algorithms_scan) = {sizeof algorithms / sizeof *algorithms,
                                                               algorithms};
