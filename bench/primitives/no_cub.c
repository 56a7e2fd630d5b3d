/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in for CUB in a program that is built without CUDA. */
#include <stddef.h>

#include "primitives/peer.h"

struct primitive_peer *primitive_peer_open(const struct primitive_task *task) {
    (void)task;
    return NULL;
}

spry_status primitive_peer_run(void *peer) {
    (void)peer;
    return SPRY_ERROR_UNSUPPORTED;
}

void primitive_peer_close(struct primitive_peer *peer) {
    (void)peer;
}
