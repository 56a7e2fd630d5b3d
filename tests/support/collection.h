/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of a size that real programs have: the Matrix Market files of real/ in the folder that SPRY_MATRICES
   names, and such as programs/common/generate.h describes. */
#ifndef TEST_COLLECTION_H
#define TEST_COLLECTION_H

#include <stdbool.h>

#include "list.h"

struct collection {
    char folder[4000];
    struct dirent **files;
    int file_count;
    const char *const *generated;
    int count; /* of both: generated ones come first */
};

/* False when there are none at all. That there are no files is said on standard output. */
bool collection_open(struct collection *collection, const char *const *generated, int generated_count);
void collection_close(struct collection *collection);

/* Whether a matrix with so many entries is to be looked at. All are, but on a device in brief, where those of some
   thousand entries go all ways that others do, and take long enough. */
bool collection_takes(int64_t nnz);

const char *collection_name(const struct collection *collection, int i);
/* Matrix i, sorted, in double precision, read through a context on the CPU, which has the message on failure. */
spry_status collection_get(const struct collection *collection, int i, spry_context *cpu, struct list *list);

#endif
