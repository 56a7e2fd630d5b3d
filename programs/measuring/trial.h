/* SPDX-License-Identifier: BSD-3-Clause */
/* One matrix in every format, and by every kernel of it: what is expected of each, and what it takes. */
#ifndef SPRY_MEASURING_TRIAL_H
#define SPRY_MEASURING_TRIAL_H

#include "measuring/place.h"

struct attempt {
    const spry_kernel *kernel; /* null: the format could not be made, or nothing multiplies by it */
    double bytes;
    double seconds;         /* of one product */
    double convert_seconds; /* of making it from CSR; 0 for CSR */
};

/* A kernel for y = A x, whether the library would take it or not. */
struct rival {
    const spry_kernel *kernel;
    spry_storage storage; /* of the matrix that it is timed with */
    /* Of its format, were it the format's only one; its kernel is null where it has no prices. */
    spry_choice expected;
    double seconds; /* of one product */
};
#define TRIAL_RIVALS 64

struct trial_options {
    double seconds;      /* for all products together */
    const char *profile; /* that expectations are those of; null: the library's own */
    bool all_kernels;    /* that run; or else those that the library has prices for, and so chooses among */
};

struct trial {
    spry_ranking *ranking;
    struct attempt of[SPRY_FORMAT_COUNT];
    struct rival rival[TRIAL_RIVALS]; /* in the order of the table; those whose format was made */
    int rivals;
};

/* Bring a matrix that lies on the host to where products are: *matrix, which is released, becomes the one
   there. */
spry_status trial_bring(struct place *place, spry_matrix **matrix);

/*
 * Rank the formats of a CSR matrix that is there, make all of them, and time the products of these kernels
 * for about options->seconds in all: on the CPU side by side, on a GPU one after the other. Expectations are
 * those of options->profile. What failed is said by place_failure; a format that cannot be made is no failure.
 */
spry_status trial_run(struct place *place, const spry_matrix *csr, const struct trial_options *options,
                      struct trial *trial);
/* Also of a trial that failed, or is cleared. */
void trial_free(struct trial *trial);

#endif
