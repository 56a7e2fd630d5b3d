/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table: format code and kernels, found by format, value type and index type. Dispatch, selector,
   tests and benchmark read nothing else. */
#ifndef SPRY_TABLE_H
#define SPRY_TABLE_H

#include "core/cover.h"
#include "core/internal.h"

struct spry_candidate;
union spry_terms;

/* One array of a format. */
struct spry_array {
    void **pointer;
    int64_t count;
    size_t size;
};
#define SPRY_MAX_ARRAYS 6

/* How the columns of a layout lie in groups that have a base each: those of `each` rows of CSR, or of a slice of SELL. */
struct spry_column_groups {
    int64_t units, each; /* rows or slices, and how many of them make a group */
    const void *ptr;     /* pointer, units + 1: where they begin, counted in `step` slots */
    int64_t step, slots; /* slots: of all units */
    /* Null; or index, where slots `height` apart are a row's: how many of them are entries. */
    const void *len;
    int64_t height;
};

static inline int64_t spry_group_count(const struct spry_column_groups *groups) {
    return spry_cover(groups->units, groups->each);
}

/* How the rows of a layout lie in units that products are cut between: slices of SELL, rows of blocks of BSR. */
struct spry_units {
    const void *ptr;      /* pointer: where they begin, counted in `step` slots */
    int64_t step, height; /* height: rows of a unit */
    const void *perm;     /* null; or index: the row at each position */
};

/* Storages of one layout that the selector compares, at most. */
#define SPRY_CANDIDATES_MOST 4

/* What a format is, for one value and index type: a constant record in formats/<format>.c and, for another
   backend, one that has `validate`, `plan` and `complete` alone: sizes are the same everywhere. */
struct spry_format_code {
    /* The first fault of the arrays becomes a message and SPRY_ERROR_INVALID. Reads nothing that an
       earlier check has not shown to be inside the arrays. */
    spry_status (*validate)(spry_context *context, const spry_matrix *matrix, unsigned flags);
    /* Fill in the matrix's facts, and what products need, from its complete arrays: of those that scatter, on a CPU, only how
       it is found when it is asked for. Null where there is nothing to do. */
    spry_status (*plan)(spry_context *context, spry_matrix *matrix);
    /* Slots for entries, padding included. */
    int64_t (*slots)(const spry_matrix *matrix);
    /* Bytes of a slot in the arrays that have an item for each; null where no slot is padding. */
    size_t (*slot_size)(const spry_matrix *matrix);
    bool pads; /* may have slots that are no entries: conversions check the limit of fill */
    /* The format's arrays, whose sizes are set; how many there are. Those of matrices that it is composed of
       are theirs. */
    int (*arrays)(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]);
    /* What the arrays would be for a matrix that is not made yet: sets slots, bytes, width and spilled. */
    void (*estimate)(struct spry_candidate *candidate);
    /* The matrix in CSR that has these very arrays, to be looked at only, and the operation that is y = A x with it. Null
       for formats whose arrays are not those of CSR. */
    spry_op (*as_csr)(const spry_matrix *matrix, spry_matrix *csr);
    /* Null, or: work out what the caller's arrays leave out, with checks of what that reads. */
    spry_status (*complete)(spry_context *context, spry_matrix *matrix);
    /* The place of the pointer to the array of values, one a slot; null where there is no such array. */
    void **(*values)(spry_matrix *matrix);
    unsigned codes;       /* or of 1 << spry_value_code: what its values may be kept as besides plain */
    bool rests_on_values; /* new values may need arrays of other sizes */
    /* The same of its columns: the place of the pointer to them, and how they lie in groups; all three or none. */
    void **(*columns)(spry_matrix *matrix);
    void (*groups)(const spry_matrix *matrix, struct spry_column_groups *groups);
    unsigned column_codes;                                 /* or of 1 << spry_column_code */
    struct spry_units (*units)(const spry_matrix *matrix); /* null where rows lie in none */
    /* Null, or: of how many rows in order those of a group may be, with these parameters. Where it is not null, the selector
       compares column codes, if a kernel reads them as they are kept. */
    int64_t (*reach)(const int64_t *parameter);

    /* A layout with parameters has all of these. */
    int parameters;
    /* Null, or what is wrong with the parameters, of which zeros are the library's to choose. */
    const char *(*check)(const int64_t *parameter);
    /* Set a new matrix's parameters; those that are zero as suits the context. */
    void (*configure)(const spry_context *context, const int64_t *parameter, spry_matrix *matrix);
    /* The parameters of a matrix. */
    void (*describe)(const spry_matrix *matrix, int64_t *parameter);
    /* The parameters of storages that are worth comparing; how many. */
    int (*candidates)(const struct spry_candidate *candidate,
                      int64_t parameter[SPRY_CANDIDATES_MOST][SPRY_STORAGE_PARAMETERS]);
};

/* How a format is made from CSR and read back, for one value and index type: a constant record in
   convert/<format>.c. The CSR given has base 0 and sorted rows. */
struct spry_convert_code {
    /* Fill a new matrix, whose size is set, with arrays. */
    spry_status (*from_csr)(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix);
    /* Fill a new CSR matrix, whose size is set, with arrays of base 0 and sorted rows. */
    spry_status (*to_csr)(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr);
    /* Take the values of a CSR matrix of the same size and types, or SPRY_ERROR_PATTERN. Its rows are sorted; for a CSR
       matrix that is not sorted, they may be as they are there instead. */
    spry_status (*update)(spry_context *context, spry_matrix *matrix, const spry_matrix *csr);
    bool reads_columns; /* update() reads columns in a code as they are kept; else they are decoded for it */
};

