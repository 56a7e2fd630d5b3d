/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a format: what each would have to do, at the machine's prices. */
#include "select/select.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/spread.h"
#include "analysis/values.h"
#include "convert/convert.h"
#include "convert/fill_limit.h"
#include "core/backend.h"
#include "core/sized.h"
#include "select/cheapest.h"
#include "select/profile.h"

_Static_assert(SPRY_TERM_COUNT <= SPRY_TERM_MOST, "the public arrays hold every term");

static const spry_convert_options no_options;

/* By what storages are compared, and where what is found goes. */
struct comparison {
    const struct spry_profile *profile;
    const spry_select_options *options;
    struct spry_rivals *rivals;
    spry_ranking *ranking;
    double csr_bytes; /* of the matrix in CSR without codes, which it may have itself */
};

/* ---- one format ---- */

/* The kernel that would multiply by a matrix in a storage; by CSR that has one, its own. */
static const spry_kernel *kernel_of(const struct spry_candidate *candidate, const struct comparison *by) {
    const spry_matrix *csr = candidate->csr;
    const spry_kernel *own = csr->kernel[SPRY_N];
    if (own && spry_is_hub(&candidate->storage) && csr->values == SPRY_VALUES_PLAIN &&
        csr->columns == SPRY_COLUMNS_PLAIN)
        return own->work || csr->nnz == 0 ? own : NULL;
    return spry_expected_kernel(candidate, by->rivals, by->profile);
}

static void predict_product(const struct spry_candidate *candidate, const union spry_terms *price,
                            spry_choice *choice) {
    union spry_terms amounts = spry_work_of(choice->kernel, candidate);
    memcpy(choice->amount, amounts.at, sizeof amounts.at);
    choice->seconds = spry_weigh(amounts.at, price->at, SPRY_TERM_COUNT, choice->cost);
}

/* What is read and written once more to put columns into a code. */
static double encoded_bytes(const struct spry_candidate *candidate) {
    const spry_index_type index = candidate->csr->index;
    const spry_column_code code = candidate->storage.columns;
    return code == SPRY_COLUMNS_PLAIN
               ? 0
               : candidate->slots * (double)(spry_index_size(index) + spry_column_size(index, code));
}

/* What it takes to make a storage from CSR; CSR is there. */
static double predict_conversion(const struct spry_candidate *candidate, const struct spry_profile *profile) {
    const spry_storage *storage = &candidate->storage;
    double cost[SPRY_CONVERSION_COUNT];
    double amount[SPRY_CONVERSION_COUNT] = {
        [SPRY_CONVERSION_start] = 1,
        [SPRY_CONVERSION_bytes] =
            (double)spry_matrix_bytes(candidate->csr) + candidate->bytes + encoded_bytes(candidate),
        [SPRY_CONVERSION_rows] = (double)candidate->features->rows,
        [SPRY_CONVERSION_encoding] = storage->values == SPRY_VALUES_PLAIN ? 0 : candidate->slots,
    };
    return spry_is_hub(storage)
               ? 0
               : spry_weigh(amount, profile->conversion[storage->format], SPRY_CONVERSION_COUNT, cost);
}

/* Within the caller's limit, or that of conversions. */
static bool is_within(const struct spry_candidate *candidate, const struct comparison *by) {
    if (spry_is_hub(&candidate->storage))
        return true;
    if (by->options->memory_limit > 0)
        return candidate->bytes <= (double)by->options->memory_limit;
    return !spry_traits_of(candidate->csr, candidate->storage.format)->pads ||
           spry_fill_is_allowed(by->csr_bytes, candidate->options, candidate->bytes);
}

/* What is expected of a storage whose sizes are estimated. */
static spry_choice expect(const struct spry_candidate *candidate, const struct comparison *by) {
    const bool is_empty = candidate->csr->nnz == 0;
    spry_choice choice = {.format = candidate->storage.format,
                          .storage = candidate->storage,
                          .kernel = kernel_of(candidate, by),
                          .bytes = candidate->bytes,
                          .slots = candidate->slots};
    const union spry_terms *price = choice.kernel ? spry_prices_of(by->profile, choice.kernel) : NULL;
    /* Where there is nothing to multiply by, nothing has a price. */
    if (!price && !is_empty)
        choice.kernel = NULL;
    choice.possible =
        choice.kernel && is_within(candidate, by) && !(by->ranking->changing >> choice.format & 1);
    if (choice.kernel && !is_empty)
        predict_product(candidate, price, &choice);
    choice.convert_seconds = predict_conversion(candidate, by->profile);
    return choice;
}

