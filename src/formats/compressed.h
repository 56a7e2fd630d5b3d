/* SPDX-License-Identifier: BSD-3-Clause */
/* What CSR and CSC have in common, which is all but the names of the sides. */
#ifndef SPRY_COMPRESSED_H
#define SPRY_COMPRESSED_H

#include "analysis/work.h"
#include "core/table.h"
#include "core/tmpl.h"

spry_status NAME(spry_compressed_validate)(spry_context *context, const spry_matrix *matrix, unsigned flags);
spry_status NAME(spry_compressed_plan)(spry_context *context, spry_matrix *matrix);
/* Set matrix->plan.following, where it is worth it. */
spry_status NAME(spry_plan_following)(spry_context *context, spry_matrix *matrix);
int64_t NAME(spry_compressed_slots)(const spry_matrix *matrix);
void NAME(spry_compressed_estimate)(struct spry_candidate *candidate, int64_t major);
spry_op NAME(spry_compressed_as_csr)(const spry_matrix *matrix, spry_matrix *csr);
void **NAME(spry_compressed_values)(spry_matrix *matrix);
void **NAME(spry_compressed_columns)(spry_matrix *matrix);
void NAME(spry_compressed_groups)(const spry_matrix *matrix, struct spry_column_groups *groups);
int NAME(spry_compressed_arrays)(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]);

#endif
