/* SPDX-License-Identifier: BSD-3-Clause */
/* Sliced ELL on a GPU, as cuSPARSE takes it: each slice of SELL_SLICE rows is padded to its longest row and stored
   column by column; padding has column -1 and value 0. */
#ifndef SPRY_CUSPARSE_SELL_H
#define SPRY_CUSPARSE_SELL_H

#include "measuring/place.h"

#define SELL_SLICE 32
/* More than this many slots a nonzero are not built. */
#define SELL_MOST_FILL 10

struct sell {
    int64_t slices, slots;
    void *offsets, *idx, *val; /* slices + 1, slots, slots */
    size_t offsets_bytes, idx_bytes, val_bytes;
};

/* From CSR with base 0. The words of a failure are in place->message; sell_free is due then, too. */
spry_status sell_build(struct place *place, const spry_matrix *csr, struct sell *sell);
void sell_free(struct place *place, struct sell *sell);

#endif
