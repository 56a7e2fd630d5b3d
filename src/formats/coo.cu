/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/formats.cuh"
#include "primitives/device.cuh"

namespace formats_coo {

static constexpr int BLOCK = 256;

static __global__ void check(int64_t rows, int64_t cols, int64_t nnz, spry_coo coo,
                             unsigned long long *faults) {
    const idx_t *row = as<idx_t>(coo.row), *col = as<idx_t>(coo.col);
    bool wrong = false;
    FOR_ALL(k, 0, nnz)
    wrong |= is_outside(row[k], coo.base, rows) || is_outside(col[k], coo.base, cols);
    if (wrong)
        *faults = 1;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    int64_t nnz = matrix->nnz, faults = 1;
    counter found(context);
    if (flags)
        return spry_cuda_validate_on_host(context, matrix, flags);
    if (nnz == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    check<<<blocks_at_once(context, nnz, BLOCK), BLOCK, 0, context->device->stream>>>(
        matrix->rows, matrix->cols, nnz, matrix->coo, found.place());
    status = launched(context, "checking indices");
    if (!status)
        status = found.read(&faults);
    return status || !faults ? status : spry_cuda_validate_on_host(context, matrix, flags);
}

enum { ROWS_FALL = 1, ENTRIES_FALL = 2 };

static __global__ void compare_neighbours(int64_t nnz, const idx_t *row, const idx_t *col,
                                          unsigned long long *order) {
    unsigned seen = 0;
    FOR_ALL(k, 1, nnz) {
        if (row[k] < row[k - 1])
            seen |= ROWS_FALL | ENTRIES_FALL;
        else if (row[k] == row[k - 1] && col[k] < col[k - 1])
            seen |= ENTRIES_FALL;
    }
    seen = __reduce_or_sync(ALL_LANES, seen);
    if (lane_number() == 0 && seen)
        atomicOr(order, (unsigned long long)seen);
}

static spry_status look_at_order(spry_context *context, spry_matrix *matrix) {
    int64_t nnz = matrix->nnz, order = 0;
    counter found(context);
    spry_status status = SPRY_OK;
    if (nnz > 1 && !matrix->sorted) {
        status = found.start();
        if (status)
            return status;
        compare_neighbours<<<blocks_at_once(context, nnz, BLOCK), BLOCK, 0, context->device->stream>>>(
            nnz, as<idx_t>(matrix->coo.row), as<idx_t>(matrix->coo.col), found.place());
        status = launched(context, "looking at the order of entries");
        if (!status)
            status = found.read(&order);
    }
    matrix->row_sorted = !(order & ROWS_FALL);
    matrix->sorted = !(order & ENTRIES_FALL);
    return status;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    spry_status status = look_at_order(context, matrix);
    return status ? status : NAME(spry_coo_plan)(context, matrix);
}

extern "C" {
extern const struct spry_format_code NAME(spry_coo_code);
const struct spry_format_code NAME(spry_coo_code) = {
    .validate = validate,
    .plan = plan,
};
}

} // namespace formats_coo
