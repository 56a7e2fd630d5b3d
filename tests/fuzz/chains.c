/* SPDX-License-Identifier: BSD-3-Clause */
/* The input is a small matrix and a sequence of calls with it. Beside the library's matrix a plain list of entries goes
   through the same; after each call both hold the same, and products are those of the list in long double. */
#include <math.h>
#include <stdlib.h>

#include "../support/reference.h"
#include "fuzz.h"

#define MOST 20
#define MOST_ENTRIES 60
#define MOST_STEPS 12

/* A matrix and what it should be. */
struct pair {
    struct built built;
    struct list list; /* its entries, in the order of storage as far as that matters */
    spry_context *context;
};

static struct list take_list(struct bytes *bytes) {
    struct list list = list_new(take_below(bytes, MOST), take_below(bytes, MOST));
    int entries = list.rows && list.cols ? take_below(bytes, MOST_ENTRIES) : 0;
    for (int k = 0; k < entries; k++) {
        int row = take_below(bytes, (int)list.rows), col = take_below(bytes, (int)list.cols);
        list_add(&list, row, col, take_value(bytes, false));
    }
    return list;
}

static spry_context *take_context(struct bytes *bytes) {
    static const int threads[] = {1, 3, 2, 7};
    return fuzz_context(threads[take_below(bytes, 4)]);
}

/* As a product takes it: rounded to the matrix's type. */
static double take_factor(struct bytes *bytes, spry_value_type type) {
    static const double common[] = {0, 1, -1, 0.5};
    int byte = take_below(bytes, 8);
    double factor = byte < 4 ? common[byte] : take_value(bytes, false);
    return type == SPRY_F32 ? (double)(float)factor : factor;
}

/* The matrix becomes another one of the same entries, sorted. */
static void replace(struct pair *pair, spry_status status, spry_matrix *result) {
    MUST(!status, "%s", spry_message(pair->context));
    built_free(&pair->built);
    pair->built = (struct built){.matrix = result};
    list_sort(&pair->list);
    MUST(equals_list(pair->context, result, &pair->list), "other entries");
}

static void convert(struct pair *pair, struct bytes *bytes) {
    int format = take_below(bytes, SPRY_FORMAT_COUNT + 1) - 1; /* SPRY_AUTO too */
    spry_convert_options options = {.size = sizeof options,
                                    .duplicates = SPRY_KEEP,
                                    .hyb_quantile = (take_below(bytes, 5)) / 4.0,
                                    .products = take_below(bytes, 3) * 10};
    spry_matrix *result;
    spry_status status =
        spry_convert(pair->context, pair->built.matrix, (spry_format)format, &options, &result);
    replace(pair, status, result);
}

static void cast(struct pair *pair, struct bytes *bytes) {
    spry_value_type type = (spry_value_type)take_below(bytes, SPRY_TYPE_COUNT);
    spry_index_type index = (spry_index_type)take_below(bytes, SPRY_INDEX_COUNT);
    spry_matrix *result;
    spry_status status = spry_cast(pair->context, pair->built.matrix, type, index, &result);
    list_round(&pair->list, type);
    replace(pair, status, result);
}

static void transpose(struct pair *pair) {
    spry_matrix *result;
    spry_status status = spry_transpose(pair->context, pair->built.matrix, &result);
    struct list transposed = list_transposed(&pair->list);
    list_free(&pair->list);
    pair->list = transposed;
    replace(pair, status, result);
}

static void copy(struct pair *pair) {
    spry_matrix *result;
    spry_status status = spry_matrix_copy(pair->context, pair->built.matrix, &result);
    MUST(!status, "%s", spry_message(pair->context));
    MUST(spry_matrix_bytes(result) == spry_matrix_bytes(pair->built.matrix), "another size");
    built_free(&pair->built);
    pair->built = (struct built){.matrix = result};
}

/* In an order, base and format of the caller's. */
static void wrap_again(struct pair *pair, struct bytes *bytes) {
    static const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC};
    spry_value_type type = spry_matrix_type(pair->built.matrix);
    spry_index_type index = spry_matrix_index(pair->built.matrix);
    int order = take_byte(bytes);
    if (order % 2)
        list_shuffle(&pair->list, (uint64_t)order);
    built_free(&pair->built);
    spry_status status = build(pair->context, &pair->list, formats[take_below(bytes, 3)], type, index,
                               take_below(bytes, 2) ? WRAPPED_FROM_1 : WRAPPED_FROM_0, &pair->built);
    MUST(!status, "%s", spry_message(pair->context));
}

