/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEST_LAYOUT_H
#define TEST_LAYOUT_H

#include <stddef.h>

/* What a compiled program has of the headers. Tables end with a null name. */
struct layout {
    const char *name;
    size_t value;
};

extern const struct layout layout_then[], layout_now[];

#endif
