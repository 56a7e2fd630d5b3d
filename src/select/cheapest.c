/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/cheapest.h"

#include <string.h>

#include "analysis/features.h"
#include "core/table.h"
#include "select/profile.h"

/* A product y = op(A) x along the entries of A, by what it would have to do. */
struct wanted {
    const struct spry_profile *profile; /* null: prices do not matter */
    struct spry_candidate plain;        /* A, or its transpose, as it is made from CSR without codes */
    spry_value_code values;             /* how A keeps them */
    spry_column_code columns;           /* the same */
    const spry_matrix *matrix;          /* A; null: it is not made yet */
    const struct spry_rivals *rivals;   /* where it is not */
    spry_op op;
};

/* Kernels differ in the order in which they add. Codes leave the bits of a product alone, so they have no say in which
   kernel is taken: it is chosen as if values and columns were plain. */
static void estimate_plain(struct wanted *wanted) {
    struct spry_candidate *plain = &wanted->plain;
    wanted->values = plain->storage.values;
    wanted->columns = plain->storage.columns;
    plain->storage.values = SPRY_VALUES_PLAIN;
    plain->storage.columns = SPRY_COLUMNS_PLAIN;
    spry_traits_of(plain->csr, plain->storage.format)->estimate(plain);
}

/* The kernels that may compete, one after the other: those of a list, or else of the table. */
struct rival_walk {
    struct spry_kernel_walk table;
    const struct spry_rivals *rivals; /* null: the table */
    int at, end;
};

static struct rival_walk walk_rivals(const struct wanted *wanted) {
    const struct spry_rivals *rivals = wanted->rivals;
    const spry_format format = wanted->plain.storage.format;
    if (rivals)
        return (struct rival_walk){
            .rivals = rivals, .at = rivals->begin[format], .end = rivals->begin[format + 1]};
    return (struct rival_walk){.table = spry_walk_kernels(wanted->plain.csr)};
}

static const spry_kernel *next_kernel(struct rival_walk *walk) {
    if (!walk->rivals)
        return spry_next_kernel(&walk->table);
    return walk->at < walk->end ? walk->rivals->kernel[walk->at++] : NULL;
}

static bool may_compete(const spry_context *context, const spry_kernel *kernel, spry_op op) {
    return kernel->op == op && !kernel->many && kernel->work && spry_may_choose(context, kernel);
}

/* Of a matrix that is not made yet, every kernel is expected to take what a conversion makes. */
static bool fits(const struct wanted *wanted, const spry_kernel *kernel) {
    return wanted->matrix ? spry_kernel_takes(kernel, wanted->matrix)
                          : kernel->values == wanted->values && kernel->columns == wanted->columns;
}

/* The next kernel that competes, and its prices if they matter; null past the last. */
static const spry_kernel *next_rival(const struct wanted *wanted, struct rival_walk *walk,
                                     const union spry_terms **price) {
    const spry_kernel *kernel;
    while ((kernel = next_kernel(walk)))
        if (fits(wanted, kernel) &&
            (wanted->rivals || may_compete(wanted->plain.context, kernel, wanted->op)) &&
            (!wanted->profile || (*price = spry_prices_without_codes(wanted->profile, kernel))))
            break;
    return kernel;
}

/* How many kernels compete, and the last of them; null where none does. */
struct rivals_found {
    int count;
    const spry_kernel *last;
};

static struct rivals_found find_rivals(const struct wanted *wanted) {
    struct rival_walk walk = walk_rivals(wanted);
    const union spry_terms *price;
    const spry_kernel *kernel;
    struct rivals_found found = {0, NULL};
    for (; (kernel = next_rival(wanted, &walk, &price)); found.count++)
        found.last = kernel;
    return found;
}

/* Let the matrix have the last kernel that competes, if any does; whether there are others to compare it with. */
static bool take_last_rival(const struct wanted *wanted, spry_matrix *matrix) {
    const struct rivals_found found = find_rivals(wanted);
    if (found.last)
        matrix->kernel[wanted->op] = found.last;
    return found.count > 1;
}

static double seconds_of(const struct wanted *wanted, const spry_kernel *kernel,
                         const union spry_terms *price) {
    const union spry_terms amounts = spry_work_of(kernel, &wanted->plain);
    union spry_terms cost;
    return spry_weigh(amounts.at, price->at, SPRY_TERM_COUNT, cost.at);
}

static const spry_kernel *cheapest(const struct wanted *wanted) {
    struct rival_walk walk = walk_rivals(wanted);
    const union spry_terms *price;
    const spry_kernel *kernel, *best = NULL;
    double least = 0;
    while ((kernel = next_rival(wanted, &walk, &price))) {
        const double seconds = seconds_of(wanted, kernel, price);
        if (!best || seconds <= least) {
            best = kernel;
            least = seconds;
        }
    }
    return best;
}

/* ---- what is not made yet ---- */

static size_t rivals_bytes(int count) {
    return sizeof(struct spry_rivals) + (size_t)count * sizeof(const spry_kernel *);
}

/* How many there are of each format, in begin[format + 1]. */
static void count_formats(const spry_context *context, const spry_matrix *like, int *begin) {
    struct spry_kernel_walk walk = spry_walk_kernels(like);
    const spry_kernel *kernel;
    while ((kernel = spry_next_kernel(&walk)))
        begin[kernel->format + 1] += may_compete(context, kernel, SPRY_N);
}

