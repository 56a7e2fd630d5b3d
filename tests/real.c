/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real matrices: each is read, built in every format with every pair of types, multiplied by every kernel
 * that takes it, and converted back. real/ in the folder that SPRY_MATRICES names holds them as
 * Matrix Market files; without it there is nothing to test, and the program says so.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/reference.h"
#include "support/vector.h"

/* What meson takes for "skipped". */
#define SKIPPED 77

/* Matrices with more entries are multiplied with fewer factors and not transposed. */
#define LARGE 200000

static const struct { double alpha, beta; } factors[] = {{1, 0}, {-0.3, 1.5}};

/* Some files hold an entry twice; what is compared is each entry. */
static const spry_convert_options keep = {.duplicates = SPRY_KEEP};

/* What was done, over all matrices. */
static struct { int64_t matrices, products, conversions, refused, wrong; } tally;

/* A matrix being tested, and which form of it. */
struct real {
    const char *name;
    spry_context *context;
    struct list list; /* sorted */
    spry_type type;
    spry_index index;
    spry_format format;
};

/* The products of one matrix in one type. */
struct products {
    spry_op op;
    struct vector x, before, y;
    struct reference reference;
};

static bool is_large(const struct real *real) {
    return real->list.nnz > LARGE;
}

/* Counts a check, and says what went wrong with it. */
static bool check(bool right, int64_t *count, const struct real *real, const char *what) {
    ++*count;
    if (right)
        return true;
    tally.wrong++;
    fprintf(stderr, "%s %s %s %s: wrong %s: %s\n", real->name, spry_format_name(real->format),
            spry_type_name(real->type), spry_index_name(real->index), what, spry_message(real->context));
    return false;
}

static struct list list_of(const spry_matrix *coo) {
    const spry_coo *arrays = spry_matrix_coo(coo);
    size_t size = spry_index_size(spry_matrix_index(coo));
    struct list list = list_new(spry_matrix_rows(coo), spry_matrix_cols(coo));
    for (int64_t k = 0; k < spry_matrix_nnz(coo); k++)
        list_add(&list, get_integer(arrays->row, size, k) - arrays->base,
                 get_integer(arrays->col, size, k) - arrays->base, get_value(arrays->val, SPRY_F64, k));
    return list;
}

static struct products products_new(const struct list *list, spry_type type, spry_op op) {
    int64_t in = op == SPRY_N ? list->cols : list->rows, out = op == SPRY_N ? list->rows : list->cols;
    struct products products = {.op = op,
                                .x = vector_new(type, in, NAN),
                                .before = vector_new(type, out, NAN),
                                .y = vector_new(type, out, 1234.5)};
    vector_random(&products.x, 1);
    vector_random(&products.before, 2);
    products.reference = reference_new(list, op, &products.x);
    return products;
}

static void products_free(struct products *products) {
    vector_free(&products->x);
    vector_free(&products->before);
    vector_free(&products->y);
    reference_free(&products->reference);
}

/* One kernel, or the library's choice if it is null. */
static void check_kernel(const struct real *real, struct products *products, const spry_matrix *matrix,
                         const spry_kernel *kernel) {
    struct vector *y = &products->y;
    size_t count = is_large(real) ? 1 : sizeof factors / sizeof factors[0];
    for (size_t f = 0; f < count; f++) {
        double alpha = factors[f].alpha, beta = factors[f].beta;
        vector_copy(y, &products->before);
        spry_status status =
            kernel ? spry_spmv_with(real->context, kernel, alpha, matrix, products->x.data, beta, y->data)
                   : spry_spmv(real->context, products->op, alpha, matrix, products->x.data, beta, y->data);
        bool right = status == SPRY_OK && vector_guarded(y) &&
                     reference_differs(&products->reference, alpha, beta, &products->before, y) < 0;
        check(right, &tally.products, real, kernel ? spry_kernel_describe(kernel).name : "product");
    }
}

static void check_products(const struct real *real, struct products *products, const spry_matrix *matrix) {
    check_kernel(real, products, matrix, NULL);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (spry_kernel_describe(kernel).op == products->op && spry_kernel_takes(kernel, matrix) &&
            spry_kernel_runs(real->context, kernel))
            check_kernel(real, products, matrix, kernel);
    }
}

static bool same_csr(const spry_matrix *a, const spry_matrix *b) {
    const spry_csr *left = spry_matrix_csr(a), *right = spry_matrix_csr(b);
    size_t rows = (size_t)spry_matrix_rows(a), nnz = (size_t)spry_matrix_nnz(a);
    return left && right && spry_matrix_rows(b) == (int64_t)rows && spry_matrix_nnz(b) == (int64_t)nnz &&
           memcmp(left->ptr, right->ptr, (rows + 1) * spry_pointer_size(spry_matrix_index(a))) == 0 &&
           memcmp(left->idx, right->idx, nnz * spry_index_size(spry_matrix_index(a))) == 0 &&
           memcmp(left->val, right->val, nnz * spry_type_size(spry_matrix_type(a))) == 0;
}

