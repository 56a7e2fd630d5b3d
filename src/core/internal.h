/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the library share: contexts, memory, matrices as they are inside. */
#ifndef SPRY_INTERNAL_H
#define SPRY_INTERNAL_H

#include <stdbool.h>

#include "core/cuda_plan.h"
#include "spry/spry.h"

/* One cache line, and one AVX-512 register. */
#define SPRY_ALIGNMENT 64

/* Bytes of a context's message. */
#define SPRY_MESSAGE 1024

struct spry_backend_code;
struct spry_profile;
struct spry_device;
struct spry_features;
struct spry_scatter;

struct spry_context {
    spry_backend backend;
    const struct spry_backend_code *code;
    int device_number;          /* CUDA: the device */
    struct spry_device *device; /* CUDA: see cuda/device.h */
    int threads;
    unsigned cpu_features; /* or of spry_cpu_feature, what was disabled taken out */
    char *disable;         /* names not to be used, comma-separated */
    size_t disable_bytes;
    int64_t grain;            /* fewest entries worth the whole team */
    size_t cache_bytes;       /* last-level cache */
    size_t lasting_bytes;     /* what of that can be expected to last from one product to the next */
    size_t far_bytes;         /* CPU: a product that reads more asks ahead, as for what comes from memory */
    size_t inner_bytes;       /* the cache before it, of one core or multiprocessor */
    spry_allocator allocator; /* of host memory */
    spry_allocator arrays;    /* of memory where the context works */
    bool trusts_arrays;       /* those that are wrapped are not checked */
    bool nondeterministic;    /* products may add in any order */
    const spry_algorithm *algorithm[SPRY_PRIMITIVE_COUNT][SPRY_NUMBER_COUNT]; /* null where there is none */
    struct spry_profile *profile; /* null until predictions ask for it */
    size_t profile_bytes;
    /* CPU: workspace of the call that runs (core/scratch.h): windows of products that scatter, what others decode, what dense
       products pack. */
    void *scratch;
    size_t scratch_bytes;
    char message[SPRY_MESSAGE];
};

/* ---- status.c, context.c ---- */

