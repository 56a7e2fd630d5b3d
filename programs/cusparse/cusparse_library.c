/* SPDX-License-Identifier: BSD-3-Clause */
#include "cusparse/cusparse_library.h"

#include <dlfcn.h>
#include <stdio.h>

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

/* By the version whose header this file was compiled with: another may have other functions by the same names. */
static const char *const library_name = "libcusparse.so." TEXT(CUSPARSE_VER_MAJOR);

/* The first function that the library lacks; null when it has all. */
static const char *load_functions(struct cusparse *sparse, void *library) {
    /* POSIX's way round C's rule that a pointer to an object is none to a function. */
#define LOAD(name)                                                                                           \
    if (!(*(void **)&sparse->name = dlsym(library, "cusparse" #name)))                                       \
        return "cusparse" #name;
    CUSPARSE_FUNCTIONS(LOAD)
#undef LOAD
    return NULL;
}

/* It stays loaded to the program's end, as libraries do that were linked: its CUDA runtime expects that. */
static bool load(struct cusparse *sparse, char *message, size_t size) {
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(message, size, "cuSPARSE cannot be loaded: %s", dlerror());
        return false;
    }
    const char *lacking = load_functions(sparse, library);
    if (lacking)
        snprintf(message, size, "cuSPARSE cannot be used: %s has no %s", library_name, lacking);
    return !lacking;
}

bool cusparse_open(struct cusparse *sparse, cudaStream_t stream, char *message, size_t size) {
    *sparse = (struct cusparse){0};
    if (!load(sparse, message, size))
        return false;
    cusparseStatus_t status = sparse->Create(&sparse->handle);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse->SetStream(sparse->handle, stream);
    if (status == CUSPARSE_STATUS_SUCCESS)
        return true;
    snprintf(message, size, "cuSPARSE does not start: %s", sparse->GetErrorString(status));
    cusparse_close(sparse);
    return false;
}

void cusparse_close(struct cusparse *sparse) {
    if (sparse->handle)
        (void)sparse->Destroy(sparse->handle);
    sparse->handle = NULL;
}
