/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_CONVERT_BSR_CUH
#define SPRY_CONVERT_BSR_CUH

#include "cuda/kernel.cuh"
extern "C" {
#include "core/table.h"
}

/* `from_csr` of struct spry_convert_code. */
extern "C" spry_status NAME(spry_bsr_from_csr)(spry_context *context, const spry_matrix *csr,
                                               const spry_convert_options *options, spry_matrix *matrix);

#endif
