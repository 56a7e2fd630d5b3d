/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuSPARSE as the second opinion: every CUDA kernel's product with every real matrix is compared with that of each
 * of cuSPARSE's ways to multiply, and both with the sum in higher precision. See collection.h for where the
 * matrices are, and cusparse_library.h for which cuSPARSE it is.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cusparse/cusparse_library.h"
#include "support/build.h"
#include "support/collection.h"
#include "support/reference.h"
#include "support/vector.h"

/* Every so many matrices one is looked at with 64-bit indices too. */
#define WIDE_STEP 16

/* Rows of a slice of sliced ELL, and how many times the entries its slots may be. */
#define SLICE 32
#define MAX_FILL 10

enum layout { BY_COO, BY_CSR, BY_CSC, BY_SLICES, LAYOUT_COUNT };

static const struct {
    const char *name;
    enum layout layout;
    enum cusparse_use use;
    int algorithm;
} peers[] = {
    {"COO_ALG1", BY_COO, USE_SPMV, CUSPARSE_SPMV_COO_ALG1},
    {"COO_ALG2", BY_COO, USE_SPMV, CUSPARSE_SPMV_COO_ALG2},
    {"CSR_ALG1", BY_CSR, USE_SPMV, CUSPARSE_SPMV_CSR_ALG1},
    {"CSR_ALG2", BY_CSR, USE_SPMV, CUSPARSE_SPMV_CSR_ALG2},
    {"CSC", BY_CSC, USE_CSC, CUSPARSE_SPMV_ALG_DEFAULT},
    {"SELL_ALG1", BY_SLICES, USE_SELL, CUSPARSE_SPMV_SELL_ALG1},
    {"SPMVOP_ALG1", BY_CSR, USE_SPMV_OP, SPMV_OP_ALG1},
    {"SPMVOP_ALG2", BY_CSR, USE_SPMV_OP, SPMV_OP_ALG2},
};
#define PEERS (sizeof peers / sizeof *peers)

static struct {
    int64_t matrices, left_out, compared, wrong, repeated, empty, overfull;
    int64_t unsupported[PEERS][SPRY_OP_COUNT];
} tally;

/* What cuSPARSE works in for one way of multiplying. */
struct buffer {
    void *pointer;
    size_t bytes;
};

/* A matrix as cuSPARSE has it. */
struct theirs {
    cusparseSpMatDescr_t matrix; /* null where there is none */
    struct placed array[3];
};

/* A matrix being tested, and which form of it. */
struct subject {
    const char *name;
    spry_context *context;
    const struct cusparse *sparse;
    struct list list; /* sorted */
    spry_value_type type;
    spry_index_type index; /* not i32p64, which cuSPARSE does not know */
    spry_op op;
    struct theirs theirs[LAYOUT_COUNT];
    /* Kept as long as the matrices are, which remember what they have put there, and where. */
    struct buffer buffer[PEERS][SPRY_OP_COUNT];
    struct vector x;
    struct reference reference;
    struct vector y[PEERS];
    bool has_y[PEERS];
};

static void add_to(int64_t *count) {
#pragma omp atomic
    ++*count;
}

static void complain(const struct subject *subject, const char *what, const char *who, const char *why) {
    add_to(&tally.wrong);
    fprintf(stderr, "%s %s %s %s: %s %s: %s\n", subject->name, spry_type_name(subject->type),
            spry_index_name(subject->index), subject->op == SPRY_N ? "N" : "T", what, who, why);
}

/* ---- cuSPARSE's side ---- */

/* Setting up is not what is tested here. */
static void must(const struct subject *subject, cusparseStatus_t status) {
    if (status == CUSPARSE_STATUS_SUCCESS)
        return;
    fprintf(stderr, "cuSPARSE: %s\n", subject->sparse->GetErrorString(status));
    abort();
}

static bool can(const struct subject *subject, enum cusparse_use use) {
    char reason[256];
    return cusparse_can(subject->sparse, use, reason, sizeof reason);
}

static cudaDataType value_type(const struct subject *subject) {
    return subject->type == SPRY_F32 ? CUDA_R_32F : CUDA_R_64F;
}

static cusparseIndexType_t index_type(const struct subject *subject) {
    return subject->index == SPRY_I32 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}

