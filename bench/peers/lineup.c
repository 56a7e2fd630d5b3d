/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/lineup.h"

#include <string.h>
#include <strings.h>

/* Whether a comma-separated list has this name, in any case. */
static bool listed(const char *list, const char *name) {
    size_t length = strlen(name);
    while (list && *list) {
        size_t item = strcspn(list, ",");
        if (item == length && strncasecmp(list, name, length) == 0)
            return true;
        list += item + (list[item] == ',');
    }
    return false;
}

static void leave_out(struct lineup *lineup, const char *name, const char *reason) {
    lineup->absence[lineup->absences++] = (struct absence){name, reason};
}

static void enter(struct lineup *lineup, const struct peer *peer, struct peer_product product, int threads,
                  const char *skip) {
    if (listed(skip, peer->name))
        leave_out(lineup, peer->name, "left out as asked");
    else if (product.type == SPRY_F32 && !peer->f32)
        leave_out(lineup, peer->name, "has f64 alone");
    else if (product.op == SPRY_T && !peer->transposes)
        leave_out(lineup, peer->name, "has no transposed product");
    else if (peer->start && peer->start(threads))
        leave_out(lineup, peer->name, "failed to start");
    else
        lineup->peer[lineup->count++] = peer;
}

void lineup_start(struct lineup *lineup, struct peer_product product, int threads, const char *skip) {
    const struct peer *peer;
    const char *name;
    *lineup = (struct lineup){0};
    /* What is chosen is chosen for products that are not transposed. */
    for (int i = 0; i < SPRY_PEER_COUNT; i++)
        if (product.op == SPRY_N || peer_spry[i].kind != PEER_CHOICE)
            enter(lineup, &peer_spry[i], product, threads, skip);
    for (int i = 0; i < SPRY_PEER_COUNT && product.op == SPRY_T; i++)
        enter(lineup, &peer_spry_transposed[i], product, threads, skip);
    for (int i = 0; (name = peer_at(i, &peer)); i++) {
        if (peer)
            enter(lineup, peer, product, threads, skip);
        else
            leave_out(lineup, name, "not built in");
    }
}

void lineup_stop(const struct lineup *lineup) {
    for (int i = 0; i < lineup->count; i++)
        if (lineup->peer[i]->stop)
            lineup->peer[i]->stop();
}
