/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator that counts, checks what it is asked, and can refuse one request, of host memory and of the
   device's alike. */
#ifndef TEST_COUNTING_H
#define TEST_COUNTING_H

#include <pthread.h>
#include <stdbool.h>

#include "spry/spry.h"

struct counting {
    spry_allocator allocator;        /* to be given to a context; `user` is this struct */
    spry_allocator device_allocator; /* the same of the memory where a context of test_backend works */
    struct counting_block *blocks;   /* those not released yet */
    int64_t live_bytes, live_blocks, most_bytes; /* now, now, and at most at one time */
    int64_t requests;
    size_t largest;    /* bytes of the largest request */
    int64_t refuse_in; /* 1: the next request is refused; 0: none will be */
    bool refuse_after; /* and all requests after that one */
    bool refused;      /* a request was refused */
    bool misused;      /* called from another thread, with a bad alignment, or a size that does not match */
    pthread_t owner;
};

/* Make `counting` ready, for the calling thread. It must stay where it is. */
void counting_start(struct counting *counting);
/* Refuse the n-th request from now. */
void counting_refuse(struct counting *counting, int64_t n);
/* Refuse the n-th request from now, and all after it. */
void counting_refuse_from(struct counting *counting, int64_t n);
/* A context as test_context for `threads` threads that takes all its memory from here; null when refused. */
spry_context *counting_context(struct counting *counting, int threads);

#endif
