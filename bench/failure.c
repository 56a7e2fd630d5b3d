/* SPDX-License-Identifier: BSD-3-Clause */
#include "failure.h"

const char *failure_text(const spry_context *context, spry_status status) {
    const char *message = spry_message(context);
    return status == SPRY_ERROR_MEMORY || message[0] == '\0' ? spry_status_string(status) : message;
}
