/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangles taken out of a matrix, in the order of their levels. */
#include <inttypes.h>

#include "core/integers.h"
#include "core/team.h"
#include "solve/triangle.h"

/* ---- analysis, in host memory ---- */

/* What is found on the way: by row, and by level. */
struct analysis {
    const struct spry_pattern *pattern;
    spry_triangle triangle;
    bool by_row;             /* in the order of the rows, whatever depends on what */
    int64_t *level, *length; /* n */
    int64_t *place;          /* n: what stands for a row in idx */
    int64_t *begin;          /* n + 1 */
};

static spry_status analysis_open(spry_context *context, const struct spry_pattern *pattern,
                                 spry_triangle triangle, struct analysis *analysis) {
    *analysis = (struct analysis){.pattern = pattern, .triangle = triangle};
    spry_status status = spry_allocate_counts(context, pattern->n, &analysis->level);
    if (!status)
        status = spry_allocate_counts(context, pattern->n, &analysis->length);
    if (!status)
        status = spry_allocate_counts(context, pattern->n, &analysis->place);
    return status ? status : spry_allocate_counts(context, pattern->n + 1, &analysis->begin);
}

static void analysis_close(spry_context *context, struct analysis *analysis) {
    size_t n = (size_t)analysis->pattern->n;
    spry_release(&context->allocator, analysis->level, n, sizeof(int64_t));
    spry_release(&context->allocator, analysis->length, n, sizeof(int64_t));
    spry_release(&context->allocator, analysis->place, n, sizeof(int64_t));
    spry_release(&context->allocator, analysis->begin, n + 1, sizeof(int64_t));
}

/* Fill in ptr, nnz and longest. */
static void count_entries(const struct analysis *analysis, struct spry_substitution *s) {
    const struct spry_pattern *pattern = analysis->pattern;
    s->nnz = s->longest = 0;
    store_integer(s->ptr, pattern->ptr_size, 0, 0);
    for (int64_t p = 0; p < pattern->n; p++) {
        int64_t length = analysis->length[load_integer(s->order.row, pattern->idx_size, p)];
        s->nnz += length;
        s->longest = length > s->longest ? length : s->longest;
        store_integer(s->ptr, pattern->ptr_size, p + 1, s->nnz);
    }
}

/* Fill in idx and source. */
static void copy_entries(const spry_context *context, const struct analysis *analysis,
                         struct spry_substitution *s) {
    const struct spry_pattern *pattern = analysis->pattern;
    size_t idx_size = pattern->idx_size, ptr_size = pattern->ptr_size;
#pragma omp parallel for num_threads(spry_team_over(context, s->nnz))
    for (int64_t p = 0; p < pattern->n; p++) {
        int64_t i = load_integer(s->order.row, idx_size, p), length = analysis->length[i];
        int64_t from = analysis->triangle == SPRY_LOWER
                           ? load_integer(pattern->ptr, ptr_size, i)
                           : load_integer(pattern->ptr, ptr_size, i + 1) - length;
        int64_t to = load_integer(s->ptr, ptr_size, p);
        for (int64_t t = 0; t < length; t++) {
            int64_t column = load_integer(pattern->idx, idx_size, from + t);
            store_integer(s->idx, idx_size, to + t, analysis->place[column]);
            store_integer(s->source, ptr_size, to + t, from + t);
        }
    }
}

/* Fill in the order, ptr and, on the CPU, the stages. */
static spry_status sort(spry_context *context, struct analysis *analysis, struct spry_substitution *s) {
    const struct spry_pattern *pattern = analysis->pattern;
    s->order.n = pattern->n;
    s->order.levels = spry_find_levels(pattern, analysis->triangle, analysis->level, analysis->length);
    spry_status status = spry_allocate(context, (size_t)pattern->n, pattern->idx_size, &s->order.row);
    if (!status)
        status = spry_allocate(context, (size_t)pattern->n + 1, pattern->ptr_size, &s->ptr);
    if (status)
        return status;
    spry_sort_by_level(analysis->level, analysis->begin, pattern->idx_size, &s->order);
    count_entries(analysis, s);
    if (context->backend == SPRY_CPU)
        status = spry_cut_stages(context, analysis->begin, s->ptr, pattern->ptr_size, &s->order);
    s->by_level = !analysis->by_row && (context->backend != SPRY_CPU || s->order.parts > 1);
    return status;
}

