/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of formats on a device have in common. */
#ifndef SPRY_FORMATS_CUH
#define SPRY_FORMATS_CUH

#include "cuda/kernel.cuh"

/* Each format's plan, beside its kernels in spmv/. The facts of the matrix (`sorted`, `row_sorted`) are set. */
spry_status NAME(spry_csr_plan)(spry_context *context, spry_matrix *matrix); /* and CSC */
spry_status NAME(spry_coo_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_ell_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_hyb_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_jds_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_sell_plan)(spry_context *context, spry_matrix *matrix);

#endif
