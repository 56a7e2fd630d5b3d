/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/profile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "common/failure.h"

/* Whether this machine was calibrated, as far as can be seen: a file that may not be looked at is taken for one. */
static bool find_calibrated(spry_context *context, char *path, size_t size) {
    return spry_profile_path(context, path, size) == SPRY_OK &&
           (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

spry_status profile_load(spry_context *context, const char *file, char *note, size_t size) {
    char path[4096];
    note[0] = '\0';
    if (file)
        return spry_load_profile(context, file);
    if (!find_calibrated(context, path, sizeof path))
        return SPRY_OK;
    spry_status status = spry_load_profile(context, NULL);
    if (status != SPRY_OK)
        snprintf(note, size, "%s; going on with the library's own profile", failure_text(context, status));
    return SPRY_OK;
}
