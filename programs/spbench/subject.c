/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/subject.h"

#include <stdlib.h>

#include "common/vector.h"

spry_status subject_open(const spry_context *context, const spry_matrix *csr, spry_op op,
                         struct subject *subject) {
    int64_t rows = spry_matrix_rows(csr), cols = spry_matrix_cols(csr);
    spry_value_type type = spry_matrix_type(csr);
    *subject = (struct subject){.csr = csr, .op = op, .type = type};
    subject->x_count = op == SPRY_N ? cols : rows;
    subject->y_count = op == SPRY_N ? rows : cols;
    subject->x_bytes = (size_t)subject->x_count * spry_type_size(type);
    subject->y_bytes = (size_t)subject->y_count * spry_type_size(type);
    subject->x = vector_new(type, subject->x_count, context);
    subject->y = vector_new(type, subject->y_count, context);
    subject->poison = vector_new(type, subject->y_count, context);
    if (!subject->x || !subject->y || !subject->poison)
        return SPRY_ERROR_MEMORY;
    vector_randomise(type, subject->x, subject->x_count);
    vector_poison(type, subject->poison, subject->y_count);
    spry_status status = exact_product(context, csr, op, subject->x, &subject->exact);
    if (status == SPRY_OK)
        subject->tolerance = exact_tolerance(&subject->exact);
    return status;
}

void subject_close(struct subject *subject) {
    exact_free(&subject->exact);
    free(subject->x);
    free(subject->y);
    free(subject->poison);
}
