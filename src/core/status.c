/* SPDX-License-Identifier: BSD-3-Clause */
/* Status values, their words, and the context's message. */
#include <stdarg.h>
#include <string.h>

#include "core/internal.h"
#include "core/print.h"

static const char *const words[SPRY_STATUS_COUNT] = {
    [SPRY_OK] = "ok",
    [SPRY_ERROR_ARGUMENT] = "bad argument",
    [SPRY_ERROR_MEMORY] = "out of memory",
    [SPRY_ERROR_OVERFLOW] = "does not fit the type",
    [SPRY_ERROR_TOO_LARGE] = "too large",
    [SPRY_ERROR_UNSUPPORTED] = "not supported",
    [SPRY_ERROR_INVALID] = "invalid matrix",
    [SPRY_ERROR_DUPLICATE] = "duplicate entry",
    [SPRY_ERROR_PATTERN] = "patterns differ",
    [SPRY_ERROR_IO] = "input/output error",
    [SPRY_ERROR_SYNTAX] = "syntax error",
    [SPRY_ERROR_DEVICE] = "device error",
    [SPRY_ERROR_RANKS] = "another rank, or the way to it, failed",
};

const char *spry_status_string(spry_status status) {
    return (size_t)status < SPRY_STATUS_COUNT ? words[status] : "unknown status";
}

/* The next byte from `at` on, or the one before it, that begins a character of UTF-8. */
static size_t character_from(const char *text, size_t at) {
    while ((text[at] & 0xc0) == 0x80)
        at++;
    return at;
}

static size_t character_before(const char *text, size_t at) {
    while (at > 0 && (text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* Keep the begin, which says where, and the end, which says what: what is between is mostly the middle of a path. */
static void shorten(const char *text, size_t length, char *message, size_t size) {
    static const char gap[] = "…";
    size_t kept = size - sizeof gap, head = character_before(text, kept / 2),
           tail = character_from(text, length - (kept - kept / 2));
    memcpy(message, text, head);
    memcpy(message + head, gap, sizeof gap - 1);
    memcpy(message + head + sizeof gap - 1, text + tail, length - tail + 1);
}

/* A message that is too long for the context, of which it has the begin already. It stays so without memory. */
static void shorten_message(spry_context *context, size_t length, const char *format, va_list arguments) {
    const spry_allocator *allocator = &context->allocator;
    char *text = allocator->allocate(allocator->user, SPRY_ALIGNMENT, length + 1);
    if (!text)
        return;
    spry_print_list(text, length + 1, format, arguments);
    shorten(text, length, context->message, sizeof context->message);
    allocator->release(allocator->user, text, length + 1);
}

/* A message is one line: a character of a file's name that cannot be printed is '?', as those of tokens are. */
static void make_printable(char *message) {
    for (; *message; message++)
        if ((unsigned char)*message < 0x20 || *message == 0x7f)
            *message = '?';
}

spry_status spry_fail(spry_context *context, spry_status status, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = spry_print_list(context->message, sizeof context->message, format, arguments);
    if (length >= (int)sizeof context->message)
        shorten_message(context, (size_t)length, format, again);
    make_printable(context->message);
    va_end(again);
    va_end(arguments);
    return status;
}

spry_status spry_no_result(spry_context *context, const char *call) {
    return context ? spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the pointer to the result is null", call)
                   : SPRY_ERROR_ARGUMENT;
}

spry_status spry_no_product(spry_context *context, const char *call, const void *matrix, spry_op op) {
    return matrix ? spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: invalid operation %d", call, (int)op)
                  : spry_fail(context, SPRY_ERROR_ARGUMENT, "%s: the matrix is null", call);
}

void spry_keep_message(const spry_context *context, struct spry_kept_message *kept) {
    memcpy(kept->text, context->message, sizeof kept->text);
}

void spry_restore_message(spry_context *context, const struct spry_kept_message *kept) {
    memcpy(context->message, kept->text, sizeof kept->text);
}

const char *spry_message(const spry_context *context) {
    return context ? context->message : "";
}
