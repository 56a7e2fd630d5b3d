/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_MEASURE_H
#define SPRY_MEASURE_H

#include "core/internal.h"

/* A new matrix in the format whose products, the conversion counted in, took least time on this context
   when tried: a copy of `csr` where none was faster. */
spry_status spry_fastest(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                         spry_matrix **result);

#endif
