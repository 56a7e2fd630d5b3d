/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "build.h"

int64_t get_integer(const void *array, size_t size, int64_t i) {
    return size == sizeof(int32_t) ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}

void set_integer(void *array, size_t size, int64_t i, int64_t value) {
    if (size == sizeof(int32_t))
        ((int32_t *)array)[i] = (int32_t)value;
    else
        ((int64_t *)array)[i] = value;
}

double get_value(const void *array, spry_type type, int64_t i) {
    return type == SPRY_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

void set_value(void *array, spry_type type, int64_t i, double value) {
    if (type == SPRY_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

spry_context *test_context(int threads) {
    spry_context_options options = {.threads = threads, .grain = 1};
    spry_context *context;
    if (spry_context_create(&context, &options))
        abort();
    return context;
}

static struct arrays coo_arrays(const struct list *list, spry_type type, size_t size, int base) {
    size_t count = (size_t)list->nnz;
    struct arrays arrays = {test_malloc(count * size), test_malloc(count * size),
                            test_malloc(count * spry_type_size(type))};
    for (int64_t k = 0; k < list->nnz; k++) {
        set_integer(arrays.major, size, k, list->row[k] + base);
        set_integer(arrays.minor, size, k, list->col[k] + base);
        set_value(arrays.val, type, k, list->val[k]);
    }
    return arrays;
}

/* Entries are dealt out to their row (or column) in the list's order. */
static struct arrays compressed_arrays(const struct list *list, bool by_row, spry_type type, spry_index index,
                                       int base) {
    int64_t units = by_row ? list->rows : list->cols;
    const int64_t *major = by_row ? list->row : list->col, *minor = by_row ? list->col : list->row;
    size_t size = spry_index_size(index), pointer_size = spry_pointer_size(index), count = (size_t)list->nnz;
    struct arrays arrays = {test_malloc((size_t)(units + 1) * pointer_size), test_malloc(count * size),
                            test_malloc(count * spry_type_size(type))};
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

struct arrays arrays_new(const struct list *list, spry_format format, spry_type type, spry_index index,
                         int base) {
    if (format == SPRY_COO)
        return coo_arrays(list, type, spry_index_size(index), base);
    return compressed_arrays(list, format == SPRY_CSR, type, index, base);
}

void arrays_free(struct arrays *arrays) {
    free(arrays->major);
    free(arrays->minor);
    free(arrays->val);
    *arrays = (struct arrays){0};
}

spry_status wrap(spry_context *context, const struct list *list, spry_format format, spry_type type,
                 spry_index index, int base, const struct arrays *arrays, spry_matrix **matrix) {
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
                                   spry_type type, spry_index index, struct built *built) {
    /* Half the rows overflow the ELL part of HYB, so that both parts have work. */
    static const spry_convert_options keep = {.duplicates = SPRY_KEEP, .hyb_quantile = 0.5};
    struct arrays arrays = arrays_new(list, SPRY_COO, type, index, 0);
    spry_matrix *coo = NULL;
    spry_status status = wrap(context, list, SPRY_COO, type, index, 0, &arrays, &coo);
    if (!status)
        status = spry_convert(context, coo, format, &keep, &built->matrix);
    spry_matrix_destroy(coo);
    arrays_free(&arrays);
    return status;
}

static spry_status build_transposed(spry_context *context, const struct list *list, spry_format format,
                                    spry_type type, spry_index index, struct built *built) {
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
                              spry_type type, spry_index index, struct built *built) {
    struct built source = {0};
    spry_index other = (spry_index)((index + 1) % SPRY_INDEX_COUNT);
    spry_status status = build_converted(context, list, format, type, other, &source);
    if (!status)
        status = spry_cast(context, source.matrix, type, index, &built->matrix);
    built_free(&source);
    return status;
}

spry_status build(spry_context *context, const struct list *list, spry_format format, spry_type type,
                  spry_index index, enum origin origin, struct built *built) {
    *built = (struct built){0};
    switch (origin) {
    case TRANSPOSED:
        return build_transposed(context, list, format, type, index, built);
    case CAST:
        return build_cast(context, list, format, type, index, built);
    case WRAPPED_FROM_0:
    case WRAPPED_FROM_1:
        built->arrays = arrays_new(list, format, type, index, origin == WRAPPED_FROM_1);
        return wrap(context, list, format, type, index, origin == WRAPPED_FROM_1, &built->arrays,
                    &built->matrix);
    default:
        return build_converted(context, list, format, type, index, built);
    }
}

void built_free(struct built *built) {
    spry_matrix_destroy(built->matrix);
    arrays_free(&built->arrays);
}

static bool csr_equals(const spry_matrix *csr, const struct list *sorted) {
    spry_index index = spry_matrix_index(csr);
    size_t size = spry_index_size(index), pointer_size = spry_pointer_size(index);
    size_t value = spry_type_size(spry_matrix_type(csr));
    struct arrays want = arrays_new(sorted, SPRY_CSR, spry_matrix_type(csr), index, 0);
    const spry_csr *got = spry_matrix_csr(csr);
    bool same = spry_matrix_rows(csr) == sorted->rows && spry_matrix_cols(csr) == sorted->cols &&
                spry_matrix_nnz(csr) == sorted->nnz && got && got->base == 0 &&
                memcmp(got->ptr, want.major, (size_t)(sorted->rows + 1) * pointer_size) == 0 &&
                memcmp(got->idx, want.minor, (size_t)sorted->nnz * size) == 0 &&
                memcmp(got->val, want.val, (size_t)sorted->nnz * value) == 0;
    arrays_free(&want);
    return same;
}

bool equals_list(spry_context *context, const spry_matrix *matrix, const struct list *sorted) {
    static const spry_convert_options keep = {.duplicates = SPRY_KEEP};
    spry_matrix *csr = NULL;
    spry_status status = spry_convert(context, matrix, SPRY_CSR, &keep, &csr);
    bool same = status == SPRY_OK && csr_equals(csr, sorted);
    spry_matrix_destroy(csr);
    return same;
}
