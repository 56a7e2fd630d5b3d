/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles as JSON. */
#include "select/profile.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/backend.h"

/* ---- prices ---- */

double spry_weigh(const double *amount, const double *price, int count, double *cost) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += cost[i] = amount[i] * price[i];
    return sum;
}

/* The length of a beginning of a name; 0 for what is none. */
static size_t beginning(const char *prefix, const char *name) {
    size_t length = 0;
    while (prefix[length] && prefix[length] == name[length])
        length++;
    return prefix[length] ? 0 : length;
}

/* Those of the longest beginning of a name of which `length` letters count. */
static const union spry_terms *find_prices(const struct spry_profile *profile, spry_value_type type,
                                           const char *name, size_t length) {
    const struct spry_kernel_prices *best = NULL;
    size_t most = 0;
    for (int i = 0; i < profile->kernels; i++) {
        const struct spry_kernel_prices *prices = &profile->kernel[i];
        /* A longer beginning has the next letter too, which most names have not. */
        const bool may_be = prices->type == type && prices->name[most] == name[most];
        size_t same = may_be ? beginning(prices->name, name) : 0;
        if (same > most && same <= length) {
            best = prices;
            most = same;
        }
    }
    return best ? &best->price : NULL;
}

const union spry_terms *spry_prices_of(const struct spry_profile *profile, const spry_kernel *kernel) {
    const char *name = kernel->priced_as ? kernel->priced_as : kernel->name;
    return find_prices(profile, kernel->type, name, strlen(name));
}

const union spry_terms *spry_prices_without_codes(const struct spry_profile *profile,
                                                  const spry_kernel *kernel) {
    size_t length = strlen(kernel->name);
    if (kernel->priced_as)
        return spry_prices_of(profile, kernel);
    if (kernel->values != SPRY_VALUES_PLAIN)
        length -= 1 + strlen(spry_value_code_name(kernel->values));
    if (kernel->columns != SPRY_COLUMNS_PLAIN)
        length -= 1 + strlen(spry_column_code_name(kernel->columns));
    return find_prices(profile, kernel->type, kernel->name, length);
}

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
                             "%s: the price of '%s' in %s is not a number from 0", reading->name, key, owner);
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

static spry_status read_object(const struct reading *reading, json_t *root) {
    struct spry_profile *profile = reading->profile;
    const char *machine, *backend;
    json_t *kernels, *conversions;
    json_error_t error;
    if (json_unpack_ex(root, &error, JSON_STRICT, "{s:s, s:s, s:i, s:F, s:o, s:o}", "machine", &machine,
                       "backend", &backend, "processors", &profile->processors, "memory_gbs",
                       &profile->memory_gbs, "kernels", &kernels, "conversions", &conversions) != 0)
        return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: no profile: %s", reading->name,
                         error.text);
    profile->backend = backend_by_name(backend);
    if (profile->backend == SPRY_BACKEND_COUNT)
        return spry_fail(reading->context, SPRY_ERROR_SYNTAX, "%s: unknown backend '%s'", reading->name,
                         backend);
    if (profile->processors < 1 || !(profile->memory_gbs > 0) || !isfinite(profile->memory_gbs))
        return spry_fail(reading->context, SPRY_ERROR_SYNTAX,
                         "%s: %d processors and %g GB/s, expected numbers over 0", reading->name,
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

/* From text; `name` is of where it is from, for messages. */
static spry_status parse(spry_context *context, const char *name, const char *text, size_t length,
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
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "a profile of %zu bytes does not fit into %zu", length,
                         size);
    text[length] = '\0';
    return SPRY_OK;
}

/* ---- from a file ---- */

/* A profile has a few thousand bytes. */
#define MOST_BYTES ((size_t)1 << 20)

static spry_status read_file(spry_context *context, const char *path, struct spry_profile **profile) {
    void *text;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return spry_fail(context, SPRY_ERROR_IO, "%s: %s, expected a machine profile", path, strerror(errno));
    spry_status status = spry_allocate(context, MOST_BYTES, 1, &text);
    if (!status) {
        size_t length = fread(text, 1, MOST_BYTES, file);
        if (ferror(file))
            status = spry_fail(context, SPRY_ERROR_IO, "%s: cannot be read", path);
        else if (length == MOST_BYTES)
            status = spry_fail(context, SPRY_ERROR_SYNTAX, "%s: too large for a profile", path);
        else
            status = parse(context, path, text, length, profile);
        spry_release(&context->allocator, text, MOST_BYTES, 1);
    }
    fclose(file);
    return status;
}

spry_status spry_profile_path(spry_context *context, char *path, size_t size) {
    if (!context || !path)
        return spry_no_result(context, "spry_profile_path");
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME"),
               *backend = spry_backend_name(context->backend);
    bool own = config && *config;
    if (!own && !(home && *home))
        return spry_fail(context, SPRY_ERROR_IO,
                         "neither XDG_CONFIG_HOME nor HOME names a folder for profiles");
    int length =
        snprintf(path, size, "%s%s/spry/%s.json", own ? config : home, own ? "" : "/.config", backend);
    if (length < 0 || (size_t)length >= size)
        return spry_fail(context, SPRY_ERROR_IO, "the path of the profile in %s is longer than %zu bytes",
                         own ? config : home, size);
    return SPRY_OK;
}

/* The standard file is of the machine that it was written on. A home folder may be another machine's too. */
static spry_status check_machine(spry_context *context, const char *path,
                                 const struct spry_profile *profile) {
    char machine[sizeof profile->machine];
    (void)context->code->machine(context, machine, sizeof machine);
    if (strcmp(profile->machine, machine) == 0)
        return SPRY_OK;
    return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "%s: a profile of '%s', and this machine is '%s'", path,
                     profile->machine, machine);
}

spry_status spry_load_profile(spry_context *context, const char *path) {
    char standard[4096];
    struct spry_profile *profile = NULL;
    bool given = path;
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    spry_status status = given ? SPRY_OK : spry_profile_path(context, standard, sizeof standard);
    if (!given)
        path = standard;
    if (!status)
        status = read_file(context, path, &profile);
    if (status)
        return status;
    if (profile->backend != context->backend)
        status = spry_fail(context, SPRY_ERROR_SYNTAX, "%s: a profile for %s, expected one for %s", path,
                           spry_backend_name(profile->backend), spry_backend_name(context->backend));
    else if (!given)
        status = check_machine(context, path, profile);
    if (status)
        spry_profile_release(context, profile);
    else
        spry_profile_take(context, profile);
    return status;
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
