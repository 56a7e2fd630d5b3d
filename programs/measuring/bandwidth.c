/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/bandwidth.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <omp.h>

#include "common/clock.h"

#define HUGE_PAGE ((size_t)1 << 21)
/* More than the largest last-level cache that one thread may have to itself (96 MB), and than the largest of
   a socket. A system's own word on its caches is wrong in many a virtual machine. */
#define BUFFER_PER_THREAD ((size_t)128 << 20)
#define LARGEST_BUFFER ((size_t)2 << 30)
/* In haste, as touching memory takes longer than reading it: what threads that share a cache outgrow together. */
#define HASTY_BUFFER_PER_THREAD ((size_t)32 << 20)
/* Four streams of one cache line each a step: enough loads in flight that the adds do not wait. */
#define STREAMS 4
#define LINE_WORDS 8
#define STEP (STREAMS * LINE_WORDS * sizeof(uint64_t))
/* Half of a small first-level cache: under it, the loop would be measured and not the loads. */
#define LEAST_SHARE ((size_t)16 << 10)
/* What each thread reads in one measurement, a few milliseconds' worth, how many measurements there are, and for
   how long they go on: the best counts, so that what else the machine does is not taken for its limit. */
#define BYTES_PER_TRY 0x1p26
#define LEAST_TRIES 3
#define TRIES 15
#define TRY_SECONDS 0.03
/* So it is where what is held against it is measured for so long at least; else it is so much less. */
#define FULL_SECONDS 0.02

/* Sum whole steps. Whole numbers, so that the compiler may add in any order and vectorise. */
static inline __attribute__((always_inline)) uint64_t sum_words(const uint64_t *word, size_t count) {
    uint64_t sum = 0;
    size_t quarter = count / STREAMS;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < quarter; i++)
        sum += (word[i] ^ word[i + quarter]) + (word[i + 2 * quarter] ^ word[i + 3 * quarter]);
    return sum;
}

static uint64_t sum_plain(const uint64_t *word, size_t count) {
    return sum_words(word, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint64_t sum_avx2(const uint64_t *word, size_t count) {
    return sum_words(word, count);
}

__attribute__((target("avx512f"))) static uint64_t sum_avx512(const uint64_t *word, size_t count) {
    return sum_words(word, count);
}
#endif

typedef uint64_t sum_function(const uint64_t *word, size_t count);

/* The widest loads that this processor has: narrower ones would put the roof too low. */
static sum_function *widest_sum(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return sum_avx512;
    if (__builtin_cpu_supports("avx2"))
        return sum_avx2;
#endif
    return sum_plain;
}

/* Gigabytes a second at which as many threads as there can be read `share` bytes each, `passes` times, from when the first of
   them begins: with more threads than processors the master may be late. */
static double read_rate(const struct bandwidth *bandwidth, size_t share, long passes) {
    sum_function *sum = widest_sum();
    uint64_t total = 0;
    double start = INFINITY, end = 0.0, read = 0.0;
    const int team = spry_context_team(bandwidth->context);
#pragma omp parallel num_threads(team) reduction(+ : total, read) reduction(min : start)
    {
        const unsigned char *mine = bandwidth->buffer + (size_t)omp_get_thread_num() * share;
#pragma omp barrier
        start = clock_now();
        read = (double)share * (double)passes;
        for (long pass = 0; pass < passes; pass++) {
            total += sum((const uint64_t *)(const void *)mine, share / sizeof(uint64_t));
            __asm__ volatile("" ::: "memory"); /* the next pass reads anew */
        }
#pragma omp barrier
#pragma omp master
        end = clock_now();
    }
    __asm__ volatile("" ::"r"(total)); /* the sum is used */
    return read / (end - start) * 1e-9;
}

double bandwidth_at(const struct bandwidth *bandwidth, size_t bytes) {
    if (!bandwidth->buffer)
        return NAN;
    if (bytes >= bandwidth->bytes && bandwidth->read_gbs > 0.0)
        return bandwidth->read_gbs;
    size_t share = bytes / (size_t)spry_context_threads(bandwidth->context) / STEP * STEP;
    share = share < LEAST_SHARE ? LEAST_SHARE : share;
    double best = 0.0;
    const double effort = bandwidth->effort;
    const int tries = LEAST_TRIES + (int)(effort * (TRIES - LEAST_TRIES));
    long passes = (long)(effort * BYTES_PER_TRY / (double)share) + 1;
    double start = clock_now();
    for (int i = 0; i < tries || clock_now() < start + effort * TRY_SECONDS; i++) {
        double rate = read_rate(bandwidth, share, passes);
        best = rate > best ? rate : best;
    }
    /* No cache is slower than the memory behind it. */
    return best > bandwidth->read_gbs ? best : bandwidth->read_gbs;
}

static size_t buffer_bytes(int threads, double effort) {
    size_t bytes = (size_t)threads * (effort < 1.0 ? HASTY_BUFFER_PER_THREAD : BUFFER_PER_THREAD);
    size_t quarter = (size_t)sysconf(_SC_PHYS_PAGES) / 4 * (size_t)sysconf(_SC_PAGESIZE);
    bytes = bytes < BUFFER_PER_THREAD ? BUFFER_PER_THREAD : bytes;
    bytes = bytes > LARGEST_BUFFER ? LARGEST_BUFFER : bytes;
    bytes = bytes > quarter ? quarter : bytes;
    return (bytes / HUGE_PAGE + 1) * HUGE_PAGE;
}

int bandwidth_measure(const spry_context *context, double seconds, struct bandwidth *bandwidth) {
    const int threads = spry_context_threads(context);
    const double effort = fmin(seconds / FULL_SECONDS, 1.0);
    *bandwidth =
        (struct bandwidth){.context = context, .bytes = buffer_bytes(threads, effort), .effort = effort};
    bandwidth->buffer = aligned_alloc(HUGE_PAGE, bandwidth->bytes);
    if (!bandwidth->buffer)
        return ENOMEM;
    /* Large pages, as the library asks for them for its arrays; where there are none, small ones do. */
    (void)madvise(bandwidth->buffer, bandwidth->bytes, MADV_HUGEPAGE);
    size_t share = bandwidth->bytes / (size_t)threads;
#pragma omp parallel for num_threads(spry_context_team(context)) schedule(static)
    for (int thread = 0; thread < threads; thread++)
        memset(bandwidth->buffer + (size_t)thread * share, 1, share);
    bandwidth->read_gbs = bandwidth_at(bandwidth, bandwidth->bytes);
    return 0;
}

void bandwidth_free(struct bandwidth *bandwidth) {
    free(bandwidth->buffer);
}
