/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils: what their kernels share. */
#ifndef SPRY_SPMV_STENCIL_H
#define SPRY_SPMV_STENCIL_H

#include "spmv/parts.h"

#include "formats/stencil.h"

/* Runs of rows, `lanes` of them side by side. */
union spry_terms NAME(spry_stencil_work)(const struct spry_candidate *candidate, int lanes);

#endif