/* To CSR again gives what it was made from. */
static void check_way_back(const struct real *real, const spry_matrix *matrix, const spry_matrix *csr) {
    spry_matrix *back = NULL;
    bool right = !spry_convert(real->context, matrix, SPRY_CSR, &keep, &back) && same_csr(back, csr);
    check(right, &tally.conversions, real, "conversion back");
    spry_matrix_destroy(back);
}

/* So does transposing twice, unless the transpose is too large for the format. */
static void check_transpose(const struct real *real, const spry_matrix *matrix, const spry_matrix *csr) {
    spry_matrix *once = NULL, *twice = NULL;
    spry_status status = spry_transpose(real->context, matrix, &once);
    if (status != SPRY_ERROR_TOO_LARGE)
        check(status == SPRY_OK, &tally.conversions, real, "transpose");
    if (status == SPRY_OK) {
        check(!spry_transpose(real->context, once, &twice), &tally.conversions, real, "second transpose");
        check_way_back(real, twice, csr);
    }
    spry_matrix_destroy(once);
    spry_matrix_destroy(twice);
}

static void check_format(struct real *real, struct products *products, const spry_matrix *csr) {
    spry_matrix *matrix = NULL;
    spry_status status = spry_convert(real->context, csr, real->format, &keep, &matrix);
    if (status == SPRY_ERROR_TOO_LARGE) {
        tally.refused++;
        if (real->type == SPRY_F64 && real->index == SPRY_I32)
            printf("%s: %s\n", real->name, spry_message(real->context));
        return;
    }
    if (!check(status == SPRY_OK, &tally.conversions, real, "conversion"))
        return;
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        check_products(real, &products[op], matrix);
    check_way_back(real, matrix, csr);
    if (!is_large(real))
        check_transpose(real, matrix, csr);
    spry_matrix_destroy(matrix);
}

static void check_formats(struct real *real, struct products *products) {
    struct built csr;
    real->format = SPRY_CSR;
    spry_status status =
        build(real->context, &real->list, SPRY_CSR, real->type, real->index, CONVERTED, &csr);
    if (check(status == SPRY_OK, &tally.conversions, real, "conversion from the entries read")) {
        check(equals_list(real->context, csr.matrix, &real->list), &tally.conversions, real, "entries");
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            real->format = (spry_format)format;
            check_format(real, products, csr.matrix);
        }
    }
    built_free(&csr);
}

static void check_matrix(struct real *real) {
    /* f32 last: its values are rounded. */
    for (int type = SPRY_TYPE_COUNT; type-- > 0;) {
        struct products products[SPRY_OP_COUNT];
        real->type = (spry_type)type;
        list_round(&real->list, real->type);
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            products[op] = products_new(&real->list, real->type, (spry_op)op);
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            real->index = (spry_index)index;
            check_formats(real, products);
        }
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            products_free(&products[op]);
    }
}

static void check_file(spry_context *context, const char *folder, const char *file) {
    static const spry_read_options options = {.real_part = 1};
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    spry_matrix *stored = NULL;
    tally.matrices++;
    if (spry_read(context, path, &options, &stored, NULL)) {
        tally.wrong++;
        fprintf(stderr, "%s: %s\n", file, spry_message(context));
        return;
    }
    struct real real = {.name = file, .context = context, .list = list_of(stored)};
    spry_matrix_destroy(stored);
    list_sort(&real.list);
    check_matrix(&real);
    list_free(&real.list);
}

static int is_matrix(const struct dirent *entry) {
    return strstr(entry->d_name, ".mtx") != NULL;
}

int main(void) {
    const char *matrices = getenv("SPRY_MATRICES");
    char folder[4000];
    snprintf(folder, sizeof folder, "%s/real", matrices ? matrices : "../shared/matrices");
    struct dirent **files;
    int count = scandir(folder, &files, is_matrix, alphasort);
    if (count <= 0) {
        printf("no matrices in %s\n", folder);
        return SKIPPED;
    }
    spry_context *context;
    if (spry_context_create(&context, NULL))
        return EXIT_FAILURE;
    for (int f = 0; f < count; f++) {
        check_file(context, folder, files[f]->d_name);
        free(files[f]);
    }
    free(files);
    spry_context_destroy(context);
    printf("%lld matrices: %lld products, %lld conversions, %lld refused as too large, %lld wrong\n",
           (long long)tally.matrices, (long long)tally.products, (long long)tally.conversions,
           (long long)tally.refused, (long long)tally.wrong);
    return tally.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
