/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A preconditioner of two triangles in the order of colours. Rows of one colour have no entries in each other's columns, so that
 * none of them waits for another: a triangle has as many levels as there are colours, whatever the order of the rows was. The
 * price is a preconditioner that is somewhat worse (Jones and Plassmann, “Scalable iterative solution of sparse linear systems”,
 * Parallel Computing 20, 1994). Each row takes the first colour that no row before it has which it has an entry for; on a grid
 * with a 5-point or 7-point stencil, these are two.
 *
 * It is the preconditioner of P A Pᵀ, where P sorts rows by colour, between two products with permutations. P A Pᵀ comes from the
 * entries of A, in their order, with other coordinates: so new values are put there as they are, and sorted as in any conversion.
 */
#include <stdio.h>
#include <string.h>

#include "convert/convert.h"
#include "core/integers.h"
#include "solve/diagonal.h"
#include "solve/triangle.h"

struct coloured {
    spry_matrix *entries;      /* of P A Pᵀ: COO, in the order of A's */
    spry_matrix *there, *back; /* P and Pᵀ */
    spry_precond *inner;
    void *x, *y; /* value, n: in the order of colours */
};

/* ---- colours, on the host ---- */

/* What is found on the way; all of n but begin and last, of n + 1, as a row may have a colour more than there are entries. */
struct colours {
    int64_t count;
    int64_t *colour, *begin; /* of a row; rows of colours before this one, and later of this one too */
    int64_t *last;           /* of a colour: the row, plus one, that met it last */
    int64_t *position;       /* of a row */
};

static spry_status colours_open(spry_context *context, int64_t n, struct colours *c) {
    *c = (struct colours){0};
    spry_status status = spry_allocate_counts(context, n, &c->colour);
    if (!status)
        status = spry_allocate_counts(context, n, &c->position);
    if (!status)
        status = spry_allocate_counts(context, n + 1, &c->begin);
    if (!status)
        status = spry_allocate_counts(context, n + 1, &c->last);
    if (status)
        return status;
    memset(c->begin, 0, (size_t)(n + 1) * sizeof *c->begin);
    memset(c->last, 0, (size_t)(n + 1) * sizeof *c->last);
    return SPRY_OK;
}

static void colours_close(spry_context *context, int64_t n, struct colours *c) {
    spry_release(&context->allocator, c->colour, (size_t)n, sizeof(int64_t));
    spry_release(&context->allocator, c->begin, (size_t)n + 1, sizeof(int64_t));
    spry_release(&context->allocator, c->last, (size_t)n + 1, sizeof(int64_t));
    spry_release(&context->allocator, c->position, (size_t)n, sizeof(int64_t));
}

/* The first colour that row i meets in no row before it. */
static int64_t first_free(const struct spry_pattern *pattern, const struct colours *c, int64_t i) {
    const int64_t end = load_integer(pattern->ptr, pattern->ptr_size, i + 1);
    for (int64_t k = load_integer(pattern->ptr, pattern->ptr_size, i); k < end; k++) {
        const int64_t j = load_integer(pattern->idx, pattern->idx_size, k);
        if (j < i)
            c->last[c->colour[j]] = i + 1;
    }
    int64_t colour = 0;
    while (c->last[colour] == i + 1)
        colour++;
    return colour;
}

static void colour_rows(const struct spry_pattern *pattern, struct colours *c) {
    for (int64_t i = 0; i < pattern->n; i++) {
        c->colour[i] = first_free(pattern, c, i);
        c->count = c->colour[i] >= c->count ? c->colour[i] + 1 : c->count;
        c->begin[c->colour[i]]++;
    }
    for (int64_t colour = 0, before = 0; colour < c->count; colour++) {
        const int64_t rows = c->begin[colour];
        c->begin[colour] = before;
        before += rows;
    }
    for (int64_t i = 0; i < pattern->n; i++)
        c->position[i] = c->begin[c->colour[i]]++;
}

/* ---- from the host to where the context works ---- */

/* Makes `count` integers on the host, and takes them to an array. */
typedef void make_integers(const struct spry_pattern *pattern, const struct colours *c, void *array);