/* The order of the rows themselves, from the first on or, where each depends on those after it, from the last. */
static void keep_order(const struct analysis *analysis, struct spry_substitution *s) {
    int64_t n = s->order.n;
    for (int64_t p = 0; p < n; p++) {
        int64_t i = analysis->triangle == SPRY_LOWER || analysis->by_row ? p : n - 1 - p;
        store_integer(s->order.row, analysis->pattern->idx_size, p, i);
        analysis->place[p] = p;
    }
    count_entries(analysis, s);
}

/* Fill in where rows are, for idx and, on the CPU, for b and x. */
static spry_status renumber(spry_context *context, const struct analysis *analysis,
                            struct spry_substitution *s) {
    size_t idx_size = analysis->pattern->idx_size;
    for (int64_t p = 0; p < s->order.n; p++)
        analysis->place[load_integer(s->order.row, idx_size, p)] = p;
    if (context->backend != SPRY_CPU)
        return SPRY_OK;
    spry_status status = spry_allocate(context, (size_t)s->order.n, idx_size, &s->position);
    for (int64_t i = 0; i < s->order.n && !status; i++)
        store_integer(s->position, idx_size, i, analysis->place[i]);
    return status;
}

static spry_status extract(spry_context *context, const struct analysis *analysis,
                           struct spry_substitution *s) {
    const struct spry_pattern *pattern = analysis->pattern;
    spry_status status = spry_allocate(context, (size_t)s->nnz, pattern->idx_size, &s->idx);
    if (!status)
        status = spry_allocate(context, (size_t)s->nnz, pattern->ptr_size, &s->source);
    if (!status)
        copy_entries(context, analysis, s);
    return status;
}

/* Fill in `from`. */
static spry_status follow(spry_context *context, const struct analysis *analysis,
                          const struct spry_order *before, struct spry_substitution *s) {
    size_t idx_size = analysis->pattern->idx_size;
    int64_t n = s->order.n;
    spry_status status = spry_allocate(context, (size_t)n, idx_size, &s->from);
    if (!status) /* copied, as it may be on a device */
        status = context->code->copy(context, s->from, before->row, (size_t)n * idx_size);
    if (status)
        return status;
    for (int64_t p = 0; p < n; p++)
        analysis->place[load_integer(s->from, idx_size, p)] = p;
    for (int64_t p = 0; p < n; p++)
        store_integer(s->from, idx_size, p, analysis->place[load_integer(s->order.row, idx_size, p)]);
    return SPRY_OK;
}

static spry_status analyse(spry_context *context, struct analysis *analysis,
                           const struct spry_substitution *before, struct spry_substitution *s) {
    spry_status status = sort(context, analysis, s);
    if (!status && s->by_level)
        status = renumber(context, analysis, s);
    else if (!status)
        keep_order(analysis, s);
    if (!status)
        status = extract(context, analysis, s);
    return !status && before && before->by_level ? follow(context, analysis, &before->order, s) : status;
}

/* ---- the result, where the context works ---- */

#define PATTERN_ARRAYS 6
#define ALL_ARRAYS (PATTERN_ARRAYS + 3)

/* Those of the pattern come first. Some may be null. */
static void arrays_of(struct spry_substitution *s, struct spry_array array[ALL_ARRAYS]) {
    int64_t n = s->order.n, nnz = s->nnz;
    size_t idx_size = spry_index_size(s->index), ptr_size = spry_pointer_size(s->index),
           value = spry_type_size(s->type);
    array[0] = (struct spry_array){&s->order.row, n, idx_size};
    array[1] = (struct spry_array){&s->from, n, idx_size};
    array[2] = (struct spry_array){&s->position, n, idx_size};
    array[3] = (struct spry_array){&s->ptr, n + 1, ptr_size};
    array[4] = (struct spry_array){&s->idx, nnz, idx_size};
    array[5] = (struct spry_array){&s->source, nnz, ptr_size};
    array[PATTERN_ARRAYS] = (struct spry_array){&s->val, nnz, value};
    array[PATTERN_ARRAYS + 1] = (struct spry_array){&s->inverse, n, value};
    array[PATTERN_ARRAYS + 2] = (struct spry_array){&s->z, n, value};
}

