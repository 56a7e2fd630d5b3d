/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE 1 /* _SC_PHYS_PAGES */
#include "common/entries.h"

#include <stdlib.h>
#include <unistd.h>

double entries_bytes(double rows, double entries) {
    const double coordinates = 16, csr = 12;
    return entries * (coordinates + 2 * csr) + rows * 8;
}

double entries_memory(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

bool entries_new(struct entries *entries, int64_t most) {
    const size_t room = most > 0 ? (size_t)most : 1;
    *entries = (struct entries){NULL, NULL, NULL, 0};
    if (entries_bytes(0, (double)most) > entries_memory())
        return false;
    *entries = (struct entries){malloc(room * sizeof(int32_t)), malloc(room * sizeof(int32_t)),
                                malloc(room * sizeof(double)), 0};
    if (entries->row && entries->col && entries->val)
        return true;
    entries_free(entries);
    return false;
}

void entries_free(struct entries *entries) {
    free(entries->row);
    free(entries->col);
    free(entries->val);
    *entries = (struct entries){NULL, NULL, NULL, 0};
}

spry_status entries_compress(spry_context *context, int64_t rows, int64_t cols, const struct entries *entries,
                             spry_matrix **csr) {
    spry_matrix *coordinates = NULL;
    const spry_coo arrays = {entries->row, entries->col, entries->val, 0};
    *csr = NULL;
    spry_status status =
        spry_wrap_coo(context, SPRY_F64, SPRY_I32, rows, cols, entries->count, &arrays, &coordinates);
    if (status == SPRY_OK)
        status = spry_convert(context, coordinates, SPRY_CSR, NULL, csr);
    spry_matrix_destroy(coordinates);
    return status;
}