/* ---- the ranking ---- */

/* Put a code among those that take fewer bytes a value, if there is room; how many there are then. */
static int insert_code(const struct spry_candidate *candidate, spry_value_code code, int count,
                       spry_value_code codes[SPRY_CODES_COMPARED]) {
    const size_t size = spry_stored_size(candidate->csr->type, code);
    int place = count < SPRY_CODES_COMPARED ? count : SPRY_CODES_COMPARED;
    while (place > 0 && spry_stored_size(candidate->csr->type, codes[place - 1]) > size) {
        if (place < SPRY_CODES_COMPARED)
            codes[place] = codes[place - 1];
        place--;
    }
    if (place < SPRY_CODES_COMPARED)
        codes[place] = code;
    return count < SPRY_CODES_COMPARED ? count + 1 : count;
}

/* The codes of a layout that should keep the values, those that take the fewest bytes; how many. None where y = A x scatters:
   values are the least of it there. */
static int find_codes(const struct spry_candidate *candidate, spry_format format,
                      const spry_select_options *options, spry_value_code codes[SPRY_CODES_COMPARED]) {
    const struct spry_format_code *traits = spry_traits_of(candidate->csr, format);
    int count = 0;
    if (options->values_change || (traits->as_csr && format != SPRY_CSR))
        return 0;
    for (int code = 0; code < SPRY_VALUE_CODE_COUNT; code++)
        if (traits->codes >> code & 1 && spry_expects_code(candidate->features, (spry_value_code)code))
            count = insert_code(candidate, (spry_value_code)code, count, codes);
    return count;
}

/* A storage with plain values, and with those codes that make it smaller. */
static void add_values(struct spry_candidate candidate, const struct comparison *by,
                       const spry_value_code *codes, int count) {
    spry_ranking *ranking = by->ranking;
    const struct spry_format_code *traits = spry_traits_of(candidate.csr, candidate.storage.format);
    traits->estimate(&candidate);
    const double plain = candidate.bytes;
    ranking->choice[ranking->count++] = expect(&candidate, by);
    for (int i = 0; i < count; i++) {
        candidate.storage.values = codes[i];
        traits->estimate(&candidate);
        if (candidate.bytes < plain)
            ranking->choice[ranking->count++] = expect(&candidate, by);
    }
}

/* Whether columns should have room in a code, and the product read them as they are kept. Programs from before there were codes may
   read those of a matrix themselves. */
static bool suits_columns(const struct spry_candidate *candidate, const struct comparison *by) {
    const spry_storage *storage = &candidate->storage;
    const struct spry_format_code *traits = spry_traits_of(candidate->csr, storage->format);
    if (by->options->values_change == SPRY_BEFORE_CODES || !traits->reach ||
        !(traits->column_codes >> storage->columns & 1) ||
        !spry_expects_columns(candidate->features, traits->reach(storage->parameter), storage->columns))
        return false;
    const spry_kernel *kernel = kernel_of(candidate, by);
    return kernel && kernel->reads_columns;
}

/* A storage with plain columns, and with those codes of them that suit. */
static void add_storages(struct spry_candidate candidate, const struct comparison *by,
                         const spry_value_code *codes, int count) {
    add_values(candidate, by, codes, count);
    for (int code = SPRY_COLUMNS_PLAIN + 1; code < SPRY_COLUMN_CODE_COUNT; code++) {
        candidate.storage.columns = (spry_column_code)code;
        if (suits_columns(&candidate, by))
            add_values(candidate, by, codes, count);
    }
}

/* A layout with each of the parameters that it has candidates for. */
static void add_candidates(struct spry_candidate candidate, spry_format format, const struct comparison *by) {
    spry_value_code codes[SPRY_CODES_COMPARED];
    const int coded = find_codes(&candidate, format, by->options, codes);
    int64_t parameter[SPRY_CANDIDATES_MOST][SPRY_STORAGE_PARAMETERS] = {{0}};
    const struct spry_format_code *traits = spry_traits_of(candidate.csr, format);
    int count = traits->candidates ? traits->candidates(&candidate, parameter) : 1;
    if (by->options->values_change && traits->rests_on_values)
        by->ranking->changing |= 1u << format;
    for (int i = 0; i < count; i++) {
        candidate.storage = (spry_storage){.format = format};
        memcpy(candidate.storage.parameter, parameter[i], sizeof parameter[i]);
        add_storages(candidate, by, codes, coded);
    }
}

