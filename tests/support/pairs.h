/* SPDX-License-Identifier: BSD-3-Clause */
/* The same entries as they are and in a code, to be compared. */
#ifndef TEST_PAIRS_H
#define TEST_PAIRS_H

#include <spry/spry.h>
#include <stdbool.h>

#include "build.h"
#include "list.h"
#include "vector.h"

/* Both by way of CSR. */
struct pair {
    struct built csr;
    spry_matrix *plain, *coded;
};

/* The entries with the first values that occur among them, and no more of them than a code keeps; or with values that are exact
   in f32. */
struct list fitting(const struct list *list, spry_value_code code);

/* A list's entries, with values that fit the storage's code. */
void pair_of(spry_context *context, const struct list *list, spry_value_type type, spry_index_type index,
             const char *text, struct pair *pair);
/* Values of f64. */
void pair_open(spry_context *context, const struct list *list, spry_index_type index, const char *text,
               struct pair *pair);
void pair_close(struct pair *pair);

struct list sorted_copy(const struct list *list);

/* Bit by bit, but for which NaN it is, which depends on the order of operands that a compiler chose. */
bool same_bits(const struct vector *a, const struct vector *b);

/* Every kernel for the coded matrix beside that for the plain one; `seen` has a place for each row of the table. */
void compare_products(spry_context *context, const struct pair *pair, bool *seen, const char *name);

#endif
