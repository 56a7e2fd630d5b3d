/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices that occur beside a given one: in another order, of its saddle point problem, of its normal equations. */
#ifndef SPRY_COMMON_DERIVE_H
#define SPRY_COMMON_DERIVE_H

#include <stddef.h>

#include <spry/spry.h>

/* A way to make one of another. */
struct derivation {
    const char *name, *what;
    /* The matrix that comes of one in CSR, with values in f64 and 32-bit indices, as such; the caller destroys *made.
       SPRY_ERROR_OVERFLOW where it would have more rows or entries than such indices count; no message says so. */
    spry_status (*derive)(spry_context *context, const spry_matrix *from, spry_matrix **made);
};

/* Way i; null past the last one. */
const struct derivation *derivation_at(size_t i);
/* The way whose name these letters are; null: none. */
const struct derivation *derivation_named(const char *name, size_t length);

#endif
