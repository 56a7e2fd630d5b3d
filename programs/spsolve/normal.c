/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/normal.h"

#include <stdlib.h>

#include "common/vector.h"
#include "spsolve/rows.h"

/* A matrix with other values in the place of A's, copied to where it is solved. */
static spry_status copy_scaled(struct normal *normal, const spry_matrix *csr, const struct scale *scale) {
    spry_context *host = normal->system->place->host;
    struct rows rows = rows_of(csr);
    spry_csr arrays = *rows.arrays;
    spry_matrix *wrapped = NULL;
    arrays.val = vector_new(rows.type, spry_matrix_nnz(csr), host);
    spry_status status = arrays.val ? SPRY_OK : SPRY_ERROR_MEMORY;
    for (int64_t k = 0; status == SPRY_OK && k < spry_matrix_nnz(csr); k++)
        vector_set(rows.type, arrays.val, k, rows_value(&rows, k) * scale->column[rows_column(&rows, k)]);
    if (status == SPRY_OK)
        status =
            spry_wrap_csr(host, rows.type, spry_matrix_index(csr), rows.count, rows.count, &arrays, &wrapped);
    if (status == SPRY_OK)
        status = spry_matrix_copy(normal->context, wrapped, &normal->scaled);
    spry_matrix_destroy(wrapped);
    free(arrays.val);
    return status;
}

spry_status normal_open(struct normal *normal, const struct system *system, const spry_matrix *csr,
                        const struct scale *scale) {
    *normal = (struct normal){.context = system->place->context, .system = system, .column = scale->column};
    spry_status status = copy_scaled(normal, csr, scale);
    return status == SPRY_OK ? spry_array_new(normal->context, system_bytes(normal->system), &normal->t)
                             : status;
}

static spry_status apply(spry_context *context, void *user, const void *x, void *y) {
    const struct normal *normal = user;
    spry_status status = spry_spmv(context, SPRY_T, 1.0, normal->scaled, x, 0.0, normal->t);
    return status == SPRY_OK ? spry_spmv(context, SPRY_N, 1.0, normal->scaled, normal->t, 0.0, y) : status;
}

spry_operator normal_operator(struct normal *normal) {
    return (spry_operator){
        .size = sizeof(spry_operator),
        .n = normal->system->n,
        .type = spry_matrix_type(normal->scaled),
        .apply = apply,
        .user = normal,
        .capturable = 1,
    };
}

/* Scaled on the host: it is done once a solve. */
spry_status normal_add(struct normal *normal, const void *y, void *x) {
    spry_value_type type = spry_matrix_type(normal->scaled);
    void *work = normal->system->work;
    spry_status status = spry_spmv(normal->context, SPRY_T, 1.0, normal->scaled, y, 0.0, normal->t);
    if (status == SPRY_OK)
        status = spry_array_get(normal->context, normal->t, work, system_bytes(normal->system));
    for (int64_t i = 0; status == SPRY_OK && i < normal->system->n; i++)
        vector_set(type, work, i, vector_at(type, work, i) * normal->column[i]);
    if (status == SPRY_OK)
        status = spry_array_put(normal->context, normal->t, work, system_bytes(normal->system));
    if (status == SPRY_OK)
        status = spry_axpby(normal->context, (spry_number)type, normal->system->n, 1.0, normal->t, 1.0, x);
    return status;
}

void normal_close(struct normal *normal) {
    if (normal->t)
        spry_array_free(normal->context, normal->t, system_bytes(normal->system));
    spry_matrix_destroy(normal->scaled);
    *normal = (struct normal){0};
}
