/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_IO_BODY_H
#define SPRY_IO_BODY_H

#include "io/header.h"

/* Parse all that is behind the header into a new COO matrix, symmetry expanded. */
spry_status spry_parse_body(spry_context *context, const struct input *input, const struct header *header,
                            const spry_read_options *options, spry_matrix **matrix);

#endif
