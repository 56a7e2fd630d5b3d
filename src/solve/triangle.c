/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangles on the CPU. */
#include "core/team.h"
#include "solve/factor.h"
#include "solve/fsai.h"
#include "solve/inverse.h"

static int64_t earlier(int64_t fault, int64_t row) {
    return fault < 0 || row < fault ? row : fault;
}

static spry_status locate(spry_context *context, const struct spry_square *square,
                          struct spry_square_faults *faults) {
    (void)context;
    const ptr_t *ptr = square->csr.ptr;
    const idx_t *idx = square->csr.idx;
    ptr_t *diagonal = square->diagonal;
    *faults = (struct spry_square_faults){-1, -1};
    for (int64_t i = 0; i < square->n; i++) {
        ptr_t left = 0;
        for (ptr_t k = ptr[i]; k < ptr[i + 1]; k++) {
            left += idx[k] < i;
            if (k > ptr[i] && idx[k] == idx[k - 1])
                faults->repeated = earlier(faults->repeated, i);
        }
        diagonal[i] = ptr[i] + left;
        if (diagonal[i] == ptr[i + 1] || idx[diagonal[i]] != i)
            faults->missing = earlier(faults->missing, i);
    }
    return SPRY_OK;
}

/* The sum of a row's entries on the diagonal: one, unless it occurs more than once. */
static val_t diagonal_of(const struct spry_square *square, int64_t i) {
    const idx_t *idx = square->csr.idx;
    const val_t *val = square->csr.val;
    ptr_t end = ((const ptr_t *)square->csr.ptr)[i + 1];
    val_t sum = 0;
    for (ptr_t k = ((const ptr_t *)square->diagonal)[i]; k < end && idx[k] == i; k++)
        sum += val[k];
    return sum;
}

static spry_status fill(spry_context *context, const struct spry_square *square,
                        const struct spry_scaling *scaling, const struct spry_substitution *substitution,
                        int64_t *fault) {
    const idx_t *row = substitution->order.row;
    const ptr_t *ptr = substitution->ptr, *source = substitution->source;
    const val_t *from = square->csr.val;
    val_t *val = substitution->val, *inverse = substitution->inverse, *entry = substitution->z;
    bool divides = scaling->inverse != 0 || scaling->divide_rows;
    int64_t n = square->n, first = INT64_MAX;
#pragma omp parallel for num_threads(spry_team_over(context, substitution->nnz)) reduction(min : first)
    for (int64_t p = 0; p < n; p++) {
        val_t diagonal = divides ? diagonal_of(square, row[p]) : 1;
        if (!has_inverse(diagonal)) {
            entry[row[p]] = diagonal;
            first = row[p] < first ? row[p] : first;
        }
        val_t weight = (val_t)scaling->weight / (scaling->divide_rows ? diagonal : 1);
        for (ptr_t k = ptr[p]; k < ptr[p + 1]; k++)
            val[k] = weight * from[source[k]];
        if (scaling->inverse != 0)
            inverse[p] = (val_t)scaling->inverse / diagonal;
    }
    *fault = first < INT64_MAX ? first : -1;
    return SPRY_OK;
}

/* x[to[p]] = (b[from[p]] - Σ val[k] x[idx[k]]) inverse[p]; without `from` or `to`, it is p itself. */
struct solve_call {
    const struct spry_substitution *substitution;
    const idx_t *from, *to;
    const val_t *b;
    val_t *x;
};

static void solve_rows(const void *call_, int64_t begin, int64_t end) {
    const struct solve_call *call = call_;
    const struct spry_substitution *s = call->substitution;
    const idx_t *from = call->from, *to = call->to, *idx = s->idx;
    const ptr_t *ptr = s->ptr;
    const val_t *val = s->val, *inverse = s->inverse, *b = call->b;
    val_t *x = call->x;
    for (int64_t p = begin; p < end; p++) {
        val_t sum = b[from ? from[p] : p];
        for (ptr_t k = ptr[p]; k < ptr[p + 1]; k++)
            sum -= val[k] * x[idx[k]];
        x[to ? to[p] : p] = inverse ? sum * inverse[p] : sum;
    }
}

static void solve_in_order(const struct spry_substitution *s, const val_t *b, val_t *x) {
    const idx_t *row = s->order.row;
    struct solve_call call = {s, s->from ? s->from : row, row, b, x};
    spry_walk_stages(&s->order, solve_rows, &call);
}

/* b goes to the positions, and x comes from them, row by row: so threads read or write a few places that move ahead,
   and not one after the other of a level's, which are far from each other. */
static void solve_by_level(const struct spry_substitution *s, const val_t *b, val_t *x) {
    const idx_t *position = s->position;
    val_t *z = s->z;
    int64_t n = s->order.n;
    if (!s->from) {
#pragma omp parallel for num_threads(spry_team(s->order.parts))
        for (int64_t i = 0; i < n; i++)
            z[position[i]] = b[i];
        b = z;
    }
    struct solve_call call = {s, s->from, NULL, b, z};
    spry_walk_stages(&s->order, solve_rows, &call);
    if (!x)
        return;
#pragma omp parallel for num_threads(spry_team(s->order.parts))
    for (int64_t i = 0; i < n; i++)
        x[i] = z[position[i]];
}

static spry_status solve(spry_context *context, const struct spry_substitution *substitution, const void *b,
                         void *x) {
    (void)context;
    if (substitution->by_level)
        solve_by_level(substitution, b, x);
    else
        solve_in_order(substitution, b, x ? x : substitution->z);
    return SPRY_OK;
}

extern const struct spry_triangle_code NAME(spry_triangle_code);
const struct spry_triangle_code NAME(spry_triangle_code) = {
    .locate = locate,
    .fill = fill,
    .solve = solve,
    .factor_ilu0 = NAME(spry_factor_ilu0),
    .factor_ic0 = NAME(spry_factor_ic0),
    .fsai_pattern = NAME(spry_fsai_pattern),
    .fsai_fill = NAME(spry_fsai_fill),
};
