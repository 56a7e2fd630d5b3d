/* SPDX-License-Identifier: BSD-3-Clause */
/* Other value and index types, in CSR; other formats go there and back. */
#include "convert/convert.h"
#include "core/backend.h"

/* It can be multiplied with only if it is to be kept. */
static spry_status cast_csr(spry_context *context, const spry_matrix *csr, spry_value_type type,
                            spry_index_type index, bool keep, spry_matrix **result) {
    spry_status status =
        spry_matrix_new(context, SPRY_CSR, type, index, csr->rows, csr->cols, csr->nnz, result);
    if (!status)
        status = spry_matrix_csr_arrays(context, *result);
    if (status)
        return status;
    spry_csr *to = &(*result)->csr;
    const struct spry_backend_code *code = context->code;
    status = code->cast_integers(context, csr->csr.ptr, spry_pointer_size(csr->index), to->ptr,
                                 spry_pointer_size(index), csr->rows + 1);
    if (!status)
        status = code->cast_integers(context, csr->csr.idx, spry_index_size(csr->index), to->idx,
                                     spry_index_size(index), csr->nnz);
    if (!status)
        status = code->cast_values(context, csr->csr.val, csr->type, to->val, type, csr->nnz);
    (*result)->sorted = true;
    return status || !keep ? status : spry_matrix_finish(context, *result);
}

/* How the result is kept: as the source, but for values that become others. */
static spry_storage storage_of(const spry_matrix *source, spry_value_type type) {
    spry_storage storage;
    spry_matrix_storage(source, &storage);
    if (type != source->type)
        storage.values = SPRY_VALUES_PLAIN;
    return storage;
}

spry_status spry_cast(spry_context *context, const spry_matrix *source, spry_value_type type,
                      spry_index_type index, spry_matrix **result) {
    if (!context || !result)
        return spry_no_result(context, "spry_cast");
    *result = NULL;
    if (!source)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_cast: the matrix is null");
    spry_status status = spry_check_place(context, source, "spry_cast");
    if (!status)
        status = spry_check_size(context, "spry_cast", type, index, source->rows, source->cols, source->nnz);
    if (status)
        return status;
    struct spry_hub hub;
    const spry_storage storage = storage_of(source, type);
    const bool keep = spry_is_hub(&storage);
    spry_matrix *csr = NULL;
    status = spry_hub_open(context, source, &spry_keep_duplicates, &hub);
    if (status)
        return status;
    status = cast_csr(context, hub.csr, type, index, keep, &csr);
    spry_hub_close(&hub);
    if (status)
        return spry_matrix_abandon(&csr, status);
    if (keep) {
        *result = csr;
        return SPRY_OK;
    }
    status = spry_from_hub(context, csr, &storage, &spry_any_fill, result);
    spry_matrix_destroy(csr);
    return status;
}
