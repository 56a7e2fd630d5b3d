/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam between the library and where it works: what a backend must be able to do besides what the table
   has for each format. */
#ifndef SPRY_BACKEND_H
#define SPRY_BACKEND_H

#include "core/algorithm.h"
#include "core/instance.h"
#include "core/saturate.h"

/* What folders above this one run on a backend; each is declared in the header that says what it must do. */
struct spry_analysis; /* analysis/analysis.h */
struct spry_updates;  /* solve/update.h */

/* How values are coded: by which coder, for which type, with which table. */
struct spry_coded {
    const struct spry_value_coder *coder;
    spry_value_type type;
    struct spry_value_table table;
};

/* A value code: see codes/coder.h. */
struct spry_value_coder {
    size_t size;  /* bytes that a value takes, beside the table */
    int64_t most; /* different values that a table holds; 0: the code has none */
    /* Encode n values and compare with what the codes stand for. *broken becomes the number of the first that the code does
       not keep exactly, bit by bit, or n. A zero that a table lacks pads the layout: it gets any code. */
    spry_status (*encode)(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                          void *codes, int64_t *broken);
    /* Decode n values. */
    spry_status (*decode)(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                          void *values);
    /* With a table: find the different ones among n values. *count becomes their number, or one that is larger than `most`
       where they are more than that; else `bits`, on the host with room for `most`, gets theirs in any order. */
    spry_status (*collect)(spry_context *context, const struct spry_coded *how, int64_t n, const void *values,
                           uint64_t *bits, int64_t *count);
    /* With a table: *broken becomes the number of the first code that stands for nothing in it, or n. */
    spry_status (*check)(spry_context *context, const struct spry_coded *how, int64_t n, const void *codes,
                         int64_t *broken);
};

struct spry_backend_code {
    const struct spry_instance *instance[SPRY_TYPE_COUNT][SPRY_INDEX_COUNT];
    const struct spry_number_instance *numbers[SPRY_NUMBER_COUNT];
    /* Make a new context ready: set its `arrays`. What was done before a failure is undone by close. */
    spry_status (*open)(spry_context *context, const spry_context_options *options);
    void (*close)(spry_context *context);
    /* The last step of making a matrix, when its plan is complete: from now on other contexts may use it. */
    spry_status (*finish)(spry_context *context, spry_matrix *matrix);
    /* See to what is left to the first such product with this matrix, and have the workspace that it needs and, unless `bytes`
       is zero, so many more at *beside, not cleared, that the product leaves alone. Workspace moves when it grows, so all that
       a call needs is asked for at once: it is good until another call asks. */
    spry_status (*reserve)(spry_context *context, const spry_matrix *matrix, spry_op op, size_t bytes,
                           void **beside);
    spry_status (*synchronize)(spry_context *context);
    /* Wait for all that may still use an array of a device, in whatever context, before it is released. */
    void (*synchronize_device)(int device);
    /* Copy between host memory and arrays, or from array to array; ended when it returns. */
    spry_status (*copy)(spry_context *context, void *to, const void *from, size_t bytes);
    /* How many bytes arrays can still have where the context works; false where that cannot be told. Null where nobody can. */
    bool (*memory_left)(const spry_context *context, size_t *bytes);
    /* Whether work in this context can read an array that a caller brings. */
    bool (*reaches)(const spry_context *context, const void *array);
    /* Whether what goes into the context's stream can be recorded. This and the three that record and replay are null where
       work is done at once. */
    bool (*can_record)(const spry_context *context);
    /* Record what `body` puts into the context's stream, to be put there again by `replay`. */
    spry_status (*record)(spry_context *context, spry_status (*body)(void *argument), void *argument,
                          void **recording);
    spry_status (*replay)(spry_context *context, void *recording);
    void (*destroy_recording)(void *recording);
    /* y = beta y, for products without a matrix to look at. y is not read if beta is zero. */
    spry_status (*scale)(spry_context *context, spry_value_type type, int64_t n, double beta, void *y);
    /* Copy n values of `size` bytes, 4 or 8, from places `from_step` values apart to places `to_step` apart. */
    spry_status (*copy_strided)(spry_context *context, size_t size, int64_t n, const void *from,
                                int64_t from_step, void *to, int64_t to_step);
    spry_status (*cast_integers)(spry_context *context, const void *from, size_t from_size, void *to,
                                 size_t to_size, int64_t n);
    spry_status (*cast_values)(spry_context *context, const void *from, spry_value_type from_type, void *to,
                               spry_value_type to_type, int64_t n);
    /* Put the machine's name, as profiles have it, into `name`; how many threads, or multiprocessors, it has. */
    int (*machine)(const spry_context *context, char *name, size_t size);
    /* How fast memory is read, as its maker states it, in 10^9 bytes a second; 0: not stated. Null where none can know
       but by measuring. */
    spry_status (*memory_gbs)(spry_context *context, double *gbs);
    /* Compute the features of a matrix if choosing its kernel will need them, so that the plan can use them too
       (select/cheapest.h). Null: plans do not. */
    spry_status (*look)(spry_context *context, spry_matrix *matrix);
    /* Let a matrix have the kernels that should take the least time, in place of the last of the table: see
       select/cheapest.h. */
    spry_status (*choose)(spry_context *context, spry_matrix *matrix);
    spry_status (*choose_made)(spry_context *context, const spry_matrix *csr,
                               const spry_convert_options *options, spry_matrix *matrix);
    /* By value code; null for values that are kept as they are. */
    const struct spry_value_coder *coder[SPRY_VALUE_CODE_COUNT];
    const struct spry_analysis *analysis;
    const struct spry_updates *updates;
};

/* How workspace is shared: what a product needs comes first, and what is beside it begins at an aligned place. */
static inline size_t spry_workspace_bytes(size_t own, size_t beside) {
    return beside > 0 ? spry_sum_sizes(spry_sum_sizes(own, SPRY_ALIGNMENT), beside) : own;
}
static inline void *spry_beside(void *workspace, size_t own) {
    return (char *)workspace + own + -own % SPRY_ALIGNMENT;
}

extern const struct spry_backend_code spry_cpu_backend;
/* Null in a library built without CUDA. */
const struct spry_backend_code *spry_cuda_backend(void);

/* Null for a backend that the library was built without. */
const struct spry_backend_code *spry_backend_code(spry_backend backend);

#endif
