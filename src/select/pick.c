/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions as callers ask for them: to a format that they name, or to the one that the selector picks. */
#include "convert/convert.h"
#include "core/sized.h"
#include "core/table.h"
#include "select/select.h"

/* Where CSR is picked, and the hub was made for this conversion, that is the result. */
static spry_status make(spry_context *context, struct spry_hub *hub, const spry_storage *storage,
                        const spry_convert_options *options, spry_matrix **result) {
    if (!spry_is_hub(storage) || !hub->made)
        return spry_from_hub(context, hub->csr, storage, options, result);
    spry_status status = spry_matrix_finish(context, hub->made);
    if (status)
        return status;
    *result = hub->made;
    hub->made = NULL;
    return SPRY_OK;
}

/* Codes that were found not to keep a matrix, as a sample said that they would: an or of 1 << spry_value_code for each code of
   columns. */
struct broken {
    unsigned values[SPRY_COLUMN_CODE_COUNT];
};

static bool is_broken(const struct broken *broken, const spry_storage *storage) {
    return broken->values[storage->columns] >> storage->values & 1;
}

/* Of two codes, which of them it was is not known: others of either are still tried. */
static void note_broken(const spry_storage *storage, struct broken *broken) {
    const unsigned values = 1u << storage->values;
    if (storage->values == SPRY_VALUES_PLAIN && storage->columns != SPRY_COLUMNS_PLAIN)
        broken->values[storage->columns] = ~0u;
    else if (storage->columns != SPRY_COLUMNS_PLAIN)
        broken->values[storage->columns] |= values;
    else if (storage->values != SPRY_VALUES_PLAIN)
        for (int columns = 0; columns < SPRY_COLUMN_CODE_COUNT; columns++)
            broken->values[columns] |= values;
}

/* The first storage of the ranking that can be made; a code that does not keep the matrix is tried once. What the ones before it
   had to say is not the caller's last error. */
static spry_status make_first(spry_context *context, struct spry_hub *hub,
                              const spry_convert_options *options, const spry_ranking *ranking,
                              spry_matrix **result) {
    struct spry_kept_message message;
    spry_keep_message(context, &message);
    spry_status status = SPRY_ERROR_UNSUPPORTED;
    struct broken broken = {{0}};
    for (int i = 0; i < ranking->count && ranking->choice[i].possible; i++) {
        const spry_storage *storage = &ranking->choice[i].storage;
        if (is_broken(&broken, storage))
            continue;
        status = make(context, hub, storage, options, result);
        if (status == SPRY_ERROR_UNSUPPORTED)
            note_broken(storage, &broken);
        if (!status)
            spry_restore_message(context, &message);
        if (!spry_is_passable(status))
            return status;
    }
    return status;
}

static spry_status pick_by(spry_context *context, struct spry_hub *hub, const spry_convert_options *options,
                           spry_ranking *ranking, spry_matrix **result) {
    spry_select_options choices = {
        .products = options->products, .measure = options->measure, .values_change = options->values_change};
    spry_status status = SPRY_OK;
    /* The selector compares with products in CSR, by the kernel for them; they have a plan where CSR is picked. */
    if (hub->made)
        status = spry_choose_kernels(context, hub->made);
    if (!status)
        status = spry_predict(context, hub->csr, options, &choices, ranking);
    if (!status && choices.measure > 0)
        return spry_measure(context, hub, options, &choices, ranking, result);
    return status ? status : make_first(context, hub, options, ranking, result);
}

/* A ranking is too large for the stack. */
static spry_status pick(spry_context *context, struct spry_hub *hub, const spry_convert_options *options,
                        spry_matrix **result) {
    void *ranking;
    spry_status status = spry_allocate(context, 1, sizeof(spry_ranking), &ranking);
    if (status)
        return status;
    status = pick_by(context, hub, options, ranking, result);
    spry_release(&context->allocator, ranking, 1, sizeof(spry_ranking));
    return status;
}

static spry_status convert_to_picked(spry_context *context, const spry_matrix *source,
                                     const spry_convert_options *options, spry_matrix **result) {
    struct spry_hub hub;
    spry_status status = spry_hub_open(context, source, options, &hub);
    if (!status)
        status = pick(context, &hub, options, result);
    spry_hub_close(&hub);
    return status;
}

static spry_status check_options(spry_context *context, const char *call,
                                 const spry_convert_options *options) {
    if ((unsigned)options->duplicates > SPRY_REFUSE)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: invalid choice for duplicates: %d", call,
                         (int)options->duplicates);
    if (!(options->fill_limit >= 0))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: fill_limit is %g, expected 0 or more", call,
                         options->fill_limit);
    if (!(options->hyb_quantile >= 0 && options->hyb_quantile <= 1))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: hyb_quantile is %g, expected 0 to 1", call,
                         options->hyb_quantile);
    return spry_check_products(context, call, options->products, options->measure);
}

SPRY_SIZED(spry_convert_options, products, values_change);

/* What both calls check; *options becomes the caller's choices. */
static spry_status check(spry_context *context, const char *call, const spry_matrix *source,
                         const spry_convert_options *given, spry_convert_options *options) {
    if (!source)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the matrix is null", call);
    spry_status status = spry_take(context, &spry_convert_options_sized, given, options);
    if (!status)
        status = check_options(context, call, options);
    if (given && given->size < SPRY_END_OF(spry_convert_options, values_change))
        options->values_change = SPRY_BEFORE_CODES;
    return status ? status : spry_check_place(context, source, call);
}

static spry_status convert_to(spry_context *context, const char *call, const spry_matrix *source,
                              const spry_storage *storage, const spry_convert_options *given,
                              spry_matrix **result) {
    spry_convert_options options;
    if (!context || !result)
        return spry_no_result(context, call);
    *result = NULL;
    if (!storage)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the storage is null", call);
    spry_status status = check(context, call, source, given, &options);
    if (!status)
        status = spry_check_storage(context, source, storage);
    return status ? status : spry_convert_any(context, source, storage, &options, result);
}

spry_status spry_convert_to(spry_context *context, const spry_matrix *source, const spry_storage *storage,
                            const spry_convert_options *given, spry_matrix **result) {
    return convert_to(context, "spry_convert_to", source, storage, given, result);
}

spry_status spry_convert(spry_context *context, const spry_matrix *source, spry_format format,
                         const spry_convert_options *given, spry_matrix **result) {
    const char *const call = "spry_convert";
    spry_convert_options options;
    if (format != SPRY_AUTO)
        return convert_to(context, call, source, &(spry_storage){.format = format}, given, result);
    if (!context || !result)
        return spry_no_result(context, call);
    *result = NULL;
    spry_status status = check(context, call, source, given, &options);
    return status ? status : convert_to_picked(context, source, &options, result);
}
