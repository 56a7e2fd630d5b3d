/* SPDX-License-Identifier: BSD-3-Clause */
/* Incomplete factors of one pair of value and index type: members of spry_triangle_code. */
#ifndef SPRY_FACTOR_H
#define SPRY_FACTOR_H

#include "solve/triangle.h"
#include "core/tmpl.h"

spry_status NAME(spry_factor_ilu0)(spry_context *context, const struct spry_square *square,
                                   const struct spry_order *order, double shift, int64_t *fault);
spry_status NAME(spry_factor_ic0)(spry_context *context, const struct spry_square *square,
                                  const struct spry_order *order, double shift, int64_t *fault);

#endif
