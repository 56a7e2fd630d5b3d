/* SPDX-License-Identifier: BSD-3-Clause */
/* Bins of lengths of rows, and what is known of lengths that were counted in them. */
#ifndef SPRY_BINS_H
#define SPRY_BINS_H

#include <stdint.h>

#include "core/host_device.h"

/* Lengths have a counter each below 2^7; from there on eight of them share an octave, so that a length is known to an
   eighth. The last counter is for all that 31 bits do not hold. */
#define SPRY_LENGTH_EXACT_BITS 7
#define SPRY_LENGTH_STEP_BITS 3
#define SPRY_LENGTH_EXACT (1 << SPRY_LENGTH_EXACT_BITS)
#define SPRY_LENGTH_COUNTERS                                                                                 \
    (SPRY_LENGTH_EXACT + ((31 - SPRY_LENGTH_EXACT_BITS) << SPRY_LENGTH_STEP_BITS) + 1)

/* The number of the counter of a length. */
SPRY_HOST_AND_DEVICE int spry_length_bin(int64_t length) {
    if (length < SPRY_LENGTH_EXACT)
        return (int)length;
#ifdef __CUDA_ARCH__
    const int octave = 63 - __clzll(length);
#else
    const int octave = 63 - __builtin_clzll((unsigned long long)length);
#endif
    /* Its first bits from the highest one, which is a whole step itself. */
    const int step = (int)(length >> (octave - SPRY_LENGTH_STEP_BITS)) - (1 << SPRY_LENGTH_STEP_BITS);
    const int bin = SPRY_LENGTH_EXACT + ((octave - SPRY_LENGTH_EXACT_BITS) << SPRY_LENGTH_STEP_BITS) + step;
    return bin < SPRY_LENGTH_COUNTERS ? bin : SPRY_LENGTH_COUNTERS - 1;
}

/* The least length that falls into a bin. */
SPRY_HOST_AND_DEVICE int64_t spry_bin_least(int bin) {
    if (bin < SPRY_LENGTH_EXACT)
        return bin;
    const int steps = 1 << SPRY_LENGTH_STEP_BITS, above = bin - SPRY_LENGTH_EXACT;
    return (int64_t)(steps + above % steps)
           << (above / steps + SPRY_LENGTH_EXACT_BITS - SPRY_LENGTH_STEP_BITS);
}

/* The mean of all lengths that fall into a bin, which stands for each of them. */
static inline double spry_bin_length(int bin) {
    return 0.5 * (double)(spry_bin_least(bin) + spry_bin_least(bin + 1) - 1);
}

/* The bin of the length at this rank, 1 … how many there are, when all are ordered. */
static inline int spry_bin_at_rank(const int64_t *count, int64_t rank) {
    int bin = 0;
    for (; count[bin] < rank; bin++)
        rank -= count[bin];
    return bin;
}

/* Lengths in these bins, all counted. */
static inline int64_t spry_count_bins(const int64_t *count, int begin, int end) {
    int64_t sum = 0;
    for (int bin = begin; bin < end; bin++)
        sum += count[bin];
    return sum;
}

/* How many lengths are above a width. */
static inline int64_t spry_count_above(const int64_t *count, int64_t width) {
    int bin = spry_length_bin(width);
    return spry_count_bins(count, bin + (spry_bin_length(bin) <= (double)width), SPRY_LENGTH_COUNTERS);
}

/* All lengths added up, with the width in place of those above it. */
static inline double spry_sum_within(const int64_t *count, int64_t width) {
    int exact = width < SPRY_LENGTH_EXACT ? (int)width : SPRY_LENGTH_EXACT;
    int64_t below = 0;
    for (int bin = 0; bin < exact; bin++)
        below += bin * count[bin];
    if (width < SPRY_LENGTH_EXACT)
        return (double)(below + width * spry_count_bins(count, exact, SPRY_LENGTH_COUNTERS));
    double sum = (double)below;
    for (int bin = exact; bin < SPRY_LENGTH_COUNTERS; bin++)
        if (count[bin] > 0) {
            double length = spry_bin_length(bin);
            sum += (double)count[bin] * (length < (double)width ? length : (double)width);
        }
    return sum;
}

#endif