static double bytes_of_csr(struct spry_candidate candidate) {
    candidate.storage = (spry_storage){.format = SPRY_CSR};
    spry_traits_of(candidate.csr, SPRY_CSR)->estimate(&candidate);
    return candidate.bytes;
}

/* Every storage of every layout, in order. */
static spry_status compare(struct spry_candidate candidate, struct comparison *by, spry_context *context) {
    spry_status status = spry_rivals_new(context, candidate.csr, &by->rivals);
    if (status)
        return status;
    by->csr_bytes = bytes_of_csr(candidate);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        add_candidates(candidate, (spry_format)format, by);
    spry_rivals_release(context, by->rivals);
    spry_ranking_order(by->ranking);
    if (!by->ranking->choice[0].possible)
        return spry_fail(
            context, SPRY_ERROR_UNSUPPORTED,
            "no format is possible: all kernels are disabled, or unknown to the machine's profile");
    return SPRY_OK;
}

spry_status spry_predict(spry_context *context, const spry_matrix *csr, const spry_convert_options *how,
                         const spry_select_options *options, spry_ranking *ranking) {
    struct comparison by = {.options = options, .ranking = ranking};
    struct spry_features features;
    spry_status status = spry_profile_of(context, &by.profile);
    if (!status)
        status = spry_features_now(context, csr, &features);
    if (status)
        return status;
    memset(ranking, 0, offsetof(spry_ranking, choice));
    ranking->products = options->products > 0 ? options->products : INFINITY;
    ranking->values = features.values;
    spry_statistics_of(&features, &ranking->statistics);
    return compare(
        (struct spry_candidate){.context = context, .csr = csr, .options = how, .features = &features}, &by,
        context);
}

/* Formats are made from CSR with base 0 and sorted rows, which a caller's own need not have. */
static spry_status measure(spry_context *context, const spry_matrix *csr, const spry_select_options *options,
                           spry_ranking *ranking) {
    struct spry_hub hub;
    spry_status status = spry_hub_open(context, csr, &no_options, &hub);
    if (!status)
        status = spry_measure(context, &hub, &no_options, options, ranking, NULL);
    spry_hub_close(&hub);
    return status;
}

spry_status spry_check_products(spry_context *context, const char *call, double products, int measure) {
    if (!(products >= 0))
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: products is %g, expected 0 or more", call,
                         products);
    if (measure < 0)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: measure is %d, expected 0 or more", call,
                         measure);
    return SPRY_OK;
}

static spry_status check(spry_context *context, const spry_matrix *csr, const spry_select_options *options) {
    spry_status status = spry_check_csr(context, csr, "spry_select");
    if (!status)
        status = spry_check_products(context, "spry_select", options->products, options->measure);
    return status ? status : spry_check_place(context, csr, "spry_select");
}

static spry_status rank(spry_context *context, const spry_matrix *csr, const spry_select_options *options,
                        spry_ranking *ranking) {
    spry_status status = spry_predict(context, csr, &no_options, options, ranking);
    ranking->allocator = context->allocator;
    return !status && options->measure > 0 ? measure(context, csr, options, ranking) : status;
}

SPRY_SIZED(spry_select_options, memory_limit, values_change);

spry_status spry_select(spry_context *context, const spry_matrix *csr, const spry_select_options *given,
                        spry_ranking **result) {
    spry_select_options options;
    void *ranking;
    if (!context || !result)
        return spry_no_result(context, "spry_select");
    *result = NULL;
    spry_status status = spry_take(context, &spry_select_options_sized, given, &options);
    if (!status)
        status = check(context, csr, &options);
    if (given && given->size < SPRY_END_OF(spry_select_options, values_change))
        options.values_change = SPRY_BEFORE_CODES;
    if (!status)
        status = spry_allocate(context, 1, sizeof **result, &ranking);
    if (status)
        return status;
    status = rank(context, csr, &options, ranking);
    if (status)
        spry_release(&context->allocator, ranking, 1, sizeof **result);
    else
        *result = ranking;
    return status;
}
