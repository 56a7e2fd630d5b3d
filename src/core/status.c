/* SPDX-License-Identifier: BSD-3-Clause */
/* Status values, their words, and the context's message. */
#include <stdarg.h>
#include <stdio.h>

#include "core/internal.h"

static const char *const words[SPRY_STATUS_COUNT] = {
    [SPRY_OK] = "ok",
    [SPRY_ERROR_ARGUMENT] = "bad argument",
    [SPRY_ERROR_MEMORY] = "out of memory",
    [SPRY_ERROR_OVERFLOW] = "does not fit the type",
    [SPRY_ERROR_TOO_LARGE] = "format too large for this matrix",
    [SPRY_ERROR_UNSUPPORTED] = "not supported",
    [SPRY_ERROR_INVALID] = "invalid matrix",
    [SPRY_ERROR_DUPLICATE] = "duplicate entry",
    [SPRY_ERROR_PATTERN] = "patterns differ",
    [SPRY_ERROR_IO] = "input/output error",
    [SPRY_ERROR_SYNTAX] = "syntax error",
    [SPRY_ERROR_DEVICE] = "device error",
};

const char *spry_status_string(spry_status status) {
    return (size_t)status < SPRY_STATUS_COUNT ? words[status] : "unknown status";
}

spry_status spry_fail(spry_context *context, spry_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->message, sizeof context->message, format, arguments);
    va_end(arguments);
    return status;
}

const char *spry_message(const spry_context *context) {
    return context ? context->message : "";
}
