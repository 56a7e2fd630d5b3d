/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/failure.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/printable.h"

/* What the library has in place of the middle of a long name. */
#define GAP "…"

const char *failure_text(const spry_context *context, spry_status status) {
    const char *message = spry_message(context);
    /* Memory also runs out outside the library, which leaves an older message there. */
    bool stale = status == SPRY_ERROR_MEMORY && strncmp(message, "no memory", strlen("no memory")) != 0;
    return stale || message[0] == '\0' ? spry_status_string(status) : message;
}

/* What the library's messages have for a character of a name. */
static char in_message(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
}

/* Whether a message of the library begins with a name: all of it, or, of a long one, what stands before "…". */
static bool begins_with(const char *why, const char *name) {
    const char *begin = why;
    for (; *name && *why == in_message(*name); name++)
        why++;
    return *name ? why > begin && strncmp(why, GAP, strlen(GAP)) == 0 : *why == ':';
}

/* From which character of a name on `room` bytes are enough. */
static const char *tail(const char *name, size_t room) {
    const size_t length = strlen(name);
    const char *from = name + (length > room ? length - room : 0);
    while ((*from & 0xc0) == 0x80)
        from++;
    return from;
}

void failure_explain(const spry_context *context, spry_status status, const char *what, char *message,
                     size_t size) {
    const char *why = failure_text(context, status);
    const size_t length = strlen(what), taken = strlen(": ") + strlen(why) + 1;
    const size_t room = size > taken + strlen(GAP) ? size - taken - strlen(GAP) : 0;
    const bool is_long = length + taken > size;
    if (begins_with(why, what))
        snprintf(message, size, "%s", why);
    else
        snprintf(message, size, "%s%s: %s", is_long ? GAP : "", is_long ? tail(what, room) : what, why);
    make_printable(message);
}
