/* SPDX-License-Identifier: BSD-3-Clause */
#include "many.h"

#include <string.h>

#include "backend.h"

static bool has_kernel(const char *name) {
    for (size_t k = 0; k < spry_kernel_count(); k++)
        if (strcmp(spry_kernel_describe(spry_kernel_at(k)).name, name) == 0)
            return true;
    return false;
}

/* Without these, the kernel for a product with one vector lets a few lanes share a row, whatever it costs. */
#define BOTH(name) "csr_" name ",csc_" name ","
#define WITHOUT_CODES(name)                                                                                  \
    BOTH(name) BOTH(name "_f32") BOTH(name "_constant") BOTH(name "_dict8") BOTH(name "_dict16")
#define WITHOUT(name) WITHOUT_CODES(name) WITHOUT_CODES(name "_narrow")
#define FEW_LANES WITHOUT("segments") WITHOUT("lanes32") WITHOUT("lanes128") WITHOUT("lanes512")

const char *test_without(int choice) {
    static const char *const sets[TEST_CHOICES] = {NULL, "avx512", "avx512,avx2,neon"},
                             *const kernels[TEST_CHOICES] = {
                                 NULL,
                                 FEW_LANES,
                                 WITHOUT("many"),
                             };
    return test_backend() == SPRY_CUDA && has_kernel("csr_segments") ? kernels[choice] : sets[choice];
}

void many_note(const spry_context *context, const spry_matrix *matrix, bool *seen) {
    bool *last[SPRY_OP_COUNT] = {NULL};
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        const spry_kernel_info info = spry_kernel_describe(kernel);
        if (info.many && spry_kernel_takes(kernel, matrix) && spry_kernel_runs(context, kernel))
            last[info.op] = &seen[k];
    }
    for (int op = 0; op < SPRY_OP_COUNT; op++)
        if (last[op])
            *last[op] = true;
}

const char *many_missed(const spry_context *context, bool plain, const bool *seen) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (info.many && !seen[k] && plain == test_is_plain(info) &&
            spry_kernel_runs(context, spry_kernel_at(k)))
            return info.name;
    }
    return NULL;
}
