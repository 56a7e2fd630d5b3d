/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of formats and of their kernels on a device have in common. */
#ifndef SPRY_FORMATS_CUH
#define SPRY_FORMATS_CUH

#include "cuda/kernel.cuh"

extern "C" {
#include "codes/stored.h"
}

/* The fields of a kernel's record that follow from where it stands. */
#define SPRY_CUDA_KERNEL(name_, FORMAT, OP)                                                                  \
    .name = name_ TMPL_CODE_NAME, .format = FORMAT, .values = TMPL_VALUES, .op = OP, .backend = SPRY_CUDA,   \
    .type = TMPL_TYPE, .index = TMPL_INDEX

/* Each format's plan, beside its kernels in spmv/. The facts of the matrix (`sorted`, `row_sorted`) are set. */
spry_status NAME(spry_csr_plan)(spry_context *context, spry_matrix *matrix); /* and CSC */
spry_status NAME(spry_coo_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_ell_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_hyb_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_jds_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_sell_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_stencil_plan)(spry_context *context, spry_matrix *matrix);

#endif