/* Levels are found row by row, each with those before it, which is no work for a device: there the pattern comes to
   the host for it, and the triangle goes back. */
static spry_status analyse_for_device(spry_context *context, struct analysis *analysis,
                                      const struct spry_substitution *before, struct spry_substitution *s) {
    struct spry_array from[ALL_ARRAYS], to[ALL_ARRAYS];
    struct spry_substitution host = *s;
    host.backend = SPRY_CPU;
    host.arrays = host.allocator;
    spry_status status = analyse(context, analysis, before, &host);
    s->order.n = host.order.n;
    s->order.levels = host.order.levels;
    s->by_level = host.by_level;
    s->nnz = host.nnz;
    s->longest = host.longest;
    arrays_of(&host, from);
    arrays_of(s, to);
    for (int i = 0; i < PATTERN_ARRAYS && !status; i++) {
        if (!*from[i].pointer)
            continue;
        status = spry_allocate_array(context, (size_t)to[i].count, to[i].size, to[i].pointer);
        if (!status)
            status = context->code->copy(context, *to[i].pointer, *from[i].pointer,
                                         (size_t)to[i].count * to[i].size);
    }
    spry_substitution_release(&host);
    return status;
}

static spry_status create(spry_context *context, const struct spry_square *square,
                          const struct spry_pattern *pattern, spry_triangle triangle, bool by_row,
                          const struct spry_substitution *before, struct spry_substitution *substitution) {
    *substitution = (struct spry_substitution){.backend = context->backend,
                                               .device = context->device_number,
                                               .type = square->type,
                                               .index = square->index,
                                               .allocator = context->allocator,
                                               .arrays = context->arrays};
    struct analysis analysis;
    spry_status status = analysis_open(context, pattern, triangle, &analysis);
    analysis.by_row = by_row;
    if (!status)
        status = (context->backend == SPRY_CPU ? analyse : analyse_for_device)(context, &analysis, before,
                                                                               substitution);
    analysis_close(context, &analysis);
    size_t value = spry_type_size(square->type);
    if (!status)
        status = spry_allocate_array(context, (size_t)substitution->nnz, value, &substitution->val);
    if (!status)
        status = spry_allocate_array(context, (size_t)square->n, value, &substitution->z);
    return status;
}

spry_status spry_substitution_create(spry_context *context, const struct spry_square *square,
                                     const struct spry_pattern *pattern, spry_triangle triangle,
                                     const struct spry_substitution *before,
                                     struct spry_substitution *substitution) {
    return create(context, square, pattern, triangle, false, before, substitution);
}

spry_status spry_substitution_by_row(spry_context *context, const struct spry_square *square,
                                     const struct spry_pattern *pattern, spry_triangle triangle,
                                     struct spry_substitution *substitution) {
    return create(context, square, pattern, triangle, true, NULL, substitution);
}

spry_status spry_substitution_fill(spry_context *context, const struct spry_square *square,
                                   const struct spry_scaling *scaling,
                                   struct spry_substitution *substitution) {
    int64_t row;
    double entry;
    spry_status status = SPRY_OK;
    if (scaling->inverse != 0 && !substitution->inverse)
        status = spry_allocate_array(context, (size_t)square->n, spry_type_size(square->type),
                                     &substitution->inverse);
    if (!status)
        status = spry_triangle_code(context, square->type, square->index)
                     ->fill(context, square, scaling, substitution, &row);
    if (status || row < 0)
        return status;
    status = spry_fetch_value(context, square->type, substitution->z, row, &entry);
    return status ? status
                  : spry_fail(context, SPRY_ERROR_INVALID,
                              "row %" PRId64
                              " (counted from 1): the entry on the diagonal is %g, expected a number "
                              "with an inverse",
                              row + 1, entry);
}

void spry_substitution_release(struct spry_substitution *s) {
    struct spry_array array[ALL_ARRAYS];
    arrays_of(s, array);
    if (s->order.row)
        spry_backend_code(s->backend)->synchronize_device(s->device);
    for (int i = 0; i < ALL_ARRAYS; i++)
        spry_release(&s->arrays, *array[i].pointer, (size_t)array[i].count, array[i].size);
    spry_release(&s->allocator, s->order.cut, (size_t)(s->order.stages * s->order.parts + 1),
                 sizeof *s->order.cut);
    *s = (struct spry_substitution){0};
}
