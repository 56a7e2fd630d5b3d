/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits of products: how many parts, and those of products that gather. */
#include "core/split.h"
#include "core/team.h"

int spry_split_parts(const spry_context *context, const spry_matrix *matrix, spry_op op) {
    if (matrix->nnz == 0)
        return 1;
    return spry_part_count(context, matrix->nnz + spry_outputs(matrix, op));
}

spry_status spry_plan_gather(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut) {
    struct spry_split *split = &matrix->plan.split[op];
    void *cuts;
    split->parts = spry_split_parts(context, matrix, op);
    spry_status status = spry_matrix_array(context, matrix, split->parts + 1, sizeof *split->cut, &cuts);
    if (status)
        return status;
    split->cut = cuts;
    cut(matrix, split);
    matrix->plan.far = spry_product_bytes(matrix) > (double)context->lasting_bytes;
    return SPRY_OK;
}
