/* SPDX-License-Identifier: BSD-3-Clause */
/* The hub: any format to any other, through CSR with base 0 and sorted rows. */
#include <inttypes.h>
#include <math.h>

#include "codes/matrix_columns.h"
#include "convert/convert.h"
#include "convert/fill_limit.h"
#include "convert/values.h"
#include "core/backend.h"

const spry_convert_options spry_keep_duplicates = {.size = sizeof spry_keep_duplicates,
                                                   .duplicates = SPRY_KEEP};
const spry_convert_options spry_any_fill = {.fill_limit = INFINITY};

static const struct spry_convert_code *code_of(const spry_matrix *matrix, spry_format format) {
    return spry_convert_code(matrix, format);
}

/* A new CSR matrix of any matrix. Its products are planned only if it is to be kept. */
static spry_status new_csr(spry_context *context, const spry_matrix *source,
                           const spry_convert_options *options, bool keep, spry_matrix **csr) {
    spry_status status = spry_matrix_new(context, SPRY_CSR, source->type, source->index, source->rows,
                                         source->cols, source->nnz, csr);
    if (status)
        return status;
    struct spry_plain plain;
    status = spry_plain_open(context, source, &plain);
    if (!status)
        status = code_of(source, source->format)->to_csr(context, plain.matrix, options, *csr);
    spry_plain_close(context, &plain);
    (*csr)->sorted = true;
    if (!status && keep)
        status = spry_matrix_finish(context, *csr);
    return status ? spry_matrix_abandon(csr, status) : SPRY_OK;
}

static bool is_plain_csr(const spry_matrix *matrix) {
    const spry_storage storage = {
        .format = matrix->format, .values = matrix->values, .columns = matrix->columns};
    return spry_is_hub(&storage);
}

spry_status spry_hub_open(spry_context *context, const spry_matrix *source,
                          const spry_convert_options *options, struct spry_hub *hub) {
    *hub = (struct spry_hub){0};
    if (is_plain_csr(source) && source->sorted && source->csr.base == 0) {
        hub->csr = source;
        return SPRY_OK;
    }
    spry_status status = new_csr(context, source, options, false, &hub->made);
    hub->csr = hub->made;
    return status;
}

void spry_hub_close(struct spry_hub *hub) {
    spry_matrix_destroy(hub->made);
}

spry_status spry_hub_lend(spry_context *context, const struct spry_hub *hub, spry_matrix **lent) {
    const spry_matrix *csr = hub->csr;
    spry_status status =
        spry_matrix_new(context, SPRY_CSR, csr->type, csr->index, csr->rows, csr->cols, csr->nnz, lent);
    if (status)
        return status;
    (*lent)->csr = csr->csr;
    (*lent)->sorted = true;
    status = spry_matrix_finish(context, *lent);
    return status ? spry_matrix_abandon(lent, status) : SPRY_OK;
}

spry_status spry_hub_give(spry_context *context, struct spry_hub *hub, spry_matrix *lent) {
    if (hub->made) {
        spry_matrix_take_arrays(lent, hub->made);
        return SPRY_OK;
    }
    spry_status status = code_of(lent, SPRY_CSR)->from_csr(context, hub->csr, &spry_keep_duplicates, lent);
    return status ? status : context->code->finish(context, lent);
}

/* As spry_from_hub, without a plan. */
static spry_status unfinished_from_hub(spry_context *context, const spry_matrix *csr,
                                       const spry_storage *storage, const spry_convert_options *options,
                                       spry_matrix **result) {
    spry_status status = spry_matrix_new(context, storage->format, csr->type, csr->index, csr->rows,
                                         csr->cols, csr->nnz, result);
    if (status)
        return status;
    const struct spry_format_code *traits = spry_traits_of(csr, storage->format);
    if (traits->parameters > 0)
        traits->configure(context, storage->parameter, *result);
    if (storage->values != SPRY_VALUES_PLAIN)
        status = spry_find_values(context, csr, storage->values, *result);
    if (!status)
        status = code_of(csr, storage->format)->from_csr(context, csr, options, *result);
    if (!status && storage->columns != SPRY_COLUMNS_PLAIN)
        status = spry_encode_columns(context, *result, storage->columns);
    if (!status && storage->values != SPRY_VALUES_PLAIN)
        status = spry_encode_values(context, *result, storage->values);
    return status ? spry_matrix_abandon(result, status) : SPRY_OK;
}

spry_status spry_from_hub(spry_context *context, const spry_matrix *csr, const spry_storage *storage,
                          const spry_convert_options *options, spry_matrix **result) {
    spry_status status = unfinished_from_hub(context, csr, storage, options, result);
    if (status)
        return status;
    status = spry_matrix_finish(context, *result);
    if (!status)
        status = context->code->choose_made(context, csr, options, *result);
    return status ? spry_matrix_abandon(result, status) : SPRY_OK;
}

spry_status spry_convert_any(spry_context *context, const spry_matrix *source, const spry_storage *storage,
                             const spry_convert_options *options, spry_matrix **result) {
    if (spry_is_hub(storage))
        return new_csr(context, source, options, true, result);
    struct spry_hub hub;
    spry_status status = spry_hub_open(context, source, options, &hub);
    if (!status)
        status = spry_from_hub(context, hub.csr, storage, options, result);
    spry_hub_close(&hub);
    return status;
}

