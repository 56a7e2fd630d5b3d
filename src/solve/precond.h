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
#define SPRY_MAX_SWEEPS 100
#define SPRY_MAX_POWER 2
#define SPRY_DEFAULT_POWER 1
/* Most entries of a row of an approximate inverse: its system is kept on the stack of a thread, or by a warp of a
   device. */
#define SPRY_MAX_ENTRIES 64
#define SPRY_DEFAULT_ENTRIES 32

struct spry_precond_code {
    const char *name;
    /* Build `part` from a CSR matrix with base 0 and sorted rows, on the backend of the context. What was built before
       a failure is released by destroy. */
    spry_status (*create)(spry_context *context, spry_precond *precond, const spry_matrix *csr);
    /* Take the values of a matrix with the same pattern. */
    spry_status (*update)(spry_context *context, spry_precond *precond, const spry_matrix *csr);
    /* y = M⁻¹ x. Allocates nothing and does not wait for a device, so that it can be captured. */
    spry_status (*apply)(spry_context *context, const spry_precond *precond, const void *x, void *y);
    void (*destroy)(spry_precond *precond);
    /* Have the workspace of the context that applications need; null where that is none. */
    spry_status (*reserve)(spry_context *context, const spry_precond *precond);
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
    const spry_matrix *matrix; /* as the caller gave it, in create and update; else null */
    spry_storage storage;      /* how the caller keeps it, for what is to be multiplied with as fast */
    const void *diagonal;      /* Jacobi: what is multiplied by; else null */
    unsigned updates;          /* how often it was given new values */
    double shift;              /* that the factors were made with */
    void *part;                /* what the kind needs; null before create */
    spry_allocator allocator;  /* of host memory: this struct and `part` */
    spry_allocator arrays;     /* of memory where it works */
};

extern const struct spry_precond_code spry_jacobi_code, spry_block_jacobi_code, spry_ssor_code,
    spry_ilu0_code, spry_ic0_code, spry_chebyshev_code, spry_fsai_code;

/* ---- keep.c ---- */

/* Make a matrix to be multiplied with of one in CSR, with base 0 and sorted rows, whose values may change: like others in
   `storage`, as far as that can keep these values, or, where that is null, as SPRY_AUTO chooses. */
spry_status spry_keep(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                      spry_matrix **matrix);

/* ---- single.c ---- */

/* Any kind, in f32 between vectors in f64. */
extern const struct spry_precond_code spry_single_code;

/* ---- coloured.c, precond.c ---- */

/* A kind of two triangles, in the order of colours. */
extern const struct spry_precond_code spry_coloured_code;

/* SPRY_ERROR_ARGUMENT for null, and for one that is not where the context works. */
spry_status spry_precond_check_place(spry_context *context, const spry_precond *precond, const char *call);

/* Have the workspace that applications in this context need: they allocate nothing then. */
spry_status spry_precond_reserve(spry_context *context, const spry_precond *precond);

/* As spry_precond_create, arguments checked, of a matrix whose caller keeps it in another storage. */
spry_status spry_precond_make(spry_context *context, const spry_matrix *matrix, const spry_storage *storage,
                              const spry_precond_options *options, spry_precond **result);

#endif
