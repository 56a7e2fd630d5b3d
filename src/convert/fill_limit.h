/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide and how large padded formats become, and what is refused: the same wherever the matrix lies. */
#ifndef SPRY_FILL_LIMIT_H
#define SPRY_FILL_LIMIT_H

#include "core/internal.h"

/* SPRY_ERROR_OVERFLOW where duplicates make a row longer than an index holds. */
spry_status spry_check_longest(spry_context *context, spry_index_type index, int64_t longest);

/* SPRY_ERROR_TOO_LARGE with both sizes when an ELL part of this width, and a COO part of the entries spilled
   from it, are out of proportion to the matrix in CSR. */
spry_status spry_check_fill(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_format format, int64_t width,
                            int64_t spilled);

/* The same for a matrix whose sizes are set, though its arrays need not be there; SPRY_ERROR_OVERFLOW where its pointers
   do not hold the number of its slots. */
spry_status spry_check_slots(spry_context *context, const spry_matrix *csr,
                             const spry_convert_options *options, const spry_matrix *matrix);

/* Whether arrays of so many bytes are in proportion to those of the matrix in CSR, without codes. */
bool spry_fill_is_allowed(double csr_bytes, const spry_convert_options *options, double bytes);

/* The smallest width that the share of the rows asked for fits into; no row is longer than `longest`. */
spry_status spry_hyb_width(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                           int64_t longest, int64_t *width);

#endif
