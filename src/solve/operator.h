/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of what the library has itself, as solvers know them. */
#ifndef SPRY_OPERATOR_H
#define SPRY_OPERATOR_H

#include "core/internal.h"

/* A number that is another one when arrays that applications read may have moved: recordings of them hold no more then. */
unsigned spry_operator_moves(const spry_operator *operator);

/* ---- scaled.c ---- */

const spry_matrix *spry_scaled_matrix(const spry_scaled *scaled);

#endif
