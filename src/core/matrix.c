/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices: their life, their facts, their open arrays. */
#include <string.h>

#include "core/backend.h"
#include "core/scatter.h"

spry_status spry_matrix_new(spry_context *context, spry_format format, spry_value_type type,
                            spry_index_type index, int64_t rows, int64_t cols, int64_t nnz,
                            spry_matrix **result) {
    void *pointer;
    spry_status status = spry_allocate(context, 1, sizeof(spry_matrix), &pointer);
    if (status)
        return status;
    spry_matrix *matrix = pointer;
    memset(matrix, 0, sizeof *matrix);
    matrix->backend = context->backend;
    matrix->device = context->device_number;
    matrix->format = format;
    matrix->type = type;
    matrix->index = index;
    matrix->rows = rows;
    matrix->cols = cols;
    matrix->nnz = nnz;
    matrix->allocator = context->allocator;
    *result = matrix;
    return SPRY_OK;
}

spry_status spry_matrix_array(spry_context *context, spry_matrix *matrix, int64_t count, size_t size,
                              void **pointer) {
    *pointer = NULL;
    if (matrix->owned_count == SPRY_MAX_OWNED)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "a %s matrix owns more than %d arrays",
                         spry_format_name(matrix->format), SPRY_MAX_OWNED);
    struct spry_owned *owned = &matrix->owned[matrix->owned_count];
    spry_status status = spry_allocate_array(context, (size_t)count, size, pointer);
    if (status)
        return status;
    *owned = (struct spry_owned){*pointer, (size_t)count, size, context->arrays};
    matrix->owned_count++;
    return SPRY_OK;
}

void spry_csr_exchange_arrays(spry_matrix *a, spry_matrix *b) {
    spry_matrix kept = *a;
    a->csr = b->csr;
    b->csr = kept.csr;
    memcpy(a->owned, b->owned, sizeof a->owned);
    memcpy(b->owned, kept.owned, sizeof b->owned);
    a->owned_count = b->owned_count;
    b->owned_count = kept.owned_count;
}

void spry_matrix_take_arrays(spry_matrix *matrix, spry_matrix *from) {
    memcpy(&matrix->owned[matrix->owned_count], from->owned, (size_t)from->owned_count * sizeof *from->owned);
    matrix->owned_count += from->owned_count;
    matrix->moves++;
    from->owned_count = 0;
}

static void release(const struct spry_owned *owned) {
    spry_release(&owned->allocator, owned->pointer, owned->count, owned->size);
}

/* The place of an array among its own; their number if it is none of them. */
static int place_of(const spry_matrix *matrix, const void *pointer) {
    int i = 0;
    while (i < matrix->owned_count && matrix->owned[i].pointer != pointer)
        i++;
    return i;
}

bool spry_matrix_owns(const spry_matrix *matrix, const void *pointer) {
    return place_of(matrix, pointer) < matrix->owned_count;
}

void spry_matrix_drop_array(spry_matrix *matrix, void *pointer) {
    const int i = place_of(matrix, pointer);
    if (i == matrix->owned_count)
        return;
    spry_backend_code(matrix->backend)->synchronize_device(matrix->device);
    release(&matrix->owned[i]);
    matrix->owned[i] = matrix->owned[--matrix->owned_count];
}

void spry_matrix_destroy(spry_matrix *matrix) {
    if (!matrix)
        return;
    for (int i = 0; i < 2; i++)
        spry_matrix_destroy(matrix->owned_parts[i]);
    if (matrix->owned_count > 0)
        spry_backend_code(matrix->backend)->synchronize_device(matrix->device);
    for (int i = 0; i < matrix->owned_count; i++)
        release(&matrix->owned[i]);
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        spry_scatter_free(matrix, (spry_op)op);
    spry_allocator allocator = matrix->allocator;
    spry_release(&allocator, matrix->features, matrix->features_bytes, 1);
    spry_release(&allocator, matrix, 1, sizeof *matrix);
}

spry_status spry_matrix_abandon(spry_matrix **matrix, spry_status status) {
    spry_matrix_destroy(*matrix);
    *matrix = NULL;
    return status;
}

spry_status spry_matrix_plan(spry_context *context, spry_matrix *matrix) {
    const struct spry_format_code *code = spry_format_code(matrix);
    spry_status status = code->plan ? code->plan(context, matrix) : SPRY_OK;
    return status ? status : spry_choose_kernels(context, matrix);
}

spry_status spry_matrix_finish(spry_context *context, spry_matrix *matrix) {
    spry_status status = spry_matrix_plan(context, matrix);
    return status ? status : context->code->finish(context, matrix);
}

