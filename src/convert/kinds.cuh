/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSR that are alike, as stencils and shapes share them on a device. */
#ifndef SPRY_KINDS_CUH
#define SPRY_KINDS_CUH

#include "formats/stencil.cuh"

/* Take and fill the arrays of a new matrix that say which rows are alike in their offsets and, `with_values`, their values: numbers,
   pointers, offsets and values. SPRY_ERROR_UNSUPPORTED where different rows have the same key, whatever the salt;
   SPRY_ERROR_OVERFLOW where numbers do not hold that many. Waits. */
extern "C" spry_status NAME(spry_cuda_make_kinds)(spry_context *context, const spry_matrix *csr,
                                                  bool with_values, spry_matrix *matrix);

/* Release these arrays. */
extern "C" void NAME(spry_cuda_drop_kinds)(spry_matrix *matrix);

/* SPRY_ERROR_PATTERN unless each row has the offsets that its number stands for. Waits. */
extern "C" spry_status NAME(spry_cuda_compare_kinds)(spry_context *context, const spry_matrix *csr,
                                                     const spry_matrix *matrix);

/* Take the arrays of the CSR matrix that one of stencils or shapes becomes, and fill in its row pointers. */
extern "C" spry_status NAME(spry_cuda_kind_pointers)(spry_context *context, const spry_matrix *matrix,
                                                     spry_matrix *csr);

#endif
