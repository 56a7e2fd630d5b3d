/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSR that are alike in their offsets, on a device. */
#ifndef SPRY_KINDS_CUH
#define SPRY_KINDS_CUH

#include "formats/stencil.cuh"

/* Take and fill the arrays of a new matrix of shapes that say which rows are alike: all but its values. Errors are those of
   stencils. Waits. */
spry_status NAME(spry_cuda_make_kinds)(spry_context *context, const spry_matrix *csr, spry_matrix *matrix);

/* SPRY_ERROR_PATTERN unless each row has the offsets that its number stands for. Waits. */
spry_status NAME(spry_cuda_compare_kinds)(spry_context *context, const spry_matrix *csr,
                                          const spry_matrix *matrix);

/* The row pointers of a matrix of stencils or shapes in CSR, from 0. */
spry_status NAME(spry_cuda_kind_pointers)(spry_context *context, const spry_matrix *matrix, ptr_t *ptr);

#endif
