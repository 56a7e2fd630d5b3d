/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of the library from lists of entries. */
#ifndef TEST_BUILD_H
#define TEST_BUILD_H

#include <stdbool.h>

#include "backend.h"
#include "list.h"

/* How a matrix comes about. */
enum origin {
    CONVERTED,
    WRAPPED_FROM_0,
    WRAPPED_FROM_1,
    TRANSPOSED, /* of the transposed list */
    CAST,       /* from another index type */
    ORIGIN_COUNT
};

/* The arrays of the three formats that can be wrapped: two of integers and one of values. */
struct arrays {
    void *major; /* COO: rows; CSR, CSC: pointers */
    void *minor;
    void *val;
    size_t count[3], size[3]; /* of each: elements, and bytes of one */
    struct placed placed[3];  /* what holds them, unless they are in host memory */
};

/* A matrix and, where it wraps them, its arrays. Both are to be freed before the context. */
struct built {
    spry_matrix *matrix;
    struct arrays arrays;
};

/* Whether matrices in this format may come about in this way. */
bool has_origin(spry_format format, enum origin origin);

/* A matrix of the entries of `list`, duplicates kept. Wrapped arrays have the list's order. */
spry_status build(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                  spry_index_type index, enum origin origin, struct built *built);
/* The same by conversion; the program ends, with the context's message, where that fails. */
struct built built_of(spry_context *context, const struct list *list, spry_format format,
                      spry_value_type type, spry_index_type index);
void built_free(struct built *built);
/* A matrix of the entries of `list` in a storage, by way of CSR, however much of it is padding; the program ends where that fails. */
spry_matrix *stored_of(spry_context *context, const struct list *list, spry_storage storage,
                       spry_value_type type, spry_index_type index);

/* The arrays of a list in COO, CSR or CSC, in the list's order, in host memory. */
struct arrays arrays_new(const struct list *list, spry_format format, spry_value_type type,
                         spry_index_type index, int base);
/* The same where a context works, aligned to one element and no more. Those in host memory are freed. */
struct arrays arrays_at(spry_context *context, struct arrays host);
void arrays_free(struct arrays *arrays);
/* A matrix that wraps them. */
spry_status wrap(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                 spry_index_type index, int base, const struct arrays *arrays, spry_matrix **matrix);

/* Duplicates stay. */
extern const spry_convert_options keep_duplicates;

/* The storage that a text describes. */
spry_storage storage_of(const char *text);

/* Elements of arrays of either size. */
int64_t get_integer(const void *array, size_t size, int64_t i);
void set_integer(void *array, size_t size, int64_t i, int64_t value);
double get_value(const void *array, spry_value_type type, int64_t i);
void set_value(void *array, spry_value_type type, int64_t i, double value);

/* Whether a CSR matrix of the size of `sorted` has the arrays `want`, which are those of that list in host memory. */
bool csr_equals(spry_context *context, const spry_matrix *csr, const struct list *sorted,
                const struct arrays *want);

/* Whether two matrices in COO in host memory have the same entries in the same order, of the same types. All NaN are the same. */
bool same_entries(const spry_matrix *a, const spry_matrix *b);

/* Whether a matrix has exactly these entries in sorted CSR, by converting it; `list` is sorted already. */
bool equals_list(spry_context *context, const spry_matrix *matrix, const struct list *sorted);

#endif
