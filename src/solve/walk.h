/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates on the CPU: one thread's share of each, in a table. Included by one file for each instruction set, which
   differ in the compiler's flags alone. */
#ifndef SPRY_WALK_H
#define SPRY_WALK_H

#include "core/inline.h"
#include "solve/update_cpu.h"
#include "solve/updates.h"

typedef struct sums place(struct vectors v, struct spry_scalars c, int64_t i);

/* `at` is known where this is inlined, so that what remains is a loop over arrays. */
INLINE void walk(place *at, const struct spry_vectors *vectors, const struct spry_scalars *scalars,
                 int64_t begin, int64_t end, double *sum) {
    const struct vectors v = typed_vectors(vectors);
    const struct spry_scalars c = *scalars;
    double first = 0, second = 0;
#pragma omp simd reduction(+ : first, second)
    for (int64_t i = begin; i < end; i++) {
        struct sums here = at(v, c, i);
        first += here.first;
        second += here.second;
    }
    sum[0] = first;
    sum[1] = second;
}

#define WALK(name, sums_, hold_, shared_)                                                                    \
    static void walk_##name(const struct spry_vectors *v, const struct spry_scalars *c, int64_t begin,       \
                            int64_t end, double *sum) {                                                      \
        walk(at_##name, v, c, begin, end, sum);                                                              \
    }
SPRY_UPDATE_LIST(WALK)

#define ROW_0(name) NULL
#define ROW_1(name) step_##name
#define ROW_2(name) step_##name
#define ROW(name, sums_, hold_, shared_) {walk_##name, ROW_##sums_(name), sums_, shared_, hold_},
static const struct spry_update_code table[SPRY_UPDATE_COUNT] = {SPRY_UPDATE_LIST(ROW)};

#endif