spry_status spry_matrix_new_coo(spry_context *context, spry_value_type type, spry_index_type index,
                                int64_t rows, int64_t cols, int64_t nnz, spry_matrix **result) {
    spry_status status = spry_matrix_new(context, SPRY_COO, type, index, rows, cols, nnz, result);
    if (status)
        return status;
    spry_coo *coo = &(*result)->coo;
    status = spry_matrix_array(context, *result, nnz, spry_index_size(index), &coo->row);
    if (!status)
        status = spry_matrix_array(context, *result, nnz, spry_index_size(index), &coo->col);
    if (!status)
        status = spry_matrix_array(context, *result, nnz, spry_type_size(type), &coo->val);
    return status ? spry_matrix_abandon(result, status) : SPRY_OK;
}

spry_status spry_matrix_csr_arrays(spry_context *context, spry_matrix *csr) {
    spry_status status =
        spry_matrix_array(context, csr, csr->rows + 1, spry_pointer_size(csr->index), &csr->csr.ptr);
    return status ? status : spry_matrix_entry_arrays(context, csr, &csr->csr.idx, &csr->csr.val, csr->nnz);
}

spry_status spry_matrix_entry_arrays(spry_context *context, spry_matrix *matrix, void **idx, void **val,
                                     int64_t slots) {
    spry_status status = spry_matrix_array(context, matrix, slots, spry_index_size(matrix->index), idx);
    return status ? status : spry_matrix_array(context, matrix, slots, spry_type_size(matrix->type), val);
}

spry_status spry_check_device(spry_context *context, spry_backend backend, int device, const char *call,
                              const char *what, const char *advice) {
    if (backend == context->backend && device == context->device_number)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: %s is on %s device %d, the context on %s device %d%s",
                     call, what, spry_backend_name(backend), device, spry_backend_name(context->backend),
                     context->device_number, advice);
}

spry_status spry_check_place(spry_context *context, const spry_matrix *matrix, const char *call) {
    return spry_check_device(context, matrix->backend, matrix->device, call, "the matrix",
                             ": see spry_matrix_copy");
}

spry_backend spry_matrix_backend(const spry_matrix *matrix) {
    return matrix ? matrix->backend : SPRY_CPU;
}

spry_format spry_matrix_format(const spry_matrix *matrix) {
    return matrix ? matrix->format : SPRY_NO_FORMAT;
}

spry_value_type spry_matrix_type(const spry_matrix *matrix) {
    return matrix ? matrix->type : SPRY_NO_TYPE;
}

spry_index_type spry_matrix_index(const spry_matrix *matrix) {
    return matrix ? matrix->index : SPRY_NO_INDEX;
}

int64_t spry_matrix_rows(const spry_matrix *matrix) {
    return matrix ? matrix->rows : 0;
}

int64_t spry_matrix_cols(const spry_matrix *matrix) {
    return matrix ? matrix->cols : 0;
}

int64_t spry_matrix_nnz(const spry_matrix *matrix) {
    return matrix ? matrix->nnz : 0;
}

int64_t spry_matrix_slots(const spry_matrix *matrix) {
    return matrix ? spry_format_traits(matrix)->slots(matrix) : 0;
}

size_t spry_matrix_bytes(const spry_matrix *matrix) {
    struct spry_array array[SPRY_MAX_ARRAYS];
    if (!matrix)
        return 0;
    spry_matrix same = *matrix;
    int count = spry_format_traits(matrix)->arrays(&same, array);
    size_t bytes = (size_t)spry_table_length(matrix->values) * spry_type_size(matrix->type);
    for (int i = 0; i < count; i++)
        bytes += (size_t)array[i].count * array[i].size;
    for (int i = 0; i < 2 && matrix->owned_parts[i]; i++)
        bytes += spry_matrix_bytes(matrix->owned_parts[i]);
    return bytes;
}

double spry_product_bytes(const spry_matrix *matrix) {
    return (double)spry_matrix_bytes(matrix) +
           ((double)matrix->rows + (double)matrix->cols) * (double)spry_type_size(matrix->type);
}

size_t spry_matrix_padding(const spry_matrix *matrix) {
    if (!matrix)
        return 0;
    const struct spry_format_code *traits = spry_format_traits(matrix);
    size_t bytes = 0;
    if (traits->slot_size)
        bytes = (size_t)(traits->slots(matrix) - matrix->nnz) * traits->slot_size(matrix);
    for (int i = 0; i < 2 && matrix->owned_parts[i]; i++)
        bytes += spry_matrix_padding(matrix->owned_parts[i]);
    return bytes;
}

#define ACCESSOR(NAME, name, title)                                                                          \
    const spry_##name *spry_matrix_##name(const spry_matrix *matrix) {                                       \
        return matrix && matrix->format == SPRY_##NAME ? &matrix->name : NULL;                               \
    }
SPRY_FORMAT_LIST(ACCESSOR)
#undef ACCESSOR
