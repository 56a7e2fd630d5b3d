/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for a failure. */
#ifndef SPRY_COMMON_FAILURE_H
#define SPRY_COMMON_FAILURE_H

#include <stddef.h>

#include <spry/spry.h>

/*
 * The context's message, or the status in words where there is none. Also when memory ran out, which may have
 * been this program's own doing: the message could be one of an older failure.
 */
const char *failure_text(const spry_context *context, spry_status status);

/* Write "what: why" to `message`, of `size` bytes; why alone where it begins with the name, as the library's messages on
   files do. Of a name that is too long its end is shown, behind "…". */
void failure_explain(const spry_context *context, spry_status status, const char *what, char *message,
                     size_t size);

#endif
