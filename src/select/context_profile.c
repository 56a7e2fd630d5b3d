/* SPDX-License-Identifier: BSD-3-Clause */
/* Which profile a context goes by, and how it is made to fit. Nothing is measured: every context of a machine with as
   many threads has the same prices. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/backend.h"
#include "select/nearest.h"

/* Its memory reads so many times as much in a second. */
static void scale_memory(struct spry_profile *profile, double factor) {
    for (int i = 0; i < profile->kernels; i++) {
        union spry_terms *price = &spry_profile_prices(profile)[i].price;
        price->far /= factor;
        price->streams /= factor;
    }
    profile->memory_gbs *= factor;
}

/* Put words behind the machine's name, as far as there is room. */
static void remark(struct spry_profile *profile, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void remark(struct spry_profile *profile, const char *format, ...) {
    size_t length = strlen(profile->machine);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(profile->machine + length, sizeof profile->machine - length, format, arguments);
    va_end(arguments);
}

/* To a device whose maker states how fast its memory is. */
static void fit_to_memory(struct spry_profile *profile, double gbs) {
    scale_memory(profile, gbs / profile->memory_gbs);
    remark(profile, " (adapted to %.0f GB/s)", gbs);
}

/*
 * To another number of threads. Those read no less than as many as it was measured with, and no more than their number
 * lets expect; which of the two, depends on how many share a channel to memory. The square root is as far from the one
 * as from the other.
 */
static void fit_to_threads(struct spry_profile *profile, int threads, bool nearest) {
    int before = profile->processors;
    const char *first = nearest ? "nearest, " : "", *plural = before == 1 ? "" : "s";
    if (before != threads) {
        scale_memory(profile, sqrt((double)threads / before));
        profile->processors = threads;
        remark(profile, " (%s%d thread%s fitted to %d)", first, before, plural, threads);
    } else if (nearest) {
        remark(profile, " (nearest)");
    }
}

/* The library's own profile of a machine that may be another one. */
static spry_status fit(spry_context *context, const char *machine, int processors,
                       struct spry_profile *profile) {
    bool same = strcmp(profile->machine, machine) == 0;
    double gbs = 0;
    if (!context->code->memory_gbs) {
        fit_to_threads(profile, processors, !same);
        return SPRY_OK;
    }
    if (same && profile->processors == processors)
        return SPRY_OK;
    spry_status status = context->code->memory_gbs(context, &gbs);
    if (!status && gbs > 0)
        fit_to_memory(profile, gbs);
    return status;
}

/* ---- the context's ---- */

static size_t bytes(int kernels) {
    return sizeof(struct spry_profile) + (size_t)kernels * sizeof(struct spry_kernel_prices);
}

spry_status spry_profile_new(spry_context *context, int kernels, struct spry_profile **profile) {
    void *memory;
    spry_status status = spry_allocate(context, 1, bytes(kernels), &memory);
    if (status)
        return status;
    struct spry_profile *made = memory;
    *made = (struct spry_profile){.kernels = kernels, .kernel = spry_profile_prices(made)};
    memset(made + 1, 0, bytes(kernels) - sizeof *made);
    *profile = made;
    return SPRY_OK;
}

void spry_profile_release(spry_context *context, struct spry_profile *profile) {
    if (profile)
        spry_release(&context->allocator, profile, 1, bytes(profile->kernels));
}

static spry_status copy(spry_context *context, const struct spry_profile *from, struct spry_profile **to) {
    spry_status status = spry_profile_new(context, from->kernels, to);
    if (status)
        return status;
    struct spry_profile *made = *to;
    *made = *from;
    made->kernel = spry_profile_prices(made);
    memcpy(spry_profile_prices(made), from->kernel, bytes(from->kernels) - sizeof *from);
    return SPRY_OK;
}

static void keep(spry_context *context, struct spry_profile *profile) {
    spry_profile_release(context, context->profile);
    context->profile = profile;
    context->profile_bytes = bytes(profile->kernels);
}

void spry_profile_take(spry_context *context, struct spry_profile *profile) {
    char machine[sizeof profile->machine];
    int processors = context->code->machine(context, machine, sizeof machine);
    if (!context->code->memory_gbs)
        fit_to_threads(profile, processors, false);
    keep(context, profile);
}

/* The library's own profile of the machine, or of the one least unlike it, fitted to it. */
static spry_status find(spry_context *context) {
    char machine[sizeof context->profile->machine];
    int processors = context->code->machine(context, machine, sizeof machine);
    const struct spry_profile *found =
        spry_nearest_profile(context->backend, machine, processors, context->cpu_features);
    struct spry_profile *fitted;
    if (!found)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "the library has no profile of a machine for %s",
                         spry_backend_name(context->backend));
    spry_status status = copy(context, found, &fitted);
    if (status)
        return status;
    status = fit(context, machine, processors, fitted);
    if (status)
        spry_profile_release(context, fitted);
    else
        keep(context, fitted);
    return status;
}

spry_status spry_profile_of(spry_context *context, const struct spry_profile **profile) {
    spry_status status = context->profile ? SPRY_OK : find(context);
    *profile = context->profile;
    return status;
}

spry_status spry_profile_draft(spry_context *context, struct spry_profile **draft) {
    const struct spry_profile *profile;
    double gbs = 0;
    spry_status status = spry_profile_of(context, &profile);
    if (!status && context->code->memory_gbs)
        status = context->code->memory_gbs(context, &gbs);
    if (!status)
        status = copy(context, profile, draft);
    if (status)
        return status;
    struct spry_profile *made = *draft;
    made->processors = context->code->machine(context, made->machine, sizeof made->machine);
    made->memory_gbs = gbs > 0 ? gbs : profile->memory_gbs;
    return SPRY_OK;
}

const char *spry_profile_machine(spry_context *context) {
    const struct spry_profile *profile;
    return context && !spry_profile_of(context, &profile) ? profile->machine : NULL;
}
