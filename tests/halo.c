/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one rank among many: what is its own, what is others', and of whom. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"

#define MOST_RANKS 6

static spry_context *host_context(const spry_allocator *allocator) {
    spry_context_options options = {.size = sizeof options, .threads = 2, .grain = 1, .allocator = allocator};
    spry_context *context;
    cr_assert_eq(spry_context_create(&context, &options), SPRY_OK);
    return context;
}

/* Some of all places, row by row. */
static struct list random_rows(uint64_t *state, int64_t rows, int64_t cols, int64_t one_in) {
    struct list list = list_new(rows, cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            if (test_below(state, one_in) == 0)
                list_add(&list, i, j, test_value(state));
    return list;
}

/* Columns dealt out among ranks, some of which may get none. Returns how many there are. */
static int64_t random_first(uint64_t *state, int ranks, int64_t most, int64_t *first) {
    first[0] = 0;
    for (int r = 0; r < ranks; r++)
        first[r + 1] = first[r] + (test_below(state, 3) == 0 ? 0 : test_below(state, most + 1));
    return first[ranks];
}

/* What is expected, from a list. */
struct expected {
    struct list inner, outer;
    int64_t count, column[200];
};

static struct expected expect(const struct list *rows, int64_t low, int64_t high) {
    struct expected e = {0};
    int64_t place[200];
    for (int64_t j = 0; j < rows->cols; j++) {
        bool used = false;
        for (int64_t k = 0; k < rows->nnz && (j < low || j >= high); k++)
            used |= rows->col[k] == j;
        place[j] = e.count;
        if (used)
            e.column[e.count++] = j;
    }
    e.inner = list_new(rows->rows, high - low);
    e.outer = list_new(rows->rows, e.count);
    for (int64_t k = 0; k < rows->nnz; k++) {
        bool own = rows->col[k] >= low && rows->col[k] < high;
        list_add(own ? &e.inner : &e.outer, rows->row[k], own ? rows->col[k] - low : place[rows->col[k]],
                 rows->val[k]);
    }
    return e;
}

static void check_begin(const spry_halo *halo, int ranks, const int64_t *first, int rank) {
    const int64_t *begin = spry_halo_begin(halo), *column = spry_halo_columns(halo);
    cr_expect_eq(begin[0], 0);
    cr_expect_eq(begin[ranks], spry_halo_count(halo));
    cr_expect_eq(begin[rank], begin[rank + 1], "from itself");
    for (int r = 0; r < ranks; r++)
        for (int64_t k = begin[r]; k < begin[r + 1]; k++)
            cr_expect(column[k] >= first[r] && column[k] < first[r + 1], "column %d of rank %d",
                      (int)column[k], r);
}

static void check_parts(spry_context *context, const struct list *list, const spry_matrix *rows, int ranks,
                        const int64_t *first, int rank) {
    spry_matrix *inner, *outer;
    spry_halo *halo;
    struct expected e = expect(list, first[rank], first[rank + 1]);
    cr_assert_eq(spry_halo_create(context, rows, ranks, first, rank, &inner, &outer, &halo), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect(equals_list(context, inner, &e.inner), "inner of rank %d", rank);
    cr_expect(equals_list(context, outer, &e.outer), "outer of rank %d", rank);
    cr_expect_eq(spry_matrix_type(inner), spry_matrix_type(rows));
    cr_expect_eq(spry_matrix_index(outer), spry_matrix_index(rows));
    cr_assert_eq(spry_halo_count(halo), e.count);
    cr_expect_eq(memcmp(spry_halo_columns(halo), e.column, (size_t)e.count * sizeof e.column[0]), 0);
    check_begin(halo, ranks, first, rank);
    spry_matrix_destroy(inner);
    spry_matrix_destroy(outer);
    spry_halo_destroy(halo);
    list_free(&e.inner);
    list_free(&e.outer);
}

/* Every type and format, ranks that own nothing, rows that are not as many as columns. */
Test(halo, random_partitions) {
    spry_context *context = host_context(NULL);
    uint64_t state = 5;
    for (int turn = 0; turn < 300; turn++) {
        int64_t first[MOST_RANKS + 1];
        int ranks = 1 + (int)test_below(&state, MOST_RANKS);
        int64_t cols = random_first(&state, ranks, 20, first);
        struct list list = random_rows(&state, test_below(&state, 15), cols, 1 + test_below(&state, 12));
        list_round(&list, (spry_value_type)(turn % SPRY_TYPE_COUNT));
        struct built built =
            built_of(context, &list, (spry_format)(turn % SPRY_FORMAT_COUNT),
                     (spry_value_type)(turn % SPRY_TYPE_COUNT), (spry_index_type)(turn % SPRY_INDEX_COUNT));
        for (int rank = 0; rank < ranks; rank++)
            check_parts(context, &list, built.matrix, ranks, first, rank);
        built_free(&built);
        list_free(&list);
    }
    spry_context_destroy(context);
}

/* Columns past 32 bits, which take more than one pass of the sort for all their bytes. */
Test(halo, large_columns) {
    const int64_t first[] = {0, INT64_C(1) << 40, (INT64_C(1) << 40) + 2, INT64_C(1) << 50};
    int64_t ptr[] = {0, 3, 5}, idx[] = {300, INT64_C(1) << 40, INT64_C(1) << 41, 7, INT64_C(1) << 41};
    double val[] = {1, 2, 3, 4, 5};
    const int64_t want[] = {7, 300, INT64_C(1) << 41}, begin[] = {0, 2, 2, 3};
    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val};
    spry_context *context = host_context(NULL);
    spry_matrix *rows, *inner, *outer;
    spry_halo *halo;
    cr_assert_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I64, 2, first[3], &arrays, &rows), SPRY_OK);
    cr_assert_eq(spry_halo_create(context, rows, 3, first, 1, &inner, &outer, &halo), SPRY_OK);
    cr_assert_eq(spry_halo_count(halo), 3);
    cr_expect_eq(memcmp(spry_halo_columns(halo), want, sizeof want), 0);
    cr_expect_eq(memcmp(spry_halo_begin(halo), begin, sizeof begin), 0);
    double h[] = {10, 100, 1000}, x[] = {20, 0}, y[2];
    cr_assert_eq(spry_spmv(context, SPRY_N, 1, inner, x, 0, y), SPRY_OK);
    cr_assert_eq(spry_spmv(context, SPRY_N, 1, outer, h, 1, y), SPRY_OK);
    cr_expect_eq(y[0], 100 + 2 * 20 + 3 * 1000);
    cr_expect_eq(y[1], 4 * 10 + 5 * 1000);
    spry_matrix_destroy(inner);
    spry_matrix_destroy(outer);
    spry_matrix_destroy(rows);
    spry_halo_destroy(halo);
    spry_context_destroy(context);
}

