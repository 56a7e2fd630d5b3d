/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/team.h"
#include "formats/major.h"

compressed_t NAME(spry_compressed_of)(const spry_matrix *matrix) {
    bool by_rows = matrix->format == SPRY_CSR;
    return (compressed_t){
        .major = by_rows ? matrix->rows : matrix->cols,
        .minor = by_rows ? matrix->cols : matrix->rows,
        .nnz = matrix->nnz,
        .ptr = matrix->csr.ptr,
        .idx = matrix->csr.idx,
        .val = matrix->csr.val,
        .base = matrix->csr.base,
    };
}

int64_t NAME(spry_major_at)(const compressed_t *compressed, int64_t k) {
    int64_t low = 0, high = compressed->major;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (compressed->ptr[middle] - compressed->base <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t NAME(spry_major_on_path)(const compressed_t *compressed, int64_t target) {
    int64_t low = 0, high = compressed->major;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (middle + (compressed->ptr[middle] - compressed->base) <= target)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t NAME(spry_longest)(const spry_context *context, const compressed_t *compressed) {
    int64_t most = 0;
#pragma omp parallel for num_threads(spry_team_over(context, compressed->major)) reduction(max : most)
    for (int64_t i = 0; i < compressed->major; i++)
        most = major_length(compressed, i) > most ? major_length(compressed, i) : most;
    return most;
}

bool NAME(spry_is_sorted)(const spry_context *context, const compressed_t *compressed) {
    int falls = 0;
#pragma omp parallel for num_threads(spry_team_over(context, compressed->nnz)) reduction(| : falls)
    for (int64_t i = 0; i < compressed->major; i++)
        for (int64_t k = compressed->ptr[i] - compressed->base + 1;
             k < compressed->ptr[i + 1] - compressed->base; k++)
            falls |= compressed->idx[k] < compressed->idx[k - 1];
    return !falls;
}
