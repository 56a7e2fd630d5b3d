/* SPDX-License-Identifier: BSD-3-Clause */
#include "cusparse/cusparse_library.h"

#include <stdio.h>

#include "measuring/shared_library.h"

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

/* By the version whose header this file was compiled with: another may have other functions by the same names. */
static const char *const library_name = "libcusparse.so." TEXT(CUSPARSE_VER_MAJOR);

static bool load(struct cusparse *sparse, char *message, size_t size) {
#define FUNCTION(name) {"cusparse" #name, (void **)&sparse->name},
    const struct shared_function functions[] = {CUSPARSE_FUNCTIONS(FUNCTION){NULL, NULL}};
#undef FUNCTION
    return shared_library_load("cuSPARSE", library_name, functions, message, size);
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