static void expect_refused(spry_context *context, const spry_matrix *rows, int ranks, const int64_t *first,
                           int rank, const char *word) {
    spry_matrix *inner = (void *)&ranks, *outer = (void *)&ranks;
    spry_halo *halo = (void *)&ranks;
    cr_expect_eq(spry_halo_create(context, rows, ranks, first, rank, &inner, &outer, &halo),
                 SPRY_ERROR_ARGUMENT, "%s", word);
    cr_expect(strstr(spry_message(context), word), "%s: %s", word, spry_message(context));
    cr_expect(!inner && !outer && !halo);
}

Test(halo, refused) {
    spry_context *context = host_context(NULL);
    struct list list = list_new(3, 5);
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    expect_refused(context, NULL, 1, (int64_t[]){0, 5}, 0, "null");
    expect_refused(context, built.matrix, 1, NULL, 0, "null");
    expect_refused(context, built.matrix, 0, (int64_t[]){0}, 0, "of 0 ranks");
    expect_refused(context, built.matrix, 2, (int64_t[]){0, 2, 5}, 2, "rank 2 of 2");
    expect_refused(context, built.matrix, 2, (int64_t[]){0, 2, 5}, -1, "rank -1");
    expect_refused(context, built.matrix, 2, (int64_t[]){0, 2, 4}, 1, "0 to 4, expected 0 to 5");
    expect_refused(context, built.matrix, 2, (int64_t[]){1, 2, 5}, 1, "1 to 5");
    expect_refused(context, built.matrix, 3, (int64_t[]){0, 4, 2, 5}, 1, "rank 1 owns x from 4 to below 2");
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* One run in which the n-th request for memory is refused. Whether it was reached. */
static bool run_refused(const spry_matrix *rows, const int64_t *first, int64_t n) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = host_context(&counting.allocator);
    spry_matrix *inner, *outer;
    spry_halo *halo;
    counting_refuse(&counting, n);
    spry_status status = spry_halo_create(context, rows, 2, first, 1, &inner, &outer, &halo);
    cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
    cr_expect(status == SPRY_OK || (!inner && !outer && !halo));
    spry_matrix_destroy(inner);
    spry_matrix_destroy(outer);
    spry_halo_destroy(halo);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0, "request %d is refused", (int)n);
    cr_expect_not(counting.misused);
    return counting.refused;
}

/* Each request is refused once, in turn: a status comes back, nothing leaks. */
Test(halo, memory) {
    const int64_t first[] = {0, 4, 9};
    uint64_t state = 3;
    spry_context *context = host_context(NULL);
    struct list list = random_rows(&state, 5, 9, 2);
    struct built built = built_of(context, &list, SPRY_COO, SPRY_F64, SPRY_I32);
    int64_t n = 1;
    while (run_refused(built.matrix, first, n))
        n++;
    cr_expect_geq(n, 10);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}
