/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/host.h"
#include "core/integers.h"
#include "core/table.h"
#include "io/output.h"
#include "io/shortest.h"

/* Two integers of up to 20 characters, a value, blanks and a line end. */
#define LINE_SIZE (2 * 21 + SHORTEST_SIZE + 1)

static char *put_integer(char *to, int64_t value, char behind) {
    char buffer[20];
    char *end = buffer + sizeof buffer, *first = end;
    uint64_t left = (uint64_t)value;
    do
        *--first = (char)('0' + left % 10);
    while (left /= 10);
    while (first < end)
        *to++ = *first++;
    *to++ = behind;
    return to;
}

/* One line; row and column are counted from 1. */
static void put_entry(struct output *output, spry_value_type type, int64_t row, int64_t col, const void *val,
                      int64_t k) {
    char *line = spry_output_room(output, LINE_SIZE);
    char *to = put_integer(put_integer(line, row, ' '), col, ' ');
    if (type == SPRY_F64)
        to += spry_format_f64(((const double *)val)[k], to);
    else
        to += spry_format_f32(((const float *)val)[k], to);
    *to++ = '\n';
    output->used += (size_t)(to - line);
}

static void put_header(struct output *output, const spry_matrix *matrix) {
    size_t room = 128;
    output->used += (size_t)snprintf(spry_output_room(output, room), room,
                                     "%%%%MatrixMarket matrix coordinate real general\n"
                                     "%" PRId64 " %" PRId64 " %" PRId64 "\n",
                                     matrix->rows, matrix->cols, matrix->nnz);
}

static void put_coo(struct output *output, const spry_matrix *matrix) {
    const spry_coo *coo = &matrix->coo;
    size_t size = spry_index_size(matrix->index);
    for (int64_t k = 0; k < matrix->nnz && !output->error; k++)
        put_entry(output, matrix->type, load_integer(coo->row, size, k) + 1 - coo->base,
                  load_integer(coo->col, size, k) + 1 - coo->base, coo->val, k);
}

static void put_csr(struct output *output, const spry_matrix *matrix) {
    const spry_csr *csr = &matrix->csr;
    size_t pointer = spry_pointer_size(matrix->index), size = spry_index_size(matrix->index);
    int64_t k = 0;
    for (int64_t row = 0; row < matrix->rows && !output->error; row++)
        for (int64_t end = load_integer(csr->ptr, pointer, row + 1) - csr->base; k < end; k++)
            put_entry(output, matrix->type, row + 1, load_integer(csr->idx, size, k) + 1 - csr->base,
                      csr->val, k);
}

static spry_status write_file(spry_context *context, const char *path, const spry_matrix *matrix) {
    struct output output;
    spry_status status = spry_output_open(context, path, &output);
    if (status)
        return status;
    put_header(&output, matrix);
    if (matrix->format == SPRY_COO)
        put_coo(&output, matrix);
    else
        put_csr(&output, matrix);
    return spry_output_close(context, &output);
}

static spry_status check_arguments(spry_context *context, const char *path, const spry_matrix *matrix) {
    if (!context)
        return SPRY_ERROR_ARGUMENT;
    if (!path || !matrix)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_write: the %s is null",
                         path ? "matrix" : "path");
    size_t length = strlen(path);
    if (length >= 3 && strcmp(path + length - 3, ".gz") == 0)
        return spry_fail(context, SPRY_ERROR_UNSUPPORTED, "%s: only plain text is written, not gzip", path);
    return SPRY_OK;
}

static spry_status write_on_host(spry_context *host, const char *path, const spry_matrix *matrix) {
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    if ((storage.format == SPRY_COO || storage.format == SPRY_CSR) && spry_is_plain(&storage))
        return write_file(host, path, matrix);
    spry_matrix *csr;
    spry_status status = spry_convert(host, matrix, SPRY_CSR, NULL, &csr);
    if (status)
        return status;
    status = write_file(host, path, csr);
    spry_matrix_destroy(csr);
    return status;
}

spry_status spry_write(spry_context *context, const char *path, const spry_matrix *matrix) {
    spry_status status = check_arguments(context, path, matrix);
    if (!status)
        status = spry_check_place(context, matrix, "spry_write");
    if (status || context->backend == SPRY_CPU)
        return status ? status : write_on_host(context, path, matrix);
    spry_context *host;
    spry_matrix *copy = NULL;
    status = spry_host_open(context, &host);
    if (status)
        return status;
    status = spry_matrix_copy(host, matrix, &copy);
    if (!status)
        status = write_on_host(host, path, copy);
    spry_matrix_destroy(copy);
    return spry_host_close(context, host, status);
}
