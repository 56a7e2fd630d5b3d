/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR as device code goes through it that knows its types, and its base. */
#ifndef SPRY_FORMATS_CSR_CUH
#define SPRY_FORMATS_CSR_CUH

#include "cuda/kernel.cuh"

struct csr_arrays {
    const ptr_t *ptr;
    const idx_t *idx;
    val_t *val;
};

static inline csr_arrays csr_arrays_of(const spry_matrix *csr) {
    return {as<ptr_t>(csr->csr.ptr), as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val)};
}

#endif
