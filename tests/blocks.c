/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of a matrix as the blocks of a diagonal: entry by entry, for all types, and where indices run out. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spbench/blocks.h"
#include "support/check.h"

#define COPIES 3

static void expect(bool holds, const char *what, const char *types) {
    check(holds, "%s (%s)", what, types);
}

/* 2 x 3, with an empty row: 5 at (0, 0) and 7 at (0, 2). */
static spry_status make_small(spry_context *context, spry_index_type index, spry_matrix **csr) {
    static int32_t rows[] = {0, 0}, cols[] = {2, 0};
    static double values[] = {7.0, 5.0};
    const spry_coo arrays = {rows, cols, values, 0};
    spry_matrix *coo = NULL, *small = NULL;
    spry_status status = spry_wrap_coo(context, SPRY_F64, SPRY_I32, 2, 3, 2, &arrays, &coo);
    if (status == SPRY_OK)
        status = spry_convert(context, coo, SPRY_CSR, NULL, &small);
    if (status == SPRY_OK)
        status = spry_cast(context, small, SPRY_F64, index, csr);
    spry_matrix_destroy(coo);
    spry_matrix_destroy(small);
    return status;
}

/* What the product with 1, 2, 3, … has to be. */
static bool multiplies(spry_context *context, const spry_matrix *matrix) {
    double x[3 * COPIES], y[2 * COPIES];
    for (int i = 0; i < 3 * COPIES; i++)
        x[i] = i + 1;
    bool right = spry_spmv(context, SPRY_N, 1.0, matrix, x, 0.0, y) == SPRY_OK;
    for (int i = 0; i < COPIES; i++)
        right &= y[2 * i] == 5.0 * x[3 * i] + 7.0 * x[3 * i + 2] && y[2 * i + 1] == 0.0;
    return right;
}

static void test_copies(spry_context *context, spry_index_type index) {
    const char *types = spry_index_name(index);
    struct blocks blocks = {.matrix = NULL};
    spry_matrix *csr = NULL;
    expect(make_small(context, index, &csr) == SPRY_OK, "a small matrix", types);
    expect(blocks_make(context, csr, COPIES, &blocks) == SPRY_OK, "copies are made", types);
    expect(spry_matrix_rows(blocks.matrix) == 2 * COPIES && spry_matrix_cols(blocks.matrix) == 3 * COPIES &&
               spry_matrix_nnz(blocks.matrix) == 2 * COPIES && spry_matrix_index(blocks.matrix) == index,
           "they have the sizes and types", types);
    expect(spry_validate(context, blocks.matrix, SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT) == SPRY_OK,
           "they are a matrix", types);
    expect(multiplies(context, blocks.matrix), "their product is that of each", types);
    blocks_free(&blocks);
    expect(!blocks.matrix && !blocks.arrays.ptr, "nothing is left", types);
    spry_matrix_destroy(csr);
}

/* Without entries a matrix of many columns takes no memory. */
static spry_matrix *make_wide(spry_context *context, spry_index_type index, int64_t cols) {
    static int64_t pointers[] = {0, 0};
    const spry_csr arrays = {pointers, pointers, pointers, 0};
    spry_matrix *csr = NULL;
    expect(spry_wrap_csr(context, SPRY_F64, index, 1, cols, &arrays, &csr) == SPRY_OK, "wide",
           spry_index_name(index));
    return csr;
}

static void test_fit(spry_context *context, spry_index_type index, bool fits_twice) {
    const char *types = spry_index_name(index);
    char why[256] = "";
    spry_matrix *csr = make_wide(context, index, INT64_C(1) << 30);
    expect(blocks_fit(csr, 1, why, sizeof why) && !why[0], "one copy fits", types);
    expect(blocks_fit(csr, 2, why, sizeof why) == fits_twice, "two copies fit or not", types);
    expect(fits_twice || (strstr(why, "2 copies have 2,147,483,648 columns") && strstr(why, types)),
           "it says why", types);
    spry_matrix_destroy(csr);
}

/* More columns than any integer counts, which no option helps with. */
static void test_overflow(spry_context *context) {
    char why[256] = "";
    spry_matrix *csr = make_wide(context, SPRY_I64, INT64_C(1) << 61);
    expect(!blocks_fit(csr, 4, why, sizeof why), "four copies do not fit", "i64");
    expect(strcmp(why, "4 copies have 9,223,372,036,854,775,807 columns, more than i64 counts") == 0, why,
           "i64");
    spry_matrix_destroy(csr);
}

int main(void) {
    spry_context *context;
    if (spry_context_create(&context, NULL) != SPRY_OK)
        return EXIT_FAILURE;
    for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
        test_copies(context, (spry_index_type)index);
        test_fit(context, (spry_index_type)index, index == SPRY_I64);
    }
    test_overflow(context);
    spry_context_destroy(context);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
