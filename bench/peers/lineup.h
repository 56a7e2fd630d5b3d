/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes part: Spry's formats and the peers that this program was built with. */
#ifndef SPRY_PEERS_LINEUP_H
#define SPRY_PEERS_LINEUP_H

#include <stdbool.h>

#include "peers/peer.h"

#define LINEUP_MAX 40

struct absence {
    const char *name, *reason;
};

struct lineup {
    int count;
    const struct peer *peer[LINEUP_MAX]; /* Spry's own come first */
    int absences;
    struct absence absence[LINEUP_MAX];
};

/* Start every peer that has the product for this many threads, but those whose name is in `skip`, comma-separated; null:
   none. */
void lineup_start(struct lineup *lineup, struct peer_product product, int threads, const char *skip);
void lineup_stop(const struct lineup *lineup);

#endif
