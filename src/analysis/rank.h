/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_RANK_H
#define SPRY_RANK_H

#include "core/internal.h"

/* The length at this rank, 1 … rows, when the rows of a matrix in CSR are ordered by length; none is longer
   than `longest`. */
spry_status spry_length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest, int64_t rank,
                                int64_t *length);

/* The same for a matrix on the host, and for one on a device. */
spry_status spry_cpu_length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest,
                                    int64_t rank, int64_t *length);
spry_status spry_cuda_length_at_rank(spry_context *context, const spry_matrix *csr, int64_t longest,
                                     int64_t rank, int64_t *length);

#endif
