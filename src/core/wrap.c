/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices over the caller's arrays, without a copy. */
#include <inttypes.h>

#include "core/backend.h"
#include "core/cover.h"
#include "core/saturate.h"

spry_status spry_check_size(spry_context *context, const char *call, spry_value_type type,
                            spry_index_type index, int64_t rows, int64_t cols, int64_t nnz) {
    if (!spry_type_size(type) || !spry_index_size(index))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: invalid value type %d or index type %d", call,
                         (int)type, (int)index);
    if (rows < 0 || cols < 0 || nnz < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "%s: negative size: %" PRId64 " rows, %" PRId64 " columns, %" PRId64 " nonzeros",
                         call, rows, cols, nnz);
    if (rows > spry_index_max(index) || cols > spry_index_max(index) || nnz > spry_pointer_max(index))
        return spry_fail(context, SPRY_ERROR_OVERFLOW,
                         "%s: %" PRId64 " rows, %" PRId64 " columns and %" PRId64 " nonzeros do not fit %s",
                         call, rows, cols, nnz, spry_index_name(index));
    return SPRY_OK;
}

static spry_status check_base(spry_context *context, const char *call, int base) {
    if (base == 0 || base == 1)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: base is %d, expected 0 or 1", call, base);
}

/* An array in memory that a device does not reach would end all work on it at the first read. */
static spry_status check_reach(spry_context *context, const char *call, spry_matrix *matrix) {
    struct spry_array array[SPRY_MAX_ARRAYS];
    int count = spry_format_traits(matrix)->arrays(matrix, array);
    for (int i = 0; i < count; i++)
        if (array[i].count > 0 && *array[i].pointer && !context->code->reaches(context, *array[i].pointer))
            return spry_fail(context, SPRY_ERROR_ARGUMENT,
                             "%s: array %d is in memory of the host or of another device, which %s device %d "
                             "does not reach",
                             call, i + 1, spry_backend_name(context->backend), context->device_number);
    return SPRY_OK;
}

static spry_status check_then_finish(spry_context *context, const char *call, spry_matrix **matrix) {
    const struct spry_format_code *code = spry_format_code(*matrix);
    spry_status status = check_reach(context, call, *matrix);
    if (!status && code->complete)
        status = code->complete(context, *matrix);
    if (!status && !context->trusts_arrays)
        status = code->validate(context, *matrix, 0);
    if (!status) /* what was counted may be more than CSR's pointers hold */
        status = spry_check_size(context, call, (*matrix)->type, (*matrix)->index, (*matrix)->rows,
                                 (*matrix)->cols, (*matrix)->nnz);
    if (!status)
        status = spry_matrix_finish(context, *matrix);
    return status ? spry_matrix_abandon(matrix, status) : SPRY_OK;
}

spry_status spry_wrap_coo(spry_context *context, spry_value_type type, spry_index_type index, int64_t rows,
                          int64_t cols, int64_t nnz, const spry_coo *arrays, spry_matrix **matrix) {
    if (!context || !matrix)
        return spry_no_result(context, "spry_wrap_coo");
    *matrix = NULL;
    spry_status status = spry_check_size(context, "spry_wrap_coo", type, index, rows, cols, nnz);
    if (status)
        return status;
    if (!arrays || (nnz > 0 && (!arrays->row || !arrays->col || !arrays->val)))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_wrap_coo: an array is null");
    status = check_base(context, "spry_wrap_coo", arrays->base);
    if (!status)
        status = spry_matrix_new(context, SPRY_COO, type, index, rows, cols, nnz, matrix);
    if (status)
        return status;
    (*matrix)->coo = *arrays;
    return check_then_finish(context, "spry_wrap_coo", matrix);
}

/* Last pointer, which with the base tells the number of nonzeros. */
static spry_status last_pointer(spry_context *context, const void *ptr, spry_index_type index, int64_t majors,
                                int64_t *last) {
    union {
        int32_t narrow;
        int64_t wide;
    } pointer = {0};
    size_t size = spry_pointer_size(index);
    spry_status status =
        context->code->copy(context, &pointer, (const char *)ptr + (size_t)majors * size, size);
    *last = size == sizeof pointer.wide ? pointer.wide : pointer.narrow;
    return status;
}

