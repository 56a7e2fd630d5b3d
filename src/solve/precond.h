/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners as they are inside: one record of code for each kind. */
#ifndef SPRY_PRECOND_H
#define SPRY_PRECOND_H

#include "core/internal.h"

/* Largest block along the diagonal: a warp of a device inverts one, a lane a row. */
#define SPRY_MAX_BLOCK 32
#define SPRY_DEFAULT_BLOCK 8
#define SPRY_MAX_DEGREE 100
#define SPRY_DEFAULT_DEGREE 4
#define SPRY_MAX_POWER 2
#define SPRY_DEFAULT_POWER 1
/* Most entries of a row of an approximate inverse: its system is kept on the stack of a thread, or by a warp of a
   device. */
#define SPRY_MAX_ENTRIES 64
#define SPRY_DEFAULT_ENTRIES 32

struct spry_precond_code {
    const char *name;
    bool keeps_matrix; /* applies the matrix itself, which has to live, and to be the same in updates */
    /* Build `part` from a CSR matrix with base 0 and sorted rows, on the backend of the context. What was built before
       a failure is released by destroy. */
    spry_status (*create)(spry_context *context, spry_precond *precond, const spry_matrix *csr);
    /* Take the values of a matrix with the same pattern. */
    spry_status (*update)(spry_context *context, spry_precond *precond, const spry_matrix *csr);
    /* y = M⁻¹ x. Allocates nothing and does not wait for a device, so that it can be captured. */
    spry_status (*apply)(spry_context *context, const spry_precond *precond, const void *x, void *y);
    void (*destroy)(spry_precond *precond);
};

struct spry_precond {
    const struct spry_precond_code *code;
    spry_precond_options options; /* with defaults filled in */
    spry_backend backend;
    int device;
    int64_t n;
    int64_t nnz; /* of the CSR matrix that it was made from */
    spry_value_type type;
    spry_index_type index;
    const spry_matrix *matrix; /* as the caller gave it, for kinds that keep it; else null */
    const void *diagonal;      /* Jacobi: what is multiplied by; else null */
    double shift;              /* that the factors were made with */
    void *part;                /* what the kind needs; null before create */
    spry_allocator allocator;  /* of host memory: this struct and `part` */
    spry_allocator arrays;     /* of memory where it works */
};

extern const struct spry_precond_code spry_jacobi_code, spry_block_jacobi_code, spry_ssor_code,
    spry_ilu0_code, spry_ic0_code, spry_chebyshev_code, spry_fsai_code;

#endif
