/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the library share: contexts, memory, matrices as they are inside. */
#ifndef SPRY_INTERNAL_H
#define SPRY_INTERNAL_H

#include <stdbool.h>

#include "spry/spry.h"

/* Parts of a product and their carries live on the caller's stack, so their number is bounded. */
#define SPRY_MAX_THREADS 256
/* One cache line, and one AVX-512 register. */
#define SPRY_ALIGNMENT 64

struct spry_context {
    int threads;
    unsigned cpu_features; /* or of spry_cpu_feature, what was disabled taken out */
    char *disable;         /* names not to be used, comma-separated */
    size_t disable_bytes;
    int64_t grain;      /* fewest entries worth a thread of their own */
    size_t cache_bytes; /* last-level cache */
    spry_allocator allocator;
    void *scratch; /* workspace of products that scatter */
    size_t scratch_bytes;
    char message[1024];
};

/* ---- status.c, context.c ---- */

/* Write the context's message and return `status`: `return spry_fail(context, SPRY_ERROR_…, "…", …)`. */
spry_status spry_fail(spry_context *context, spry_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a feature or kernel of this name was disabled in the context. */
bool spry_is_disabled(const spry_context *context, const char *name);

/* ---- allocate.c ---- */

/* Memory for count × size bytes, aligned to SPRY_ALIGNMENT, not cleared; one byte at least. Overflow and
   refusal become a status with a message; *pointer is null then. */
spry_status spry_allocate(spry_context *context, size_t count, size_t size, void **pointer);
/* The size that spry_allocate took for count × size, which is what release needs. */
void spry_release(const spry_allocator *allocator, void *pointer, size_t count, size_t size);
/* Make the context's scratch memory at least this large. Its content is lost. */
spry_status spry_reserve_scratch(spry_context *context, size_t bytes);

/* ---- matrix ---- */

/* One array of a matrix: what it takes to release it. */
struct spry_owned {
    void *pointer;
    size_t count, size;
};

/* Where a part of a product begins: at an entry of a unit. A unit is a row of CSR or ELL, a column of CSC,
   a sorted position of JDS; for COO it is not used. CSR and CSC can begin inside a unit, so that one long
   row does not serialise the product; elsewhere entry is where the unit begins, or zero. */
struct spry_cut {
    int64_t unit, entry;
};

/* What one part of a product that scatters touches of its output: first … first + count - 1. */
struct spry_window {
    int64_t first, count;
};

/* How a product is split among threads: part p goes from cut[p] to cut[p + 1]. */
struct spry_split {
    int parts;
    struct spry_cut *cut;       /* parts + 1 */
    struct spry_window *window; /* parts; null for a product that gathers */
};

/* What the products of a matrix need, prepared when it is built. By operation: the one that runs along
   the storage gathers from x, the other scatters to y. HYB has none of its own. */
struct spry_plan {
    struct spry_split split[SPRY_OP_COUNT];
    size_t scratch; /* bytes of workspace that the hungrier of both needs */
};

/* Arrays that a matrix owns at most: four of a format, four of the splits of its two products. */
#define SPRY_MAX_OWNED 8

struct spry_matrix {
    spry_format format;
    spry_type type;
    spry_index index;
    int64_t rows, cols, nnz;
    bool steady;     /* CSR and CSC: most rows (columns) are as long as the one before */
    bool row_sorted; /* COO: rows never fall */
    bool sorted; /* COO: row_sorted, and columns never fall within a row; CSR, CSC: the same by their order */
    union {
        spry_coo coo;
        spry_csr csr;
        spry_csc csc;
        spry_ell ell;
        spry_hyb hyb;
        spry_jds jds;
    };
    struct spry_plan plan;
    const spry_kernel *kernel[SPRY_OP_COUNT]; /* what spry_spmv runs; null where all are disabled */
    spry_allocator allocator;
    struct spry_owned owned[SPRY_MAX_OWNED];
    int owned_count;
    spry_matrix *owned_parts[2]; /* HYB */
};

/* A new matrix without arrays; null pointers inside, so that it can be destroyed at any time. */
spry_status spry_matrix_new(spry_context *context, spry_format format, spry_type type, spry_index index,
                            int64_t rows, int64_t cols, int64_t nnz, spry_matrix **matrix);
/* An array that the matrix owns and releases. */
spry_status spry_matrix_array(spry_context *context, spry_matrix *matrix, int64_t count, size_t size,
                              void **pointer);
/* Indices and values for this many entries, padding counted in. */
spry_status spry_matrix_entry_arrays(spry_context *context, spry_matrix *matrix, void **idx, void **val,
                                     int64_t slots);
/* The arrays of a CSR matrix whose size and number of nonzeros are set. */
spry_status spry_matrix_csr_arrays(spry_context *context, spry_matrix *csr);
/* Let two CSR matrices exchange the arrays that they own, and who releases them. */
void spry_csr_exchange_arrays(spry_matrix *a, spry_matrix *b);
/* Let go of a failed matrix: destroys it, sets *matrix to null and returns the status. */
spry_status spry_matrix_abandon(spry_matrix **matrix, spry_status status);
/* A COO matrix with its three arrays, to be filled and then given to spry_matrix_finish. */
spry_status spry_matrix_new_coo(spry_context *context, spry_type type, spry_index index, int64_t rows,
                                int64_t cols, int64_t nnz, spry_matrix **matrix);
/* The last step of every construction: what a product needs, from arrays that are complete. */
spry_status spry_matrix_finish(spry_context *context, spry_matrix *matrix);

/* Largest row, column or number of rows that an index type holds; the same for offsets. */
int64_t spry_index_max(spry_index index);
int64_t spry_pointer_max(spry_index index);

#endif
