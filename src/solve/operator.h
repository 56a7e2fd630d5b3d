/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of what the library has itself, as solvers know them. */
#ifndef SPRY_OPERATOR_H
#define SPRY_OPERATOR_H

#include "core/internal.h"

/* A number that is another one when arrays that applications read may have moved: recordings of them hold no more then. */
unsigned spry_operator_moves(const spry_operator *applied);

/* SPRY_ERROR_ARGUMENT for one whose matrix, preconditioner or diagonal is not where the context works. */
spry_status spry_operator_check_place(spry_context *context, const spry_operator *applied, const char *call);
/* Have the workspace of the context that its applications need: they allocate nothing then. */
spry_status spry_operator_reserve(spry_context *context, const spry_operator *applied);

/* ---- scaled.c ---- */

const spry_matrix *spry_scaled_matrix(const spry_scaled *scaled);
/* The workspace of a product with it. */
spry_status spry_scaled_reserve(spry_context *context, const spry_scaled *scaled);

#endif
