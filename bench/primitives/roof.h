/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast this machine's CPU moves memory in the ways that primitives do: what their speed is held against. */
#ifndef SPRY_PRIMITIVES_ROOF_H
#define SPRY_PRIMITIVES_ROOF_H

#include <stdbool.h>

#include "measuring/timing.h"

enum roof {
    ROOF_READ,   /* an array is read */
    ROOF_COPY,   /* one is read, another written */
    ROOF_UPDATE, /* one is read and written */
    ROOF_TRIAD,  /* one is read, another read and written */
    ROOFS
};

/* Two arrays of `count` doubles, and the threads that share the work. */
struct roof_arrays {
    int threads;
    size_t count;
    double *x, *y;
};

/* Arrays of `bytes` bytes each in huge pages, as the library's own. False when there is no memory. */
bool roof_open(struct roof_arrays *arrays, int threads, size_t bytes);
void roof_close(struct roof_arrays *arrays);

const char *roof_name(enum roof roof);
/* Arrays' worth of memory that one call moves. */
double roof_arrays_moved(enum roof roof);
/* Timed calls of a struct roof_arrays, by roof. */
extern timed_call *const roof_calls[ROOFS];

#endif
