/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices whose columns are kept in a code, whatever their layout. */
#ifndef SPRY_MATRIX_COLUMNS_H
#define SPRY_MATRIX_COLUMNS_H

#include "core/internal.h"

/* Keep the columns of a new matrix, which are plain and its own, in a code. SPRY_ERROR_UNSUPPORTED with the first rows that
   span too many for it. */
spry_status spry_encode_columns(spry_context *context, spry_matrix *matrix, spry_column_code code);

/* Those of a matrix that keeps them in a code, in an array to be closed. */
spry_status spry_decode_columns(spry_context *context, const spry_matrix *matrix, void **columns);
void spry_close_columns(spry_context *context, const spry_matrix *matrix, void *columns);

/* Let a view of a matrix that keeps its columns in a code have these instead. */
void spry_view_columns(spry_matrix *view, void *columns);

/* SPRY_ERROR_INVALID with the first group whose codes cannot be decoded. */
spry_status spry_check_columns(spry_context *context, const spry_matrix *matrix);

#endif