static spry_status put(spry_context *context, const struct spry_pattern *pattern, const struct colours *c,
                       make_integers *make, int64_t count, size_t size, void *array) {
    void *host;
    spry_status status = spry_allocate(context, (size_t)count, size, &host);
    if (status)
        return status;
    make(pattern, c, host);
    status = context->code->copy(context, array, host, (size_t)count * size);
    spry_release(&context->allocator, host, (size_t)count, size);
    return status;
}

static void make_rows(const struct spry_pattern *pattern, const struct colours *c, void *array) {
    for (int64_t i = 0; i < pattern->n; i++) {
        const int64_t end = load_integer(pattern->ptr, pattern->ptr_size, i + 1);
        for (int64_t k = load_integer(pattern->ptr, pattern->ptr_size, i); k < end; k++)
            store_integer(array, pattern->idx_size, k, c->position[i]);
    }
}

static void make_columns(const struct spry_pattern *pattern, const struct colours *c, void *array) {
    for (int64_t k = 0; k < pattern->nnz; k++)
        store_integer(array, pattern->idx_size, k,
                      c->position[load_integer(pattern->idx, pattern->idx_size, k)]);
}

static void make_positions(const struct spry_pattern *pattern, const struct colours *c, void *array) {
    for (int64_t i = 0; i < pattern->n; i++)
        store_integer(array, pattern->idx_size, i, c->position[i]);
}

static void make_sources(const struct spry_pattern *pattern, const struct colours *c, void *array) {
    for (int64_t i = 0; i < pattern->n; i++)
        store_integer(array, pattern->idx_size, c->position[i], i);
}

static void make_pointers(const struct spry_pattern *pattern, const struct colours *c, void *array) {
    (void)c;
    for (int64_t i = 0; i <= pattern->n; i++)
        store_integer(array, pattern->ptr_size, i, i);
}

/* A matrix with a one in each row, in the columns that `make` gives. */
static spry_status make_permutation(spry_context *context, const spry_precond *precond,
                                    const struct spry_pattern *pattern, const struct colours *c,
                                    make_integers *make, spry_matrix **result) {
    const int64_t n = pattern->n;
    spry_status status = spry_matrix_new(context, SPRY_CSR, precond->type, precond->index, n, n, n, result);
    if (status)
        return status;
    spry_csr *csr = &(*result)->csr;
    status = spry_matrix_array(context, *result, n + 1, pattern->ptr_size, &csr->ptr);
    if (!status)
        status = spry_matrix_array(context, *result, n, pattern->idx_size, &csr->idx);
    if (!status)
        status = spry_matrix_array(context, *result, n, spry_type_size(precond->type), &csr->val);
    if (!status)
        status = put(context, pattern, c, make_pointers, n + 1, pattern->ptr_size, csr->ptr);
    if (!status)
        status = put(context, pattern, c, make, n, pattern->idx_size, csr->idx);
    if (!status)
        status =
            spry_diagonal_code_for(context, precond->type, precond->index)->fill(context, n, 1, csr->val);
    (*result)->sorted = true;
    return status ? spry_matrix_abandon(result, status) : spry_matrix_finish(context, *result);
}

static spry_status make_entries(spry_context *context, const spry_precond *precond, const spry_matrix *csr,
                                const struct spry_pattern *pattern, const struct colours *c) {
    struct coloured *part = precond->part;
    spry_status status =
        spry_matrix_new_coo(context, csr->type, csr->index, csr->rows, csr->cols, csr->nnz, &part->entries);
    if (!status)
        status = put(context, pattern, c, make_rows, csr->nnz, pattern->idx_size, part->entries->coo.row);
    return status
               ? status
               : put(context, pattern, c, make_columns, csr->nnz, pattern->idx_size, part->entries->coo.col);
}

/* ---- making, applying, releasing ---- */

/* P A Pᵀ, in CSR. */
static spry_status reorder(spry_context *context, const struct coloured *part, const spry_matrix *csr,
                           spry_matrix **reordered) {
    spry_status status = context->code->copy(context, part->entries->coo.val, csr->csr.val,
                                             (size_t)csr->nnz * spry_type_size(csr->type));
    return status ? status : spry_convert(context, part->entries, SPRY_CSR, &spry_keep_duplicates, reordered);
}

