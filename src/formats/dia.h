/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DIA by slices of rows. DIA: Saad, "SPARSKIT: a basic tool kit for sparse matrix computations",
 * 1994. Slices of it, so that a diagonal that few rows have takes no room in the others, are those of CRSD (Sun, Zhang, Wang, Zhang,
 * Yuan and Rao, "Optimizing SpMV for diagonal sparse matrices on GPU", ICPP 2011), whose slices are as long as their diagonals
 * stay the same; here all are alike, and masks say which rows have an entry.
 */
#ifndef SPRY_FORMATS_DIA_H
#define SPRY_FORMATS_DIA_H

#include "core/cover.h"
#include "core/internal.h"

/* The mask of a diagonal that all rows of a slice have an entry on. */
#define SPRY_DIA_FULL UINT32_MAX

/* Slices that cover so many rows. */
static inline int64_t spry_dia_slices(int64_t rows) {
    return spry_cover(rows, SPRY_DIA_ROWS);
}

/* The arrays of a matrix that has so many diagonals. */
spry_status spry_dia_diagonal_arrays(spry_context *context, spry_matrix *matrix);

#endif
