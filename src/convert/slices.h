/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices of rows that are made from CSR, each as wide as its longest row. */
#ifndef SPRY_SLICES_H
#define SPRY_SLICES_H

#include "formats/major.h"

/* The slots of slices of so many rows, in their order; `width` gets what each slice has for a row. */
int64_t NAME(spry_measure_slices)(const spry_context *context, const compressed_t *rows, int64_t height,
                                  ptr_t *width);

/* Widths become pointers, once the slots, which are set, are known to fit these and the limit. */
spry_status NAME(spry_point_to_slices)(spry_context *context, const spry_matrix *csr,
                                       const spry_convert_options *options, const spry_matrix *matrix,
                                       int64_t height, ptr_t *ptr);

#endif
