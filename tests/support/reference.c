/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "reference.h"

struct reference reference_new(const struct list *list, spry_op op, const struct vector *x) {
    struct reference reference = {.count = op == SPRY_N ? list->rows : list->cols,
                                  .longest = list_longest(list, op)};
    const int64_t *out = op == SPRY_N ? list->row : list->col, *in = op == SPRY_N ? list->col : list->row;
    reference.sum = test_malloc((size_t)reference.count * sizeof(long double));
    reference.magnitude = test_malloc((size_t)reference.count * sizeof(long double));
    for (int64_t i = 0; i < reference.count; i++)
        reference.sum[i] = reference.magnitude[i] = 0;
    for (int64_t k = 0; k < list->nnz; k++) {
        long double product = (long double)list->val[k] * (long double)vector_get(x, in[k]);
        reference.sum[out[k]] += product;
        reference.magnitude[out[k]] += fabsl(product);
    }
    return reference;
}

void reference_free(struct reference *reference) {
    free(reference->sum);
    free(reference->magnitude);
}

/* A zero factor takes away whatever it multiplies, NaN too. */
static long double times(double factor, long double value) {
    return factor == 0 ? 0 : (long double)factor * value;
}

static long double expected(const struct reference *reference, double alpha, double beta,
                            const struct vector *before, int64_t i) {
    return times(alpha, reference->sum[i]) + times(beta, (long double)vector_get(before, i));
}

double reference_value(const struct reference *reference, double alpha, double beta,
                       const struct vector *before, int64_t i) {
    return (double)expected(reference, alpha, beta, before, i);
}

int64_t reference_differs(const struct reference *reference, double alpha, double beta,
                          const struct vector *before, const struct vector *y) {
    bool single = y->type == SPRY_F32;
    long double epsilon = single ? FLT_EPSILON : DBL_EPSILON, last_bit = single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    long double largest = single ? FLT_MAX : DBL_MAX;
    long double factor = 4 * (long double)(reference->longest ? reference->longest : 1);
    for (int64_t i = 0; i < reference->count; i++) {
        long double want = expected(reference, alpha, beta, before, i), got = (long double)vector_get(y, i);
        long double magnitude = fabsl(times(alpha, reference->magnitude[i])) +
                                fabsl(times(beta, (long double)vector_get(before, i)));
        bool right = isnan(want)   ? isnan(got)
                     : isinf(want) ? got == want
                                   : fabsl(got - want) <= factor * (epsilon * magnitude + last_bit);
        bool overflows = isfinite(magnitude) && magnitude > largest;
        if (!right && !overflows)
            return i;
    }
    return -1;
}
