/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a matrix beside those of a list, and how it is stored or refused. */
#ifndef TEST_PRODUCTS_H
#define TEST_PRODUCTS_H

#include "build.h"

/* y = alpha op(A) x + beta y, against the list. Where x is infinite, padding that was multiplied would show. */
void expect_product(spry_context *context, const spry_matrix *matrix, const struct list *list, spry_op op,
                    double alpha, double beta, bool infinite, const char *name);

void expect_products(spry_context *context, const spry_matrix *matrix, const struct list *list,
                     const char *name);

/* A matrix over the caller's arrays, which has so many slots: its entries, its products, and those of a copy. */
void expect_wrapped(spry_context *context, const spry_matrix *matrix, const struct list *list, int64_t slots,
                    const char *name);

/* w·y of a product with a sum, for a matrix of f64, against what y holds. */
void expect_product_with_a_sum(spry_context *context, const spry_matrix *matrix, const char *name);

void expect_storage(const spry_matrix *matrix, int64_t height, int64_t window, const char *name);

/* A call failed with this status and a message that has these words. */
void expect_refused(spry_context *context, spry_status status, spry_status expected, const char *words);

/* A conversion fails with this status and a message that has these words. */
void expect_conversion_refused(spry_context *context, const spry_matrix *csr, spry_storage storage,
                               spry_status status, const char *words);

#endif
