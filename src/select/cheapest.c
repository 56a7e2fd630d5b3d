/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/cheapest.h"

#include <string.h>

#include "core/table.h"
#include "select/profile.h"

/* A product along the entries of a matrix: y = A x, as if A were in CSR. */
struct wanted {
    spry_context *context;
    const spry_matrix *matrix; /* that has these entries, in whatever format */
    spry_op op;                /* whose product it is */
    const struct spry_profile *profile;
};

static bool competes(const struct wanted *wanted, const spry_kernel *kernel) {
    return kernel->op == wanted->op && !kernel->many && kernel->work &&
           spry_kernel_takes(kernel, wanted->matrix) && spry_may_choose(wanted->context, kernel) &&
           spry_prices_of(wanted->profile, kernel);
}

/* The kernels that compete: how many, and the last of them. */
static int count_rivals(const struct wanted *wanted, const spry_kernel **last) {
    const spry_kernel *kernel;
    int count = 0;
    struct spry_kernel_walk walk = spry_walk_kernels(wanted->matrix);
    while ((kernel = spry_next_kernel(&walk)))
        if (competes(wanted, kernel)) {
            *last = kernel;
            count++;
        }
    return count;
}

static double seconds_of(const struct wanted *wanted, const struct spry_candidate *candidate,
                         const spry_kernel *kernel) {
    const union spry_terms amounts = kernel->work(candidate);
    union spry_terms cost;
    return spry_weigh(amounts.at, spry_prices_of(wanted->profile, kernel)->at, SPRY_TERM_COUNT, cost.at);
}

static const spry_kernel *cheapest(const struct wanted *wanted, const struct spry_candidate *candidate) {
    const spry_kernel *kernel, *best = NULL;
    double least = 0;
    struct spry_kernel_walk walk = spry_walk_kernels(wanted->matrix);
    while ((kernel = spry_next_kernel(&walk))) {
        if (!competes(wanted, kernel))
            continue;
        const double seconds = seconds_of(wanted, candidate, kernel);
        if (!best || seconds <= least) {
            best = kernel;
            least = seconds;
        }
    }
    return best;
}

/* Look at the matrix, as one in CSR, once and for all. */
static spry_status keep_features(spry_context *context, const spry_matrix *csr, spry_matrix *matrix) {
    void *features;
    if (matrix->features)
        return SPRY_OK;
    spry_status status = spry_allocate(context, 1, sizeof *matrix->features, &features);
    if (status)
        return status;
    matrix->features = features;
    matrix->features_bytes = sizeof *matrix->features;
    return spry_analyse(context, csr, features);
}

static spry_status compare(const struct wanted *wanted, const spry_matrix *csr, spry_matrix *matrix) {
    static const spry_convert_options no_options;
    spry_status status = keep_features(wanted->context, csr, matrix);
    if (status)
        return status;
    struct spry_candidate candidate = {.context = wanted->context,
                                       .csr = csr,
                                       .options = &no_options,
                                       .features = matrix->features,
                                       .storage = {.format = SPRY_CSR, .values = csr->values}};
    spry_format_traits(csr)->estimate(&candidate);
    matrix->kernel[wanted->op] = cheapest(wanted, &candidate);
    return SPRY_OK;
}

/* Where the library has none for the backend, *profile is null, and the caller's last message stays. */
static spry_status find_profile(spry_context *context, const struct spry_profile **profile) {
    char message[sizeof context->message];
    memcpy(message, context->message, sizeof message);
    *profile = NULL;
    spry_status status = spry_profile_of(context, profile);
    if (status != SPRY_ERROR_UNSUPPORTED)
        return status;
    memcpy(context->message, message, sizeof message);
    return SPRY_OK;
}

spry_status spry_choose_cheapest(spry_context *context, spry_matrix *matrix) {
    const struct spry_format_code *traits = spry_format_traits(matrix);
    spry_matrix csr;
    if (!traits->as_csr || matrix->nnz == 0)
        return SPRY_OK;
    struct wanted wanted = {.context = context, .matrix = matrix, .op = traits->as_csr(matrix, &csr)};
    spry_status status = find_profile(context, &wanted.profile);
    if (status || !wanted.profile)
        return status;
    const int count = count_rivals(&wanted, &matrix->kernel[wanted.op]);
    return count > 1 ? compare(&wanted, &csr, matrix) : SPRY_OK;
}
