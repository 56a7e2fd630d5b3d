/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/dia.h"

spry_status spry_dia_diagonal_arrays(spry_context *context, spry_matrix *matrix) {
    spry_dia *dia = &matrix->dia;
    spry_status status =
        spry_matrix_array(context, matrix, dia->diagonals, spry_index_size(matrix->index), &dia->offset);
    if (!status)
        status = spry_matrix_array(context, matrix, dia->diagonals, sizeof(uint32_t), &dia->mask);
    return status ? status
                  : spry_matrix_array(context, matrix, spry_matrix_slots(matrix),
                                      spry_type_size(matrix->type), &dia->val);
}
