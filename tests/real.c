/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real matrices: each is read, built in every format with every pair of types, large ones with fewer pairs, multiplied by every
 * kernel that takes it, and converted back. See collection.h for where they are; without any there is nothing to test,
 * and the program says so.
 *
 * A device gets them from several host threads at once, each with a context of its own, since reading and
 * checking takes far longer than the products; and it gets a few that are large enough to fill it.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/build.h"
#include "support/collection.h"
#include "support/reference.h"
#include "support/vector.h"

/* Matrices with more entries are multiplied with fewer factors, not transposed, and have one index type for each value type; with
   even more, one value type only. The types change from matrix to matrix. */
#define LARGE 50000
#define HUGE 2000000

static const char *const fill_a_device[] = {"poisson3d:160", "27pt:104"};
#define FILLING (int)(sizeof fill_a_device / sizeof *fill_a_device)

static const struct { double alpha, beta; } factors[] = {{1, 0}, {-0.3, 1.5}};

/* Some files hold an entry twice; what is compared is each entry. Large matrices are not padded to many times their size. */
static const spry_convert_options keep_small = {
    .size = sizeof keep_small, .duplicates = SPRY_KEEP, .fill_limit = 3};

/* What was done, over all matrices. */
static struct { int64_t matrices, left_out, products, conversions, refused, wrong; } tally;

/* A matrix being tested, and which form of it. */
struct real {
    const char *name;
    int number; /* in the collection */
    spry_context *context;
    struct list list;   /* sorted */
    struct arrays want; /* of that list in CSR */
    spry_value_type type;
    spry_index_type index;
    spry_format format;
};

/* The products of one matrix in one type. */
struct products {
    spry_op op;
    struct vector x, before, y;
    struct placed x_there, y_there; /* where the context works */
    struct reference reference;
};

static bool is_large(const struct real *real) {
    return real->list.nnz > LARGE;
}

static bool has_type(const struct real *real, int type) {
    return real->list.nnz <= HUGE || real->number % SPRY_TYPE_COUNT == type;
}

static bool has_index(const struct real *real, int type, int index) {
    return !is_large(real) || (real->number / SPRY_TYPE_COUNT + type) % SPRY_INDEX_COUNT == index;
}

static void count_one(int64_t *count) {
#pragma omp atomic
    ++*count;
}

/* Counts a check, and says what went wrong with it. */
static bool check(bool right, int64_t *count, const struct real *real, const char *what) {
    count_one(count);
    if (right)
        return true;
    count_one(&tally.wrong);
    fprintf(stderr, "%s %s %s %s: wrong %s: %s\n", real->name, spry_format_name(real->format),
            spry_type_name(real->type), spry_index_name(real->index), what, spry_message(real->context));
    return false;
}

static struct products products_new(const struct real *real, spry_op op) {
    const struct list *list = &real->list;
    spry_value_type type = real->type;
    int64_t in = op == SPRY_N ? list->cols : list->rows, out = op == SPRY_N ? list->rows : list->cols;
    struct products products = {.op = op,
                                .x = vector_new(type, in, NAN),
                                .before = vector_new(type, out, NAN),
                                .y = vector_new(type, out, 1234.5)};
    vector_random(&products.x, 1);
    vector_random(&products.before, 2);
    products.x_there = vector_place(real->context, &products.x);
    products.y_there = vector_place(real->context, &products.y);
    products.reference = reference_new(list, op, &products.x);
    return products;
}

static void products_free(struct products *products) {
    vector_free(&products->x);
    vector_free(&products->before);
    vector_free(&products->y);
    placed_free(&products->x_there);
    placed_free(&products->y_there);
    reference_free(&products->reference);
}

/* With one kernel, or with the library's choice if it is null. */
static spry_status multiply(const struct real *real, struct products *products, const spry_matrix *matrix,
                            const spry_kernel *kernel, double alpha, double beta) {
    const void *x = products->x_there.data;
    void *y = products->y_there.data;
    vector_copy(&products->y, &products->before);
    spry_status status = vector_put(&products->y, &products->y_there);
    if (!status && kernel)
        status = spry_spmv_with(real->context, kernel, alpha, matrix, x, beta, y);
    else if (!status)
        status = spry_spmv(real->context, products->op, alpha, matrix, x, beta, y);
    return status ? status : vector_fetch(&products->y, &products->y_there);
}

