/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices whose values are kept in a code, whatever their layout. */
#ifndef SPRY_CONVERT_VALUES_H
#define SPRY_CONVERT_VALUES_H

#include "core/internal.h"

/* Give a new matrix the table that a code wants for the values of a CSR matrix, if it wants one. SPRY_ERROR_UNSUPPORTED with
   the first value that there is no room for. */
spry_status spry_find_values(spry_context *context, const spry_matrix *csr, spry_value_code code,
                             spry_matrix *matrix);

/* Keep the values of a new matrix, which are plain and its own, in a code, whose table it has. SPRY_ERROR_UNSUPPORTED with the
   first value that the code cannot keep exactly. */
spry_status spry_encode_values(spry_context *context, spry_matrix *matrix, spry_value_code code);

/* A matrix with plain values and columns: the source itself, or a view of it with arrays of its own, to be closed. */
struct spry_plain {
    const spry_matrix *matrix;
    spry_matrix view;
    void *values, *columns; /* null where those of the source are plain */
};

spry_status spry_plain_open(spry_context *context, const spry_matrix *source, struct spry_plain *plain);
/* For new values: where those of the source have a code, the view's are zeros, padding among them. Columns may stay in one. */
spry_status spry_plain_open_blank(spry_context *context, const spry_matrix *source, bool keeps_columns,
                                  struct spry_plain *plain);
void spry_plain_close(spry_context *context, struct spry_plain *plain);

/* Encode the values of the view anew, which are those of a CSR matrix, into the matrix that it is of. That stays as it was
   where one cannot be kept. */
spry_status spry_plain_store(spry_context *context, const struct spry_plain *plain, const spry_matrix *csr,
                             spry_matrix *matrix);

/* SPRY_ERROR_INVALID with the first code that stands for no value. */
spry_status spry_check_codes(spry_context *context, const spry_matrix *matrix);

#endif
