/* SPDX-License-Identifier: BSD-3-Clause */
#include "cusparse/cusparse_library.h"

#include <stdio.h>
#include <stdlib.h>

#include "measuring/shared_library.h"

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

#define DEFAULT_FILE "libcusparse.so." TEXT(CUSPARSE_VER_MAJOR)

/* Before it, functions by the same names took other things. */
#define LEAST_MAJOR 11

static const char *library_file(void) {
    const char *file = getenv("SPRY_CUSPARSE");
    return file && *file ? file : DEFAULT_FILE;
}

/* ---- functions ---- */

static bool load(struct cusparse *sparse, const char *file, char *message, size_t size) {
    struct spmv_op_functions *op = &sparse->spmv_op;
#define FUNCTION(use, name) {"cusparse" #name, (void **)&sparse->name, USE_##use != USE_BASE},
    const struct shared_function functions[] = {
        CUSPARSE_FUNCTIONS(FUNCTION){"cusparseSpMVOp", (void **)&op->run, true},
        {"cusparseSpMVOp_bufferSize", (void **)&op->buffer_size, true},
        {"cusparseSpMVOp_createDescr", (void **)&op->create_descr, true},
        {"cusparseSpMVOp_createPlan", (void **)&op->create_plan, true},
        {"cusparseSpMVOp_destroyDescr", (void **)&op->destroy_descr, true},
        {"cusparseSpMVOp_destroyPlan", (void **)&op->destroy_plan, true},
        {NULL, NULL, false},
    };
#undef FUNCTION
#define USE(use, name) USE_##use,
    static const enum cusparse_use uses[] = {CUSPARSE_FUNCTIONS(USE)};
#undef USE
    if (!shared_library_load("cuSPARSE", file, functions, message, size))
        return false;
    for (size_t i = 0; functions[i].name; i++) {
        enum cusparse_use use = i < sizeof uses / sizeof *uses ? uses[i] : USE_SPMV_OP;
        if (!*functions[i].pointer && !sparse->missing[use])
            sparse->missing[use] = functions[i].name;
    }
    return true;
}

bool cusparse_can(const struct cusparse *sparse, enum cusparse_use use, char *message, size_t size) {
    if (!sparse->missing[use])
        return true;
    snprintf(message, size, "cuSPARSE %s has no %s", sparse->version, sparse->missing[use]);
    return false;
}

/* ---- versions ---- */

static bool check_version(struct cusparse *sparse, const char *file, char *message, size_t size) {
    int major = 0, minor = 0, patch = 0;
    if (sparse->GetProperty(MAJOR_VERSION, &major) || sparse->GetProperty(MINOR_VERSION, &minor) ||
        sparse->GetProperty(PATCH_LEVEL, &patch)) {
        snprintf(message, size, "cuSPARSE cannot be used: %s does not say which version it is", file);
        return false;
    }
    snprintf(sparse->version, sizeof sparse->version, "%d.%d.%d", major, minor, patch);
    if (major < LEAST_MAJOR || major > CUSPARSE_VER_MAJOR) {
        snprintf(message, size, "cuSPARSE cannot be used: %s is %s, and this program knows %d to %d", file,
                 sparse->version, LEAST_MAJOR, CUSPARSE_VER_MAJOR);
        return false;
    }
    if (!sparse->missing[USE_SPMV_OP] && major * 10000 + minor * 100 + patch < 120801)
        sparse->missing[USE_SPMV_OP] = "cusparseSpMVOp that takes an algorithm, which came with 12.8.1";
    return true;
}

/* ---- the library ---- */

bool cusparse_open(struct cusparse *sparse, cudaStream_t stream, char *message, size_t size) {
    const char *file = library_file();
    *sparse = (struct cusparse){0};
    if (!load(sparse, file, message, size) || !check_version(sparse, file, message, size))
        return false;
    cusparseStatus_t status = sparse->Create(&sparse->handle);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse->SetStream(sparse->handle, stream);
    if (status == CUSPARSE_STATUS_SUCCESS)
        return true;
    snprintf(message, size, "cuSPARSE %s does not start: %s", sparse->version,
             sparse->GetErrorString(status));
    cusparse_close(sparse);
    return false;
}

void cusparse_close(struct cusparse *sparse) {
    if (sparse->handle)
        (void)sparse->Destroy(sparse->handle);
    sparse->handle = NULL;
}
