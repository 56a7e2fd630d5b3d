/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries that multiply with many vectors. */
#ifndef SPRY_SPMM_PEERS_H
#define SPRY_SPMM_PEERS_H

#include <stdbool.h>

#include "peers/peer.h"

#define PEERS_MOST 8

struct peers {
    int count;
    const struct peer *peer[PEERS_MOST];
};

/* Start those that this program was built with and that work where the backend does. */
void peers_start(struct peers *peers, spry_backend backend, int threads);
void peers_stop(const struct peers *peers);

#endif
