/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix that is so many copies of another, as the blocks of a diagonal. */
#ifndef SPRY_SPBENCH_BLOCKS_H
#define SPRY_SPBENCH_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include <spry/spry.h>

/* Zero-initialise it. */
struct blocks {
    spry_csr arrays;
    spry_matrix *matrix; /* in CSR, which has the arrays */
};

/* Whether the index type of a matrix holds so many copies. Where not, `why` says what there would be too many of. */
bool blocks_fit(const spry_matrix *csr, int copies, char *why, size_t size);

/* Make them of a matrix in CSR on the host with base 0, of the same types. Also on failure, with the context's message or
   SPRY_ERROR_MEMORY, blocks_free is due. */
spry_status blocks_make(spry_context *context, const spry_matrix *csr, int copies, struct blocks *blocks);
void blocks_free(struct blocks *blocks);

#endif
