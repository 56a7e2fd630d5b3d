/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are alike, with keys of one salt after another: a key may stand for different rows, so the arrays are given out when
   they have been compared with the rows. */
#include "convert/kinds.cuh"

#include "convert/kind_search.cuh"
#include "primitives/device.cuh"

namespace convert_kinds {

static constexpr int BLOCK = 256;

static unsigned long long *rows_in(const temporary &first) {
    return static_cast<unsigned long long *>(first.pointer);
}

/* ---- from CSR ---- */

static spry_status take_arrays(spry_context *context, spry_matrix *matrix, const kind_counts &found,
                               bool with_values) {
    spry_stencil *stencil = &matrix->stencil;
    stencil->count = (int64_t)found.kinds;
    stencil->entries = (int64_t)found.entries;
    stencil->number_size = spry_stencil_number_size(stencil->count);
    spry_status status =
        spry_matrix_array(context, matrix, matrix->rows, (size_t)stencil->number_size, &stencil->number);
    if (!status)
        status = spry_matrix_array(context, matrix, stencil->count + 1, sizeof(ptr_t), &stencil->ptr);
    if (!status)
        status = spry_matrix_array(context, matrix, stencil->entries, sizeof(idx_t), &stencil->offset);
    return status || !with_values
               ? status
               : spry_matrix_array(context, matrix, stencil->entries, sizeof(val_t), &stencil->val);
}

extern "C" void NAME(spry_cuda_drop_kinds)(spry_matrix *matrix) {
    const spry_stencil *stencil = &matrix->stencil;
    for (void *array : {stencil->number, stencil->ptr, stencil->offset, stencil->val})
        if (array)
            spry_matrix_drop_array(matrix, array);
}

/* With keys of one salt. `differs`: some row is not as its number says. Waits. */
static spry_status try_salt(spry_context *context, const csr_rows &a, int salt, kind_search *s,
                            spry_matrix *matrix, int64_t *differs) {
    temporary first(context);
    kind_counts found;
    spry_status status = NAME(spry_cuda_find_kinds)(context, a, salt, matrix->format, s, &found);
    if (!status)
        status = first.take((int64_t)found.kinds, sizeof(unsigned long long));
    if (!status)
        status = take_arrays(context, matrix, found, a.val != nullptr);
    if (status)
        return status;
    const stencils to = stencils_of(matrix);
    status = NAME(spry_cuda_number_kinds)(context, a, *s, rows_in(first), to);
    if (!status)
        status = NAME(spry_cuda_copy_kinds)(context, a, rows_in(first), to);
    return status ? status
                  : NAME(spry_cuda_compare_rows)(context, a, rows_in(first), to,
                                                 as<uint32_t>(s->begins.pointer), differs);
}

/* Of a matrix that has no rows. */
static spry_status make_none(spry_context *context, spry_matrix *matrix, bool with_values) {
    spry_status status = take_arrays(context, matrix, {0, 0}, with_values);
    return status ? status : NAME(spry_cuda_scan)(context, as<ptr_t>(matrix->stencil.ptr), 0);
}

extern "C" spry_status NAME(spry_cuda_make_kinds)(spry_context *context, const spry_matrix *csr,
                                                  bool with_values, spry_matrix *matrix) {
    const csr_rows a = csr_rows_of(csr, with_values);
    kind_search s(context);
    int64_t differs = 1;
    if (a.count == 0)
        return make_none(context, matrix, with_values);
    spry_status status = NAME(spry_cuda_open_search)(a, &s);
    for (int salt = 0; salt < SPRY_STENCIL_SALTS && !status && differs; salt++) {
        if (salt > 0)
            NAME(spry_cuda_drop_kinds)(matrix);
        status = try_salt(context, a, salt, &s, matrix, &differs);
    }
    return status || !differs ? status
                              : spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                                          "%s: different rows have the same key, whatever the salt",
                                          spry_format_name(matrix->format));
}

/* ---- to CSR ---- */

static __global__ void list_lengths(stencils s, ptr_t *length) {
    const int64_t row = thread_number();
    if (row < s.rows)
        length[row] = (ptr_t)length_of(s, number_of(s, row));
}

extern "C" spry_status NAME(spry_cuda_kind_pointers)(spry_context *context, const spry_matrix *matrix,
                                                     spry_matrix *csr) {
    const stencils s = stencils_of(matrix);
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    if (s.rows > 0)
        list_lengths<<<blocks_for(s.rows, BLOCK), BLOCK, 0, context->device->stream>>>(s, ptr);
    status = launched(context, "row lengths by kind");
    return status ? status : NAME(spry_cuda_scan)(context, ptr, s.rows);
}

/* ---- whether the pattern is the same ---- */

extern "C" spry_status NAME(spry_cuda_compare_kinds)(spry_context *context, const spry_matrix *csr,
                                                     const spry_matrix *matrix) {
    const stencils s = stencils_of(matrix);
    temporary first(context);
    int64_t differences = 0;
    if (s.rows == 0)
        return SPRY_OK;
    spry_status status = first.take(s.count, sizeof(unsigned long long));
    if (!status)
        status = NAME(spry_cuda_first_rows)(context, s, first);
    if (!status)
        status = NAME(spry_cuda_compare_rows)(context, csr_rows_of(csr, false), rows_in(first), s, nullptr,
                                              &differences);
    return !status && differences ? SPRY_ERROR_PATTERN : status;
}

} // namespace convert_kinds
