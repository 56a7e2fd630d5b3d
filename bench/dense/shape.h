/* SPDX-License-Identifier: BSD-3-Clause */
/* The shapes of dense products, as they are named on the command line. */
#ifndef SPRY_DENSE_SHAPE_H
#define SPRY_DENSE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/* C = op(A) op(B), or C += op(A) op(B): C is m × n, and the sums have k products. */
struct dense_shape {
    bool transpose_a, transpose_b, add;
    int64_t m, n, k;
};

/* Text such as "nn:1024x1024x1024" or "tn:30x1x1000000+": whether A and B are transposed (t), m, n and k, and a + to
   add to C. False for text that is none. */
bool dense_shape_parse(const char *text, struct dense_shape *shape);

/* What is measured where nothing is named, ended by null: squares, then VᵀW and V H for V with 1,000,000 rows, by columns
   and by rows. */
extern const char *const dense_shapes_known[];

#endif
