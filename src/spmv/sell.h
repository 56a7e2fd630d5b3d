/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ: what its kernels are made of. */
#ifndef SPRY_SPMV_SELL_H
#define SPRY_SPMV_SELL_H

#include "codes/decode.h"
#include "formats/sell.h"
#include "formats/sell_slices.h"
#include "spmv/depth.h"
#include "spmv/parts.h"

/* Groups of so many rows, a row to a lane. */
union spry_terms CODED(spry_sell_work)(const struct spry_candidate *candidate, int lanes);

/* With many columns: `part` of the kernel is a many_part, of slices. */
NAME(spry_run) CODED(spry_sell_many_run);

#endif
