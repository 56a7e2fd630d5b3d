/* SPDX-License-Identifier: BSD-3-Clause */
/* One matrix in every format, and in other storages, by every kernel of each: what is expected of it, and what it takes. */
#ifndef SPRY_MEASURING_TRIAL_H
#define SPRY_MEASURING_TRIAL_H

#include "measuring/place.h"

struct attempt {
    spry_storage storage;      /* as it was made, or was to be */
    const spry_kernel *kernel; /* null: it could not be made, or nothing multiplies by it */
    double bytes;
    double seconds;         /* of one product */
    double convert_seconds; /* of making it from CSR; 0 for CSR */
};

/* A kernel for y = A x, whether the library would take it or not. */
struct rival {
    const spry_kernel *kernel;
    int attempt; /* that it is timed with */
    /* Of its storage, were it the only one there; its kernel is null where it has no prices, or the storage is not ranked. */
    spry_choice expected;
    double seconds; /* of one product */
};
#define TRIAL_RIVALS 256
/* Storages besides the formats, at most. */
#define TRIAL_STORAGES 16
#define TRIAL_ATTEMPTS (SPRY_FORMAT_COUNT + TRIAL_STORAGES)

struct trial_options {
    double seconds;      /* for all products together */
    int rounds;          /* that they are timed in, at least, on the CPU */
    double behind;       /* there: as in struct rounds */
    const char *profile; /* that expectations are those of; null: the library's own */
    bool all_kernels;    /* that run; or else those that the library has prices for, and so chooses among */
    const spry_storage *storages; /* besides the formats as the library makes them */
    int storage_count;
};

struct trial {
    spry_ranking *ranking;
    struct attempt of[TRIAL_ATTEMPTS]; /* by format, and then the other storages */
    int attempts;
    struct rival rival[TRIAL_RIVALS]; /* by attempt in the order of the table; of those that were made */
    int rivals;
    long turns,
        disturbed; /* turns that were timed, and those of them in which a processor was taken away (quiet.h) */
};

/* The attempt that was made in this storage, or else the first in this layout and these codes; null: none. */
const struct attempt *trial_attempt(const struct trial *trial, const spry_storage *storage);

/* Bring a matrix that lies on the host to where products are: *matrix, which is released, becomes the one
   there. */
spry_status trial_bring(struct place *place, spry_matrix **matrix);

/*
 * Rank the formats of a CSR matrix that is there, make all of them and the other storages, and time the products of these kernels
 * for about options->seconds in all: on the CPU side by side, on a GPU one after the other. Expectations are
 * those of options->profile. What failed is said by place_failure; a format that cannot be made is no failure.
 */
spry_status trial_run(struct place *place, const spry_matrix *csr, const struct trial_options *options,
                      struct trial *trial);
/* Also of a trial that failed, or is cleared. */
void trial_free(struct trial *trial);

#endif
