/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles as JSON. */
#include "select/profile.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/backend.h"

/* ---- reading ---- */

#define TERM_TEXT(name) #name,
static const char *const term_names[] = {SPRY_TERM_LIST(TERM_TEXT)};
static const char *const conversion_names[] = {SPRY_CONVERSION_LIST(TERM_TEXT)};

const char *spry_term_name(int i) {
    return i >= 0 && i < SPRY_TERM_COUNT ? term_names[i] : NULL;
}

/* Where a profile is read from, and into. */
struct reading {
    spry_context *context;
    const char *name;
    struct spry_profile *profile;
};

/* Members of what is none would be none, and go unnoticed. */
static spry_status check_object(const struct reading *reading, const char *name, const json_t *value) {
    if (json_is_object(value))
        return SPRY_OK;
    return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: '%s' is not an object", reading->name, name);
}

/* Prices are written in nanoseconds. */
static spry_status read_prices(const struct reading *reading, const char *owner, json_t *object,
                               const char *const *names, int count, double *price) {
    const char *key;
    json_t *value;
    spry_status status = check_object(reading, owner, object);
    if (status)
        return status;
    json_object_foreach(object, key, value) {
        int term = 0;
        while (term < count && strcmp(key, names[term]) != 0)
            term++;
        if (term == count)
            return spry_fail(reading->context, SPRY_ERROR_SYNTAX,
                             "%s: %s has a price for the unknown term '%s'", reading->name, owner, key);
        double nanoseconds = json_number_value(value);
        if (!json_is_number(value) || !(nanoseconds >= 0) || !isfinite(nanoseconds))
            return spry_fail(reading->context, SPRY_ERROR_SYNTAX,
                             "%s: the price of '%s' in %s is not a number, 0 or more", reading->name, key,
                             owner);
        price[term] = 1e-9 * nanoseconds;
    }
    return SPRY_OK;
}

/* Behind those that were read before. */
static spry_status read_kernels(const struct reading *reading, spry_value_type type, json_t *kernels,
                                int *read) {
    struct spry_profile *profile = reading->profile;
    const char *name;
    json_t *prices;
    json_object_foreach(kernels, name, prices) {
        struct spry_kernel_prices *kernel = &spry_profile_prices(profile)[(*read)++];
        if (strlen(name) >= sizeof kernel->name || !*name)
            return spry_fail(reading->context, SPRY_ERROR_SYNTAX,
                             "%s: kernel '%s': expected a name of 1 to %d letters", reading->name, name,
                             SPRY_KERNEL_NAME - 1);
        *kernel = (struct spry_kernel_prices){.type = type};
        memcpy(kernel->name, name, strlen(name) + 1);
        spry_status status =
            read_prices(reading, name, prices, term_names, SPRY_TERM_COUNT, kernel->price.at);
        if (status)
            return status;
    }
    return SPRY_OK;
}

static spry_status read_types(const struct reading *reading, json_t *types) {
    const char *name;
    json_t *kernels;
    int read = 0;
    json_object_foreach(types, name, kernels) {
        int type = 0;
        while (type < SPRY_TYPE_COUNT && strcmp(name, spry_type_name((spry_value_type)type)) != 0)
            type++;
        if (type == SPRY_TYPE_COUNT)
            return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: invalid type of values '%s'",
                             reading->name, name);
        spry_status status = check_object(reading, name, kernels);
        if (!status)
            status = read_kernels(reading, (spry_value_type)type, kernels, &read);
        if (status)
            return status;
    }
    return SPRY_OK;
}

static spry_status read_conversions(const struct reading *reading, json_t *conversions) {
    const char *name;
    json_t *prices;
    json_object_foreach(conversions, name, prices) {
        spry_format format = spry_format_by_name(name);
        if ((unsigned)format >= SPRY_FORMAT_COUNT)
            return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: unknown format '%s'", reading->name,
                             name);
        spry_status status = read_prices(reading, name, prices, conversion_names, SPRY_CONVERSION_COUNT,
                                         reading->profile->conversion[format]);
        if (status)
            return status;
    }
    return SPRY_OK;
}

static spry_backend backend_by_name(const char *name) {
    int backend = 0;
    while (backend < SPRY_BACKEND_COUNT && strcmp(name, spry_backend_name((spry_backend)backend)) != 0)
        backend++;
    return (spry_backend)backend;
}

/* Jansson's words for what a profile lacks name the member alone. */
static spry_status refuse(const struct reading *reading, const json_error_t *error) {
    static const char lacks[] = "Object item not found: ";
    const bool is_lacking = strncmp(error->text, lacks, sizeof lacks - 1) == 0;
    return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: not a machine profile: %s%s%s", reading->name,
                     is_lacking ? "it has no \"" : "", error->text + (is_lacking ? sizeof lacks - 1 : 0),
                     is_lacking ? "\"" : "");
}

