/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in for peer_cusparse.c where there is CUDA, but not cuSPARSE's header. */
#include <stdio.h>

#include "cusparse/peer_library.h"

const struct peer_library *peer_library_open(struct place *place) {
    snprintf(place->message, sizeof place->message, "this program was built without cuSPARSE");
    return NULL;
}
