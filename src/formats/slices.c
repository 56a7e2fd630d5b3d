/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/team.h"
#include "formats/slices.h"

slices_t NAME(spry_slices_of)(const spry_matrix *matrix) {
    bool by_rows = matrix->format == SPRY_CSR;
    return (slices_t){
        .slices = by_rows ? matrix->rows : matrix->cols,
        .across = by_rows ? matrix->cols : matrix->rows,
        .nnz = matrix->nnz,
        .ptr = matrix->csr.ptr,
        .idx = matrix->csr.idx,
        .val = matrix->csr.val,
        .base = matrix->csr.base,
    };
}

int64_t NAME(spry_slice_at)(const slices_t *slices, int64_t k) {
    int64_t low = 0, high = slices->slices;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (slices->ptr[middle] - slices->base <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t NAME(spry_slice_on_path)(const slices_t *slices, int64_t target) {
    int64_t low = 0, high = slices->slices;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (middle + (slices->ptr[middle] - slices->base) <= target)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t NAME(spry_longest)(const spry_context *context, const slices_t *slices) {
    const ptr_t *ptr = slices->ptr;
    int64_t most = 0;
#pragma omp parallel for num_threads(spry_team_over(context, slices->slices)) reduction(max : most)
    for (int64_t i = 0; i < slices->slices; i++)
        most = ptr[i + 1] - ptr[i] > most ? ptr[i + 1] - ptr[i] : most;
    return most;
}

bool NAME(spry_slices_sorted)(const spry_context *context, const slices_t *slices) {
    int falls = 0;
#pragma omp parallel for num_threads(spry_team_over(context, slices->nnz)) reduction(| : falls)
    for (int64_t i = 0; i < slices->slices; i++)
        for (int64_t k = slices->ptr[i] - slices->base + 1; k < slices->ptr[i + 1] - slices->base; k++)
            falls |= slices->idx[k] < slices->idx[k - 1];
    return !falls;
}
