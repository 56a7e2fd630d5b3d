/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs with functions of their own in the place of the system's. Define _GNU_SOURCE before any include. */
#ifndef TEST_HIDDEN_H
#define TEST_HIDDEN_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* `real`, a pointer to the function that this program hides. */
#define FIND(name)                                                                                           \
    __typeof__(&name) real;                                                                                  \
    find_hidden(#name, &real, sizeof real)

static inline void find_hidden(const char *name, void *real, size_t size) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(real, &found, size);
}

#endif
