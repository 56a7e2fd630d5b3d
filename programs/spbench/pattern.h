/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the entries of a matrix lie, in a picture of bounded size. */
#ifndef SPRY_SPBENCH_PATTERN_H
#define SPRY_SPBENCH_PATTERN_H

#include <spry/spry.h>

/* Fields on either side, at most; and shades, of which 0 is that of a field without entries. */
#define PATTERN_MOST 128
#define PATTERN_SHADES 16

struct pattern {
    int down, across;      /* fields; 0: there are no rows, or no columns */
    int64_t height, width; /* rows and columns of the matrix that one field stands for */
    int64_t most;          /* entries of the fullest field */
    unsigned char shade[PATTERN_MOST][PATTERN_MOST]; /* by the logarithm of the entries in a field */
};

/* Of a matrix in CSR on the host with base 0; null when memory ran out. The caller frees it. */
struct pattern *pattern_of(const spry_matrix *csr);

#endif
