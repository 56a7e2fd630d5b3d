/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/values.h"

#include <inttypes.h>

#include "core/backend.h"

static void **values_of(spry_matrix *matrix) {
    return spry_format_traits(matrix)->values(matrix);
}

static const struct spry_value_coder *coder_of(const spry_context *context, spry_value_code code) {
    return context->code->coder[code];
}

/* What is at one place of an array of values. */
static spry_status refuse(spry_context *context, const spry_matrix *matrix, spry_value_code code,
                          const void *values, int64_t broken) {
    double value;
    spry_status status = context->code->copy(context, &value, (const double *)values + broken, sizeof value);
    return status ? status
                  : spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                              "%s+%s: value %.17g, in slot %" PRId64 ", is not exact in it",
                              spry_format_name(matrix->format), spry_value_code_name(code), value, broken);
}

/* Encode an array into another one. */
static spry_status encode(spry_context *context, const spry_matrix *matrix, spry_value_code code,
                          const void *values, void *codes) {
    int64_t slots = spry_matrix_slots(matrix), broken;
    spry_status status = coder_of(context, code)->encode(context, slots, values, codes, &broken);
    if (!status && broken < slots)
        status = refuse(context, matrix, code, values, broken);
    return status;
}

spry_status spry_encode_values(spry_context *context, spry_matrix *matrix, spry_value_code code) {
    void *plain = *values_of(matrix), *codes;
    spry_status status =
        spry_matrix_array(context, matrix, spry_matrix_slots(matrix), coder_of(context, code)->size, &codes);
    if (!status)
        status = encode(context, matrix, code, plain, codes);
    if (status)
        return status;
    matrix->values = code;
    *values_of(matrix) = codes;
    spry_matrix_drop_array(matrix, plain);
    return SPRY_OK;
}

spry_status spry_plain_open(spry_context *context, const spry_matrix *source, struct spry_plain *plain) {
    *plain = (struct spry_plain){.matrix = source};
    if (source->values == SPRY_VALUES_PLAIN)
        return SPRY_OK;
    int64_t slots = spry_matrix_slots(source);
    spry_status status =
        spry_allocate_array(context, (size_t)slots, spry_type_size(source->type), &plain->values);
    if (status)
        return status;
    plain->view = *source;
    plain->view.values = SPRY_VALUES_PLAIN;
    plain->matrix = &plain->view;
    void **values = values_of(&plain->view);
    status = coder_of(context, source->values)->decode(context, slots, *values, plain->values);
    *values = plain->values;
    return status;
}

void spry_plain_close(spry_context *context, struct spry_plain *plain) {
    if (!plain->values)
        return;
    context->code->synchronize(context);
    spry_release(&context->arrays, plain->values, (size_t)spry_matrix_slots(plain->matrix),
                 spry_type_size(plain->matrix->type));
}

spry_status spry_plain_store(spry_context *context, const struct spry_plain *plain, spry_matrix *matrix) {
    size_t slots = (size_t)spry_matrix_slots(matrix), size = coder_of(context, matrix->values)->size;
    void *codes;
    spry_status status = spry_allocate_array(context, slots, size, &codes);
    if (!status)
        status = encode(context, matrix, matrix->values, plain->values, codes);
    if (!status)
        status = context->code->copy(context, *values_of(matrix), codes, slots * size);
    spry_release(&context->arrays, codes, slots, size);
    return status;
}