/* CSR and CSC: the same arrays, by rows or by columns. */
static spry_status wrap_compressed(spry_context *context, const char *call, spry_format format,
                                   spry_value_type type, spry_index_type index, int64_t rows, int64_t cols,
                                   const spry_csr *arrays, spry_matrix **matrix) {
    *matrix = NULL;
    spry_status status = spry_check_size(context, call, type, index, rows, cols, 0);
    if (status)
        return status;
    if (!arrays || !arrays->ptr)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the pointer array is null", call);
    status = check_base(context, call, arrays->base);
    if (status)
        return status;
    int64_t last;
    status = last_pointer(context, arrays->ptr, index, format == SPRY_CSR ? rows : cols, &last);
    if (status)
        return status;
    if (last < arrays->base)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "%s: the last pointer is %" PRId64 ", expected %d or more", call, last,
                         arrays->base);
    int64_t nnz = last - arrays->base;
    if (nnz > 0 && (!arrays->idx || !arrays->val))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: an array is null", call);
    status = spry_matrix_new(context, format, type, index, rows, cols, nnz, matrix);
    if (status)
        return status;
    (*matrix)->csr = *arrays;
    return check_then_finish(context, call, matrix);
}

spry_status spry_wrap_csr(spry_context *context, spry_value_type type, spry_index_type index, int64_t rows,
                          int64_t cols, const spry_csr *arrays, spry_matrix **matrix) {
    if (!context || !matrix)
        return spry_no_result(context, "spry_wrap_csr");
    return wrap_compressed(context, "spry_wrap_csr", SPRY_CSR, type, index, rows, cols, arrays, matrix);
}

spry_status spry_wrap_csc(spry_context *context, spry_value_type type, spry_index_type index, int64_t rows,
                          int64_t cols, const spry_csc *arrays, spry_matrix **matrix) {
    if (!context || !matrix)
        return spry_no_result(context, "spry_wrap_csc");
    if (!arrays)
        return wrap_compressed(context, "spry_wrap_csc", SPRY_CSC, type, index, rows, cols, NULL, matrix);
    spry_csr same = {arrays->ptr, arrays->idx, arrays->val, arrays->base};
    return wrap_compressed(context, "spry_wrap_csc", SPRY_CSC, type, index, rows, cols, &same, matrix);
}

/* The caller need not say what the last pointer tells, but who does may have no more than that. */
static spry_status check_told(spry_context *context, const char *call, const char *name, int64_t given,
                              int64_t told) {
    if (given == 0 || given == told)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_INVALID,
                     "%s: %s is %" PRId64 ", but the last pointer tells of %" PRId64, call, name, given,
                     told);
}

/* What the structs alone say of sliced ELL. */
static spry_status check_sell(spry_context *context, const spry_sell *arrays) {
    if (!arrays || !arrays->ptr)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_wrap_sell: the pointer array is null");
    if (arrays->window > 1 || arrays->perm)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_wrap_sell: window is %" PRId64
                         " and perm %s null, expected rows that are not sorted",
                         arrays->window, arrays->perm ? "not" : "is");
    if (arrays->height < 1)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_wrap_sell: height is %" PRId64 ", expected 1 or more", arrays->height);
    if (arrays->unit != 1 && arrays->unit != arrays->height)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_wrap_sell: unit is %" PRId64 ", expected 1 or height", arrays->unit);
    return SPRY_OK;
}

/* Sizes of a new matrix, from its arrays. */
static spry_status size_sell(spry_context *context, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    int64_t last, slices = spry_cover(matrix->rows, sell->height);
    spry_status status = last_pointer(context, sell->ptr, matrix->index, slices, &last);
    if (status)
        return status;
    if (last < 0 || spry_multiply_counts(last, sell->unit) > spry_pointer_max(SPRY_I64))
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "spry_wrap_sell: the last slice pointer, %" PRId64 ", is no number of slots", last);
    status = check_told(context, "spry_wrap_sell", "slots", sell->slots, last * sell->unit);
    if (status)
        return status;
    sell->slots = last * sell->unit;
    if (sell->slots > 0 && (!sell->idx || !sell->val))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_wrap_sell: an array is null");
    return SPRY_OK;
}