static spry_status read_object(const struct reading *reading, json_t *root) {
    struct spry_profile *profile = reading->profile;
    const char *machine, *backend;
    json_t *kernels, *conversions;
    json_error_t error;
    if (json_unpack_ex(root, &error, JSON_STRICT, "{s:s, s:s, s:i, s:F, s:o, s:o}", "machine", &machine,
                       "backend", &backend, "processors", &profile->processors, "memory_gbs",
                       &profile->memory_gbs, "kernels", &kernels, "conversions", &conversions) != 0)
        return refuse(reading, &error);
    profile->backend = backend_by_name(backend);
    if (profile->backend == SPRY_BACKEND_COUNT)
        return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: unknown backend '%s'", reading->name,
                         backend);
    if (profile->processors < 1 || !(profile->memory_gbs > 0) || !isfinite(profile->memory_gbs))
        return spry_fail(reading->context, SPRY_ERROR_SYNTAX,
                         "%s: processors is %d and memory_gbs is %g, expected numbers over 0", reading->name,
                         profile->processors, profile->memory_gbs);
    snprintf(profile->machine, sizeof profile->machine, "%s", machine);
    spry_status status = check_object(reading, "kernels", kernels);
    if (!status)
        status = check_object(reading, "conversions", conversions);
    if (!status)
        status = read_types(reading, kernels);
    return status ? status : read_conversions(reading, conversions);
}

/* How many kernels have prices in it, if it is a profile. */
static int count_kernels(const json_t *root) {
    const char *name;
    json_t *kernels;
    size_t count = 0;
    json_object_foreach(json_object_get(root, "kernels"), name, kernels) count += json_object_size(kernels);
    return (int)count;
}

spry_status spry_profile_parse(spry_context *context, const char *name, const char *text, size_t length,
                               struct spry_profile **profile) {
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return spry_fail(context, SPRY_ERROR_SYNTAX, "%s:%d:%d: expected a machine profile (JSON): %s", name,
                         error.line, error.column, error.text);
    struct reading reading = {context, name, NULL};
    spry_status status = spry_profile_new(context, count_kernels(root), &reading.profile);
    if (!status)
        status = read_object(&reading, root);
    json_decref(root);
    if (status)
        spry_profile_release(context, reading.profile);
    else
        *profile = reading.profile;
    return status;
}

/* ---- writing ---- */

/* Digits of a price: more than its measurement had. */
#define DIGITS 6

/* A price that is not there is read as zero. */
static json_t *write_prices(const double *price, const char *const *names, int count) {
    json_t *object = json_object();
    int failed = 0;
    for (int i = 0; i < count; i++)
        if (price[i] > 0)
            failed |= json_object_set_new(object, names[i], json_real(1e9 * price[i]));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *write_kernels(const struct spry_profile *profile, spry_value_type type) {
    json_t *kernels = json_object();
    for (int i = 0; i < profile->kernels; i++) {
        const struct spry_kernel_prices *kernel = &profile->kernel[i];
        if (kernel->type != type)
            continue;
        json_t *prices = write_prices(kernel->price.at, term_names, SPRY_TERM_COUNT);
        if (json_object_set_new(kernels, kernel->name, prices) != 0) {
            json_decref(kernels);
            return NULL;
        }
    }
    return kernels;
}

static json_t *write_types(const struct spry_profile *profile) {
    json_t *types = json_object();
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        json_t *kernels = write_kernels(profile, (spry_value_type)type);
        if (json_object_set_new(types, spry_type_name((spry_value_type)type), kernels) != 0) {
            json_decref(types);
            return NULL;
        }
    }
    return types;
}

static json_t *write_conversions(const struct spry_profile *profile) {
    json_t *conversions = json_object();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        json_t *prices = write_prices(profile->conversion[format], conversion_names, SPRY_CONVERSION_COUNT);
        if (json_object_set_new(conversions, spry_format_name((spry_format)format), prices) != 0) {
            json_decref(conversions);
            return NULL;
        }
    }
    return conversions;
}

static spry_status write_text(spry_context *context, const struct spry_profile *profile, char *text,
                              size_t size) {
    json_t *root = json_pack("{s:s, s:s, s:i, s:f, s:o, s:o}", "machine", profile->machine, "backend",
                             spry_backend_name(profile->backend), "processors", profile->processors,
                             "memory_gbs", profile->memory_gbs, "kernels", write_types(profile),
                             "conversions", write_conversions(profile));
    size_t length = root ? json_dumpb(root, text, size, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS)) : 0;
    json_decref(root);
    if (length == 0)
        return spry_fail(context, SPRY_ERROR_MEMORY, "no memory for the text of a profile");
    if (length >= size)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_draft_profile: a profile of %zu bytes does not fit into a text of %zu", length,
                         size);
    text[length] = '\0';
    return SPRY_OK;
}

spry_status spry_draft_profile(spry_context *context, char *text, size_t size) {
    struct spry_profile *draft;
    if (!context || !text)
        return spry_no_result(context, "spry_draft_profile");
    spry_status status = spry_profile_draft(context, &draft);
    if (status)
        return status;
    status = write_text(context, draft, text, size);
    spry_profile_release(context, draft);
    return status;
}
