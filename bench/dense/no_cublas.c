/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in for dense_peer_cublas.c in a program built without CUDA or without cuBLAS's header. */
#include <stdio.h>

#include "dense/peer.h"

bool dense_peer_open_cublas(struct dense_peer *peer, void *stream, char *message, size_t size) {
    (void)stream;
    *peer = (struct dense_peer){0};
    snprintf(message, size, "this program was built without cuBLAS");
    return false;
}
