/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles in files, and where the standard one is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/backend.h"
#include "select/profile.h"

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
            status = spry_fail(context, SPRY_ERROR_IO, "%s: %s, expected a machine profile", path,
                               strerror(errno));
        else if (length == MOST_BYTES)
            status = spry_fail(context, SPRY_ERROR_SYNTAX, "%s: too large for a profile", path);
        else
            status = spry_profile_parse(context, path, text, length, profile);
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
