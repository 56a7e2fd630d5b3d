/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils and shapes: what their kernels share. */
#ifndef SPRY_SPMV_STENCIL_H
#define SPRY_SPMV_STENCIL_H

#include "spmv/parts.h"

#include "formats/stencil.h"

/* Runs of rows that are alike, `lanes` of them side by side; slices, of which there are so many, end runs too. */
union spry_terms NAME(spry_runs_work)(const struct spry_candidate *candidate, const struct spry_alike *alike,
                                      double slices, int lanes);

#endif
