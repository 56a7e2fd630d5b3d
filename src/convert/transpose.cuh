/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries put into another order on the device, and copied in the order that they have. */
#ifndef SPRY_TRANSPOSE_CUH
#define SPRY_TRANSPOSE_CUH

#include "primitives/device.cuh"

/* Write the entries of CSR into the arrays of CSC, or of CSC into those of CSR, base 0; indices rise within
   the new rows (columns), duplicates stay in order. */
extern "C" spry_status NAME(spry_cuda_transpose)(spry_context *context, const spry_matrix *from,
                                                 const spry_matrix *to);

/* Give a new CSR matrix its arrays, with the entries of `coo`, of which there is one at least, in row-major
   order; duplicates stay in order. */
extern "C" spry_status NAME(spry_cuda_sort_entries)(spry_context *context, const spry_coo *coo,
                                                    spry_matrix *csr);

/* Numbers counted from `base`, copied to be counted from 0. */
extern "C" spry_status NAME(spry_cuda_copy_pointers)(spry_context *context, const void *from, int base,
                                                     void *to, int64_t n);
extern "C" spry_status NAME(spry_cuda_copy_indices)(spry_context *context, const void *from, int base,
                                                    void *to, int64_t n);
extern "C" spry_status NAME(spry_cuda_copy_values)(spry_context *context, const void *from, void *to,
                                                   int64_t n);

#endif
