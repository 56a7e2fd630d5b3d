/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/entries.h"

#include <stdlib.h>

bool entries_new(struct entries *entries, int64_t most) {
    const size_t room = most > 0 ? (size_t)most : 1;
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
