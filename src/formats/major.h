/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR and CSC seen alike: rows or columns are the major dimension, with pointers to their entries, and indices run along the minor
   one. The union in spry_matrix lays both out alike, so `csr` serves for both. */
#ifndef SPRY_MAJOR_H
#define SPRY_MAJOR_H

#include "core/internal.h"
#include "core/tmpl.h"
#include "formats/index_from.h"

/* `major` rows or columns, and `minor`, the length of the other dimension. */
typedef struct NAME(spry_compressed) {
    int64_t major, minor, nnz;
    ptr_t *ptr;
    idx_t *idx;
    val_t *val;
    int base;
} compressed_t;

/* The rows of a CSR, or columns of a CSC matrix, as they are. */
compressed_t NAME(spry_compressed_of)(const spry_matrix *matrix);

/* The last row (column) that begins at or before entry k, counted from 0; there is one at least. */
int64_t NAME(spry_major_at)(const compressed_t *compressed, int64_t k);

/* The last row (column) that begins at or before place `target` of the merge path, which takes rows and entries in turn; there
   is one at least. */
int64_t NAME(spry_major_on_path)(const compressed_t *compressed, int64_t target);

/* Entries of row (column) i. */
static inline int64_t major_length(const compressed_t *compressed, int64_t i) {
    return compressed->ptr[i + 1] - compressed->ptr[i];
}

/* Most entries in one row (column). */
int64_t NAME(spry_longest)(const spry_context *context, const compressed_t *compressed);

/* Whether indices never fall within a row (column). */
bool NAME(spry_is_sorted)(const spry_context *context, const compressed_t *compressed);

#endif
