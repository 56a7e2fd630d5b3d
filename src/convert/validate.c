/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of matrices as callers ask for them: formats see plain columns and values. */
#include "codes/matrix_columns.h"
#include "convert/values.h"
#include "core/table.h"

spry_status spry_validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_validate: the matrix is null");
    spry_status status = spry_check_place(context, matrix, "spry_validate");
    if (status)
        return status;
    struct spry_plain plain;
    status = spry_check_codes(context, matrix);
    if (!status)
        status = spry_check_columns(context, matrix);
    if (status)
        return status;
    status = spry_plain_open(context, matrix, &plain);
    if (!status)
        status = spry_format_code(matrix)->validate(context, plain.matrix, flags);
    spry_plain_close(context, &plain);
    return status;
}