static void check_kernel(const struct real *real, struct products *products, const spry_matrix *matrix,
                         const spry_kernel *kernel) {
    size_t count = is_large(real) ? 1 : sizeof factors / sizeof factors[0];
    products->reference.flushed = kernel && spry_kernel_describe(kernel).nondeterministic;
    for (size_t f = 0; f < count; f++) {
        double alpha = factors[f].alpha, beta = factors[f].beta;
        spry_status status = multiply(real, products, matrix, kernel, alpha, beta);
        bool right =
            status == SPRY_OK && vector_guarded(&products->y) &&
            reference_differs(&products->reference, alpha, beta, &products->before, &products->y) < 0;
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

/* To CSR again gives what it was made from. */
static void check_way_back(const struct real *real, const spry_matrix *matrix) {
    spry_matrix *back = NULL;
    bool right = !spry_convert(real->context, matrix, SPRY_CSR, &keep_duplicates, &back) &&
                 csr_equals(real->context, back, &real->list, &real->want);
    check(right, &tally.conversions, real, "conversion back");
    spry_matrix_destroy(back);
}

/* So does transposing twice, unless the transpose is too large for the format. */
static void check_transpose(const struct real *real, const spry_matrix *matrix) {
    spry_matrix *once = NULL, *twice = NULL;
    spry_status status = spry_transpose(real->context, matrix, &once);
    if (status != SPRY_ERROR_TOO_LARGE)
        check(status == SPRY_OK, &tally.conversions, real, "transpose");
    if (status == SPRY_OK &&
        check(!spry_transpose(real->context, once, &twice), &tally.conversions, real, "second transpose"))
        check_way_back(real, twice);
    spry_matrix_destroy(once);
    spry_matrix_destroy(twice);
}

static void check_format(struct real *real, struct products *products, const spry_matrix *csr) {
    spry_matrix *matrix = NULL;
    spry_status status = spry_convert(real->context, csr, real->format,
                                      is_large(real) ? &keep_small : &keep_duplicates, &matrix);
    if (status == SPRY_ERROR_TOO_LARGE) {
        count_one(&tally.refused);
        if (real->type == SPRY_F64 && real->index == SPRY_I32)
            printf("%s: %s\n", real->name, spry_message(real->context));
        return;
    }
    if (!check(status == SPRY_OK, &tally.conversions, real, "conversion"))
        return;
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        check_products(real, &products[op], matrix);
    check_way_back(real, matrix);
    if (!is_large(real))
        check_transpose(real, matrix);
    spry_matrix_destroy(matrix);
}

static void check_formats(struct real *real, struct products *products) {
    struct built csr;
    real->format = SPRY_CSR;
    spry_status status =
        build(real->context, &real->list, SPRY_CSR, real->type, real->index, CONVERTED, &csr);
    if (check(status == SPRY_OK, &tally.conversions, real, "conversion from the entries read")) {
        real->want = arrays_new(&real->list, SPRY_CSR, real->type, real->index, 0);
        check_way_back(real, csr.matrix);
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            real->format = (spry_format)format;
            check_format(real, products, csr.matrix);
        }
        arrays_free(&real->want);
    }
    built_free(&csr);
}

static void check_types(struct real *real) {
    /* f32 last: its values are rounded. */
    for (int type = SPRY_TYPE_COUNT; type-- > 0;) {
        struct products products[SPRY_OP_COUNT];
        if (!has_type(real, type))
            continue;
        real->type = (spry_value_type)type;
        list_round(&real->list, real->type);
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            products[op] = products_new(real, (spry_op)op);
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            real->index = (spry_index_type)index;
            if (has_index(real, type, index))
                check_formats(real, products);
        }
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            products_free(&products[op]);
    }
}

static void check_matrix(const struct collection *collection, int i, spry_context *cpu,
                         spry_context *context) {
    struct real real = {.name = collection_name(collection, i), .number = i, .context = context};
    count_one(&tally.matrices);
    if (collection_get(collection, i, cpu, &real.list)) {
        count_one(&tally.wrong);
        fprintf(stderr, "%s: %s\n", real.name, spry_message(cpu));
        return;
    }
    if (collection_takes(real.list.nnz))
        check_types(&real);
    else
        count_one(&tally.left_out);
    list_free(&real.list);
}

int main(void) {
    bool on_device = test_backend() != SPRY_CPU;
    int filling = on_device && !test_is_brief() ? FILLING : 0;
    struct collection collection;
    if (!test_backend_is_here() || !collection_open(&collection, fill_a_device, filling))
        return TEST_SKIPPED;
#pragma omp parallel num_threads(on_device ? omp_get_num_procs() : 1)
    {
        spry_context *cpu = test_context_with(
            &(spry_context_options){.size = sizeof(spry_context_options), .backend = SPRY_CPU});
        spry_context *context = test_context_with(
            &(spry_context_options){.size = sizeof(spry_context_options), .backend = test_backend()});
#pragma omp for schedule(dynamic)
        for (int i = 0; i < collection.count; i++)
            if (test_is_in_part((size_t)i))
                check_matrix(&collection, i, cpu, context);
        spry_context_destroy(context);
        spry_context_destroy(cpu);
    }
    collection_close(&collection);
    printf("%lld matrices, %lld left out: %lld products, %lld conversions, %lld refused as too large, %lld "
           "wrong\n",
           (long long)tally.matrices, (long long)tally.left_out, (long long)tally.products,
           (long long)tally.conversions, (long long)tally.refused, (long long)tally.wrong);
    return tally.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
