/* SPDX-License-Identifier: BSD-3-Clause */
/* Each peer is a symbol that the linker finds or not: one that was not built is null. */
#include "spmm/peers.h"

#define OPTIONAL __attribute__((weak))

extern const struct peer peer_mkl_spmm OPTIONAL;
extern const struct peer peer_cusparse_spmm[] OPTIONAL; /* one an algorithm, ended by a null name */

static void start(struct peers *peers, const struct peer *peer, int threads) {
    if (peers->count < PEERS_MOST && peer->start(threads) == 0)
        peers->peer[peers->count++] = peer;
}

void peers_start(struct peers *peers, spry_backend backend, int threads) {
    *peers = (struct peers){0};
    if (backend == SPRY_CPU && &peer_mkl_spmm)
        start(peers, &peer_mkl_spmm, threads);
    if (backend == SPRY_CUDA)
        for (const struct peer *peer = peer_cusparse_spmm; peer && peer->name; peer++)
            start(peers, peer, threads);
}

void peers_stop(const struct peers *peers) {
    for (int i = 0; i < peers->count; i++)
        if (peers->peer[i]->stop)
            peers->peer[i]->stop();
}
