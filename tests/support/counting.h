/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator that counts, checks what it is asked, and can refuse one request. */
#ifndef TEST_COUNTING_H
#define TEST_COUNTING_H

#include <pthread.h>
#include <stdbool.h>

#include "spry/spry.h"

struct counting {
    spry_allocator allocator; /* to be given to a context; `user` is this struct */
    int64_t live_bytes, live_blocks;
    size_t largest;    /* bytes of the largest request */
    int64_t refuse_in; /* 1: the next request is refused; 0: none will be */
    bool refused;      /* a request was refused */
    bool misused;      /* called from another thread, with a bad alignment, or a size that does not match */
    pthread_t owner;
};

/* Make `counting` ready, for the calling thread. It must stay where it is. */
void counting_start(struct counting *counting);
/* Refuse the n-th request from now. */
void counting_refuse(struct counting *counting, int64_t n);
/* A context for `threads` threads that allocates through it, as test_context; null when refused. */
spry_context *counting_context(struct counting *counting, int threads);

#endif
