/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR: what its kernels are made of. */
#ifndef SPRY_SPMV_CSR_H
#define SPRY_SPMV_CSR_H

#include "spmv/parts.h"

/* y[i] = alpha Σ val[k] x[idx[k]] + beta y[i] for begin <= i < end and ptr[i] <= k < ptr[i + 1]. With beta = 0, y is not
   read. `far`: entries come from memory, and can be asked for ahead. `following`: which rows follow the one before
   (core/following.h), or null where that is not known. */
typedef void CODED(spry_csr_part)(const ptr_t *ptr, const idx_t *idx, const stored_t *val,
                                  const uint64_t *following, int64_t begin, int64_t end, val_t alpha,
                                  const val_t *x, val_t beta, bool far, val_t *y);

/* Of the transpose of CSC too. */
NAME(spry_run) CODED(spry_csr_run);

#endif
