/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of formats and of their kernels on a device have in common. */
#ifndef SPRY_FORMATS_CUH
#define SPRY_FORMATS_CUH

#include "codes/stored.cuh"

/* The fields of a kernel's record that follow from where it stands. */
#define SPRY_CUDA_KERNEL(name, FORMAT, OP) SPRY_CUDA_KERNEL_FOR(name, PLAIN, PLAIN, FORMAT, OP)
#define SPRY_CUDA_KERNEL_FOR(name_, COLUMNS, VALUES, FORMAT, OP)                                             \
    .name = name_, .format = FORMAT, .values = SPRY_VALUES_##VALUES, .columns = SPRY_COLUMNS_##COLUMNS,      \
    .op = OP, .backend = SPRY_CUDA, .type = TMPL_TYPE, .index = TMPL_INDEX

/* The record of a kernel in a file that is compiled for codes too, where it is one for each value code; with narrow columns, one for
   plain values too. */
#ifdef SPRY_TMPL_CODE
#define SPRY_CUDA_TABLE_KERNELS(name, COLUMNS, FORMAT, OP, ...)                                              \
    {SPRY_CUDA_KERNEL_FOR(name "_constant", COLUMNS, CONSTANT, FORMAT, OP), __VA_ARGS__},                    \
        {SPRY_CUDA_KERNEL_FOR(name "_dict8", COLUMNS, DICT8, FORMAT, OP), __VA_ARGS__}, {                    \
        SPRY_CUDA_KERNEL_FOR(name "_dict16", COLUMNS, DICT16, FORMAT, OP), __VA_ARGS__                       \
    }
#if SPRY_TMPL_TYPE == 64
#define SPRY_CUDA_CODE_KERNELS(name, COLUMNS, FORMAT, OP, ...)                                               \
    {SPRY_CUDA_KERNEL_FOR(name "_f32", COLUMNS, F32, FORMAT, OP), __VA_ARGS__},                              \
        SPRY_CUDA_TABLE_KERNELS(name, COLUMNS, FORMAT, OP, __VA_ARGS__)
#else
#define SPRY_CUDA_CODE_KERNELS SPRY_CUDA_TABLE_KERNELS
#endif
#ifdef SPRY_TMPL_NARROW
#define SPRY_CUDA_KERNELS(name, FORMAT, OP, ...)                                                             \
    {SPRY_CUDA_KERNEL_FOR(name "_narrow", NARROW, PLAIN, FORMAT, OP), __VA_ARGS__},                          \
        SPRY_CUDA_CODE_KERNELS(name "_narrow", NARROW, FORMAT, OP, __VA_ARGS__)
#else
#define SPRY_CUDA_KERNELS(name, FORMAT, OP, ...) SPRY_CUDA_CODE_KERNELS(name, PLAIN, FORMAT, OP, __VA_ARGS__)
#endif
#else
#define SPRY_CUDA_KERNELS(name, FORMAT, OP, ...)                                                             \
    { SPRY_CUDA_KERNEL(name, FORMAT, OP), __VA_ARGS__ }
#endif

/* Each format's plan, beside its kernels in spmv/. The facts of the matrix (`sorted`, `row_sorted`) are set. */
extern "C" spry_status NAME(spry_coo_plan)(spry_context *context, spry_matrix *matrix);
extern "C" spry_status NAME(spry_sell_plan)(spry_context *context, spry_matrix *matrix);
/* For new values too: into the array that the plan has, where it has one. */
extern "C" spry_status NAME(spry_stencil_parts)(spry_context *context, spry_matrix *matrix);
extern "C" spry_status NAME(spry_bsr_plan)(spry_context *context, spry_matrix *matrix);

#endif