static const spry_kernel *take_kernel(struct bytes *bytes, const struct pair *pair, spry_op op) {
    size_t first = (size_t)take_byte(bytes) * 37 % spry_kernel_count();
    for (size_t k = first; k < spry_kernel_count(); k++)
        if (spry_kernel_describe(spry_kernel_at(k)).op == op &&
            spry_kernel_runs(pair->context, spry_kernel_at(k)) &&
            spry_kernel_takes(spry_kernel_at(k), pair->built.matrix))
            return spry_kernel_at(k);
    return NULL;
}

/* By the kernel that was chosen, or by any other that takes the matrix. */
static void multiply(struct pair *pair, struct bytes *bytes) {
    spry_op op = (spry_op)take_below(bytes, SPRY_OP_COUNT);
    spry_value_type type = spry_matrix_type(pair->built.matrix);
    double alpha = take_factor(bytes, type), beta = take_factor(bytes, type);
    struct vector x = vector_new(type, op == SPRY_N ? pair->list.cols : pair->list.rows, NAN);
    struct vector before = vector_new(type, op == SPRY_N ? pair->list.rows : pair->list.cols, NAN);
    struct vector y = vector_new(type, before.count, 1234.5);
    const spry_kernel *kernel = take_kernel(bytes, pair, op);
    vector_random(&x, take_byte(bytes));
    if (beta != 0)
        vector_random(&before, take_byte(bytes));
    vector_copy(&y, &before);
    struct reference reference = reference_new(&pair->list, op, &x);
    spry_status status =
        kernel ? spry_spmv_with(pair->context, kernel, alpha, pair->built.matrix, x.data, beta, y.data)
               : spry_spmv(pair->context, op, alpha, pair->built.matrix, x.data, beta, y.data);
    MUST(!status, "%s", spry_message(pair->context));
    int64_t i = reference_differs(&reference, alpha, beta, &before, &y);
    MUST(i < 0, "%s, operation %d, alpha %g, beta %g: y[%d] = %g, not %g",
         kernel ? spry_kernel_describe(kernel).name : "chosen", (int)op, alpha, beta, (int)i,
         vector_get(&y, i), reference_value(&reference, alpha, beta, &before, i));
    MUST(vector_guarded(&y), "wrote beside y");
    reference_free(&reference);
    vector_free(&x);
    vector_free(&before);
    vector_free(&y);
}

static void multiply_and_add_up(struct pair *pair, struct bytes *bytes) {
    spry_value_type type = spry_matrix_type(pair->built.matrix);
    struct vector x = vector_new(type, pair->list.cols, NAN), w = vector_new(type, pair->list.rows, NAN);
    struct vector y = vector_new(type, pair->list.rows, 1234.5);
    vector_random(&x, take_byte(bytes));
    vector_random(&w, take_byte(bytes));
    struct reference reference = reference_new(&pair->list, SPRY_N, &x);
    double got = NAN;
    spry_status status = spry_spmv_dot(pair->context, pair->built.matrix, x.data, y.data, w.data, &got);
    MUST(!status, "%s", spry_message(pair->context));
    MUST(reference_differs(&reference, 1, 0, &y, &y) < 0, "y is wrong");
    MUST(vector_guarded(&y), "wrote beside y");
    long double want = 0, magnitude = 0;
    for (int64_t i = 0; i < y.count; i++) {
        want += (long double)vector_get(&w, i) * (long double)vector_get(&y, i);
        magnitude += fabsl((long double)vector_get(&w, i) * (long double)vector_get(&y, i));
    }
    MUST(!isfinite(want) || fabsl(want - (long double)got) <= 1e-5L * magnitude + 1e-37L,
         "a dot product of %g, not %Lg", got, want);
    reference_free(&reference);
    vector_free(&x);
    vector_free(&w);
    vector_free(&y);
}

static bool has_duplicates(const struct list *sorted) {
    for (int64_t k = 1; k < sorted->nnz; k++)
        if (sorted->row[k] == sorted->row[k - 1] && sorted->col[k] == sorted->col[k - 1])
            return true;
    return false;
}