spry_status spry_wrap_sell(spry_context *context, spry_value_type type, spry_index_type index, int64_t rows,
                           int64_t cols, const spry_sell *arrays, spry_matrix **matrix) {
    if (!context || !matrix)
        return spry_no_result(context, "spry_wrap_sell");
    *matrix = NULL;
    spry_status status = spry_check_size(context, "spry_wrap_sell", type, index, rows, cols, 0);
    if (!status)
        status = check_sell(context, arrays);
    if (!status)
        status = spry_matrix_new(context, SPRY_SELL, type, index, rows, cols, 0, matrix);
    if (status)
        return status;
    (*matrix)->sell = *arrays;
    (*matrix)->sell.window = 1;
    spry_storage storage;
    spry_matrix_storage(*matrix, &storage);
    status = spry_check_storage(context, *matrix, &storage);
    if (!status)
        status = size_sell(context, *matrix);
    return status ? spry_matrix_abandon(matrix, status)
                  : check_then_finish(context, "spry_wrap_sell", matrix);
}

/* What the structs alone say of blocks. */
static spry_status check_bsr(spry_context *context, const spry_bsr *arrays, int64_t rows, int64_t cols) {
    if (!arrays || !arrays->ptr)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_wrap_bsr: the pointer array is null");
    if (arrays->height < 1 || arrays->height > 8 || arrays->width < 1 || arrays->width > 8)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_wrap_bsr: blocks are %" PRId64 " × %" PRId64 ", expected 1 × 1 to 8 × 8",
                         arrays->height, arrays->width);
    const int mask_bytes = spry_mask_bytes(arrays->height * arrays->width);
    if (arrays->mask_bytes != 0 && (!arrays->mask || arrays->mask_bytes != mask_bytes))
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_wrap_bsr: mask_bytes is %" PRId64 ", expected 0 or, with masks, %d",
                         arrays->mask_bytes, mask_bytes);
    if (!arrays->mask && (rows % arrays->height != 0 || cols % arrays->width != 0))
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_wrap_bsr: blocks of %" PRId64 " × %" PRId64
                         " without masks do not make up %" PRId64 " × %" PRId64,
                         arrays->height, arrays->width, rows, cols);
    return SPRY_OK;
}

/* Sizes of a new matrix, from its arrays. */
static spry_status size_bsr(spry_context *context, spry_matrix *matrix) {
    spry_bsr *bsr = &matrix->bsr;
    const int64_t places = bsr->height * bsr->width, count = spry_cover(matrix->rows, bsr->height);
    int64_t last;
    spry_status status = last_pointer(context, bsr->ptr, matrix->index, count, &last);
    if (status)
        return status;
    if (last < 0 || spry_multiply_counts(last, places) > spry_pointer_max(SPRY_I64))
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "spry_wrap_bsr: the last block pointer, %" PRId64 ", is no number of blocks", last);
    status = check_told(context, "spry_wrap_bsr", "blocks", bsr->blocks, last);
    if (status)
        return status;
    bsr->blocks = last;
    bsr->mask_bytes = bsr->mask ? spry_mask_bytes(places) : 0;
    if (last > 0 && (!bsr->idx || !bsr->val))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_wrap_bsr: an array is null");
    return SPRY_OK;
}

spry_status spry_wrap_bsr(spry_context *context, spry_value_type type, spry_index_type index, int64_t rows,
                          int64_t cols, const spry_bsr *arrays, spry_matrix **matrix) {
    if (!context || !matrix)
        return spry_no_result(context, "spry_wrap_bsr");
    *matrix = NULL;
    spry_status status = spry_check_size(context, "spry_wrap_bsr", type, index, rows, cols, 0);
    if (!status)
        status = check_bsr(context, arrays, rows, cols);
    if (!status)
        status = spry_matrix_new(context, SPRY_BSR, type, index, rows, cols, 0, matrix);
    if (status)
        return status;
    (*matrix)->bsr = *arrays;
    status = size_bsr(context, *matrix);
    return status ? spry_matrix_abandon(matrix, status) : check_then_finish(context, "spry_wrap_bsr", matrix);
}
