/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MUST(context, call) cr_assert_eq(call, SPRY_OK, "%s: %s", #call, spry_message(context))

/* ---- meetings ---- */

static void end_all(struct ranks *ranks) {
    pthread_mutex_lock(&ranks->mutex);
    ranks->ended = true;
    pthread_cond_broadcast(&ranks->met);
    pthread_mutex_unlock(&ranks->mutex);
}

/* Wait for all ranks. False when one has failed before all were there. */
static bool meet(struct ranks *ranks) {
    pthread_mutex_lock(&ranks->mutex);
    const unsigned meeting = ranks->meetings;
    if (++ranks->arrived == ranks->count) {
        ranks->arrived = 0;
        ranks->meetings++;
        pthread_cond_broadcast(&ranks->met);
    }
    while (!ranks->ended && ranks->meetings == meeting)
        pthread_cond_wait(&ranks->met, &ranks->mutex);
    bool good = ranks->meetings != meeting;
    pthread_mutex_unlock(&ranks->mutex);
    return good;
}

/* In the order of the ranks, so that all have the same bits. */
static spry_status add_up(spry_context *context, void *user, double *values, int count) {
    struct rank *rank = user;
    struct ranks *ranks = rank->all;
    const size_t bytes = (size_t)count * sizeof *values;
    double sum[TEST_MOST_SUMS] = {0};
    if (count > TEST_MOST_SUMS || ++rank->sums == rank->fail_sum)
        return SPRY_ERROR_IO;
    spry_status status = spry_array_get(context, values, ranks->sum[rank->number], bytes);
    if (status || !meet(ranks))
        return status ? status : SPRY_ERROR_RANKS;
    for (int r = 0; r < ranks->count; r++)
        for (int i = 0; i < count; i++)
            sum[i] += ranks->sum[r][i];
    return meet(ranks) ? spry_array_put(context, values, sum, bytes) : SPRY_ERROR_RANKS;
}

/* ---- products ---- */

static size_t size_of(const struct ranks *ranks) {
    return spry_type_size(ranks->type);
}

/* The halo of x to `h_there`. */
static spry_status exchange(struct rank *rank, const void *x) {
    struct ranks *ranks = rank->all;
    const size_t size = size_of(ranks), first = (size_t)ranks->first[rank->number];
    const int64_t *column = spry_halo_columns(rank->halo);
    spry_status status =
        spry_array_get(rank->context, x, ranks->x + first * size, (size_t)rank->b.count * size);
    if (status || !meet(ranks))
        return status ? status : SPRY_ERROR_RANKS;
    for (int64_t k = 0; k < rank->h.count; k++)
        memcpy((char *)rank->h.data + (size_t)k * size, ranks->x + (size_t)column[k] * size, size);
    return meet(ranks) ? vector_put(&rank->h, &rank->h_there) : SPRY_ERROR_RANKS;
}

static spry_status apply(spry_context *context, void *user, const void *x, void *y) {
    struct rank *rank = user;
    spry_status status = exchange(rank, x);
    if (!status)
        status = spry_spmv(context, SPRY_N, 1, rank->inner, x, 0, y);
    if (!status)
        status = spry_spmv(context, SPRY_N, 1, rank->outer, rank->h_there.data, 1, y);
    if (!status && ++rank->products == rank->break_product)
        status = rank->all->type == SPRY_F64 ? spry_array_put(context, y, &(double){NAN}, sizeof(double))
                                             : spry_array_put(context, y, &(float){NAN}, sizeof(float));
    return status;
}

/* ---- ranks ---- */

/* The rows of a rank, with all columns. */
static struct list rows_of(const struct list *list, int64_t low, int64_t high) {
    struct list rows = list_new(high - low, list->cols);
    for (int64_t k = 0; k < list->nnz; k++)
        if (list->row[k] >= low && list->row[k] < high)
            list_add(&rows, list->row[k] - low, list->col[k], list->val[k]);
    return rows;
}

static void make_matrices(struct rank *rank) {
    struct ranks *ranks = rank->all;
    struct list rows = rows_of(ranks->list, ranks->first[rank->number], ranks->first[rank->number + 1]);
    struct built built;
    spry_matrix *inner, *outer;
    cr_assert_eq(spry_context_create(&rank->host, NULL), SPRY_OK);
    MUST(rank->host, build(rank->host, &rows, SPRY_CSR, ranks->type, SPRY_I32, CONVERTED, &built));
    MUST(rank->host, spry_halo_create(rank->host, built.matrix, ranks->count, ranks->first, rank->number,
                                      &inner, &outer, &rank->halo));
    MUST(rank->context, spry_matrix_copy(rank->context, inner, &rank->inner));
    MUST(rank->context, spry_matrix_copy(rank->context, outer, &rank->outer));
    spry_matrix_destroy(inner);
    spry_matrix_destroy(outer);
    built_free(&built);
    list_free(&rows);
}

static void make_vectors(struct rank *rank) {
    struct ranks *ranks = rank->all;
    const int64_t low = ranks->first[rank->number], own = ranks->first[rank->number + 1] - low;
    rank->b = vector_new(ranks->type, own, NAN);
    rank->x = vector_new(ranks->type, own, NAN);
    rank->h = vector_new(ranks->type, spry_halo_count(rank->halo), NAN);
    vector_fill(&rank->b, 0);
    for (int64_t k = 0; k < ranks->list->nnz; k++) {
        int64_t i = ranks->list->row[k] - low;
        if (i >= 0 && i < own)
            vector_set(&rank->b, i,
                       vector_get(&rank->b, i) + ranks->list->val[k] * exact_value(ranks->list->col[k]));
    }
    rank->b_there = vector_place(rank->context, &rank->b);
    rank->x_there = vector_place(rank->context, &rank->x);
    rank->h_there = vector_place(rank->context, &rank->h);
    rank->right = rank->b_there.data;
}

void ranks_open(struct ranks *ranks, const struct list *list, spry_value_type type, int count,
                const int *share) {
    int64_t all = 0, before = 0;
    *ranks = (struct ranks){.count = count, .list = list, .type = type};
    ranks->rank = calloc((size_t)count, sizeof *ranks->rank);
    ranks->x = test_malloc((size_t)list->rows * spry_type_size(type));
    pthread_mutex_init(&ranks->mutex, NULL);
    pthread_cond_init(&ranks->met, NULL);
    for (int r = 0; r < count; r++)
        all += share[r];
    for (int r = 0; r < count; r++)
        ranks->first[r + 1] = list->rows * (before += share[r]) / all;
    for (int r = 0; r < count; r++) {
        struct rank *rank = &ranks->rank[r];
        *rank = (struct rank){.all = ranks, .number = r, .context = test_context(2)};
        make_matrices(rank);
        make_vectors(rank);
        rank->operator=(spry_operator){
            .size = sizeof rank->operator, .n = rank->b.count, .type = type, .apply = apply, .user = rank};
    }
}

void ranks_precondition(struct ranks *ranks, spry_precond_kind kind) {
    const spry_precond_options options = {.size = sizeof options, .kind = kind};
    for (int r = 0; r < ranks->count; r++) {
        struct rank *rank = &ranks->rank[r];
        MUST(rank->context, spry_precond_create(rank->context, rank->inner, &options, &rank->precond));
        rank->precondition = spry_operator_of_precond(rank->precond);
    }
}

void ranks_prepare(struct ranks *ranks, const spry_solver_options *options) {
    ranks->ended = false;
    ranks->arrived = 0;
    for (int r = 0; r < ranks->count; r++) {
        struct rank *rank = &ranks->rank[r];
        spry_solver_options mine = *options;
        mine.sum = add_up;
        mine.sum_user = rank;
        mine.user = rank->user;
        rank->sums = rank->products = 0;
        spry_solver_destroy(rank->solver);
        MUST(rank->context,
             spry_solver_create(rank->context, &rank->operator,
                                rank->precondition.size ? &rank->precondition : NULL, &mine, &rank->solver));
    }
}

static void *solve(void *argument) {
    struct rank *rank = argument;
    rank->result = (spry_solve_result){.size = sizeof rank->result};
    rank->status = spry_solve(rank->solver, rank->right, rank->x_there.data, &rank->result);
    if (rank->status)
        end_all(rank->all);
    return NULL;
}

void ranks_solve(struct ranks *ranks) {
    pthread_t thread[TEST_MOST_RANKS];
    for (int r = 0; r < ranks->count; r++)
        cr_assert_eq(pthread_create(&thread[r], NULL, solve, &ranks->rank[r]), 0);
    for (int r = 0; r < ranks->count; r++)
        cr_assert_eq(pthread_join(thread[r], NULL), 0);
}

double ranks_error(struct ranks *ranks) {
    double largest = 0;
    for (int r = 0; r < ranks->count; r++) {
        struct rank *rank = &ranks->rank[r];
        cr_assert_eq(vector_fetch(&rank->x, &rank->x_there), SPRY_OK);
        cr_expect(vector_guarded(&rank->x));
        for (int64_t i = 0; i < rank->x.count; i++)
            largest = fmax(largest, fabs(vector_get(&rank->x, i) - exact_value(ranks->first[r] + i)));
    }
    return largest;
}

void ranks_close(struct ranks *ranks) {
    for (int r = 0; r < ranks->count; r++) {
        struct rank *rank = &ranks->rank[r];
        spry_solver_destroy(rank->solver);
        spry_precond_destroy(rank->precond);
        spry_matrix_destroy(rank->inner);
        spry_matrix_destroy(rank->outer);
        spry_halo_destroy(rank->halo);
        placed_free(&rank->b_there);
        placed_free(&rank->x_there);
        placed_free(&rank->h_there);
        vector_free(&rank->b);
        vector_free(&rank->x);
        vector_free(&rank->h);
        spry_context_destroy(rank->context);
        spry_context_destroy(rank->host);
    }
    pthread_cond_destroy(&ranks->met);
    pthread_mutex_destroy(&ranks->mutex);
    free(ranks->rank);
    free(ranks->x);
}