/* By a CSR matrix that has the same pattern, in any order within its rows, or one entry fewer. */
static void update(struct pair *pair, struct bytes *bytes) {
    struct list values = list_copy(&pair->list);
    list_sort(&values);
    if (has_duplicates(&values)) {
        list_free(&values);
        return;
    }
    list_free(&values);
    values = list_copy(&pair->list);
    for (int64_t k = 0; k < values.nnz; k++)
        values.val[k] = take_value(bytes, false);
    list_round(&values, spry_matrix_type(pair->built.matrix));
    struct list given = list_copy(&values);
    int order = take_byte(bytes);
    if (order % 2)
        list_shuffle(&given, (uint64_t)order);
    bool fewer = given.nnz && order >= 224;
    given.nnz -= fewer;
    struct built csr;
    spry_status status = build(pair->context, &given, SPRY_CSR, spry_matrix_type(pair->built.matrix),
                               spry_matrix_index(pair->built.matrix), WRAPPED_FROM_0, &csr);
    MUST(!status, "%s", spry_message(pair->context));
    status = spry_update_values(pair->context, pair->built.matrix, csr.matrix);
    MUST(fewer ? status == SPRY_ERROR_PATTERN || status == SPRY_ERROR_UNSUPPORTED
               : !status || status == SPRY_ERROR_UNSUPPORTED,
         "%s: %s", spry_status_string(status), spry_message(pair->context));
    if (!status) {
        struct list old = pair->list;
        pair->list = values;
        values = old;
    }
    built_free(&csr);
    list_free(&given);
    list_free(&values);
}

/* Through COO, in the order given: floating-point additions of the matrix's type. */
static void sum_duplicates(struct pair *pair, struct bytes *bytes) {
    static const spry_convert_options sum = {.size = sizeof sum, .duplicates = SPRY_SUM};
    spry_format format = (spry_format)take_below(bytes, SPRY_FORMAT_COUNT);
    if (spry_matrix_format(pair->built.matrix) != SPRY_COO)
        return;
    struct list sorted = list_copy(&pair->list), summed = list_new(sorted.rows, sorted.cols);
    list_sort(&sorted);
    for (int64_t k = 0; k < sorted.nnz; k++) {
        int64_t last = summed.nnz - 1;
        if (last >= 0 && summed.row[last] == sorted.row[k] && summed.col[last] == sorted.col[k]) {
            summed.val[last] += sorted.val[k];
            list_round(&summed, spry_matrix_type(pair->built.matrix));
        } else {
            list_add(&summed, sorted.row[k], sorted.col[k], sorted.val[k]);
        }
    }
    list_free(&sorted);
    list_free(&pair->list);
    pair->list = summed;
    spry_matrix *result;
    spry_status status = spry_convert(pair->context, pair->built.matrix, format, &sum, &result);
    replace(pair, status, result);
}

static void step(struct pair *pair, struct bytes *bytes) {
    switch (take_below(bytes, 16)) {
    case 0:
    case 1:
        convert(pair, bytes);
        break;
    case 2:
        cast(pair, bytes);
        break;
    case 3:
        transpose(pair);
        break;
    case 4:
        copy(pair);
        break;
    case 5:
    case 6:
        wrap_again(pair, bytes);
        break;
    case 7:
    case 8:
        update(pair, bytes);
        break;
    case 9:
        sum_duplicates(pair, bytes);
        break;
    case 10:
        pair->context = take_context(bytes);
        break;
    case 11:
        multiply_and_add_up(pair, bytes);
        break;
    default:
        multiply(pair, bytes);
    }
    MUST(!spry_validate(pair->context, pair->built.matrix, 0), "%s", spry_message(pair->context));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes bytes = {data, size};
    struct pair pair = {.context = take_context(&bytes)};
    spry_value_type type = (spry_value_type)take_below(&bytes, SPRY_TYPE_COUNT);
    spry_index_type index = (spry_index_type)take_below(&bytes, SPRY_INDEX_COUNT);
    pair.list = take_list(&bytes);
    list_round(&pair.list, type);
    spry_status status = build(pair.context, &pair.list, SPRY_COO, type, index, WRAPPED_FROM_0, &pair.built);
    MUST(!status, "%s", spry_message(pair.context));
    for (int i = 0; i < MOST_STEPS && bytes.left; i++)
        step(&pair, &bytes);
    built_free(&pair.built);
    list_free(&pair.list);
    return 0;
}
