/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/failure.h"

#include <stdbool.h>
#include <string.h>

const char *failure_text(const spry_context *context, spry_status status) {
    const char *message = spry_message(context);
    /* Memory also runs out outside the library, which leaves an older message there. */
    bool stale = status == SPRY_ERROR_MEMORY && strncmp(message, "no memory", strlen("no memory")) != 0;
    return stale || message[0] == '\0' ? spry_status_string(status) : message;
}
