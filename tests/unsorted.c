/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose entries are in no order, of any length and among any number of columns, are sorted; duplicates stay in theirs. */
#include <criterion/criterion.h>

#include "support/build.h"

/* Rows of few entries among very many columns are sorted in memory for the entries, not for the columns. */
Test(unsorted, few_entries_among_many_columns) {
    spry_context *context = test_context(2);
    static const int64_t columns[] = {7, 3, INT64_C(1) << 49, 3, 0, (INT64_C(1) << 50) - 1, 5};
    static const int rising[] = {1, 3, 0, 2, 4, 6, 5};
    struct list list = list_new(3, INT64_C(1) << 50), sorted = list_new(3, INT64_C(1) << 50);
    for (int k = 0; k < 7; k++) {
        list_add(&list, k < 4 ? 0 : 2, columns[k], k + 1);
        list_add(&sorted, k < 4 ? 0 : 2, columns[rising[k]], rising[k] + 1);
    }
    for (int format = SPRY_COO; format <= SPRY_CSR; format++) {
        struct built built;
        spry_matrix *csr;
        cr_assert_eq(build(context, &list, (spry_format)format, SPRY_F64, SPRY_I64, WRAPPED_FROM_0, &built),
                     SPRY_OK);
        cr_assert_eq(spry_convert(context, built.matrix, SPRY_CSR, &keep_duplicates, &csr), SPRY_OK, "%s",
                     spry_message(context));
        cr_expect(equals_list(context, csr, &sorted));
        spry_matrix_destroy(csr);
        built_free(&built);
    }
    list_free(&list), list_free(&sorted);
    spry_context_destroy(context);
}

/* Lengths around those that are sorted in another way each, among as many columns as an index has. */
static struct list scrambled_rows(spry_index_type index) {
    static const int lengths[] = {1, 2, 63, 64, 65, 127, 128, 300, 513, 1100};
    const int rows = sizeof lengths / sizeof *lengths;
    const int64_t cols = index == SPRY_I64 ? INT64_C(1) << 50 : INT32_MAX;
    struct list list = list_new(rows, cols);
    uint64_t state = 1;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < lengths[i]; k++) {
            const int64_t anywhere = test_below(&state, cols);
            /* Every fourth is one of few, so that there are duplicates; the first and the last column are among them. */
            list_add(&list, i, k % 4 ? anywhere : k % 8 ? cols - 1 : k % 16, list.nnz + 1);
        }
    return list;
}

/* By insertion, as list_sort takes memory for every column. */
static struct list in_row_order(const struct list *list) {
    struct list sorted = list_copy(list);
    for (int64_t k = 1; k < sorted.nnz; k++)
        for (int64_t at = k;
             at > 0 && sorted.row[at] == sorted.row[at - 1] && sorted.col[at] < sorted.col[at - 1]; at--) {
            const int64_t col = sorted.col[at];
            const double val = sorted.val[at];
            sorted.col[at] = sorted.col[at - 1];
            sorted.val[at] = sorted.val[at - 1];
            sorted.col[at - 1] = col;
            sorted.val[at - 1] = val;
        }
    return sorted;
}

Test(unsorted, rows_of_any_length) {
    for (int threads = 1; threads <= test_threads(3); threads += 2)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            spry_context *context = test_context(threads);
            struct list list = scrambled_rows((spry_index_type)index), sorted = in_row_order(&list);
            struct built built;
            spry_matrix *csr;
            cr_assert_eq(
                build(context, &list, SPRY_COO, SPRY_F64, (spry_index_type)index, WRAPPED_FROM_0, &built),
                SPRY_OK, "%s", spry_message(context));
            cr_assert_eq(spry_convert(context, built.matrix, SPRY_CSR, &keep_duplicates, &csr), SPRY_OK, "%s",
                         spry_message(context));
            cr_expect(equals_list(context, csr, &sorted), "%s, %d threads",
                      spry_index_name((spry_index_type)index), threads);
            spry_matrix_destroy(csr);
            built_free(&built);
            list_free(&list), list_free(&sorted);
            spry_context_destroy(context);
        }
}
