/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a factorised sparse approximate inverse has entries: in row i those columns j ≤ i that a path of one step, or
 * of two, leads to in A, and the diagonal. Powers of A, and of A without small entries, are what such patterns are
 * usually taken from (Chow, “A priori sparsity patterns for parallel sparse approximate inverse preconditioners”, SIAM
 * Journal on Scientific Computing 21, 2000).
 *
 * A step from i to j weighs |a_ij| / sqrt(a_ii a_jj), which is 1 at most where A is positive definite, and a path the
 * product of its steps. A row keeps the columns with the strongest paths, each of which goes over the strongest steps
 * of a row alone. So a row takes time and memory that are bounded, however long the rows of A are.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/team.h"
#include "primitives/pointers.h"
#include "solve/fsai.h"

/* The columns with the strongest paths from a row so far, the strongest first. */
struct strongest {
    int64_t row;
    int count, most;
    idx_t column[SPRY_MAX_ENTRIES];
    double weight[SPRY_MAX_ENTRIES];
};

static int64_t distance(const struct strongest *found, idx_t column) {
    return column < found->row ? found->row - column : column - found->row;
}

/* In a tie the column that is nearer to the diagonal goes first, then the one on its left. */
static bool goes_before(const struct strongest *found, double weight, idx_t column, int k) {
    if (weight != found->weight[k])
        return weight > found->weight[k];
    const int64_t own = distance(found, column), other = distance(found, found->column[k]);
    return own != other ? own < other : column < found->column[k];
}

static void move(struct strongest *found, int from, int to) {
    found->column[to] = found->column[from];
    found->weight[to] = found->weight[from];
}

/* Offer a path. A column that has a weaker one gets this one, so that each has its strongest in the end, in whatever
   order they come. */
static void offer(struct strongest *found, idx_t column, double weight) {
    int place = 0;
    if (found->count == found->most && !goes_before(found, weight, column, found->most - 1))
        return;
    while (place < found->count && found->column[place] != column)
        place++;
    if (place < found->count && weight <= found->weight[place])
        return;
    if (place == found->most)
        place--; /* instead of the last */
    else if (place == found->count)
        found->count++;
    for (; place > 0 && goes_before(found, weight, column, place - 1); place--)
        move(found, place - 1, place);
    found->column[place] = column;
    found->weight[place] = weight;
}

static void sort_by_column(struct strongest *found) {
    for (int k = 1; k < found->count; k++) {
        const idx_t column = found->column[k];
        const double weight = found->weight[k];
        int place = k;
        for (; place > 0 && found->column[place - 1] > column; place--)
            move(found, place - 1, place);
        found->column[place] = column;
        found->weight[place] = weight;
    }
}

/* ---- paths ---- */

/* The strongest steps from every row. */
struct steps {
    void *ptr, *idx, *weight; /* pointer, n + 1; index and double, one for each */
};

struct search {
    int64_t n;
    const ptr_t *ptr; /* of A */
    const idx_t *idx;
    const val_t *val;
    double *root; /* n: the reciprocals of the diagonal's square roots */
    int most;     /* entries of a row */
    struct steps steps;
};

static void find_root(const struct search *a, int64_t i) {
    double diagonal = 0;
    for (ptr_t k = a->ptr[i]; k < a->ptr[i + 1]; k++)
        diagonal += a->idx[k] == i ? (double)a->val[k] : 0;
    a->root[i] = 1 / sqrt(diagonal);
}

/* Nothing is stronger than the path from a row to itself. */
static void begin(const struct search *a, int64_t i, struct strongest *found) {
    *found = (struct strongest){.row = i, .most = a->most};
    offer(found, (idx_t)i, INFINITY);
}

static void offer_steps(const struct search *a, int64_t i, int64_t last, struct strongest *found) {
    const ptr_t end = a->ptr[i + 1];
    begin(a, i, found);
    for (ptr_t k = a->ptr[i]; k < end && a->idx[k] <= last;) {
        const idx_t column = a->idx[k];
        double sum = 0; /* of duplicates, which are side by side */
        for (; k < end && a->idx[k] == column; k++)
            sum += (double)a->val[k];
        const double weight = fabs(sum) * a->root[i] * a->root[column];
        offer(found, column, weight >= 0 ? weight : 0);
    }
}

/* What is looked for from row i: its steps, those of them that do not lead past the diagonal, or paths of two that do
   not. A step from a row to itself weighs one, so that a path may have one step. */
typedef void find_row(const struct search *a, int64_t i, struct strongest *found);

static void find_steps(const struct search *a, int64_t i, struct strongest *found) {
    offer_steps(a, i, a->n, found);
}

static void find_steps_down(const struct search *a, int64_t i, struct strongest *found) {
    offer_steps(a, i, i, found);
}

static void find_paths_down(const struct search *a, int64_t i, struct strongest *found) {
    const ptr_t *ptr = a->steps.ptr;
    const idx_t *idx = a->steps.idx;
    const double *weight = a->steps.weight;
    begin(a, i, found);
    for (ptr_t s = ptr[i]; s < ptr[i + 1]; s++)
        for (ptr_t t = ptr[idx[s]]; t < ptr[idx[s] + 1] && idx[t] <= i; t++)
            offer(found, idx[t], weight[s] * weight[t]);
}

