/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a file ahead of its entries. */
#ifndef SPRY_IO_HEADER_H
#define SPRY_IO_HEADER_H

#include "io/fault.h"

struct header {
    spry_file_info info;
    size_t body; /* where the line behind the size line begins */
};

/* Whether a text begins, behind a byte-order mark and blanks, with "%%MatrixMarket". */
bool spry_starts_with_banner(const char *text);
/* Banner, comments and size line. `header->info` is filled as far as they were understood. */
spry_status spry_parse_header(spry_context *context, const struct input *input, struct header *header,
                              struct fault *fault);

#endif