/* z = a y + b x + c z, for a square matrix and the y that its product has given; z is null where nothing is added. Where c is zero,
   z is not read. */
struct spry_addition {
    double a, b, c;
    void *z;
};

/*
 * A product, as kernels are asked for it: Y = alpha op(A) X + beta Y. alpha is not zero; with beta = 0, Y is not read.
 * X and Y are vectors, or for kernels for many columns so many of them: value i of column c is at
 * x[i * x_step + c * x_next].
 */
struct spry_product {
    double alpha, beta;
    const void *x;
    void *y;
    int64_t columns, x_step, x_next, y_step, y_next;
    /* For kernels with `partials`, with alpha = 1 and beta = 0: null, or where partial sums of Σ w[i] y[i] go. */
    const void *w;
    double *partial;
    /* For kernels that scale, without partial sums: null, or the diagonal that op(A) is multiplied by from this side. The bits
       are those of a pass for each: x is multiplied by `right` and rounded; alpha times the sum is multiplied by `left` and
       rounded, and beta y, which is rounded too, added to that. */
    const void *left, *right;
    /* For kernels that add, without partial sums or diagonals: what they do with y while they have it. */
    struct spry_addition addition;
};

/* One kernel: a row of the table. */
struct spry_kernel {
    const char *name;
    spry_format format;
    spry_value_code values;   /* how the matrix keeps them */
    spry_column_code columns; /* the same */
    spry_op op;
    spry_backend backend;
    spry_value_type type;
    spry_index_type index;
    unsigned needs;        /* or of spry_cpu_feature */
    bool nondeterministic; /* adds in any order */
    bool many;             /* for products with many columns; all others are for vectors */
    bool scales;           /* takes diagonals on both sides of the matrix */
    bool adds;             /* takes an addition */
    bool reads_columns;    /* in a code as they are kept, in no more time than plain ones */
    int lanes;             /* on a GPU: threads that share a row, where that is a fixed number */
    /* Whether the kernel can take this matrix at all; null: it always can. */
    bool (*takes)(const spry_matrix *matrix);
    /* The product; the context has the workspace that the matrix needs. */
    spry_status (*run)(spry_context *context, const struct spry_kernel *kernel, const spry_matrix *matrix,
                       const struct spry_product *product);
    /* How many partial sums of Σ w[i] y[i] the product can leave on the way; null for kernels that are no better at it
       than a product and a sum after it. */
    int64_t (*partials)(const spry_matrix *matrix);
    /* What a product with a matrix that is not made yet would do; null for kernels that are not compared. For a product
       with the transpose along the entries, the candidate is the transpose. */
    union spry_terms (*work)(const struct spry_candidate *candidate);
    /* The name that its prices go by: that of a kernel which does the same; null: its own. */
    const char *priced_as;
    /* What `run` calls in each thread for its part; the kernel's file and `run` agree on the type. */
    void (*part)(void);
};

/* The kernels of one file for one value and index type. */
struct spry_kernel_list {
    size_t count;
    const struct spry_kernel *rows;
};

/* The code for matrices like this one; that of another format too. */
const struct spry_format_code *spry_format_code(const spry_matrix *matrix);
const struct spry_convert_code *spry_convert_code(const spry_matrix *matrix, spry_format format);
/* What is true of a format wherever it is: all but `validate`, `plan` and `complete`. */
const struct spry_format_code *spry_format_traits(const spry_matrix *matrix);

/* The same of a format for matrices with the types of this one. */
const struct spry_format_code *spry_traits_of(const spry_matrix *like, spry_format format);

/* A walk over the rows of the table, those for matrices with the types of one. */
struct spry_kernel_walk {
    const struct spry_kernel_list *const *list; /* the one that it has come to */
    size_t lists, row;                          /* how many are left with that; the next row of it */
};
struct spry_kernel_walk spry_walk_kernels(const spry_matrix *like);
/* The next row; null past the last. */
const spry_kernel *spry_next_kernel(struct spry_kernel_walk *walk);
/* Whether the context's choices allow that a matrix is multiplied by this kernel unasked. */
bool spry_may_choose(const spry_context *context, const spry_kernel *kernel);
/* Bytes that a value of this type takes in a code, beside the table; values that the table has room for. */
size_t spry_stored_size(spry_value_type type, spry_value_code code);
int64_t spry_table_length(spry_value_code code);
/* Bytes that a column takes in a code, beside the bases. */
size_t spry_column_size(spry_index_type index, spry_column_code code);

/* Whether neither values nor columns are kept in a code. */
static inline bool spry_is_plain(const spry_storage *storage) {
    return storage->values == SPRY_VALUES_PLAIN && storage->columns == SPRY_COLUMNS_PLAIN;
}

/* What every storage is made from: CSR with plain columns and values. */
static inline bool spry_is_hub(const spry_storage *storage) {
    return storage->format == SPRY_CSR && spry_is_plain(storage);
}

/* SPRY_ERROR_ARGUMENT or SPRY_ERROR_UNSUPPORTED for a storage that matrices like this one cannot have. */
spry_status spry_check_storage(spry_context *context, const spry_matrix *like, const spry_storage *storage);

/* Whether a matrix has a kernel for an operation: SPRY_ERROR_UNSUPPORTED where every one was disabled. */
spry_status spry_check_kernel(spry_context *context, const spry_matrix *matrix, spry_op op);

/* Set the kernels of a matrix: to the last of the table that take it and that this machine and the context's choices
   allow, or the one of them that should take the least time where the backend can tell. Null where they allow none. */
spry_status spry_choose_kernels(spry_context *context, spry_matrix *matrix);

#endif
