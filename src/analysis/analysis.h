/* SPDX-License-Identifier: BSD-3-Clause */
/* How the rows of a matrix are looked at, where it lies. */
#ifndef SPRY_ANALYSIS_H
#define SPRY_ANALYSIS_H

#include "core/backend.h"

struct spry_features;

/* What a backend has for it. */
struct spry_analysis {
    /* One look at a CSR matrix with rows: all but its size, and squares only of the differences of rows that have
       SPRY_LENGTH_EXACT entries or more from spry_rounded_mean. See analysis/features.h. */
    spry_status (*features)(spry_context *context, const spry_matrix *csr, struct spry_features *features);
    /* Look again at what of it rests on values, in a matrix with plain columns. Null: there is no shorter way than to look at all. */
    void (*values)(spry_context *context, const spry_matrix *csr, struct spry_features *features);
    /* The row length at a rank from 1 to rows: see analysis/rank.h. */
    spry_status (*length_at_rank)(spry_context *context, const spry_matrix *csr, int64_t longest,
                                  int64_t rank, int64_t *length);
};

extern const struct spry_analysis spry_cpu_analysis, spry_cuda_analysis;

/* SPRY_ERROR_ARGUMENT of a call that looks at matrices in CSR, where it was given none. */
spry_status spry_check_csr(spry_context *context, const spry_matrix *matrix, const char *call);

#endif
