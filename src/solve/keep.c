/* SPDX-License-Identifier: BSD-3-Clause */
/* How preconditioners keep matrices of their own that they multiply with. */
#include "convert/convert.h"
#include "core/table.h"
#include "solve/precond.h"

/* In COO and CSC, products would scatter. */
static spry_storage storage_like(const spry_storage *storage) {
    spry_storage like = *storage;
    if (like.format == SPRY_COO || like.format == SPRY_CSC)
        like = (spry_storage){.format = SPRY_CSR};
    return like;
}

/* Codes may not keep these values, or columns, or be for this type, where they keep the caller's: that is not the caller's last
   error. */
static spry_status keep_like(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                             spry_matrix **matrix) {
    spry_storage like = storage_like(storage);
    struct spry_kept_message message;
    spry_keep_message(context, &message);
    spry_status status = spry_check_storage(context, csr, &like);
    if (!status)
        status = spry_convert_any(context, csr, &like, &spry_any_fill, matrix);
    if (status != SPRY_ERROR_UNSUPPORTED)
        return status;
    like.values = SPRY_VALUES_PLAIN;
    like.columns = SPRY_COLUMNS_PLAIN;
    status = spry_convert_any(context, csr, &like, &spry_any_fill, matrix);
    if (!status)
        spry_restore_message(context, &message);
    return status;
}

spry_status spry_keep(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                      spry_matrix **matrix) {
    const spry_convert_options options = {.size = sizeof options, .values_change = 1};
    spry_status status = storage ? keep_like(context, csr, storage, matrix)
                                 : spry_convert(context, csr, SPRY_AUTO, &options, matrix);
    return status ? status : spry_reserve(context, *matrix, SPRY_N);
}
