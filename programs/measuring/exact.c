/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/exact.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/integer.h"
#include "common/vector.h"

/* Add a times x to value i. Ogita, Rump, Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 2005,
   algorithm Dot2: the roundings of the product and of the sum are themselves summed. */
static void add_term(struct exact *exact, int64_t i, double a, double x) {
    double product = a * x;
    double product_rounding = fma(a, x, -product);
    double sum = exact->high[i] + product;
    double added = sum - exact->high[i];
    double sum_rounding = (exact->high[i] - (sum - added)) + (product - added);
    exact->high[i] = sum;
    exact->low[i] += product_rounding + sum_rounding;
    exact->magnitude[i] += fabs(product);
    exact->terms[i]++;
}

/* The arrays of a CSR matrix and x, whatever their types. */
struct operands {
    const spry_csr *csr;
    spry_value_type type;
    size_t index_size, pointer_size;
    const void *x;
};

static void add_row(struct exact *exact, const struct operands *operands, spry_op op, int64_t row) {
    int64_t end = integer_at(operands->csr->ptr, operands->pointer_size, row + 1);
    for (int64_t k = integer_at(operands->csr->ptr, operands->pointer_size, row); k < end; k++) {
        int64_t col = integer_at(operands->csr->idx, operands->index_size, k);
        double a = vector_at(operands->type, operands->csr->val, k);
        if (op == SPRY_N)
            add_term(exact, row, a, vector_at(operands->type, operands->x, col));
        else
            add_term(exact, col, a, vector_at(operands->type, operands->x, row));
    }
}

spry_status exact_product(const spry_context *context, const spry_matrix *csr, spry_op op, const void *x,
                          struct exact *exact) {
    int64_t rows = spry_matrix_rows(csr), count = op == SPRY_N ? rows : spry_matrix_cols(csr);
    spry_index_type index = spry_matrix_index(csr);
    struct operands operands = {spry_matrix_csr(csr), spry_matrix_type(csr), spry_index_size(index),
                                spry_pointer_size(index), x};
    size_t length = (size_t)count + 1;
    *exact = (struct exact){operands.type,
                            count,
                            context,
                            calloc(length, sizeof(double)),
                            calloc(length, sizeof(double)),
                            calloc(length, sizeof(double)),
                            calloc(length, sizeof(int64_t))};
    if (!exact->high || !exact->low || !exact->magnitude || !exact->terms)
        return SPRY_ERROR_MEMORY;
        /* Rows of the transpose would meet in the same values. */
#pragma omp parallel for schedule(guided) num_threads(spry_context_team(context)) if (op == SPRY_N)
    for (int64_t row = 0; row < rows; row++)
        add_row(exact, &operands, op, row);
    return SPRY_OK;
}

void exact_free(struct exact *exact) {
    free(exact->high);
    free(exact->low);
    free(exact->magnitude);
    free(exact->terms);
}

double exact_error(const struct exact *exact, const void *y) {
    double smallest = exact->type == SPRY_F32 ? (double)FLT_MIN : DBL_MIN;
    double largest = exact->type == SPRY_F32 ? (double)FLT_MAX : DBL_MAX;
    double worst = 0.0;
#pragma omp parallel for reduction(max : worst) num_threads(spry_context_team(exact->context))
    for (int64_t i = 0; i < exact->count; i++) {
        if (!(exact->magnitude[i] <= largest))
            continue;
        double difference = fabs((vector_at(exact->type, y, i) - exact->high[i]) - exact->low[i]);
        double error = difference / fmax(exact->magnitude[i], smallest);
        if (!(error <= worst)) /* true for NaN, too, which is worse than any number */
            worst = isnan(error) ? INFINITY : error;
    }
    return worst;
}

double exact_tolerance(const struct exact *exact) {
    double epsilon = exact->type == SPRY_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    int64_t longest = 0;
    for (int64_t i = 0; i < exact->count; i++)
        longest = exact->terms[i] > longest ? exact->terms[i] : longest;
    return 4.0 * (double)longest * epsilon;
}
