/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: threads, CPU features, what the caller switched off. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/algorithm.h"
#include "core/allocate.h"
#include "core/backend.h"
#include "core/cpu.h"
#include "core/sized.h"
#include "core/team.h"
#include "core/word.h"

/* Fewest entries worth the whole team: about what one core multiplies in the time that it takes to start and join threads
   that are still spinning. */
#define DEFAULT_GRAIN 8192

/* Of the last-level cache, what lasts from one product to the next: all but one of so many parts. A guess, by which prices were
   fitted (bench/selector/own_times.py). */
#define LASTING_PARTS 4

/* Calls visit for each name of a comma-separated list; stops at the first that is refused. */
static bool each_name(const char *list, bool (*visit)(void *, const char *, size_t), void *user) {
    while (list && *list) {
        size_t length = strcspn(list, ",");
        if (length && !visit(user, list, length))
            return false;
        list += length;
        list += *list == ',';
    }
    return true;
}

static bool is_algorithm(void *user, const char *text, size_t length) {
    (void)user;
    return spry_is_algorithm(text, length);
}

/* What can be switched off besides features, kernels and algorithms: see solve/resident.h. */
static bool is_way_to_solve(const char *text, size_t length) {
    return spry_is_name(text, length, "resident");
}

static bool is_known(void *user, const char *text, size_t length) {
    for (const struct spry_cpu_feature_name *f = spry_cpu_feature_names; f->bit; f++)
        if (spry_is_name(text, length, f->name))
            return true;
    for (size_t i = 0; i < spry_kernel_count(); i++)
        if (spry_is_name(text, length, spry_kernel_at(i)->name))
            return true;
    return is_way_to_solve(text, length) || is_algorithm(user, text, length);
}

static bool is_other(void *name, const char *text, size_t length) {
    return !spry_is_name(text, length, name);
}

bool spry_in_list(const char *list, const char *name) {
    return !each_name(list, is_other, (void *)(uintptr_t)name);
}

bool spry_is_disabled(const spry_context *context, const char *name) {
    return spry_in_list(context->disable, name);
}

static spry_status set_disabled(spry_context *context, const char *list) {
    const char *environment = getenv("SPRY_DISABLE");
    list = list ? list : "";
    environment = environment ? environment : "";
    if (!each_name(list, is_known, NULL))
        return SPRY_ERROR_ARGUMENT;
    size_t first = strlen(list), second = strlen(environment);
    void *joined;
    context->disable_bytes = first + 1 + second + 1;
    spry_status status = spry_allocate(context, context->disable_bytes, 1, &joined);
    if (status)
        return status;
    context->disable = joined;
    memcpy(context->disable, list, first);
    context->disable[first] = ',';
    memcpy(context->disable + first + 1, environment, second + 1);

    context->cpu_features = spry_cpu_detect();
    for (const struct spry_cpu_feature_name *f = spry_cpu_feature_names; f->bit; f++)
        if (spry_is_disabled(context, f->name))
            context->cpu_features &= ~f->bit;
    return SPRY_OK;
}

SPRY_SIZED(spry_context_options, device_allocator, trust_arrays);

/* What is refused without a context. */
static spry_status check_options(const spry_context_options *options, const struct spry_backend_code *code,
                                 const spry_allocator *allocator) {
    if ((unsigned)options->backend >= SPRY_BACKEND_COUNT)
        return SPRY_ERROR_ARGUMENT;
    if (!code)
        return SPRY_ERROR_DEVICE;
    if (options->threads < 0 || options->threads > SPRY_MAX_THREADS || options->grain < 0)
        return SPRY_ERROR_ARGUMENT;
    return allocator->allocate && allocator->release ? SPRY_OK : SPRY_ERROR_ARGUMENT;
}

/* Others may be at work on the cores that share the last-level cache, or not: so what of it lasts lies between the threads' share and all,
   and is taken for the geometric mean. To ask ahead for what would have lasted costs less than not to ask for what did not. More
   threads than share one have several. */
static size_t far_bytes_of(const spry_context *context) {
    const double share = (double)context->threads / spry_cpu_sharers();
    return (size_t)((double)context->lasting_bytes * (share < 1 ? sqrt(share) : share));
}

/* What needs nothing that may fail. */
static void fill_in(spry_context *context, const spry_context_options *options,
                    const struct spry_backend_code *code, const spry_allocator *allocator) {
    memset(context, 0, sizeof *context);
    context->backend = options->backend;
    context->code = code;
    context->allocator = *allocator;
    context->nondeterministic = options->nondeterministic != 0;
    context->trusts_arrays = options->trust_arrays != 0;
    context->threads = options->threads ? options->threads : omp_get_max_threads();
    if (context->threads > SPRY_MAX_THREADS)
        context->threads = SPRY_MAX_THREADS;
    context->grain = options->grain ? options->grain : DEFAULT_GRAIN;
    context->cache_bytes = spry_cpu_cache_bytes();
    context->lasting_bytes = context->cache_bytes / LASTING_PARTS * (LASTING_PARTS - 1);
    context->far_bytes = far_bytes_of(context);
    context->inner_bytes = spry_cpu_inner_bytes();
}

spry_status spry_context_create(spry_context **result, const spry_context_options *given) {
    spry_context_options options;
    if (!result)
        return SPRY_ERROR_ARGUMENT;
    *result = NULL;
    if (spry_take(NULL, &spry_context_options_sized, given, &options))
        return SPRY_ERROR_ARGUMENT;
    const struct spry_backend_code *code = spry_backend_code(options.backend);
    const spry_allocator *allocator = options.allocator ? options.allocator : &spry_default_allocator;
    spry_status status = check_options(&options, code, allocator);
    if (status)
        return status;
    spry_context *context = allocator->allocate(allocator->user, SPRY_ALIGNMENT, sizeof *context);
    if (!context)
        return SPRY_ERROR_MEMORY;
    fill_in(context, &options, code, allocator);
    status = set_disabled(context, options.disable);
    if (!status && !each_name(options.algorithms, is_algorithm, NULL))
        status = SPRY_ERROR_ARGUMENT;
    if (!status)
        status = code->open(context, &options);
    spry_team_ask_again();
    if (status) {
        spry_context_destroy(context);
        return status;
    }
    spry_choose_algorithms(context, options.algorithms);
    *result = context;
    return SPRY_OK;
}

void spry_context_destroy(spry_context *context) {
    if (!context)
        return;
    spry_allocator allocator = context->allocator;
    spry_release(&allocator, context->profile, context->profile_bytes, 1);
    context->code->close(context);
    spry_release(&allocator, context->disable, context->disable_bytes, 1);
    allocator.release(allocator.user, context, sizeof *context);
}

int spry_context_threads(const spry_context *context) {
    return context ? context->threads : 0;
}

int spry_context_team(const spry_context *context) {
    return context ? spry_team(context->threads) : 1;
}

spry_backend spry_context_backend(const spry_context *context) {
    return context ? context->backend : SPRY_CPU;
}

spry_status spry_synchronize(spry_context *context) {
    return context ? context->code->synchronize(context) : SPRY_ERROR_ARGUMENT;
}