static spry_status check_update(spry_context *context, const spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix || !csr)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_update_values: a matrix is null");
    spry_status status = spry_check_place(context, matrix, "spry_update_values");
    if (!status)
        status = spry_check_place(context, csr, "spry_update_values");
    if (status)
        return status;
    if (csr->format != SPRY_CSR || csr->type != matrix->type || csr->index != matrix->index)
        return spry_fail(
            context, SPRY_ERROR_ARGUMENT, "spry_update_values: values come as %s %s %s, expected csr %s %s",
            spry_format_name(csr->format), spry_type_name(csr->type), spry_index_name(csr->index),
            spry_type_name(matrix->type), spry_index_name(matrix->index));
    if (csr->rows != matrix->rows || csr->cols != matrix->cols || csr->nnz != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_PATTERN,
                         "spry_update_values: sizes differ: %" PRId64 " × %" PRId64 " with %" PRId64
                         " nonzeros and %" PRId64 " × %" PRId64 " with %" PRId64,
                         matrix->rows, matrix->cols, matrix->nnz, csr->rows, csr->cols, csr->nnz);
    return SPRY_OK;
}

/* Values of a matrix that keeps them as they are, and columns as its layout reads them. */
static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    spry_status status = SPRY_OK;
    /* A wrapped CSR matrix may have its rows in the caller's own order. New values are then in the same one, as likely
       as not, or else are found in sorted rows, which all other formats are compared with. */
    bool own_order = matrix->format == SPRY_CSR && !matrix->sorted;
    struct spry_hub hub = {.csr = csr};
    const struct spry_convert_code *code = code_of(matrix, matrix->format);
    bool ready = is_plain_csr(csr) && (own_order || csr->sorted);
    if (ready)
        status = code->update(context, matrix, csr);
    if (!ready || (!csr->sorted && status == SPRY_ERROR_PATTERN)) {
        status = spry_hub_open(context, csr, &spry_keep_duplicates, &hub);
        if (!status)
            status = code->update(context, matrix, hub.csr);
    }
    spry_hub_close(&hub);
    return status;
}

spry_status spry_update_values(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    spry_status status = check_update(context, matrix, csr);
    if (status || matrix->nnz == 0)
        return status;
    struct spry_plain plain;
    status = spry_plain_open_blank(context, matrix, code_of(matrix, matrix->format)->reads_columns, &plain);
    if (!status)
        status = update(context, plain.matrix == matrix ? matrix : &plain.view, csr);
    if (!status && plain.values)
        status = spry_plain_store(context, &plain, csr, matrix);
    if (!status)
        status = context->code->synchronize(context);
    spry_plain_close(context, &plain);
    matrix->updates++;
    if (status == SPRY_ERROR_PATTERN)
        spry_fail(context, status, "the entries of both matrices are not at the same places");
    return status;
}

/* The arrays of A in CSC are those of its transpose in CSR. Its products are planned only if it is to be kept. */
static spry_status transposed_csr(spry_context *context, const spry_matrix *csr, bool keep,
                                  spry_matrix **result) {
    static const spry_storage csc = {.format = SPRY_CSC};
    spry_status status = unfinished_from_hub(context, csr, &csc, &spry_keep_duplicates, result);
    if (status)
        return status;
    (*result)->format = SPRY_CSR;
    (*result)->rows = csr->cols;
    (*result)->cols = csr->rows;
    if (keep)
        status = spry_matrix_finish(context, *result);
    return status ? spry_matrix_abandon(result, status) : SPRY_OK;
}

/* The source's fill is its maker's choice: its transpose may have as much, where that is more than conversions allow by themselves. */
static spry_convert_options fill_of(const spry_matrix *source, const spry_matrix *csr) {
    spry_convert_options options = {.fill_limit = 0};
    const double bytes = (double)spry_matrix_bytes(source), csr_bytes = (double)spry_matrix_bytes(csr);
    if (!spry_fill_is_allowed(csr_bytes, &options, bytes))
        options.fill_limit = nextafter(bytes / csr_bytes, INFINITY);
    return options;
}

/* What a transpose is stored in that cannot be in this storage; false where that has nothing to do with the storage. */
static bool find_another(spry_status status, spry_storage *storage) {
    if (status == SPRY_ERROR_TOO_LARGE)
        /* A full column is a full row now. */
        *storage = (spry_storage){.format = SPRY_CSR};
    else if (status == SPRY_ERROR_UNSUPPORTED && storage->columns != SPRY_COLUMNS_PLAIN)
        /* Columns of the transpose lie apart from each other as rows do, which may be too far for their code. */
        storage->columns = SPRY_COLUMNS_PLAIN;
    else
        return false;
    return true;
}

/* From the transpose in CSR. What was refused on the way is not the caller's last error. */
static spry_status store_like(spry_context *context, const spry_matrix *source, const spry_matrix *csr,
                              spry_matrix **result) {
    const spry_convert_options options = fill_of(source, csr);
    struct spry_kept_message message;
    spry_storage storage;
    spry_status status;
    spry_keep_message(context, &message);
    spry_matrix_storage(source, &storage);
    do
        status = spry_from_hub(context, csr, &storage, &options, result);
    while (find_another(status, &storage));
    if (!status)
        spry_restore_message(context, &message);
    return status;
}

spry_status spry_transpose(spry_context *context, const spry_matrix *source, spry_matrix **result) {
    if (!context || !result)
        return spry_no_result(context, "spry_transpose");
    *result = NULL;
    if (!source)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_transpose: the matrix is null");
    struct spry_hub hub;
    spry_status status = spry_check_place(context, source, "spry_transpose");
    if (!status)
        status = spry_hub_open(context, source, &spry_keep_duplicates, &hub);
    if (status)
        return status;
    status = transposed_csr(context, hub.csr, is_plain_csr(source), result);
    spry_hub_close(&hub);
    if (status || is_plain_csr(source))
        return status;
    spry_matrix *transposed = *result;
    *result = NULL;
    status = store_like(context, source, transposed, result);
    spry_matrix_destroy(transposed);
    return status;
}
