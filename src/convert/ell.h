/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_CONVERT_ELL_H
#define SPRY_CONVERT_ELL_H

#include "formats/major.h"

/* Give a new ELL matrix its arrays, with the first `width` entries of each row at most. */
spry_status NAME(spry_ell_fill)(spry_context *context, const compressed_t *rows, int64_t width,
                                spry_matrix *ell);

/* Whether the entries of an ELL matrix are the first ones of each row in a unit of renew.h; take over their values. */
bool NAME(spry_ell_is_same)(const compressed_t *rows, const spry_matrix *ell, int64_t unit);
void NAME(spry_ell_take)(const compressed_t *rows, const spry_matrix *ell, int64_t unit);

/* Write the entries of an ELL matrix to the begin of each of `rows`, whose pointers are set. */
void NAME(spry_ell_copy_out)(const spry_context *context, const spry_matrix *ell, const compressed_t *rows);

#endif
