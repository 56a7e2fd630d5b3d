/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vector.h"

/* Different values that a code keeps; 0: any number. */
static int64_t most_values(spry_value_code code) {
    return code == SPRY_VALUES_CONSTANT ? 1
           : code == SPRY_VALUES_DICT8  ? 256
           : code == SPRY_VALUES_DICT16 ? 65536
                                        : 0;
}

struct list fitting(const struct list *list, spry_value_code code) {
    struct list fits = list_copy(list);
    const int64_t most = most_values(code);
    for (int64_t k = 0; k < fits.nnz && most > 0; k++)
        fits.val[k] = list->val[k % most];
    if (code == SPRY_VALUES_F32)
        list_round(&fits, SPRY_F32);
    return fits;
}

void pair_of(spry_context *context, const struct list *list, spry_value_type type, spry_index_type index,
             const char *text, struct pair *pair) {
    spry_storage storage = storage_of(text);
    struct list fits = fitting(list, storage.values);
    *pair = (struct pair){.plain = NULL};
    pair->csr = built_of(context, &fits, SPRY_CSR, type, index);
    list_free(&fits);
    cr_assert_eq(spry_convert_to(context, pair->csr.matrix, &storage, &keep_duplicates, &pair->coded),
                 SPRY_OK, "%s: %s", text, spry_message(context));
    storage.values = SPRY_VALUES_PLAIN;
    storage.columns = SPRY_COLUMNS_PLAIN;
    cr_assert_eq(spry_convert_to(context, pair->csr.matrix, &storage, &keep_duplicates, &pair->plain),
                 SPRY_OK);
}

void pair_open(spry_context *context, const struct list *list, spry_index_type index, const char *text,
               struct pair *pair) {
    pair_of(context, list, SPRY_F64, index, text, pair);
}

void pair_close(struct pair *pair) {
    spry_matrix_destroy(pair->plain);
    spry_matrix_destroy(pair->coded);
    built_free(&pair->csr);
}

struct list sorted_copy(const struct list *list) {
    struct list copy = list_copy(list);
    list_sort(&copy);
    return copy;
}

/* What the codes of a kernel add to its name. */
static void name_of_codes(const spry_kernel_info *info, char *text, size_t size) {
    const bool columns = info->columns != SPRY_COLUMNS_PLAIN, values = info->values != SPRY_VALUES_PLAIN;
    snprintf(text, size, "%s%s%s%s", columns ? "_" : "", columns ? spry_column_code_name(info->columns) : "",
             values ? "_" : "", values ? spry_value_code_name(info->values) : "");
}

/* The kernel that does with plain columns and values what this one does with those of a code. */
static const spry_kernel *plain_kernel(const spry_kernel *coded, const spry_matrix *plain) {
    spry_kernel_info wanted = spry_kernel_describe(coded);
    char code[40];
    name_of_codes(&wanted, code, sizeof code);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        size_t length = strlen(info.name);
        if (info.op == wanted.op && strncmp(info.name, wanted.name, length) == 0 &&
            strcmp(wanted.name + length, code) == 0 && spry_kernel_takes(spry_kernel_at(k), plain))
            return spry_kernel_at(k);
    }
    return NULL;
}

static struct vector multiply(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix) {
    int64_t rows = spry_matrix_rows(matrix), cols = spry_matrix_cols(matrix);
    bool transposed = spry_kernel_describe(kernel).op == SPRY_T;
    struct vector x = vector_new(spry_matrix_type(matrix), transposed ? rows : cols, NAN),
                  y = vector_new(spry_matrix_type(matrix), transposed ? cols : rows, 7);
    vector_random(&x, 5);
    vector_random(&y, 9);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    cr_expect_eq(spry_spmv_with(context, kernel, 1.5, matrix, x_there.data, 0.75, y_there.data), SPRY_OK,
                 "%s", spry_message(context));
    cr_expect_eq(vector_fetch(&y, &y_there), SPRY_OK);
    cr_expect(vector_guarded(&y));
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    return y;
}

bool same_bits(const struct vector *a, const struct vector *b) {
    for (int64_t i = 0; i < a->count; i++) {
        double one = vector_get(a, i), other = vector_get(b, i);
        if (memcmp(&one, &other, sizeof one) != 0 && !(isnan(one) && isnan(other)))
            return false;
    }
    return true;
}

void compare_products(spry_context *context, const struct pair *pair, bool *seen, const char *name) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *coded = spry_kernel_at(k);
        spry_kernel_info info = spry_kernel_describe(coded);
        if (info.many || info.nondeterministic || !spry_kernel_takes(coded, pair->coded) ||
            !spry_kernel_runs(context, coded))
            continue;
        const spry_kernel *plain = plain_kernel(coded, pair->plain);
        cr_assert_not_null(plain, "%s has no counterpart for plain values", info.name);
        struct vector a = multiply(context, plain, pair->plain), b = multiply(context, coded, pair->coded);
        cr_expect(same_bits(&a, &b), "%s, %s: other bits than %s", name, info.name,
                  spry_kernel_describe(plain).name);
        vector_free(&a);
        vector_free(&b);
        seen[k] = true;
    }
}
