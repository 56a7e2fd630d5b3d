/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_CONVERT_ELL_CUH
#define SPRY_CONVERT_ELL_CUH

#include "cuda/kernel.cuh"

/* Give a new ELL matrix its arrays, with the first `width` entries of each row of CSR at most. */
extern "C" spry_status NAME(spry_ell_fill)(spry_context *context, const spry_matrix *csr, int64_t width,
                                           spry_matrix *ell);

/* Make *differs, a number on the device, one unless the entries of an ELL matrix are the first ones of each
   row. */
extern "C" spry_status NAME(spry_ell_compare)(spry_context *context, const spry_matrix *csr,
                                              const spry_matrix *ell, unsigned long long *differs);

/* Take over the values of the same pattern. */
extern "C" spry_status NAME(spry_ell_take_values)(spry_context *context, const spry_matrix *csr,
                                                  spry_matrix *ell);

/* Write the entries of an ELL matrix to the begin of each row of CSR, whose pointers are set. */
extern "C" spry_status NAME(spry_ell_copy_out)(spry_context *context, const spry_matrix *ell,
                                               const spry_matrix *csr);

#endif