/* Slots of sliced ELL, whose slices begin at first[0] … first[slices]. */
static int64_t cut_slices(const struct list *list, int64_t slices, int64_t *first) {
    int64_t *length = test_malloc((size_t)(list->rows + 1) * sizeof *length);
    memset(length, 0, (size_t)(list->rows + 1) * sizeof *length);
    for (int64_t k = 0; k < list->nnz; k++)
        length[list->row[k]]++;
    first[0] = 0;
    for (int64_t s = 0; s < slices; s++) {
        int64_t longest = 0;
        for (int64_t row = s * SLICE; row < (s + 1) * SLICE && row < list->rows; row++)
            longest = length[row] > longest ? length[row] : longest;
        first[s + 1] = first[s] + longest * SLICE;
    }
    free(length);
    return first[slices];
}

/* The arrays of sliced ELL in host memory; padding has column -1. */
static struct arrays sliced_arrays(const struct subject *subject, int64_t slices, const int64_t *first) {
    const struct list *list = &subject->list;
    size_t size = spry_index_size(subject->index), value = spry_type_size(subject->type);
    size_t slots = (size_t)first[slices];
    struct arrays arrays = {.major = test_malloc((size_t)(slices + 1) * size),
                            .minor = memset(test_malloc(slots * size), 0xff, slots * size),
                            .val = memset(test_malloc(slots * value), 0, slots * value),
                            .count = {(size_t)slices + 1, slots, slots},
                            .size = {size, size, value}};
    for (int64_t s = 0; s <= slices; s++)
        set_integer(arrays.major, size, s, first[s]);
    for (int64_t k = 0, place = 0; k < list->nnz; k++) {
        place = k && list->row[k] == list->row[k - 1] ? place + 1 : 0;
        int64_t slot = first[list->row[k] / SLICE] + place * SLICE + list->row[k] % SLICE;
        set_integer(arrays.minor, size, slot, list->col[k]);
        set_value(arrays.val, subject->type, slot, list->val[k]);
    }
    return arrays;
}

/* Gives cuSPARSE's matrix arrays of its own: unlike Spry it may want them aligned. */
static void place(const struct subject *subject, struct theirs *theirs, struct arrays *host) {
    const void *array[3] = {host->major, host->minor, host->val};
    for (int i = 0; i < 3; i++)
        theirs->array[i] = placed_new(subject->context, array[i], host->count[i] * host->size[i], 0);
    arrays_free(host);
}

static void make_slices(const struct subject *subject, struct theirs *theirs) {
    const struct list *list = &subject->list;
    int64_t slices = (list->rows + SLICE - 1) / SLICE;
    int64_t *first = test_malloc((size_t)(slices + 1) * sizeof *first),
            slots = cut_slices(list, slices, first);
    if (slots > MAX_FILL * list->nnz) {
        add_to(&tally.overfull);
    } else {
        struct arrays arrays = sliced_arrays(subject, slices, first);
        place(subject, theirs, &arrays);
        must(subject,
             subject->sparse->CreateSlicedEll(&theirs->matrix, list->rows, list->cols, list->nnz, slots,
                                              SLICE, theirs->array[0].data, theirs->array[1].data,
                                              theirs->array[2].data, index_type(subject), index_type(subject),
                                              CUSPARSE_INDEX_BASE_ZERO, value_type(subject)));
    }
    free(first);
}

static void make_theirs(struct subject *subject) {
    static const spry_format formats[] = {[BY_COO] = SPRY_COO, [BY_CSR] = SPRY_CSR, [BY_CSC] = SPRY_CSC};
    const struct list *list = &subject->list;
    cusparseIndexType_t index = index_type(subject);
    struct theirs *theirs = subject->theirs;
    memset(theirs, 0, sizeof subject->theirs);
    for (int layout = BY_COO; layout <= BY_CSC; layout++) {
        struct arrays arrays = arrays_new(list, formats[layout], subject->type, subject->index, 0);
        place(subject, &theirs[layout], &arrays);
    }
    must(subject, subject->sparse->CreateCoo(&theirs[BY_COO].matrix, list->rows, list->cols, list->nnz,
                                             theirs[BY_COO].array[0].data, theirs[BY_COO].array[1].data,
                                             theirs[BY_COO].array[2].data, index, CUSPARSE_INDEX_BASE_ZERO,
                                             value_type(subject)));
    must(subject, subject->sparse->CreateCsr(&theirs[BY_CSR].matrix, list->rows, list->cols, list->nnz,
                                             theirs[BY_CSR].array[0].data, theirs[BY_CSR].array[1].data,
                                             theirs[BY_CSR].array[2].data, index, index,
                                             CUSPARSE_INDEX_BASE_ZERO, value_type(subject)));
    if (can(subject, USE_CSC))
        must(subject, subject->sparse->CreateCsc(&theirs[BY_CSC].matrix, list->rows, list->cols, list->nnz,
                                                 theirs[BY_CSC].array[0].data, theirs[BY_CSC].array[1].data,
                                                 theirs[BY_CSC].array[2].data, index, index,
                                                 CUSPARSE_INDEX_BASE_ZERO, value_type(subject)));
    if (can(subject, USE_SELL))
        make_slices(subject, &theirs[BY_SLICES]);
}

