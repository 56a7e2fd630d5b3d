/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR and CSC seen alike: slices (rows or columns), pointers to their entries, indices along the other
   side. The union in spry_matrix lays both out alike, so `csr` serves for both. */
#ifndef SPRY_SLICES_H
#define SPRY_SLICES_H

#include "core/internal.h"
#include "core/tmpl.h"

/* Rows or columns, `across` the length of the other side. */
typedef struct NAME(spry_slices) {
    int64_t slices, across, nnz;
    ptr_t *ptr;
    idx_t *idx;
    val_t *val;
    int base;
} slices_t;

/* The slices of a CSR or CSC matrix. */
slices_t NAME(spry_slices_of)(const spry_matrix *matrix);

/* The last slice that begins at or before entry k, counted from 0; there is one slice at least. */
int64_t NAME(spry_slice_at)(const slices_t *slices, int64_t k);

/* The last slice that begins at or before place `target` of the merge path, which takes slices and entries in turn; there
   is one slice at least. */
int64_t NAME(spry_slice_on_path)(const slices_t *slices, int64_t target);

/* Most entries in one slice. */
int64_t NAME(spry_longest)(const spry_context *context, const slices_t *slices);

/* Whether indices never fall within a slice. */
bool NAME(spry_slices_sorted)(const spry_context *context, const slices_t *slices);

#endif
