/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioners without triangular solves, made of lists of entries. */
#ifndef TEST_PRECONDS_H
#define TEST_PRECONDS_H

#include "build.h"
#include "vector.h"

/* Those that are worth a look, with a name each. */
#define MADE_CHOICES 11
struct made_choice {
    const char *name;
    spry_precond_options options;
};
extern const struct made_choice made_choices[MADE_CHOICES];

/* Symmetric and positive definite: diagonally dominant, with entries near and far. */
struct list definite(int64_t n);
/* 2 on the diagonal and -1 beside it. */
struct list laplacian(int64_t n);

/* Makes a preconditioner of a list, and applies it. The list is not needed any more, the matrix may be. */
struct made {
    spry_context *context;
    struct built built;
    spry_precond *precond;
    spry_status status;
};

struct made made_in(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                    spry_index_type index, enum origin origin, const spry_precond_options *options);
/* In CSR, f64 and i32. */
struct made made_of(spry_context *context, const struct list *list, const spry_precond_options *options);
void made_free(struct made *made);
/* Have it take the values of a list with the same pattern. */
void made_update(struct made *made, const struct list *list);
/* y = M⁻¹ x, of vectors on the host. */
void made_apply(const struct made *made, const struct vector *x, struct vector *y);
double made_tolerance(spry_value_type type);

/* y = A x, of the entries in blocks of so many rows along the diagonal alone. */
void multiply_blocks(const struct list *a, int64_t block, const double *x, double *y);
/* Whether M y = x, up to rounding, where M is what lies in blocks. */
void expect_solves(const struct list *list, int64_t block, const struct vector *x, const struct vector *y,
                   const char *what);

#endif