static void free_theirs(struct subject *subject) {
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        struct theirs *theirs = &subject->theirs[layout];
        if (theirs->matrix)
            must(subject, subject->sparse->DestroySpMat(theirs->matrix));
        for (int i = 0; i < 3; i++)
            placed_free(&theirs->array[i]);
    }
    for (size_t p = 0; p < PEERS; p++)
        for (int op = 0; op < SPRY_OP_COUNT; op++) {
            struct buffer *buffer = &subject->buffer[p][op];
            spry_array_free(subject->context, buffer->pointer, buffer->bytes);
            *buffer = (struct buffer){0};
        }
}

/* What a product is made of. */
struct factors {
    const void *alpha, *beta;
    cusparseOperation_t op;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
};

static cusparseStatus_t product_of_spmv(struct subject *subject, size_t p, const struct factors *f) {
    const struct cusparse *sparse = subject->sparse;
    cusparseSpMVAlg_t algorithm = (cusparseSpMVAlg_t)peers[p].algorithm;
    struct buffer *buffer = &subject->buffer[p][subject->op];
    cusparseStatus_t status =
        sparse->SpMV_bufferSize(sparse->handle, f->op, f->alpha, f->matrix, f->x, f->beta, f->y,
                                value_type(subject), algorithm, &buffer->bytes);
    if (status)
        return status;
    if (!buffer->pointer && spry_array_new(subject->context, buffer->bytes, &buffer->pointer))
        return CUSPARSE_STATUS_ALLOC_FAILED;
    return sparse->SpMV(sparse->handle, f->op, f->alpha, f->matrix, f->x, f->beta, f->y, value_type(subject),
                        algorithm, buffer->pointer);
}

static cusparseStatus_t product_of_plan(struct subject *subject, size_t p, const struct factors *f) {
    struct spmv_op op;
    cusparseStatus_t status = spmv_op_create(subject->sparse, subject->context, f->op, f->matrix, f->x, f->y,
                                             value_type(subject), (unsigned)peers[p].algorithm, &op);
    if (!status)
        status = spmv_op_run(&op, f->alpha, f->beta, f->x, f->y);
    if (spry_synchronize(subject->context))
        status = CUSPARSE_STATUS_EXECUTION_FAILED;
    spmv_op_destroy(&op);
    return status;
}

/* y = A x or Aᵀ x in cuSPARSE's way number p. */
static cusparseStatus_t their_product(struct subject *subject, size_t p, cusparseDnVecDescr_t x,
                                      cusparseDnVecDescr_t y) {
    static const struct {
        float single;
        double twice;
    } one = {1, 1}, zero = {0, 0};
    bool f32 = subject->type == SPRY_F32;
    const struct factors factors = {
        .alpha = f32 ? (const void *)&one.single : &one.twice,
        .beta = f32 ? (const void *)&zero.single : &zero.twice,
        .op = subject->op == SPRY_N ? CUSPARSE_OPERATION_NON_TRANSPOSE : CUSPARSE_OPERATION_TRANSPOSE,
        .matrix = subject->theirs[peers[p].layout].matrix,
        .x = x,
        .y = y,
    };
    cusparseStatus_t status = peers[p].use == USE_SPMV_OP ? product_of_plan(subject, p, &factors)
                                                          : product_of_spmv(subject, p, &factors);
    if (spry_synchronize(subject->context))
        status = CUSPARSE_STATUS_EXECUTION_FAILED;
    return status;
}

/* The same, from zeros in y, which is brought to the host. */
static cusparseStatus_t ask_for(struct subject *subject, size_t p, cusparseDnVecDescr_t x_vector,
                                cusparseDnVecDescr_t y_vector, const struct placed *y,
                                const struct vector *zeros) {
    spry_context *context = subject->context;
    size_t bytes = (size_t)zeros->count * spry_type_size(subject->type);
    if (spry_array_put(context, y->data, zeros->data, bytes))
        return CUSPARSE_STATUS_INTERNAL_ERROR;
    cusparseStatus_t status = their_product(subject, p, x_vector, y_vector);
    if (!status && spry_array_get(context, y->data, subject->y[p].data, bytes))
        status = CUSPARSE_STATUS_INTERNAL_ERROR;
    return status;
}

static bool is_not_the_sum(const struct subject *subject, size_t p) {
    return reference_differs(&subject->reference, 1, 0, &subject->y[p], &subject->y[p]) >= 0;
}

