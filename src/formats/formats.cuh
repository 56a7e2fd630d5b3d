/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of formats and of their kernels on a device have in common. */
#ifndef SPRY_FORMATS_CUH
#define SPRY_FORMATS_CUH

#include "codes/stored.cuh"

/* The fields of a kernel's record that follow from where it stands. */
#define SPRY_CUDA_KERNEL(name, FORMAT, OP) SPRY_CUDA_KERNEL_FOR(name, SPRY_VALUES_PLAIN, FORMAT, OP)
#define SPRY_CUDA_KERNEL_FOR(name_, CODE, FORMAT, OP)                                                        \
    .name = name_, .format = FORMAT, .values = CODE, .op = OP, .backend = SPRY_CUDA, .type = TMPL_TYPE,      \
    .index = TMPL_INDEX

/* The record of a kernel in a file that is compiled for codes too, where it is one for each. */
#ifdef SPRY_TMPL_CODE
#define SPRY_CUDA_TABLE_KERNELS(name, FORMAT, OP, ...)                                                       \
    {SPRY_CUDA_KERNEL_FOR(name "_constant", SPRY_VALUES_CONSTANT, FORMAT, OP), __VA_ARGS__},                 \
        {SPRY_CUDA_KERNEL_FOR(name "_dict8", SPRY_VALUES_DICT8, FORMAT, OP), __VA_ARGS__}, {                 \
        SPRY_CUDA_KERNEL_FOR(name "_dict16", SPRY_VALUES_DICT16, FORMAT, OP), __VA_ARGS__                    \
    }
#if SPRY_TMPL_TYPE == 64
#define SPRY_CUDA_KERNELS(name, FORMAT, OP, ...)                                                             \
    {SPRY_CUDA_KERNEL_FOR(name "_f32", SPRY_VALUES_F32, FORMAT, OP), __VA_ARGS__},                           \
        SPRY_CUDA_TABLE_KERNELS(name, FORMAT, OP, __VA_ARGS__)
#else
#define SPRY_CUDA_KERNELS SPRY_CUDA_TABLE_KERNELS
#endif
#else
#define SPRY_CUDA_KERNELS(name, FORMAT, OP, ...)                                                             \
    { SPRY_CUDA_KERNEL(name, FORMAT, OP), __VA_ARGS__ }
#endif

/* Each format's plan, beside its kernels in spmv/. The facts of the matrix (`sorted`, `row_sorted`) are set. */
spry_status NAME(spry_csr_plan)(spry_context *context, spry_matrix *matrix); /* and CSC */
spry_status NAME(spry_coo_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_ell_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_hyb_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_jds_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_sell_plan)(spry_context *context, spry_matrix *matrix);
spry_status NAME(spry_stencil_plan)(spry_context *context, spry_matrix *matrix); /* and shapes */

#endif