/* Rows in messages of what is in the order of colours are counted there. */
static spry_status explain(spry_context *context, spry_status status) {
    char words[512];
    if (status != SPRY_ERROR_INVALID)
        return status;
    snprintf(words, sizeof words, "%s", spry_message(context));
    return spry_fail(context, status, "in the order of colours: %s", words);
}

static spry_status find_order(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    struct coloured *part = precond->part;
    const struct spry_square square = {
        .n = csr->rows, .nnz = csr->nnz, .type = csr->type, .index = csr->index, .csr = csr->csr};
    struct spry_pattern pattern;
    struct colours c;
    spry_status status = spry_pattern_open(context, &square, &pattern);
    if (!status)
        status = colours_open(context, csr->rows, &c);
    else
        c = (struct colours){0};
    if (!status) {
        colour_rows(&pattern, &c);
        status = make_entries(context, precond, csr, &pattern, &c);
    }
    if (!status)
        status = make_permutation(context, precond, &pattern, &c, make_sources, &part->there);
    if (!status)
        status = make_permutation(context, precond, &pattern, &c, make_positions, &part->back);
    colours_close(context, csr->rows, &c);
    spry_pattern_close(context, &pattern);
    return status;
}

static spry_status create(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    const spry_storage storage = {.format = SPRY_CSR};
    const size_t n = (size_t)csr->rows, size = spry_type_size(csr->type);
    spry_precond_options options = precond->options;
    spry_matrix *reordered = NULL;
    spry_status status = spry_allocate(context, 1, sizeof(struct coloured), &precond->part);
    if (status)
        return status;
    struct coloured *part = precond->part;
    *part = (struct coloured){0};
    options.colours = 0;
    status = spry_allocate_array(context, n, size, &part->x);
    if (!status)
        status = spry_allocate_array(context, n, size, &part->y);
    if (!status)
        status = find_order(context, precond, csr);
    if (!status)
        status = reorder(context, part, csr, &reordered);
    if (!status)
        status = explain(context, spry_precond_make(context, reordered, &storage, &options, &part->inner));
    spry_matrix_destroy(reordered);
    precond->shift = spry_precond_shift(part->inner);
    return status;
}

static spry_status update(spry_context *context, spry_precond *precond, const spry_matrix *csr) {
    const struct coloured *part = precond->part;
    spry_matrix *reordered = NULL;
    spry_status status = reorder(context, part, csr, &reordered);
    if (!status)
        status = explain(context, spry_precond_update(context, part->inner, reordered));
    spry_matrix_destroy(reordered);
    precond->shift = spry_precond_shift(part->inner);
    return status;
}

static spry_status apply(spry_context *context, const spry_precond *precond, const void *x, void *y) {
    const struct coloured *part = precond->part;
    spry_status status = spry_spmv(context, SPRY_N, 1, part->there, x, 0, part->x);
    if (!status)
        status = spry_precond_apply(context, part->inner, part->x, part->y);
    return status ? status : spry_spmv(context, SPRY_N, 1, part->back, part->y, 0, y);
}

static void destroy(spry_precond *precond) {
    struct coloured *part = precond->part;
    if (!part)
        return;
    const size_t n = (size_t)precond->n, size = spry_type_size(precond->type);
    spry_release(&precond->arrays, part->x, n, size);
    spry_release(&precond->arrays, part->y, n, size);
    spry_matrix_destroy(part->entries);
    spry_matrix_destroy(part->there);
    spry_matrix_destroy(part->back);
    spry_precond_destroy(part->inner);
    spry_release(&precond->allocator, part, 1, sizeof *part);
}

static spry_status reserve(spry_context *context, const spry_precond *precond) {
    const struct coloured *part = precond->part;
    spry_status status = spry_reserve(context, part->there, SPRY_N);
    if (!status)
        status = spry_reserve(context, part->back, SPRY_N);
    return status ? status : spry_precond_reserve(context, part->inner);
}

const struct spry_precond_code spry_coloured_code = {
    .name = "coloured",
    .create = create,
    .update = update,
    .apply = apply,
    .destroy = destroy,
    .reserve = reserve,
};
