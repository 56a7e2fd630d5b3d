/* SPDX-License-Identifier: BSD-3-Clause */
/* The scalars of a solve, which are where its vectors are. */
#ifndef SPRY_STATE_H
#define SPRY_STATE_H

#include <stdint.h>

#include "spry/solve.h"

/* Residual norms of so many last iterations are kept, so that the host need not look after each one. */
#define SPRY_RECENT 128

/* What updates multiply by, set by steps. Each method has its own use for them. */
struct spry_scalars {
    double alpha, beta, omega, rho; /* CG, BiCGSTAB */
    double inverse;                 /* one over the norm of the vector to be made a unit one */
    double back, forth;             /* MINRES: of the last two Lanczos vectors */
    double eps, delta, gamma, phi;  /* MINRES: of the last directions, and of the step along the new one */
    double keep, turn; /* MINRES: of the residual and the new Lanczos vector in the new residual */
    double correct;    /* GMRES: 1, or 0 where the correction is not finite */
};

struct spry_state {
    int outcome;   /* a spry_outcome */
    int hold;      /* GMRES: this cycle's basis is complete */
    int stuck;     /* GMRES: the new column leaves zero, or no finite number, on the diagonal */
    int cancelled; /* one of the ranks wishes to end: after this iteration all do */
    int64_t iterations, limit;
    double threshold,
        ceiling;       /* norms: converged at or below, diverged above; the latter 0 before the first */
    double divergence; /* ceiling over the first norm */
    double residual;
    double recent[SPRY_RECENT]; /* the norm after iteration k, at k modulo their number */
    double norm;                /* of whatever the host asked for */
    double kept;                /* a sum of this rank, for the step of a later update: see update.h */
    double wish;                /* 1: this rank wishes to end */
    struct spry_scalars scalars;

    /* MINRES: of the Lanczos process and the QR factors of its matrix. */
    double lanczos_alpha, lanczos_beta, dbar, cosine, sine, phi_bar;

    /* GMRES. Arrays are where this struct is; h, again and y are of the vectors' type. */
    double within;       /* |b − A x| after the last cycle whose own residual was within the tolerance */
    int restart, column; /* columns of a cycle, and those of this one that are complete */
    double *triangle;    /* restart × restart, by columns: R of the Hessenberg matrix */
    double *cosines, *sines, *g; /* of its rotations, and the right-hand side rotated: restart + 1 */
    void *h, *again;             /* products with the basis, the first time and for orthogonalising again */
    void *y; /* restart values: the solution in the basis, 0 for columns that are not complete */
};

#endif
