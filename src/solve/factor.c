/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Incomplete factors without fill, row by row (Meijerink and van der Vorst, "An iterative solution method for linear
 * systems of which the coefficient matrix is a symmetric M-matrix", Mathematics of Computation 31, 1977). A row needs
 * those that its entries left of the diagonal name, as in a substitution with the lower triangle, so that threads walk
 * over it in the same stages.
 */
#include <math.h>

#include "solve/factor.h"
#include "solve/inverse.h"
#include "solve/seek.h"

struct factors {
    const ptr_t *ptr, *diagonal;
    const idx_t *idx, *row;
    val_t *val;
    val_t shift;
    int64_t *fault;
};

/* The columns that two parts of rows have in common, one after the other: a and b are where they are. */
struct common {
    const idx_t *idx;
    ptr_t a, a_end, b, b_end;
};

/* Go to the first common column from a and b on. */
static bool meet(struct common *common) {
    while (common->a < common->a_end && common->b < common->b_end) {
        idx_t a = common->idx[common->a], b = common->idx[common->b];
        if (a == b)
            return true;
        if (a < b)
            common->a = seek(common->idx, common->a + 1, common->a_end, b);
        else
            common->b = seek(common->idx, common->b + 1, common->b_end, a);
    }
    return false;
}

/* Threads report at any time; the first row of all stays. */
static void report(const struct factors *f, int64_t row) {
    int64_t first = __atomic_load_n(f->fault, __ATOMIC_RELAXED);
    bool stored = false;
    while (!stored && (first < 0 || row < first))
        stored = __atomic_compare_exchange_n(f->fault, &first, row, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static val_t shifted(const struct factors *f, int64_t i) {
    val_t diagonal = f->val[f->diagonal[i]];
    return diagonal + f->shift * (diagonal < 0 ? -diagonal : diagonal);
}

/* Row i without what is left of the diagonal, which becomes the row of L. */
static void eliminate(const struct factors *f, int64_t i) {
    val_t *val = f->val, *pivot = &val[f->diagonal[i]];
    *pivot = shifted(f, i);
    for (ptr_t k = f->ptr[i]; k < f->diagonal[i]; k++) {
        idx_t c = f->idx[k];
        val_t factor = val[k] /= val[f->diagonal[c]];
        struct common common = {f->idx, k + 1, f->ptr[i + 1], f->diagonal[c] + 1, f->ptr[c + 1]};
        for (; meet(&common); common.a++, common.b++)
            val[common.a] -= factor * val[common.b];
    }
    if (!has_inverse(*pivot))
        report(f, i);
}

/* Row i of L such that L Lᵀ is A there. */
static void take_root(const struct factors *f, int64_t i) {
    val_t *val = f->val, *pivot = &val[f->diagonal[i]], squares = 0;
    for (ptr_t k = f->ptr[i]; k < f->diagonal[i]; k++) {
        idx_t c = f->idx[k];
        struct common common = {f->idx, f->ptr[i], k, f->ptr[c], f->diagonal[c]};
        val_t sum = 0;
        for (; meet(&common); common.a++, common.b++)
            sum += val[common.a] * val[common.b];
        val[k] = (val[k] - sum) / val[f->diagonal[c]];
        squares += val[k] * val[k];
    }
    val_t square = shifted(f, i) - squares;
    if (!(square > 0) || !has_inverse(square))
        report(f, i);
    *pivot = (val_t)sqrt(square);
}

static void eliminate_rows(const void *call, int64_t begin, int64_t end) {
    const struct factors *f = call;
    for (int64_t p = begin; p < end; p++)
        eliminate(f, f->row[p]);
}

static void take_roots(const void *call, int64_t begin, int64_t end) {
    const struct factors *f = call;
    for (int64_t p = begin; p < end; p++)
        take_root(f, f->row[p]);
}

static struct factors factors_of(const struct spry_square *square, const struct spry_order *order,
                                 double shift, int64_t *fault) {
    *fault = -1;
    return (struct factors){
        square->csr.ptr, square->diagonal, square->csr.idx, order->row, square->csr.val, (val_t)shift, fault};
}

spry_status NAME(spry_factor_ilu0)(spry_context *context, const struct spry_square *square,
                                   const struct spry_order *order, double shift, int64_t *fault) {
    (void)context;
    struct factors f = factors_of(square, order, shift, fault);
    spry_walk_stages(order, eliminate_rows, &f);
    return SPRY_OK;
}

spry_status NAME(spry_factor_ic0)(spry_context *context, const struct spry_square *square,
                                  const struct spry_order *order, double shift, int64_t *fault) {
    (void)context;
    struct factors f = factors_of(square, order, shift, fault);
    spry_walk_stages(order, take_roots, &f);
    return SPRY_OK;
}
