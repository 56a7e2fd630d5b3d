/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast this machine reads memory: the roof over every product. */
#ifndef SPRY_MEASURING_BANDWIDTH_H
#define SPRY_MEASURING_BANDWIDTH_H

#include <stddef.h>

#include <spry/spry.h>

/* A buffer, and what was measured with it. */
struct bandwidth {
    const spry_context *context; /* whose threads read */
    unsigned char *buffer;
    size_t bytes;    /* far more than the last-level cache holds */
    double effort;   /* at most 1, as a part of what is usual */
    double read_gbs; /* from memory: the whole buffer, in 10^9 bytes a second */
};

/* Make the buffer and measure reading all of it by the threads of a context that outlives it. What is held against that is
   measured for so many seconds: where these are few, so is what is read. 0, or an errno value: the buffer is null then.
   bandwidth_free is due in either case. */
int bandwidth_measure(const spry_context *context, double seconds, struct bandwidth *bandwidth);
/* Also of a struct that is all zero. */
void bandwidth_free(struct bandwidth *bandwidth);

/*
 * The rate, in 10^9 bytes a second, at which the same threads read `bytes` bytes again and again, each its
 * own share, 16 kB at least: from whichever cache holds that much, or from memory. NaN without a buffer.
 */
double bandwidth_at(const struct bandwidth *bandwidth, size_t bytes);

#endif
