/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_CONVERT_INTERNAL_H
#define SPRY_CONVERT_INTERNAL_H

#include "core/internal.h"

/* A matrix as the hub wants it: CSR, base 0, sorted. Lent by the source where that is so already. */
struct spry_hub {
    const spry_matrix *csr;
    spry_matrix *made; /* null when lent */
};

spry_status spry_hub_open(spry_context *context, const spry_matrix *source,
                          const spry_convert_options *options, struct spry_hub *hub);
void spry_hub_close(struct spry_hub *hub);

/* A CSR matrix over the arrays of the hub, which has to stay open: to be multiplied with. */
spry_status spry_hub_lend(spry_context *context, const struct spry_hub *hub, spry_matrix **lent);
/* Give it arrays of its own: the hub's, where they were made for it, and copies of the source's otherwise. */
spry_status spry_hub_give(spry_context *context, struct spry_hub *hub, spry_matrix *lent);

/* Duplicates are entries of their own. */
extern const spry_convert_options spry_keep_duplicates;
/* For a matrix that is in its format already: whoever made it has decided on its size. */
extern const spry_convert_options spry_any_fill;

/* A new matrix in any storage, which has been checked, from the hub's CSR. */
spry_status spry_from_hub(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                          const spry_convert_options *options, spry_matrix **result);

/* A new matrix in any storage from one in any other: spry_convert_to, arguments checked. */
spry_status spry_convert_any(spry_context *context, const spry_matrix *source, const spry_storage *storage,
                             const spry_convert_options *options, spry_matrix **result);

#endif
