/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solves of systems so small that they fit on the chip: matrix and vectors stay there, and one launch does many
 * iterations (Zhang, Wahib, Chen, Meng, Wang, Endo and Matsuoka, "PERKS: a locality-optimized execution model for
 * iterative memory-bound GPU applications", ICS 2023). What an iteration consists of is the method's own affair: its
 * piece is played once, and the products and updates that it asks for are put into a list.
 */
#ifndef SPRY_RESIDENT_H
#define SPRY_RESIDENT_H

#include "solve/solver.h"

/* The vectors that products and updates of an iteration work on. */
#define SPRY_RESIDENT_VECTORS(X) X(x) X(r) X(p) X(q) X(z) X(s) X(t) X(u) X(w) X(d)
enum spry_resident_vector {
#define SPRY_RESIDENT_ENUM(name) SPRY_RESIDENT_##name,
    SPRY_RESIDENT_VECTORS(SPRY_RESIDENT_ENUM)
#undef SPRY_RESIDENT_ENUM
        SPRY_RESIDENT_COUNT
};

/* One of the list: an update, with the number of the array that each vector is, or below 0 for none; or, with
   SPRY_UPDATE_COUNT, the product that makes array `to` of array `from`. */
struct spry_operation {
    int update;
    signed char vector[SPRY_RESIDENT_COUNT], from, to;
};
#define SPRY_OPERATIONS_MOST 16

/* What a lane asks for at once: so many slots. */
#define SPRY_RESIDENT_ROUND 8
#define SPRY_RESIDENT_WARP 32
#define SPRY_RESIDENT_THREADS 512

/* What a device has room for: blocks that have each other's memory at hand, and what each of them has. */
struct spry_room {
    int blocks, threads;
    size_t bytes;
};

struct spry_resident {
    int iterations, operations; /* that the list does, and has */
    struct spry_operation operation[SPRY_OPERATIONS_MOST];
    /* Arrays: vectors of the method that are not another one's array, in the order of their names. */
    int arrays;
    enum spry_resident_vector home[SPRY_RESIDENT_COUNT];
    /* Where values are taken from: the operator's matrix, or, where that has no array with a place for each, a copy in
       CSR, made after so many updates. */
    const spry_matrix *source;
    spry_matrix *copy;
    unsigned updates;
    /* A in slices of `height` rows. Its values are numbers: the place of each entry among those of the source. So new ones
       are found wherever they came from. */
    spry_matrix *image;
    int64_t height;
    int blocks, threads;
    int64_t slices, slots; /* of a block; slots at most */
};

/* Bytes of a block: for its rows of each array; for each slot a value and an address; for where slices begin. */
static inline size_t spry_resident_bytes(const struct spry_resident *resident, size_t value) {
    return (size_t)(resident->arrays * resident->slices * resident->height + resident->slots) * value +
           (size_t)(resident->slots + resident->slices + 1) * sizeof(uint32_t);
}

/* What a backend has for it. */
struct spry_resident_code {
    /* What it has room for; no blocks where it cannot do this. */
    spry_status (*room)(spry_context *context, spry_value_type type, struct spry_room *room);
    /* Play the list so often, or until the solve has an outcome. */
    spry_status (*play)(spry_context *context, const struct spry_resident *resident, const void *values,
                        const struct spry_vectors *vectors, struct spry_state *state, int repeat);
};

/* A list while it is made, with the arrays as they were before the piece, which may exchange them. */
struct spry_listing {
    struct spry_resident *resident;
    const void *array[SPRY_RESIDENT_COUNT];
};
void spry_resident_list_product(const struct spry_listing *listing, const void *x, const void *y);
void spry_resident_list_update(const struct spry_listing *listing, enum spry_update update,
                               const struct spry_vectors *vectors);

/* Make the list. */
spry_status spry_resident_make_list(spry_solver *solver, struct spry_resident *resident);
/* Have a source for a matrix: the matrix itself, or a copy with the values that it has now. */
spry_status spry_resident_take_source(spry_context *context, struct spry_resident *resident,
                                      const spry_matrix *matrix);
/* Make the image of the source; none where it does not fit. */
spry_status spry_resident_make_image(spry_context *context, struct spry_resident *resident,
                                     const struct spry_room *room);

/* The array of a vector. */
void *spry_resident_vector_of(const struct spry_vectors *vectors, int vector);

/* Once the method has its vectors: solver->resident, or null where the system is not solved so. */
spry_status spry_resident_settle(spry_solver *solver);
void spry_resident_release(spry_solver *solver);
/* Before a solve: have the values that the matrix has now. */
spry_status spry_resident_refresh(spry_solver *solver);
/* Play the list, solver->repeat times. */
spry_status spry_resident_play(spry_solver *solver);

#endif
