/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_IO_BODY_H
#define SPRY_IO_BODY_H

#include "io/header.h"

/* Parse all that is behind the header into a new COO matrix, symmetry expanded. */
spry_status spry_parse_body(spry_context *context, const struct input *input, const struct header *header,
                            const spry_read_options *options, spry_matrix **matrix);
/* The index type by the number of entries too, once that is known. `index` is the one chosen by the size of the matrix,
   or where `is_set` the one that was asked for, which stays: SPRY_ERROR_OVERFLOW when its pointers are too small. */
spry_status spry_settle_index(spry_context *context, const char *name, int64_t entries, bool is_set,
                              spry_index_type *index);

#endif
