/* SPDX-License-Identifier: BSD-3-Clause */
/* Y = A X by Spry and by the other libraries, side by side. */
#ifndef SPRY_SPMM_RACE_H
#define SPRY_SPMM_RACE_H

#include "spmm/operands.h"
#include "spmm/peers.h"

#define RACE_MATRICES 16

/* Seconds of one product; NaN where there is none. */
struct result {
    bool right; /* Spry's products; where not, nothing was timed */
    double spry[RACE_MATRICES][ORDERS];
    double vector[RACE_MATRICES]; /* spry_spmv, where there is one column */
    double best_peer;
    const struct peer *peer; /* whose that is, */
    enum order peer_order;   /* and how X and Y lie for it */
};

/*
 * Multiply and check, once, then time for so many rounds. `matrix` is what Spry multiplies by, at most RACE_MATRICES, of which
 * null ones take no part; `csr` is the same matrix, with 32-bit indices, as peers take it; all are where products are. A peer that refuses takes no part; one that
 * fails or is wrong is told on standard error and does not count. Returns how Spry's products went.
 */
spry_status race_run(const struct operands *operands, spry_matrix *const *matrix, int matrices,
                     const spry_matrix *csr, const struct peers *peers, int rounds, struct result *result);

#endif
