/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies from one place to another: of matrices, and of one value. */
#include "core/backend.h"

/* Arrays are copied by whoever knows both sides: a device knows the host, not the other way round. */
static spry_status transfer(spry_context *context, const spry_matrix *source, void *to, const void *from,
                            size_t bytes) {
    const struct spry_backend_code *code =
        source->backend == SPRY_CPU ? context->code : spry_backend_code(source->backend);
    return code->copy(context, to, from, bytes);
}

static spry_status copy_arrays(spry_context *context, const spry_matrix *source, spry_matrix *copy) {
    struct spry_array from[SPRY_MAX_ARRAYS], to[SPRY_MAX_ARRAYS];
    spry_matrix same = *source;
    int count = spry_format_traits(source)->arrays(&same, from);
    spry_format_traits(source)->arrays(copy, to);
    spry_status status = SPRY_OK;
    for (int i = 0; i < count && !status; i++) {
        status = spry_matrix_array(context, copy, to[i].count, to[i].size, to[i].pointer);
        if (!status)
            status =
                transfer(context, source, *to[i].pointer, *from[i].pointer, (size_t)to[i].count * to[i].size);
    }
    return status;
}

/* What codes stand for. */
static spry_status copy_table(spry_context *context, const spry_matrix *source, spry_matrix *copy) {
    const int64_t length = spry_table_length(source->values);
    const size_t size = spry_type_size(source->type);
    copy->table = (struct spry_value_table){.count = source->table.count};
    if (length == 0)
        return SPRY_OK;
    spry_status status = spry_matrix_array(context, copy, length, size, &copy->table.values);
    return status
               ? status
               : transfer(context, source, copy->table.values, source->table.values, (size_t)length * size);
}

/* The parts of a composed matrix. */
static spry_status copy_parts(spry_context *context, const spry_matrix *source, spry_matrix *copy) {
    spry_status status = SPRY_OK;
    for (int i = 0; i < 2 && source->owned_parts[i] && !status; i++)
        status = spry_matrix_copy_unfinished(context, source->owned_parts[i], &copy->owned_parts[i]);
    if (source->format == SPRY_HYB)
        copy->hyb = (spry_hyb){copy->owned_parts[0], copy->owned_parts[1]};
    return status;
}

spry_status spry_matrix_copy_unfinished(spry_context *context, const spry_matrix *source,
                                        spry_matrix **copy) {
    spry_status status = spry_matrix_new(context, source->format, source->type, source->index, source->rows,
                                         source->cols, source->nnz, copy);
    if (status)
        return status;
    spry_matrix *made = *copy;
    made->values = source->values;
    made->columns = source->columns;
    made->row_sorted = source->row_sorted;
    made->sorted = source->sorted;
    made->fills_padding = source->fills_padding;
    made->any_format = source->any_format; /* sizes and base; the pointers are set anew */
    status = copy_arrays(context, source, made);
    if (!status)
        status = copy_table(context, source, made);
    if (!status)
        status = copy_parts(context, source, made);
    return status ? spry_matrix_abandon(copy, status) : SPRY_OK;
}

/* Parts first: the whole is planned from their plans. */
static spry_status finish(spry_context *context, spry_matrix *matrix) {
    spry_status status = SPRY_OK;
    for (int i = 0; i < 2 && matrix->owned_parts[i] && !status; i++)
        status = finish(context, matrix->owned_parts[i]);
    return status ? status : spry_matrix_finish(context, matrix);
}

/* What the kernel of a layout was chosen by when it was made from CSR is not in its arrays: the copy has the same one,
   where it may. */
static void keep_kernels(const spry_context *context, const spry_matrix *source, spry_matrix *copy) {
    for (int op = 0; op < SPRY_OP_COUNT && !copy->features; op++) {
        const spry_kernel *kernel = source->kernel[op];
        if (spry_kernel_takes(kernel, copy) && spry_may_choose(context, kernel))
            copy->kernel[op] = kernel;
    }
}

spry_status spry_matrix_copy(spry_context *context, const spry_matrix *source, spry_matrix **copy) {
    if (!context || !copy)
        return spry_no_result(context, "spry_matrix_copy");
    *copy = NULL;
    if (!source)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_matrix_copy: the matrix is null");
    spry_status status = spry_matrix_copy_unfinished(context, source, copy);
    if (status)
        return status;
    status = finish(context, *copy);
    if (status)
        return spry_matrix_abandon(copy, status);
    keep_kernels(context, source, *copy);
    return SPRY_OK;
}

spry_status spry_fetch_value(spry_context *context, spry_value_type type, const void *values, int64_t k,
                             double *value) {
    float narrow = 0;
    const size_t size = spry_type_size(type);
    const void *at = (const char *)values + (size_t)k * size;
    spry_status status = context->code->copy(context, type == SPRY_F32 ? (void *)&narrow : value, at, size);
    if (type == SPRY_F32)
        *value = (double)narrow;
    return status;
}
