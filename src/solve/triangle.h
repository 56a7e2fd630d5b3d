/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Triangles prepared for substitution, and incomplete factors. A row of a triangle depends on those that its entries
 * beside the diagonal are multiplied with. Rows that depend on rows of earlier levels only are one level, and can be
 * worked on side by side (Naumov, "Parallel solution of sparse triangular linear systems in the preconditioned
 * iterative methods on the GPU", NVR-2011-001). So rows are kept in the order of their levels.
 */
#ifndef SPRY_TRIANGLE_H
#define SPRY_TRIANGLE_H

#include "core/backend.h"

/* A square matrix in CSR, base 0, sorted, where the context works. */
struct spry_square {
    int64_t n, nnz;
    spry_value_type type;
    spry_index_type index;
    spry_csr csr;
    void *diagonal; /* pointer, n: where the first entry of a row is that is not left of the diagonal */
};

/* The pattern of such a matrix, in host memory. */
struct spry_pattern {
    int64_t n, nnz;
    size_t ptr_size, idx_size;
    void *ptr, *idx;
};

/* Rows in an order in which each comes after all that it depends on, and how they are shared among threads: in
   stages, one after the other. Part p of stage s takes the positions from cut[s * parts + p] to the next cut. */
struct spry_order {
    int64_t n, levels;
    void *row; /* index, n: position -> row */
    int parts;
    int64_t stages;
    int64_t *cut; /* stages * parts + 1; null on a device */
};

/*
 * A triangle without its diagonal, by position: z[p] = (b[from[p]] - Σ val[k] z[idx[k]]) inverse[p], and then
 * x[row[p]] = z[p]. Rows of one level that follow each other mostly need rows of another one that follow each other
 * too, so z is read, and written, nearly from end to end, where x would be all over the place.
 *
 * On the CPU, where no level is worth sharing, rows stay in their own order, and x itself, or z by row, is in the
 * place of z by position.
 */
struct spry_substitution {
    spry_backend backend;
    int device; /* CUDA: its number */
    spry_value_type type;
    spry_index_type index;
    struct spry_order order;
    bool by_level;        /* false: in the order of the rows */
    int64_t nnz, longest; /* entries; those of the longest row */
    void *from;           /* index, n: where b is another one's z by position; null where it is by row */
    void *position;       /* CPU, by level: index, n: row -> position; else null */
    void *ptr;            /* pointer, n + 1 */
    void *idx;            /* index, nnz: positions; rows unless by level */
    void *source;         /* pointer, nnz: where the entry is in the matrix */
    void *val;            /* value, nnz */
    void *inverse;        /* value, n; null for ones */
    void *z;              /* value, n */
    spry_allocator allocator, arrays;
};

/* How a substitution's numbers come from a matrix's. */
struct spry_scaling {
    double weight;    /* of entries beside the diagonal */
    double inverse;   /* inverse[p] is so much divided by the diagonal entry; 0: there is none */
    bool divide_rows; /* entries are divided by the diagonal entry of their row */
};

/* First rows with a fault; -1 where there is none. */
struct spry_square_faults {
    int64_t missing;  /* no entry on the diagonal */
    int64_t repeated; /* a column occurs twice */
};

/* How far the pattern of an approximate inverse reaches. */
struct spry_fsai_extent {
    int power;   /* steps of a path: 1, or 2 */
    int entries; /* of a row at most, SPRY_MAX_ENTRIES or fewer */
};

/* Code for arrays of one pair of value and index type, on one backend. */
struct spry_triangle_code {
    /* Fill in square->diagonal. */
    spry_status (*locate)(spry_context *context, const struct spry_square *square,
                          struct spry_square_faults *faults);
    /* Take new values. `fault` becomes the first row whose diagonal entry has no inverse while it is divided by, or -1. The
       entry is at that row's place in z then. */
    spry_status (*fill)(spry_context *context, const struct spry_square *square,
                        const struct spry_scaling *scaling, const struct spry_substitution *substitution,
                        int64_t *fault);
    /* x may be b; with null, the solution stays in z. On a device it is not waited for. */
    spry_status (*solve)(spry_context *context, const struct spry_substitution *substitution, const void *b,
                         void *x);
    /*
     * Put the factors of A + shift |D| in the place of A: of LU, L has ones on its diagonal, which are not stored; of
     * L Lᵀ, L is in the place of the lower triangle, and the upper one is left as it is. `order` is that of the lower
     * triangle. `fault` becomes the first row whose pivot has no inverse (for L Lᵀ: or is not positive), or -1; the rows
     * after it are of no use then.
     */
    spry_status (*factor_ilu0)(spry_context *context, const struct spry_square *square,
                               const struct spry_order *order, double shift, int64_t *fault);
    spry_status (*factor_ic0)(spry_context *context, const struct spry_square *square,
                              const struct spry_order *order, double shift, int64_t *fault);
    /* Approximate inverses: see solve/fsai.h. On a device the pattern is null: it is found on the host. */
    spry_status (*fsai_pattern)(spry_context *context, const spry_matrix *csr,
                                const struct spry_fsai_extent *extent, spry_matrix **factor);
    spry_status (*fsai_fill)(spry_context *context, const spry_matrix *csr, double shift, int most,
                             const spry_matrix *factor);
};

static inline const struct spry_triangle_code *
spry_triangle_code(const spry_context *context, spry_value_type type, spry_index_type index) {
    return context->code->instance[type][index]->triangle;
}

/* ---- levels.c ---- */

/* The levels of the rows of a triangle, and how many entries each row has beside the diagonal; both of n. Returns the
   number of levels. */
int64_t spry_find_levels(const struct spry_pattern *pattern, spry_triangle triangle, int64_t *level,
                         int64_t *length);
/* Fill in order->row, by level and then by row. `begin`, levels + 1, becomes where each level begins. */
void spry_sort_by_level(const int64_t *level, int64_t *begin, size_t idx_size,
                        const struct spry_order *order);

/* ---- stages.c ---- */

/* Fill in the stages of an order whose level l has the positions from begin[l] on; ptr counts the entries. */
spry_status spry_cut_stages(spry_context *context, const int64_t *begin, const void *ptr, size_t ptr_size,
                            struct spry_order *order);
/* On the CPU: call `rows` for all positions, each after those that it depends on. */
void spry_walk_stages(const struct spry_order *order,
                      void (*rows)(const void *call, int64_t begin, int64_t end), const void *call);

/* ---- square.c ---- */

/* A CSR matrix with its diagonal located. Closed in any case, with the context's arrays, when nothing on a device
   works with it any more. */
spry_status spry_square_open(spry_context *context, const spry_matrix *csr, struct spry_square *square,
                             struct spry_square_faults *faults);
void spry_square_close(const spry_allocator *arrays, struct spry_square *square);
/* SPRY_ERROR_INVALID where a row has no entry on the diagonal. */
spry_status spry_square_check_diagonal(spry_context *context, const struct spry_square_faults *faults);
/* Bring its pattern to the host, unless it is there already. Closed in any case. */
spry_status spry_pattern_open(spry_context *context, const struct spry_square *square,
                              struct spry_pattern *pattern);
void spry_pattern_close(spry_context *context, struct spry_pattern *pattern);

/* ---- substitution.c ---- */

/* Analyse a triangle of a square matrix with that pattern. `before`, unless it is null, is the substitution in whose
   z the right-hand sides will be. Released in any case. */
spry_status spry_substitution_create(spry_context *context, const struct spry_square *square,
                                     const struct spry_pattern *pattern, spry_triangle triangle,
                                     const struct spry_substitution *before,
                                     struct spry_substitution *substitution);
/* The same in the order of the rows, so that it is a matrix in CSR to be multiplied with, not to be solved with. */
spry_status spry_substitution_by_row(spry_context *context, const struct spry_square *square,
                                     const struct spry_pattern *pattern, spry_triangle triangle,
                                     struct spry_substitution *substitution);
/* Take values. SPRY_ERROR_INVALID with the row and its diagonal entry, where that has no inverse and is divided by. */
spry_status spry_substitution_fill(spry_context *context, const struct spry_square *square,
                                   const struct spry_scaling *scaling,
                                   struct spry_substitution *substitution);
/* Of whatever there is; cleared memory is allowed. */
void spry_substitution_release(struct spry_substitution *substitution);

#endif
