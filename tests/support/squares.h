/* SPDX-License-Identifier: BSD-3-Clause */
/* Square matrices to solve with: rows that depend on each other in different ways, few or many at a time. */
#ifndef TEST_SQUARES_H
#define TEST_SQUARES_H

#include <stdbool.h>

#include "list.h"

/* All have a diagonal that outweighs what is beside it, in the row, in the column and in both together, and so has the
   symmetric matrix whose lower triangle they have. Patterns are not symmetric. */
struct square {
    const char *name;
    struct list (*make)(void);
    int64_t levels; /* of the lower triangle; -1: not known in advance */
    bool no_fill;   /* its factors have no entries where it has none */
};

extern const struct square test_squares[];
extern const size_t test_square_count;
/* The one with this name, which must be one of them. */
const struct square *test_square(const char *name);

/* The entries on one side of the diagonal and, unless `unit`, on it; `unit` gives it ones. */
struct list list_triangle(const struct list *list, spry_triangle triangle, bool unit);
/* The symmetric matrix with this lower triangle. */
struct list list_mirrored(const struct list *list);

#endif
