/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_FORMATS_HYB_H
#define SPRY_FORMATS_HYB_H

#include <math.h>

#include "spry/convert.h"

/* What an entry costs in the COO part beside one in the ELL part, about; and where rows are long, and short. */
#define SPRY_HYB_SPILLED 3
#define SPRY_HYB_SPILLED_LEAST 1
#define SPRY_HYB_SPILLED_MOST 6

/* So a column of the ELL part pays while a third of its rows has an entry in it (Bell and Garland, "Implementing sparse
   matrix-vector multiplication on throughput-oriented processors", SC 2009, take the same third). */
#define SPRY_HYB_QUANTILE (2.0 / 3)

/* Whether threads multiply by rows of both parts at once, where one has `most` to do in place of an equal share: an eighth more takes
   no longer than to wait for each other between the parts. */
static inline bool spry_hyb_is_even(double most, double share) {
    return most <= share + share / 8;
}

/* The rank, from 1, of the row length that becomes the width of the ELL part, among so many rows. */
static inline int64_t spry_hyb_rank(const spry_convert_options *options, int64_t rows) {
    double quantile = options->hyb_quantile > 0 ? options->hyb_quantile : SPRY_HYB_QUANTILE;
    int64_t rank = (int64_t)ceil(quantile * (double)rows);
    return rank < 1 ? 1 : rank < rows ? rank : rows;
}

#endif
