/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR with sorted rows from arrays whose rows have columns in another order, on a device. */
#ifndef SPRY_SORTED_CUH
#define SPRY_SORTED_CUH

#include "convert/transpose.cuh"

/* The arrays of the CSR that a matrix becomes; where its rows are to be sorted, the row pointers alone, as sorting takes arrays of its
   own. */
static inline spry_status take_csr_arrays(spry_context *context, const spry_matrix *matrix,
                                          spry_matrix *csr) {
    return matrix->sorted ? spry_matrix_csr_arrays(context, csr)
                          : spry_matrix_array(context, csr, csr->rows + 1, sizeof(ptr_t), &csr->csr.ptr);
}

/* By way of COO: collect(idx, val) launches what writes each row's entries from where the row pointers, which csr has, say that it
   begins. There are entries. */
template <class Collect>
static inline spry_status collect_sorted(spry_context *context, spry_matrix *csr, const char *what,
                                         Collect collect) {
    const int64_t nnz = csr->nnz;
    temporary row(context), idx(context), val(context);
    spry_status status = row.take(nnz, sizeof(idx_t));
    if (!status)
        status = idx.take(nnz, sizeof(idx_t));
    if (!status)
        status = val.take(nnz, sizeof(val_t));
    if (status)
        return status;
    collect(static_cast<idx_t *>(idx.pointer), static_cast<val_t *>(val.pointer));
    status = launched(context, what);
    if (!status)
        status = NAME(spry_cuda_expand)(context, static_cast<const ptr_t *>(csr->csr.ptr), 0, csr->rows, nnz,
                                        static_cast<idx_t *>(row.pointer));
    if (status)
        return status;
    const spry_coo coo = {row.pointer, idx.pointer, val.pointer, 0};
    spry_matrix_drop_array(csr, csr->csr.ptr);
    return NAME(spry_cuda_sort_entries)(context, &coo, csr);
}

#endif
