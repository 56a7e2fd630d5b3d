/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/failure.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *failure_text(const spry_context *context, spry_status status) {
    const char *message = spry_message(context);
    /* Memory also runs out outside the library, which leaves an older message there. */
    bool stale = status == SPRY_ERROR_MEMORY && strncmp(message, "no memory", strlen("no memory")) != 0;
    return stale || message[0] == '\0' ? spry_status_string(status) : message;
}

void failure_explain(const spry_context *context, spry_status status, const char *what, char *message,
                     size_t size) {
    const char *why = failure_text(context, status);
    const size_t length = strlen(what);
    bool named = strncmp(why, what, length) == 0 && why[length] == ':';
    snprintf(message, size, "%s%s%s", named ? "" : what, named ? "" : ": ", why);
}
