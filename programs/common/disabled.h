/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in SPRY_DISABLE that this build does not know. The library passes over them, as the variable may be meant for another version; who
   mistyped a name measures what they wanted to leave out. */
#ifndef SPRY_COMMON_DISABLED_H
#define SPRY_COMMON_DISABLED_H

#include <stddef.h>

/* Write to `note` a sentence, cut to `size` bytes, on the names that are unknown; nothing where there are none. */
void disabled_note(char *note, size_t size);

#endif
