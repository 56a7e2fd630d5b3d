/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as the tests know it, apart from the library: a plain list of entries in double precision. */
#ifndef TEST_LIST_H
#define TEST_LIST_H

#include <stdint.h>

#include "spry/spry.h"

struct list {
    int64_t rows, cols, nnz, capacity;
    int64_t *row, *col; /* from 0 */
    double *val;
};

/* malloc that ends the test program when there is nothing; `bytes` may be zero. */
void *test_malloc(size_t bytes);

/* A list without entries. */
struct list list_new(int64_t rows, int64_t cols);
void list_free(struct list *list);
void list_add(struct list *list, int64_t row, int64_t col, double val);
struct list list_copy(const struct list *list);

/* The same list with rows and columns exchanged. */
struct list list_transposed(const struct list *list);
/* Entries in row-major order; equal positions keep their order. */
void list_sort(struct list *list);
/* Entries in an order that depends on `seed` only. */
void list_shuffle(struct list *list, uint64_t seed);
/* Values as a matrix of this type holds them. */
void list_round(struct list *list, spry_value_type type);
/* Entries of each row (SPRY_N) or column (SPRY_T), to be freed. */
int64_t *list_lengths(const struct list *list, spry_op op);

/* splitmix64: a generator of its own, so that every machine tests the same matrices. */
uint64_t test_random(uint64_t *state);
/* From 0 to below - 1. */
int64_t test_below(uint64_t *state, int64_t below);
/* Over -1 to under 1, never zero, with few enough bits to be exact in f32. */
double test_value(uint64_t *state);

#endif
