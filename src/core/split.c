/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits of products: how many parts, those of products that gather, and cuts between units. */
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
    matrix->plan.far = spry_product_bytes(matrix) > (double)context->far_bytes;
    return SPRY_OK;
}

int64_t spry_unit_from(const spry_matrix *matrix, int64_t units, int64_t work,
                       spry_work_before *work_before) {
    int64_t low = 0, high = units;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (work_before(matrix, middle) < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void spry_cut_by_work(const spry_matrix *matrix, struct spry_split *split, int64_t units, int64_t total,
                      spry_work_before *work_before) {
    split->cut[0] = (struct spry_cut){0, 0};
    for (int p = 1; p < split->parts; p++) {
        const int64_t work = spry_share(total, p, split->parts);
        split->cut[p] = (struct spry_cut){spry_unit_from(matrix, units, work, work_before), 0};
    }
    split->cut[split->parts] = (struct spry_cut){units, 0};
}
