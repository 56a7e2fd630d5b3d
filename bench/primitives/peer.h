/* SPDX-License-Identifier: BSD-3-Clause */
/* Another library's primitives on a GPU, to compare with: CUB, which comes with CUDA. */
#ifndef SPRY_PRIMITIVES_PEER_H
#define SPRY_PRIMITIVES_PEER_H

#include <spry/spry.h>

/* One call, of arrays on the device. */
struct primitive_task {
    spry_primitive primitive; /* SPRY_REDUCE is a sum */
    spry_scan_kind kind;      /* SPRY_SCAN */
    spry_number number;
    int64_t n;
    int64_t bins; /* SPRY_HISTOGRAM */
    const void *x;
    void *
        y; /* what the library's own call writes: a double or an int64_t for a sum; the scan; int64_t counts */
    void *stream; /* as spry_context_stream gives it */
};

struct primitive_peer;

/* Ready for repeated calls, with all the memory that they need. Null where the peer has no such primitive, where there
   is no memory for it, and in a program that is built without CUDA. */
struct primitive_peer *primitive_peer_open(const struct primitive_task *task);
/* A timed_call of a struct primitive_peer: puts one call into the stream. */
spry_status primitive_peer_run(void *peer);
/* When the stream has no more of its calls. */
void primitive_peer_close(struct primitive_peer *peer);

#endif
