/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

const spry_convert_options keep_duplicates = {.size = sizeof keep_duplicates, .duplicates = SPRY_KEEP};

spry_storage storage_of(const char *text) {
    spry_storage storage;
    if (spry_storage_parse(text, &storage, NULL)) {
        fprintf(stderr, "%s: no storage\n", text);
        abort();
    }
    return storage;
}

int64_t get_integer(const void *array, size_t size, int64_t i) {
    return size == sizeof(int32_t) ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}

void set_integer(void *array, size_t size, int64_t i, int64_t value) {
    if (size == sizeof(int32_t))
        ((int32_t *)array)[i] = (int32_t)value;
    else
        ((int64_t *)array)[i] = value;
}

double get_value(const void *array, spry_value_type type, int64_t i) {
    return type == SPRY_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

void set_value(void *array, spry_value_type type, int64_t i, double value) {
    if (type == SPRY_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

/* Arrays in host memory of these many elements of these sizes. */
static struct arrays host_arrays(size_t majors, size_t major_size, size_t entries, size_t minor_size,
                                 size_t value_size) {
    return (struct arrays){.major = test_malloc(majors * major_size),
                           .minor = test_malloc(entries * minor_size),
                           .val = test_malloc(entries * value_size),
                           .count = {majors, entries, entries},
                           .size = {major_size, minor_size, value_size}};
}

static struct arrays coo_arrays(const struct list *list, spry_value_type type, size_t size, int base) {
    size_t count = (size_t)list->nnz;
    struct arrays arrays = host_arrays(count, size, count, size, spry_type_size(type));
    for (int64_t k = 0; k < list->nnz; k++) {
        set_integer(arrays.major, size, k, list->row[k] + base);
        set_integer(arrays.minor, size, k, list->col[k] + base);
        set_value(arrays.val, type, k, list->val[k]);
    }
    return arrays;
}

/* Entries are dealt out to their row (or column) in the list's order. */
static struct arrays compressed_arrays(const struct list *list, bool by_row, spry_value_type type,
                                       spry_index_type index, int base) {
    int64_t units = by_row ? list->rows : list->cols;
    const int64_t *major = by_row ? list->row : list->col, *minor = by_row ? list->col : list->row;
    size_t size = spry_index_size(index), pointer_size = spry_pointer_size(index);
    struct arrays arrays =
        host_arrays((size_t)units + 1, pointer_size, (size_t)list->nnz, size, spry_type_size(type));
    int64_t *next = test_malloc((size_t)(units + 1) * sizeof *next);
    memset(next, 0, (size_t)(units + 1) * sizeof *next);
    for (int64_t k = 0; k < list->nnz; k++)
        next[major[k] + 1]++;
    for (int64_t i = 0; i < units; i++)
        next[i + 1] += next[i];
    for (int64_t i = 0; i <= units; i++)
        set_integer(arrays.major, pointer_size, i, next[i] + base);
    for (int64_t k = 0; k < list->nnz; k++) {
        int64_t place = next[major[k]]++;
        set_integer(arrays.minor, size, place, minor[k] + base);
        set_value(arrays.val, type, place, list->val[k]);
    }
    free(next);
    return arrays;
}

struct arrays arrays_new(const struct list *list, spry_format format, spry_value_type type,
                         spry_index_type index, int base) {
    if (format == SPRY_COO)
        return coo_arrays(list, type, spry_index_size(index), base);
    return compressed_arrays(list, format == SPRY_CSR, type, index, base);
}

struct arrays arrays_at(spry_context *context, struct arrays host) {
    struct arrays arrays = host;
    void **array[3] = {&arrays.major, &arrays.minor, &arrays.val};
    for (int i = 0; i < 3; i++) {
        size_t bytes = arrays.count[i] * arrays.size[i];
        arrays.placed[i] = placed_new(context, *array[i], bytes, arrays.size[i]);
        *array[i] = arrays.placed[i].data;
    }
    arrays_free(&host);
    return arrays;
}

void arrays_free(struct arrays *arrays) {
    void *array[3] = {arrays->major, arrays->minor, arrays->val};
    for (int i = 0; i < 3; i++)
        if (arrays->placed[i].context)
            placed_free(&arrays->placed[i]);
        else
            free(array[i]);
    *arrays = (struct arrays){0};
}

spry_status wrap(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                 spry_index_type index, int base, const struct arrays *arrays, spry_matrix **matrix) {
    if (format == SPRY_COO) {
        spry_coo coo = {arrays->major, arrays->minor, arrays->val, base};
        return spry_wrap_coo(context, type, index, list->rows, list->cols, list->nnz, &coo, matrix);
    }
    if (format == SPRY_CSR) {
        spry_csr csr = {arrays->major, arrays->minor, arrays->val, base};
        return spry_wrap_csr(context, type, index, list->rows, list->cols, &csr, matrix);
    }
    spry_csc csc = {arrays->major, arrays->minor, arrays->val, base};
    return spry_wrap_csc(context, type, index, list->rows, list->cols, &csc, matrix);
}

bool has_origin(spry_format format, enum origin origin) {
    bool wrapped = origin == WRAPPED_FROM_0 || origin == WRAPPED_FROM_1;
    return !wrapped || format == SPRY_COO || format == SPRY_CSR || format == SPRY_CSC;
}

static spry_status build_converted(spry_context *context, const struct list *list, spry_format format,
                                   spry_value_type type, spry_index_type index, struct built *built) {
    /* Half the rows overflow the ELL part of HYB, so that both parts have work. */
    static const spry_convert_options keep = {
        .size = sizeof keep, .duplicates = SPRY_KEEP, .hyb_quantile = 0.5};
    struct arrays arrays = arrays_at(context, arrays_new(list, SPRY_COO, type, index, 0));
    spry_matrix *coo = NULL;
    spry_status status = wrap(context, list, SPRY_COO, type, index, 0, &arrays, &coo);
    if (!status)
        status = spry_convert(context, coo, format, &keep, &built->matrix);
    spry_matrix_destroy(coo);
    arrays_free(&arrays);
    return status;
}

static spry_status build_transposed(spry_context *context, const struct list *list, spry_format format,
                                    spry_value_type type, spry_index_type index, struct built *built) {
    struct list transposed = list_transposed(list);
    struct built source = {0};
    spry_status status = build_converted(context, &transposed, format, type, index, &source);
    if (!status)
        status = spry_transpose(context, source.matrix, &built->matrix);
    built_free(&source);
    list_free(&transposed);
    return status;
}

static spry_status build_cast(spry_context *context, const struct list *list, spry_format format,
                              spry_value_type type, spry_index_type index, struct built *built) {
    struct built source = {0};
    spry_index_type other = (spry_index_type)((index + 1) % SPRY_INDEX_COUNT);
    spry_status status = build_converted(context, list, format, type, other, &source);
    if (!status)
        status = spry_cast(context, source.matrix, type, index, &built->matrix);
    built_free(&source);
    return status;
}

spry_status build(spry_context *context, const struct list *list, spry_format format, spry_value_type type,
                  spry_index_type index, enum origin origin, struct built *built) {
    *built = (struct built){0};
    switch (origin) {
    case TRANSPOSED:
        return build_transposed(context, list, format, type, index, built);
    case CAST:
        return build_cast(context, list, format, type, index, built);
    case WRAPPED_FROM_0:
    case WRAPPED_FROM_1:
        built->arrays = arrays_at(context, arrays_new(list, format, type, index, origin == WRAPPED_FROM_1));
        return wrap(context, list, format, type, index, origin == WRAPPED_FROM_1, &built->arrays,
                    &built->matrix);
    default:
        return build_converted(context, list, format, type, index, built);
    }
}

static _Noreturn void give_up(spry_context *context, spry_format format, spry_status status) {
    fprintf(stderr, "no %s matrix: %s, %s\n", spry_format_name(format), spry_status_string(status),
            spry_message(context));
    abort();
}

struct built built_of(spry_context *context, const struct list *list, spry_format format,
                      spry_value_type type, spry_index_type index) {
    struct built built;
    const spry_status status = build(context, list, format, type, index, CONVERTED, &built);
    if (status)
        give_up(context, format, status);
    return built;
}

void built_free(struct built *built) {
    spry_matrix_destroy(built->matrix);
    arrays_free(&built->arrays);
}

spry_matrix *stored_of(spry_context *context, const struct list *list, spry_storage storage,
                       spry_value_type type, spry_index_type index) {
    static const spry_convert_options any_fill = {
        .size = sizeof any_fill, .duplicates = SPRY_KEEP, .fill_limit = INFINITY};
    struct built csr = built_of(context, list, SPRY_CSR, type, index);
    spry_matrix *stored;
    const spry_status status = spry_convert_to(context, csr.matrix, &storage, &any_fill, &stored);
    if (status)
        give_up(context, storage.format, status);
    built_free(&csr);
    return stored;
}

bool csr_equals(spry_context *context, const spry_matrix *csr, const struct list *sorted,
                const struct arrays *want) {
    const spry_csr *got = spry_matrix_csr(csr);
    return spry_matrix_rows(csr) == sorted->rows && spry_matrix_cols(csr) == sorted->cols &&
           spry_matrix_nnz(csr) == sorted->nnz && got && got->base == 0 &&
           array_holds(context, got->ptr, want->major, want->count[0] * want->size[0]) &&
           array_holds(context, got->idx, want->minor, want->count[1] * want->size[1]) &&
           array_holds(context, got->val, want->val, want->count[2] * want->size[2]);
}

bool equals_list(spry_context *context, const spry_matrix *matrix, const struct list *sorted) {
    struct arrays want = arrays_new(sorted, SPRY_CSR, spry_matrix_type(matrix), spry_matrix_index(matrix), 0);
    spry_matrix *csr = NULL;
    spry_status status = spry_convert(context, matrix, SPRY_CSR, &keep_duplicates, &csr);
    bool same = status == SPRY_OK && csr_equals(context, csr, sorted, &want);
    spry_matrix_destroy(csr);
    arrays_free(&want);
    return same;
}

static bool same_bytes(const void *a, const void *b, int64_t count, size_t size) {
    return count == 0 || memcmp(a, b, (size_t)count * size) == 0;
}

static bool same_value(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static bool same_values(const spry_matrix *a, const spry_matrix *b) {
    spry_value_type type = spry_matrix_type(a);
    if (type != spry_matrix_type(b))
        return false;
    for (int64_t k = 0; k < spry_matrix_nnz(a); k++)
        if (!same_value(get_value(spry_matrix_coo(a)->val, type, k),
                        get_value(spry_matrix_coo(b)->val, type, k)))
            return false;
    return true;
}

bool same_entries(const spry_matrix *a, const spry_matrix *b) {
    const spry_coo *p = spry_matrix_coo(a), *q = spry_matrix_coo(b);
    int64_t nnz = spry_matrix_nnz(a);
    size_t size = spry_index_size(spry_matrix_index(a));
    return p && q && spry_matrix_rows(a) == spry_matrix_rows(b) &&
           spry_matrix_cols(a) == spry_matrix_cols(b) && nnz == spry_matrix_nnz(b) &&
           spry_matrix_index(a) == spry_matrix_index(b) && same_bytes(p->row, q->row, nnz, size) &&
           same_bytes(p->col, q->col, nnz, size) && same_values(a, b);
}
