/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/disabled.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spry/spry.h>

/* In its options, a context takes no name that is unknown. */
static bool is_known(const char *name) {
    spry_context *context;
    const spry_context_options options = {.size = sizeof options, .threads = 1, .disable = name};
    const spry_status status = spry_context_create(&context, &options);
    spry_context_destroy(context);
    return status != SPRY_ERROR_ARGUMENT;
}

void disabled_note(char *note, size_t size) {
    const char *list = getenv("SPRY_DISABLE");
    char *names = list ? strdup(list) : NULL, *rest = names, *name;
    size_t length = 0;
    *note = '\0';
    while ((name = strsep(&rest, ",")) && length < size)
        if (*name && !is_known(name))
            length += (size_t)snprintf(
                note + length, size - length, "%s%s",
                length ? ", " : "SPRY_DISABLE: this build has no CPU feature, kernel or algorithm ", name);
    free(names);
}