/* ---- all rows ---- */

/* Where each row begins among all that are found, if so many can be counted. How many they are. */
static int64_t count_rows(const spry_context *context, const struct search *a, find_row *find, ptr_t *ptr) {
    int64_t total = 0;
#pragma omp parallel for num_threads(spry_team_over(context, a->n *a->most)) schedule(dynamic, 256) reduction(+ : total)
    for (int64_t i = 0; i < a->n; i++) {
        struct strongest found;
        find(a, i, &found);
        ptr[i] = (ptr_t)found.count;
        total += found.count;
    }
    if (total <= spry_pointer_max(TMPL_INDEX))
        NAME(spry_scan)(context, ptr, a->n);
    return total;
}

/* The columns of each row, sorted, and their weights, unless that is null. */
static void write_rows(const spry_context *context, const struct search *a, find_row *find, const ptr_t *ptr,
                       idx_t *idx, double *weight) {
#pragma omp parallel for num_threads(spry_team_over(context, a->n * a->most)) schedule(dynamic, 256)
    for (int64_t i = 0; i < a->n; i++) {
        struct strongest found;
        find(a, i, &found);
        sort_by_column(&found);
        memcpy(&idx[ptr[i]], found.column, (size_t)found.count * sizeof(idx_t));
        for (int k = 0; k < found.count && weight; k++)
            weight[ptr[i] + k] = found.column[k] == i ? 1 : found.weight[k];
    }
}

/* No more than A has. */
static spry_status keep_steps(spry_context *context, struct search *a) {
    struct steps *steps = &a->steps;
    spry_status status = spry_allocate(context, (size_t)a->n + 1, sizeof(ptr_t), &steps->ptr);
    if (status)
        return status;
    ptr_t *ptr = steps->ptr;
    count_rows(context, a, find_steps, ptr);
    status = spry_allocate(context, (size_t)ptr[a->n], sizeof(idx_t), &steps->idx);
    if (!status)
        status = spry_allocate(context, (size_t)ptr[a->n], sizeof(double), &steps->weight);
    if (!status)
        write_rows(context, a, find_steps, ptr, steps->idx, steps->weight);
    return status;
}

static void release_steps(spry_context *context, const struct search *a) {
    const struct steps *steps = &a->steps;
    const size_t count = steps->ptr ? (size_t)((const ptr_t *)steps->ptr)[a->n] : 0;
    spry_release(&context->allocator, steps->ptr, (size_t)a->n + 1, sizeof(ptr_t));
    spry_release(&context->allocator, steps->idx, count, sizeof(idx_t));
    spry_release(&context->allocator, steps->weight, count, sizeof(double));
}

static spry_status new_factor(spry_context *context, const spry_matrix *csr, const struct search *a,
                              find_row *find, spry_matrix **factor) {
    void *pointers;
    spry_status status = spry_allocate(context, (size_t)a->n + 1, sizeof(ptr_t), &pointers);
    if (status)
        return status;
    ptr_t *ptr = pointers;
    const int64_t total = count_rows(context, a, find, ptr);
    if (total > spry_pointer_max(TMPL_INDEX))
        status = spry_fail(context, SPRY_ERROR_OVERFLOW,
                           "the factor has %" PRId64 " entries, more than %s pointers hold", total,
                           spry_index_name(csr->index));
    if (!status)
        status = spry_matrix_new(context, SPRY_CSR, csr->type, csr->index, a->n, a->n, total, factor);
    if (!status)
        status = spry_matrix_csr_arrays(context, *factor);
    if (!status) {
        memcpy((*factor)->csr.ptr, ptr, ((size_t)a->n + 1) * sizeof(ptr_t));
        write_rows(context, a, find, ptr, (*factor)->csr.idx, NULL);
        (*factor)->sorted = true;
    }
    spry_release(&context->allocator, pointers, (size_t)a->n + 1, sizeof(ptr_t));
    return status && *factor ? spry_matrix_abandon(factor, status) : status;
}

spry_status NAME(spry_fsai_pattern)(spry_context *context, const spry_matrix *csr,
                                    const struct spry_fsai_extent *extent, spry_matrix **factor) {
    void *root;
    struct search a = {csr->rows,    csr->csr.ptr, csr->csr.idx,
                       csr->csr.val, .root = NULL, .most = extent->entries,
                       .steps = {0}};
    *factor = NULL;
    spry_status status = spry_allocate(context, (size_t)a.n, sizeof(double), &root);
    if (status)
        return status;
    a.root = root;
#pragma omp parallel for num_threads(spry_team_over(context, csr->nnz))
    for (int64_t i = 0; i < a.n; i++)
        find_root(&a, i);
    if (extent->power > 1)
        status = keep_steps(context, &a);
    if (!status)
        status = new_factor(context, csr, &a, extent->power > 1 ? find_paths_down : find_steps_down, factor);
    release_steps(context, &a);
    spry_release(&context->allocator, root, (size_t)a.n, sizeof(double));
    return status;
}
