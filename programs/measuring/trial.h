/* SPDX-License-Identifier: BSD-3-Clause */
/* One matrix in every format: what is expected of each, and what it takes. */
#ifndef SPRY_MEASURING_TRIAL_H
#define SPRY_MEASURING_TRIAL_H

#include "measuring/place.h"

struct attempt {
    const spry_kernel *kernel; /* null: the format could not be made, or nothing multiplies by it */
    double bytes;
    double seconds;         /* of one product */
    double convert_seconds; /* of making it from CSR; 0 for CSR */
};

struct trial {
    spry_ranking *ranking;
    struct attempt of[SPRY_FORMAT_COUNT];
};

/* Bring a matrix that lies on the host to where products are: *matrix, which is released, becomes the one
   there. */
spry_status trial_bring(struct place *place, spry_matrix **matrix);

/*
 * Rank the formats of a CSR matrix that is there, make all of them, and time their products for about
 * `seconds` in all: on the CPU side by side, on a GPU one after the other. What failed is said by
 * place_failure; a format that cannot be made is no failure.
 */
spry_status trial_run(struct place *place, const spry_matrix *csr, double seconds, struct trial *trial);
/* Also of a trial that failed, or is cleared. */
void trial_free(struct trial *trial);

#endif