/* Multiplies in each of cuSPARSE's ways, and keeps what comes of it. cuSPARSE's products in CSR of one of the smallest
   matrices, Hamrle1, were not the sum about once in four runs, while all others were always: so it may try twice. */
static void ask_them(struct subject *subject) {
    size_t size = spry_type_size(subject->type), count = (size_t)subject->reference.count;
    struct vector zeros = vector_new(subject->type, subject->reference.count, 0);
    struct placed x = placed_new(subject->context, subject->x.data, (size_t)subject->x.count * size, 0);
    struct placed y = placed_new(subject->context, zeros.data, count * size, 0);
    cusparseDnVecDescr_t x_vector, y_vector;
    must(subject, subject->sparse->CreateDnVec(&x_vector, subject->x.count, x.data, value_type(subject)));
    must(subject,
         subject->sparse->CreateDnVec(&y_vector, subject->reference.count, y.data, value_type(subject)));
    for (size_t p = 0; p < PEERS; p++) {
        subject->y[p] = vector_new(subject->type, subject->reference.count, 0);
        subject->has_y[p] = false;
        if (!subject->theirs[peers[p].layout].matrix || !can(subject, peers[p].use))
            continue;
        cusparseStatus_t status = ask_for(subject, p, x_vector, y_vector, &y, &zeros);
        if (!status && is_not_the_sum(subject, p)) {
            add_to(&tally.repeated);
            status = ask_for(subject, p, x_vector, y_vector, &y, &zeros);
        }
        if (status == CUSPARSE_STATUS_NOT_SUPPORTED)
            add_to(&tally.unsupported[p][subject->op]);
        else if (status)
            complain(subject, "cuSPARSE", peers[p].name, subject->sparse->GetErrorString(status));
        else
            subject->has_y[p] = true;
    }
    must(subject, subject->sparse->DestroyDnVec(x_vector));
    must(subject, subject->sparse->DestroyDnVec(y_vector));
    placed_free(&x);
    placed_free(&y);
    vector_free(&zeros);
}

static void check_them(struct subject *subject) {
    for (size_t p = 0; p < PEERS; p++)
        if (subject->has_y[p] && is_not_the_sum(subject, p)) {
            complain(subject, "cuSPARSE", peers[p].name, "not the sum");
            subject->has_y[p] = false;
        }
}

/* ---- Spry's side ---- */

static void compare(const struct subject *subject, const spry_kernel *kernel, const struct vector *y) {
    const char *name = spry_kernel_describe(kernel).name;
    if (reference_differs(&subject->reference, 1, 0, y, y) >= 0)
        complain(subject, "Spry", name, "not the sum");
    for (size_t p = 0; p < PEERS; p++) {
        if (!subject->has_y[p])
            continue;
        add_to(&tally.compared);
        if (reference_apart(&subject->reference, y, &subject->y[p]) >= 0)
            complain(subject, name, "too far from", peers[p].name);
    }
}

static void check_format(struct subject *subject, const spry_matrix *csr, spry_format format) {
    spry_context *context = subject->context;
    spry_matrix *matrix;
    spry_status status = spry_convert(context, csr, format, &keep_duplicates, &matrix);
    if (status) {
        if (status != SPRY_ERROR_TOO_LARGE)
            complain(subject, "conversion to", spry_format_name(format), spry_message(context));
        return;
    }
    struct vector y = vector_new(subject->type, subject->reference.count, 1234.5);
    struct placed x_there = vector_place(context, &subject->x), y_there = vector_place(context, &y);
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        if (spry_kernel_describe(kernel).op != subject->op || !spry_kernel_takes(kernel, matrix) ||
            !spry_kernel_runs(context, kernel))
            continue;
        if (spry_spmv_with(context, kernel, 1, matrix, x_there.data, 0, y_there.data) ||
            vector_fetch(&y, &y_there))
            complain(subject, "Spry", spry_kernel_describe(kernel).name, spry_message(context));
        else
            compare(subject, kernel, &y);
    }
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&y);
    spry_matrix_destroy(matrix);
}

static void check_op(struct subject *subject, const spry_matrix *csr, spry_op op) {
    subject->op = op;
    subject->x = vector_new(subject->type, op == SPRY_N ? subject->list.cols : subject->list.rows, 0);
    vector_random(&subject->x, 1);
    subject->reference = reference_new(&subject->list, op, &subject->x);
    /* cuSPARSE does not say how it adds. */
    subject->reference.flushed = true;
    ask_them(subject);
    check_them(subject);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        check_format(subject, csr, (spry_format)format);
    for (size_t p = 0; p < PEERS; p++)
        vector_free(&subject->y[p]);
    vector_free(&subject->x);
    reference_free(&subject->reference);
}