/* Write the context's message and return `status`: `return spry_fail(context, SPRY_ERROR_…, "…", …)`. */
spry_status spry_fail(spry_context *context, spry_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* SPRY_ERROR_ARGUMENT of a call whose context or pointer to its result is null; the context, where there is one, says which
   call it was. */
spry_status spry_no_result(spry_context *context, const char *call);
/* The same of a product whose matrix is null, or whose operation is none. */
spry_status spry_no_product(spry_context *context, const char *call, const void *matrix, spry_op op);
/* The caller's last message, over attempts whose refusals are not the caller's errors. */
struct spry_kept_message {
    char text[SPRY_MESSAGE];
};
void spry_keep_message(const spry_context *context, struct spry_kept_message *kept);
void spry_restore_message(spry_context *context, const struct spry_kept_message *kept);

/* Whether a comma-separated list, which may be null, has this name. */
bool spry_in_list(const char *list, const char *name);

/* Whether a feature, kernel or algorithm of this name was disabled in the context. */
bool spry_is_disabled(const spry_context *context, const char *name);

/* ---- allocate.c ---- */

/* Memory for count × size bytes, aligned to SPRY_ALIGNMENT, not cleared; one byte at least. Overflow and
   refusal become a status with a message; *pointer is null then. */
spry_status spry_allocate(spry_context *context, size_t count, size_t size, void **pointer);
/* The same for so many counts. */
spry_status spry_allocate_counts(spry_context *context, int64_t count, int64_t **counts);
/* The same where the context works, which is the host for the CPU. */
spry_status spry_allocate_array(spry_context *context, size_t count, size_t size, void **pointer);
/* Release what spry_allocate or spry_allocate_array gave for this count and size; null is allowed. */
void spry_release(const spry_allocator *allocator, void *pointer, size_t count, size_t size);

/* ---- matrix ---- */

/* One array of a matrix: what it takes to release it. */
struct spry_owned {
    void *pointer;
    size_t count, size;
    spry_allocator allocator; /* of the context that took it */
};

/* Where a part of a product begins: at an entry of a unit. A unit is a row of CSR, ELL, DIA, stencils or shapes, a column of
   CSC, a sorted position of JDS, a slice of SELL, a row of blocks of BSR; for COO it is not used. CSR and CSC can begin inside
   a unit, so that one long row does not serialise the product; elsewhere entry is zero. */
struct spry_cut {
    int64_t unit, entry;
};

/* What a piece of a product that scatters touches of its output: first … first + count - 1. */
struct spry_window {
    int64_t first, count;
};

/* How a product is split among threads: part p goes from cut[p] to cut[p + 1]. */
struct spry_split {
    int parts;
    struct spry_cut *cut; /* parts + 1 */
};

/* What products that gather need, which run along the storage: prepared when the matrix is built. By operation. HYB's parts have plans
   of their own; it is split itself, into rows of both, where that is even. */
struct spry_plan {
    struct spry_split split[SPRY_OP_COUNT];
    bool far; /* a product reads more than the context's far_bytes */
    /* CSR and columns of CSC: which rows follow the one before (core/following.h); null where few do. */
    const uint64_t *following;
    /* Slots that a part decodes at once, at most; 0 where none are decoded: see codes/decode.h. */
    int64_t room;
};

/* What the codes of a matrix stand for: `count` different values of its type, in the order of their bits as a number. The
   array, which is where the matrix is, is as long as the code can have it, with the last value again up to its end: so it
   stays where it is when new values come, and no code leads past it. */
struct spry_value_table {
    void *values; /* null where codes stand for themselves */
    int64_t count;
};

/* Arrays that a matrix owns at most: six of a format, bases of columns among them, a table of values, and what its plan has. */
#define SPRY_MAX_OWNED 12

#define SPRY_FORMAT_MEMBER(NAME, name, title) spry_##name name;
union spry_any_format {
    SPRY_FORMAT_LIST(SPRY_FORMAT_MEMBER)
};

struct spry_matrix {
    spry_backend backend;
    int device; /* CUDA: its number */
    spry_format format;
    spry_value_code values; /* how its layout's values are kept */
    struct spry_value_table table;
    spry_column_code columns; /* how its layout's columns are kept */
    void *bases; /* index, one a group of columns (struct spry_column_groups); null where they are plain */
    spry_value_type type;
    spry_index_type index;
    int64_t rows, cols, nnz;
    bool row_sorted; /* COO: rows never fall */
    /* COO: row_sorted, and columns never fall within a row; CSC: rows never fall within a column; CSR, SELL, BSR, DIA, stencils,
       shapes: columns never fall within a row. False too where nobody looked, as for ELL, HYB and JDS. */
    bool sorted;
    /* SELL: slots that are no entries have columns of the matrix. False too where nobody looked. */
    bool fills_padding;
    unsigned updates; /* how often spry_update_values may have changed its values, failed calls included */
    unsigned moves;   /* how often these came in other arrays, which recorded products do not know */
    union {           /* the struct of its format, by name or whichever it is */
        union spry_any_format any_format;
        SPRY_FORMAT_LIST(SPRY_FORMAT_MEMBER)
    };
    union {
        struct spry_plan plan;
        struct spry_cuda_plan cuda;
    };
    struct spry_scatter *scatter[SPRY_OP_COUNT]; /* CPU: see core/scatter.h; null for products that gather */
    const spry_kernel *kernel[SPRY_OP_COUNT];    /* what spry_spmv runs; null where all are disabled */
    const spry_kernel *many[SPRY_OP_COUNT];      /* what spry_spmm runs; null: columns one after the other */
    /* CSR and CSC: what it was found to be like, as one in CSR, where its kernel was chosen by that; or null. Released with
       this struct. */
    struct spry_features *features;
    size_t features_bytes;
    spry_allocator allocator; /* of this struct */
    struct spry_owned owned[SPRY_MAX_OWNED];
    int owned_count;
    spry_matrix *owned_parts[2]; /* HYB */
};

/* A new matrix without arrays; null pointers inside, so that it can be destroyed at any time. */
spry_status spry_matrix_new(spry_context *context, spry_format format, spry_value_type type,
                            spry_index_type index, int64_t rows, int64_t cols, int64_t nnz,
                            spry_matrix **matrix);
/* An array that the matrix owns and releases. */
spry_status spry_matrix_array(spry_context *context, spry_matrix *matrix, int64_t count, size_t size,
                              void **pointer);
/* Whether an array is one of its own, which nobody else writes to. */
bool spry_matrix_owns(const spry_matrix *matrix, const void *pointer);
/* Release one of its arrays now, if it is one. */
void spry_matrix_drop_array(spry_matrix *matrix, void *pointer);
/* Indices and values for this many entries, padding counted in. */
spry_status spry_matrix_entry_arrays(spry_context *context, spry_matrix *matrix, void **idx, void **val,
                                     int64_t slots);
/* The arrays of a CSR matrix whose size and number of nonzeros are set. */
spry_status spry_matrix_csr_arrays(spry_context *context, spry_matrix *csr);
/* Let two CSR matrices exchange the arrays that they own, and who releases them. */
void spry_csr_exchange_arrays(spry_matrix *a, spry_matrix *b);
/* Let a matrix own the arrays of another one besides its own; a move. There is room for them. */
void spry_matrix_take_arrays(spry_matrix *matrix, spry_matrix *from);
/* Let go of a failed matrix: destroys it, sets *matrix to null and returns the status. */
spry_status spry_matrix_abandon(spry_matrix **matrix, spry_status status);
/* A COO matrix with its three arrays, to be filled and then given to spry_matrix_finish. */
spry_status spry_matrix_new_coo(spry_context *context, spry_value_type type, spry_index_type index,
                                int64_t rows, int64_t cols, int64_t nnz, spry_matrix **matrix);
/* The last step of every construction that is to be multiplied with: its facts, its kernels, and what the product along its
   arrays needs, from arrays that are complete. */
spry_status spry_matrix_finish(spry_context *context, spry_matrix *matrix);
/* The same of a part, which is ready when the whole that it is made for is finished: nothing waits for it by itself. */
spry_status spry_matrix_plan(spry_context *context, spry_matrix *matrix);

/* As spry_matrix_copy, without the last step: of a matrix that may be broken, to be looked at only. */
spry_status spry_matrix_copy_unfinished(spry_context *context, const spry_matrix *source, spry_matrix **copy);

/* Bytes that a product reads and writes: the matrix, x and y. */
double spry_product_bytes(const spry_matrix *matrix);

/* What is at place k of an array of values where the context works. */
spry_status spry_fetch_value(spry_context *context, spry_value_type type, const void *values, int64_t k,
                             double *value);

/* Faults of sizes and types that can be seen without touching the arrays. */
spry_status spry_check_size(spry_context *context, const char *call, spry_value_type type,
                            spry_index_type index, int64_t rows, int64_t cols, int64_t nnz);
/* Whether a call's context can work with what is on this device of a backend: it is on the same one. `what` and what may be done
   about it, which may be empty, are for the message. */
spry_status spry_check_device(spry_context *context, spry_backend backend, int device, const char *call,
                              const char *what, const char *advice);
/* The same of a matrix. */
spry_status spry_check_place(spry_context *context, const spry_matrix *matrix, const char *call);

/* Largest row, column or number of rows that an index type holds; the same for offsets. */
int64_t spry_index_max(spry_index_type index);
int64_t spry_pointer_max(spry_index_type index);

/* What has a name of so many letters, in any case; SPRY_NO_FORMAT, SPRY_NO_VALUES or SPRY_NO_COLUMNS: nothing. */
spry_format spry_format_named(const char *name, size_t length);
spry_value_code spry_value_code_named(const char *name, size_t length);
spry_column_code spry_column_code_named(const char *name, size_t length);

#endif
