/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/shared_library.h"

#include <dlfcn.h>
#include <stdio.h>

bool shared_library_load(const char *title, const char *file, const struct shared_function *functions,
                         char *message, size_t size) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(message, size, "%s cannot be loaded: %s", title, dlerror());
        return false;
    }
    for (; functions->name; functions++)
        if (!(*functions->pointer = dlsym(library, functions->name)) && !functions->optional) {
            snprintf(message, size, "%s cannot be used: %s has no %s", title, file, functions->name);
            return false;
        }
    return true;
}
