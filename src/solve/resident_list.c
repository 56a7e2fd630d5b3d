/* SPDX-License-Identifier: BSD-3-Clause */
/* What an iteration consists of, as a list. */
#include "solve/resident.h"

void *spry_resident_vector_of(const struct spry_vectors *vectors, int vector) {
    const void *of[] = {
#define VECTOR(name) vectors->name,
        SPRY_RESIDENT_VECTORS(VECTOR)
#undef VECTOR
    };
    return (void *)(uintptr_t)of[vector];
}

static signed char find_array(const struct spry_listing *listing, const void *array) {
    for (int i = 0; i < listing->resident->arrays && array; i++)
        if (listing->array[i] == array)
            return (signed char)i;
    return -1;
}

/* Give a number to each array that is a vector's. */
static void number_arrays(struct spry_listing *listing, const struct spry_vectors *vectors) {
    struct spry_resident *resident = listing->resident;
    for (int v = 0; v < SPRY_RESIDENT_COUNT; v++) {
        const void *array = spry_resident_vector_of(vectors, v);
        if (!array || find_array(listing, array) >= 0)
            continue;
        resident->home[resident->arrays] = (enum spry_resident_vector)v;
        listing->array[resident->arrays++] = array;
    }
}

static struct spry_operation *next(const struct spry_listing *listing) {
    return &listing->resident->operation[listing->resident->operations++];
}

void spry_resident_list_product(const struct spry_listing *listing, const void *x, const void *y) {
    *next(listing) = (struct spry_operation){
        .update = SPRY_UPDATE_COUNT, .from = find_array(listing, x), .to = find_array(listing, y)};
}

void spry_resident_list_update(const struct spry_listing *listing, enum spry_update update,
                               const struct spry_vectors *vectors) {
    struct spry_operation *operation = next(listing);
    operation->update = (int)update;
    for (int v = 0; v < SPRY_RESIDENT_COUNT; v++)
        operation->vector[v] = find_array(listing, spry_resident_vector_of(vectors, v));
}

/* Play the method's piece, to see what it consists of. The solver stands for x, which it does not have yet. */
spry_status spry_resident_make_list(spry_solver *solver, struct spry_resident *resident) {
    struct spry_listing listing = {.resident = resident};
    solver->vectors.x = solver;
    number_arrays(&listing, &solver->vectors);
    solver->listing = &listing;
    spry_status status = solver->method->piece(solver, 0);
    solver->listing = NULL;
    solver->vectors.x = NULL;
    return status;
}
