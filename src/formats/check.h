/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks over whole arrays that several formats share; compiled once per value and index type. */
#ifndef SPRY_CHECK_H
#define SPRY_CHECK_H

#include "core/split.h"
#include "core/tmpl.h"

/* Position of the first index outside base … base + limit - 1, or n. */
int64_t NAME(spry_first_out_of_range)(const spry_context *context, const idx_t *idx, int64_t n, int base,
                                      int64_t limit);
/* SPRY_ERROR_INVALID unless the pointers to `count` of what is called `unit` begin at `base`, never fall, and end behind so
   many items. */
spry_status NAME(spry_check_pointers)(spry_context *context, const char *unit, const ptr_t *ptr,
                                      int64_t count, int base, int64_t items);
/* SPRY_ERROR_INVALID unless slices of so many rows have as many slots for each of them, one slice after the other; pointers count
   `unit` slots each, and all slots are a multiple of that. */
spry_status NAME(spry_check_slices)(spry_context *context, const ptr_t *ptr, int64_t slices, int64_t height,
                                    int64_t unit, int64_t slots);
/* SPRY_ERROR_INVALID unless within each window of so many rows, the last of which may be shorter, every row comes once. */
spry_status NAME(spry_check_permutation)(spry_context *context, const idx_t *perm, int64_t rows,
                                         int64_t window);
/* SPRY_ERROR_INVALID: in what is called `unit` number i, an item comes after a larger one or an equal one. */
spry_status NAME(spry_fail_order)(spry_context *context, const char *unit, int64_t i, const char *item,
                                  int64_t here, int64_t before);
/* Position of the first value that is NaN or infinite, or n. */
int64_t NAME(spry_first_not_finite)(const spry_context *context, const val_t *val, int64_t n);

/* What the indices from entry begin[0].entry up to begin[1].entry span, counted from 0. */
struct spry_window NAME(spry_index_span)(const idx_t *idx, int base, const struct spry_cut *begin);

#endif
