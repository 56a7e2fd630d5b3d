/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the kernels of a format: see docs/selector.md. */
#ifndef SPRY_CHEAPEST_H
#define SPRY_CHEAPEST_H

#include "core/internal.h"

/*
 * Let a matrix whose entries lie row by row, or column by column, be multiplied along them by the kernel that should take
 * the least time by the context's profile. Of kernels that should take as long, the last of the table is taken. Where no
 * more than one has prices, or there is no profile, nothing is looked at; the kernel that the matrix has stays where none
 * has prices. What the matrix was found to be like stays with it.
 */
spry_status spry_choose_cheapest(spry_context *context, spry_matrix *matrix);

#endif
