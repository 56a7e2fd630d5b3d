/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a matrix that is being made, in any order. */
#ifndef SPRY_COMMON_ENTRIES_H
#define SPRY_COMMON_ENTRIES_H

#include <stdbool.h>

#include <spry/spry.h>

/* In coordinates, as many as were made so far. */
struct entries {
    int32_t *row, *col;
    double *val;
    int64_t count;
};

/* Bytes that it takes to make a matrix of so many rows and entries: in coordinates, and in CSR with room to sort. */
double entries_bytes(double rows, double entries);
/* Bytes that this machine has. */
double entries_memory(void);

/* Room for `most` of them; false, with nothing to be freed, when there is no memory, or a matrix of them takes more than this
   machine has. */
bool entries_new(struct entries *entries, int64_t most);
void entries_free(struct entries *entries);

/* One more, for which there must be room. */
static inline void entries_push(struct entries *entries, int64_t row, int64_t col, double value) {
    entries->row[entries->count] = (int32_t)row;
    entries->col[entries->count] = (int32_t)col;
    entries->val[entries->count] = value;
    entries->count++;
}

/* The matrix of so many rows and columns, in CSR with values in f64 and 32-bit indices, rows sorted, repeated entries summed. The
   caller destroys *csr. */
spry_status entries_compress(spry_context *context, int64_t rows, int64_t cols, const struct entries *entries,
                             spry_matrix **csr);

#endif
