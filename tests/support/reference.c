/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "reference.h"

struct reference reference_new(const struct list *list, spry_op op, const struct vector *x) {
    struct reference reference = {.count = op == SPRY_N ? list->rows : list->cols,
                                  .length = list_lengths(list, op)};
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
    free(reference->length);
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

/* How far sum i may be off, if it has this magnitude. An empty one has beta y. What a product a x loses for being denormal
   alpha makes larger. */
static long double bound(const struct reference *reference, spry_value_type type, int64_t i, double alpha,
                         long double magnitude) {
    int64_t terms = reference->length[i] ? reference->length[i] : 1;
    bool single = type == SPRY_F32;
    long double epsilon = single ? FLT_EPSILON : DBL_EPSILON, last_bit = single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    if (single && reference->flushed)
        last_bit = FLT_MIN;
    const long double scale = alpha < -1 || alpha > 1 ? fabsl(alpha) : 1;
    return 4 * (long double)terms * (epsilon * magnitude + scale * last_bit);
}

/* What overflows on the way may be anything; NaN and infinities are as they should be. */
static bool is_special(const struct reference *reference, double alpha, long double magnitude, int64_t i,
                       spry_value_type type, long double want, long double got) {
    const long double largest = type == SPRY_F32 ? FLT_MAX : DBL_MAX,
                      unscaled = alpha == 0 ? 0 : reference->magnitude[i];
    if (isfinite(magnitude) && fmaxl(magnitude, unscaled) > largest)
        return true;
    return isnan(want) ? isnan(got) : isinf(want) && got == want;
}

static bool is_right(const struct reference *reference, double alpha, double beta,
                     const struct vector *before, const struct vector *y, int64_t i) {
    const long double want = expected(reference, alpha, beta, before, i), got = (long double)vector_get(y, i),
                      magnitude = fabsl(times(alpha, reference->magnitude[i])) +
                                  fabsl(times(beta, (long double)vector_get(before, i)));
    return (isfinite(want) && fabsl(got - want) <= bound(reference, y->type, i, alpha, magnitude)) ||
           is_special(reference, alpha, magnitude, i, y->type, want, got);
}

/* A zero factor takes away whatever it multiplies. */
static double times_soon(double factor, double value) {
    return factor == 0 ? 0 : factor * value;
}

/* Whether y[i] is within a quarter of the bound by arithmetic in double precision, whose own rounding is less than the rest. Then it
   is right beyond doubt, which takes far less time than long double; otherwise nothing is said. */
static bool is_close(const struct reference *reference, double alpha, double beta,
                     const struct vector *before, const struct vector *y, int64_t i) {
    const bool single = y->type == SPRY_F32;
    const double from_sum = times_soon(alpha, (double)reference->sum[i]),
                 from_before = times_soon(beta, vector_get(before, i)),
                 apart = fabs(vector_get(y, i) - (from_sum + from_before)),
                 magnitude = fabs(times_soon(alpha, (double)reference->magnitude[i])) + fabs(from_before),
                 epsilon = single ? (double)FLT_EPSILON : DBL_EPSILON,
                 last_bit = single ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    const int64_t terms = reference->length[i] ? reference->length[i] : 1;
    /* Less, as infinity is not close to infinity, and NaN to nothing. */
    return apart < (double)terms * (epsilon * magnitude + last_bit);
}

int64_t reference_differs(const struct reference *reference, double alpha, double beta,
                          const struct vector *before, const struct vector *y) {
    for (int64_t i = 0; i < reference->count; i++)
        if (!is_close(reference, alpha, beta, before, y, i) &&
            !is_right(reference, alpha, beta, before, y, i))
            return i;
    return -1;
}

int64_t reference_apart(const struct reference *reference, const struct vector *a, const struct vector *b) {
    for (int64_t i = 0; i < reference->count; i++) {
        long double apart = fabsl((long double)vector_get(a, i) - (long double)vector_get(b, i));
        if (isfinite(apart) && apart > bound(reference, a->type, i, 1, reference->magnitude[i]))
            return i;
    }
    return -1;
}
