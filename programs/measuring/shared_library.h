/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries to compare with, loaded when they are asked for: programs start where there is none. */
#ifndef SPRY_MEASURING_SHARED_LIBRARY_H
#define SPRY_MEASURING_SHARED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function by its name in the library, and the pointer that it is to be found by. */
struct shared_function {
    const char *name;
    void **pointer; /* POSIX's way round C's rule that a pointer to an object is none to a function */
    bool optional;  /* where the library has none, the pointer is null */
};

/*
 * Load the library in `file` and set the pointers of `functions`, which end with a null name. It stays loaded to the
 * program's end, as libraries do that were linked: it has threads of its own, or a CUDA runtime that expects that.
 * Where it cannot be used, false, and `message`, of `size` bytes, says why with `title`, the library's own name.
 */
bool shared_library_load(const char *title, const char *file, const struct shared_function *functions,
                         char *message, size_t size);

#endif
