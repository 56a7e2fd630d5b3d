/* SPDX-License-Identifier: BSD-3-Clause */
/* What CSR and CSC have in common on a device, which is all but their names. */
#ifndef SPRY_COMPRESSED_CUH
#define SPRY_COMPRESSED_CUH

#include "formats/formats.cuh"

extern "C" spry_status NAME(spry_compressed_validate)(spry_context *context, const spry_matrix *matrix,
                                                      unsigned flags);

#endif
