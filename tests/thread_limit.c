/* SPDX-License-Identifier: BSD-3-Clause */
/* An environment that asks for more threads than a context has, and then allows for two: OMP_NUM_THREADS=1000 and
   OMP_THREAD_LIMIT=2. Neither fails, and the limit holds. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/build.h"
#include "support/tasks.h"

/* y = A x for a matrix with 2 on the diagonal and 1 above it, and x of ones. */
static bool multiplies(spry_context *context) {
    enum { N = 5000 };
    static double x[N], y[N];
    struct list list = list_new(N, N);
    struct built built;
    for (int i = 0; i < N; i++) {
        x[i] = 1;
        list_add(&list, i, i, 2);
        if (i + 1 < N)
            list_add(&list, i, i + 1, 1);
    }
    bool right = build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &built) == SPRY_OK &&
                 spry_spmv(context, SPRY_N, 1, built.matrix, x, 0, y) == SPRY_OK;
    for (int i = 0; i < N; i++)
        right = right && y[i] == (i + 1 < N ? 3 : 2);
    built_free(&built);
    list_free(&list);
    return right;
}

int main(void) {
    int offered = omp_get_max_threads(), limit = omp_get_thread_limit();
    if (limit != 2) {
        printf("skipped: OMP_THREAD_LIMIT=2 gives a limit of %d\n", limit);
        return TEST_SKIPPED;
    }
    spry_context *context;
    if (spry_context_create(
            &context, &(spry_context_options){.size = sizeof(spry_context_options), .grain = 1}) != SPRY_OK)
        return EXIT_FAILURE;
    int threads = spry_context_threads(context),
        expected = offered < SPRY_MAX_THREADS ? offered : SPRY_MAX_THREADS;
    bool right = multiplies(context);
    int started = count_threads();
    spry_context_destroy(context);
    printf("%d threads offered, a context has %d, the process %d; the product is %s\n", offered, threads,
           started, right ? "right" : "wrong");
    return threads == expected && started <= limit && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
