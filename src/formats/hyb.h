/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_FORMATS_HYB_H
#define SPRY_FORMATS_HYB_H

#include <math.h>

#include "spry/convert.h"

/* A column of HYB's ELL part then pays while a third of its rows has an entry in it, which is about what an
   entry costs there against one in COO (Bell and Garland, "Implementing sparse matrix-vector multiplication
   on throughput-oriented processors", SC 2009, take the same third). */
#define SPRY_HYB_QUANTILE (2.0 / 3)

/* The rank, from 1, of the row length that becomes the width of the ELL part, among so many rows. */
static inline int64_t spry_hyb_rank(const spry_convert_options *options, int64_t rows) {
    double quantile = options->hyb_quantile > 0 ? options->hyb_quantile : SPRY_HYB_QUANTILE;
    int64_t rank = (int64_t)ceil(quantile * (double)rows);
    return rank < 1 ? 1 : rank < rows ? rank : rows;
}

#endif