spry_status spry_rivals_new(spry_context *context, const spry_matrix *like, struct spry_rivals **rivals) {
    int begin[SPRY_FORMAT_COUNT + 1] = {0}, next[SPRY_FORMAT_COUNT];
    void *space;
    count_formats(context, like, begin);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        next[format] = begin[format];
        begin[format + 1] += begin[format];
    }
    spry_status status = spry_allocate(context, rivals_bytes(begin[SPRY_FORMAT_COUNT]), 1, &space);
    if (status)
        return status;
    *rivals = space;
    memcpy((*rivals)->begin, begin, sizeof begin);
    struct spry_kernel_walk walk = spry_walk_kernels(like);
    const spry_kernel *kernel;
    while ((kernel = spry_next_kernel(&walk)))
        if (may_compete(context, kernel, SPRY_N))
            (*rivals)->kernel[next[kernel->format]++] = kernel;
    return SPRY_OK;
}

void spry_rivals_release(spry_context *context, struct spry_rivals *rivals) {
    spry_release(&context->allocator, rivals, rivals_bytes(rivals->begin[SPRY_FORMAT_COUNT]), 1);
}

/* Whether y = A x runs along the entries, as it does not with the arrays of CSC: it scatters there. */
static bool is_gathered(const struct spry_candidate *candidate) {
    const struct spry_format_code *traits = spry_traits_of(candidate->csr, candidate->storage.format);
    return candidate->storage.format == candidate->csr->format || !traits->as_csr;
}

const spry_kernel *spry_expected_kernel(const struct spry_candidate *candidate,
                                        const struct spry_rivals *rivals,
                                        const struct spry_profile *profile) {
    const spry_matrix *csr = candidate->csr;
    const bool compared = csr->nnz > 0 && is_gathered(candidate);
    struct wanted wanted = {
        .profile = compared ? profile : NULL, .plain = *candidate, .rivals = rivals, .op = SPRY_N};
    estimate_plain(&wanted);
    return compared ? cheapest(&wanted) : find_rivals(&wanted).last;
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

/* Where the library has none for the backend, *profile is null, and the caller's last message stays. */
static spry_status find_profile(spry_context *context, const struct spry_profile **profile) {
    struct spry_kept_message message;
    spry_keep_message(context, &message);
    *profile = NULL;
    spry_status status = spry_profile_of(context, profile);
    if (status != SPRY_ERROR_UNSUPPORTED)
        return status;
    spry_restore_message(context, &message);
    return SPRY_OK;
}

static const spry_convert_options no_options;

/* What is wanted of a matrix as one in CSR, which `csr` becomes a view of. Without a profile, or where fewer than two kernels have prices,
   nothing is compared and wanted->profile is null. The matrix has the last kernel with prices, if there is one, from then on. */
static spry_status want(spry_context *context, spry_matrix *matrix, spry_matrix *csr, struct wanted *wanted) {
    const struct spry_format_code *traits = spry_format_traits(matrix);
    *wanted = (struct wanted){.matrix = matrix};
    if (!traits->as_csr || matrix->nnz == 0)
        return SPRY_OK;
    wanted->op = traits->as_csr(matrix, csr);
    wanted->plain = (struct spry_candidate){
        .context = context,
        .csr = csr,
        .options = &no_options,
        .storage = {.format = SPRY_CSR, .values = matrix->values, .columns = matrix->columns}};
    spry_status status = find_profile(context, &wanted->profile);
    if (!status && wanted->profile && !take_last_rival(wanted, matrix))
        wanted->profile = NULL;
    return status;
}

spry_status spry_keep_features(spry_context *context, spry_matrix *matrix) {
    spry_matrix csr;
    struct wanted wanted;
    spry_status status = want(context, matrix, &csr, &wanted);
    return status || !wanted.profile ? status : keep_features(context, &csr, matrix);
}

spry_status spry_choose_cheapest(spry_context *context, spry_matrix *matrix) {
    spry_matrix csr;
    struct wanted wanted;
    spry_status status = want(context, matrix, &csr, &wanted);
    if (!status && wanted.profile)
        status = keep_features(context, &csr, matrix);
    if (status || !wanted.profile)
        return status;
    wanted.plain.features = matrix->features;
    estimate_plain(&wanted);
    matrix->kernel[wanted.op] = cheapest(&wanted);
    return SPRY_OK;
}

spry_status spry_choose_cheapest_made(spry_context *context, const spry_matrix *csr,
                                      const spry_convert_options *options, spry_matrix *matrix) {
    const struct spry_format_code *traits = spry_format_traits(matrix);
    struct spry_features space;
    if (traits->as_csr || matrix->nnz == 0)
        return SPRY_OK;
    struct wanted wanted = {
        .plain = {.context = context, .csr = csr, .options = options}, .matrix = matrix, .op = SPRY_N};
    spry_matrix_storage(matrix, &wanted.plain.storage);
    spry_status status = find_profile(context, &wanted.profile);
    if (status || !wanted.profile || !take_last_rival(&wanted, matrix))
        return status;
    wanted.plain.features = &space;
    status = traits->rests_on_values ? spry_features_now(context, csr, &space)
                                     : spry_features_of(context, csr, &space, &wanted.plain.features);
    if (status)
        return status;
    estimate_plain(&wanted);
    matrix->kernel[SPRY_N] = cheapest(&wanted);
    return SPRY_OK;
}
