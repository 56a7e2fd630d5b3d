/* SPDX-License-Identifier: BSD-3-Clause */
#include "primitives/roof.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <omp.h>

/* The widest registers that this processor has. */
#if defined(__x86_64__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST __attribute__((noinline))
#endif

#define HUGE_PAGE ((size_t)1 << 21)
/* So many sums at once that no addition waits for the one before. */
#define LANES 64

WIDEST static double read_share(size_t count, const double *x) {
    double sum[LANES] = {0};
    for (size_t i = 0; i + LANES <= count; i += LANES)
        for (int l = 0; l < LANES; l++)
            sum[l] += x[i + l];
    for (int l = 1; l < LANES; l++)
        sum[0] += sum[l];
    return sum[0];
}

/* Not a plain copy, for which the compiler would put the C library's. */
WIDEST static void copy_share(size_t count, const double *x, double *y) {
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        y[i] = 0.5 * x[i];
}

WIDEST static void update_share(size_t count, double *y) {
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        y[i] = 1 - y[i];
}

WIDEST static void triad_share(size_t count, const double *x, double *y) {
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        y[i] = x[i] + 0.5 * y[i];
}

/* Every thread's share, which begins where a cache line does. */
static spry_status run(const struct roof_arrays *arrays, enum roof roof) {
    double sum = 0;
#pragma omp parallel num_threads(arrays->threads) reduction(+ : sum)
    {
        size_t share = arrays->count / (size_t)omp_get_num_threads() / 8 * 8;
        size_t begin = share * (size_t)omp_get_thread_num();
        if (roof == ROOF_READ)
            sum += read_share(share, arrays->x + begin);
        else if (roof == ROOF_COPY)
            copy_share(share, arrays->x + begin, arrays->y + begin);
        else if (roof == ROOF_UPDATE)
            update_share(share, arrays->y + begin);
        else
            triad_share(share, arrays->x + begin, arrays->y + begin);
    }
    __asm__ volatile("" ::"r"(&sum) : "memory"); /* the sum is used */
    return SPRY_OK;
}

static spry_status run_read(void *arrays) {
    return run(arrays, ROOF_READ);
}

static spry_status run_copy(void *arrays) {
    return run(arrays, ROOF_COPY);
}

static spry_status run_update(void *arrays) {
    return run(arrays, ROOF_UPDATE);
}

static spry_status run_triad(void *arrays) {
    return run(arrays, ROOF_TRIAD);
}

static const struct {
    const char *name;
    double arrays_moved;
} roofs[ROOFS] = {{"read", 1}, {"copy", 2}, {"update", 2}, {"triad", 3}};

timed_call *const roof_calls[ROOFS] = {run_read, run_copy, run_update, run_triad};

const char *roof_name(enum roof roof) {
    return roofs[roof].name;
}

double roof_arrays_moved(enum roof roof) {
    return roofs[roof].arrays_moved;
}

static double *array_new(size_t bytes) {
    double *array = aligned_alloc(HUGE_PAGE, (bytes / HUGE_PAGE + 1) * HUGE_PAGE);
    if (array)
        (void)madvise(array, bytes, MADV_HUGEPAGE);
    return array;
}

bool roof_open(struct roof_arrays *arrays, int threads, size_t bytes) {
    *arrays = (struct roof_arrays){threads, bytes / sizeof(double), array_new(bytes), array_new(bytes)};
    if (!arrays->x || !arrays->y)
        return false;
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < arrays->count; i++)
        arrays->x[i] = arrays->y[i] = 1;
    return true;
}

void roof_close(struct roof_arrays *arrays) {
    free(arrays->x);
    free(arrays->y);
}