static void check_types(struct subject *subject) {
    struct built csr;
    if (build(subject->context, &subject->list, SPRY_CSR, subject->type, subject->index, CONVERTED, &csr)) {
        complain(subject, "conversion from", "the entries", spry_message(subject->context));
        return;
    }
    make_theirs(subject);
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        check_op(subject, csr.matrix, (spry_op)op);
    free_theirs(subject);
    built_free(&csr);
}

static void check_matrix(struct subject *subject, bool wide) {
    /* f32 last: its values are rounded. */
    for (int type = SPRY_TYPE_COUNT; type-- > 0;) {
        subject->type = (spry_value_type)type;
        list_round(&subject->list, subject->type);
        subject->index = SPRY_I32;
        check_types(subject);
        subject->index = SPRY_I64;
        if (wide)
            check_types(subject);
    }
}

static void check_number(const struct collection *collection, int i, spry_context *cpu, spry_context *context,
                         const struct cusparse *sparse) {
    struct subject subject = {.name = collection_name(collection, i), .context = context, .sparse = sparse};
    add_to(&tally.matrices);
    if (collection_get(collection, i, cpu, &subject.list)) {
        add_to(&tally.wrong);
        fprintf(stderr, "%s: %s\n", subject.name, spry_message(cpu));
        return;
    }
    /* Whether cuSPARSE takes matrices without entries does not matter here. */
    if (subject.list.nnz == 0)
        add_to(&tally.empty);
    else if (!collection_takes(subject.list.nnz))
        add_to(&tally.left_out);
    else
        check_matrix(&subject, i % WIDE_STEP == 0);
    list_free(&subject.list);
}

/* Which cuSPARSE it was, and what it lacks; false: it cannot be used. */
static bool introduce(void) {
    struct cusparse sparse;
    char reason[256];
    bool opened = cusparse_open(&sparse, NULL, reason, sizeof reason);
    printf("%s%s\n", opened ? "cuSPARSE " : "skipped: ", opened ? sparse.version : reason);
    for (size_t p = 0; p < PEERS && opened; p++)
        if (!cusparse_can(&sparse, peers[p].use, reason, sizeof reason))
            printf("without %s: %s\n", peers[p].name, reason);
    if (opened)
        cusparse_close(&sparse);
    return opened;
}

static void report(void) {
    for (size_t p = 0; p < PEERS; p++)
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            if (tally.unsupported[p][op])
                printf("%lld products not supported by cuSPARSE's %s %s\n",
                       (long long)tally.unsupported[p][op], peers[p].name, op == SPRY_N ? "N" : "T");
    printf(
        "%lld times sliced ELL was left out for more than %d slots an entry, %lld matrices without entries\n",
        (long long)tally.overfull, MAX_FILL, (long long)tally.empty);
    printf("%lld products of cuSPARSE's were not the sum at first\n", (long long)tally.repeated);
    printf("%lld matrices, %lld left out, %lld products compared, %lld wrong\n", (long long)tally.matrices,
           (long long)tally.left_out, (long long)tally.compared, (long long)tally.wrong);
}

/* One thread's share of the matrices. */
static void check_share(const struct collection *collection) {
    spry_context *cpu =
        test_context_with(&(spry_context_options){.size = sizeof(spry_context_options), .backend = SPRY_CPU});
    spry_context *context = test_context_with(
        &(spry_context_options){.size = sizeof(spry_context_options), .backend = SPRY_CUDA});
    struct cusparse sparse;
    char reason[256];
    if (!cusparse_open(&sparse, spry_context_stream(context), reason, sizeof reason)) {
        fprintf(stderr, "%s\n", reason);
        abort();
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < collection->count; i++)
        if (test_is_in_part((size_t)i))
            check_number(collection, i, cpu, context, &sparse);
    cusparse_close(&sparse);
    spry_context_destroy(context);
    spry_context_destroy(cpu);
}

int main(void) {
    char reason[256];
    struct collection collection;
    if (!spry_cuda_devices(reason, sizeof reason)) {
        printf("skipped: %s\n", reason);
        return TEST_SKIPPED;
    }
    if (!introduce() || !collection_open(&collection, NULL, 0))
        return TEST_SKIPPED;
#pragma omp parallel
    check_share(&collection);
    collection_close(&collection);
    report();
    const bool had_some = tally.matrices > tally.left_out + tally.empty;
    return tally.wrong || (had_some && !tally.compared) ? EXIT_FAILURE : EXIT_SUCCESS;
}
