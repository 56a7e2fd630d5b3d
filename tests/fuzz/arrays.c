/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of a caller who makes mistakes. What is wrapped is just what is sound, by a second opinion that is written
   here, and it multiplies; everything else is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/reference.h"
#include "fuzz.h"

#define MOST 24

/* What the caller says, and what it has. Every array has just the size that the interface asks for. */
struct claim {
    spry_format format;
    spry_value_type type;
    spry_index_type index;
    int base;
    int64_t rows, cols;
    int64_t units;   /* rows of CSR, columns of CSC */
    int64_t entries; /* of the arrays */
    struct arrays arrays;
};

/* Most often an index that is one. */
static int64_t take_integer(struct bytes *bytes, int64_t below, int base) {
    static const int64_t strange[] = {-1, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, (int64_t)1 << 32};
    int byte = take_byte(bytes);
    if (byte >= 248)
        return strange[byte % 6];
    if (byte >= 232)
        return byte - 240;
    return below > 0 ? byte % below + base : byte % 3;
}

/* Pointers that rise from the base to the number of entries, but for some that do not. */
static void take_pointers(struct bytes *bytes, struct claim *claim) {
    size_t size = spry_pointer_size(claim->index);
    int64_t at = claim->base, last = claim->base + claim->entries;
    for (int64_t i = 0; i <= claim->units; i++) {
        int byte = take_byte(bytes);
        set_integer(claim->arrays.major, size, i, byte >= 240 ? take_integer(bytes, last + 1, 0) : at);
        at += byte % 4;
        at = at < last ? at : last;
    }
    /* More entries than there are arrays for is a promise that nobody can check. */
    int64_t end = get_integer(claim->arrays.major, size, claim->units);
    if (take_below(bytes, 8) || end > last)
        set_integer(claim->arrays.major, size, claim->units, last);
}

static struct claim take_claim(struct bytes *bytes) {
    struct claim claim = {.format = (spry_format)take_below(bytes, 3),
                          .type = (spry_value_type)take_below(bytes, SPRY_TYPE_COUNT),
                          .index = (spry_index_type)take_below(bytes, SPRY_INDEX_COUNT),
                          .base = take_below(bytes, 2),
                          .rows = take_below(bytes, MOST),
                          .cols = take_below(bytes, MOST),
                          .entries = take_below(bytes, 2 * MOST)};
    bool coo = claim.format == SPRY_COO;
    claim.units = claim.format == SPRY_CSR ? claim.rows : claim.cols;
    size_t size = spry_index_size(claim.index), pointer = coo ? size : spry_pointer_size(claim.index);
    size_t majors = (size_t)(coo ? claim.entries : claim.units + 1), entries = (size_t)claim.entries;
    claim.arrays = (struct arrays){.major = test_malloc(majors * pointer),
                                   .minor = test_malloc(entries * size),
                                   .val = test_malloc(entries * spry_type_size(claim.type)),
                                   .count = {majors, entries, entries},
                                   .size = {pointer, size, spry_type_size(claim.type)}};
    if (!coo)
        take_pointers(bytes, &claim);
    for (int64_t k = 0; k < claim.entries; k++) {
        if (coo)
            set_integer(claim.arrays.major, size, k, take_integer(bytes, claim.rows, claim.base));
        set_integer(claim.arrays.minor, size, k,
                    take_integer(bytes, claim.format == SPRY_CSC ? claim.rows : claim.cols, claim.base));
        set_value(claim.arrays.val, claim.type, k, take_value(bytes, true));
    }
    return claim;
}

/* Counted from 0; the least number of all stays, and is as wrong. */
static int64_t from_zero(const struct claim *claim, int64_t at) {
    return at > INT64_MIN ? at - claim->base : at;
}

static int64_t major_at(const struct claim *claim, int64_t i) {
    return from_zero(claim, get_integer(claim->arrays.major, claim->arrays.size[0], i));
}

static int64_t minor_at(const struct claim *claim, int64_t k) {
    return from_zero(claim, get_integer(claim->arrays.minor, claim->arrays.size[1], k));
}

static void add(const struct claim *claim, struct list *list, int64_t major, int64_t k) {
    int64_t minor = minor_at(claim, k);
    bool by_column = claim->format == SPRY_CSC;
    list_add(list, by_column ? minor : major, by_column ? major : minor,
             get_value(claim->arrays.val, claim->type, k));
}

/* The entries, as far as they are within the matrix. */
static bool coo_entries(const struct claim *claim, struct list *list) {
    for (int64_t k = 0; k < claim->entries; k++) {
        int64_t row = major_at(claim, k), col = minor_at(claim, k);
        if (row < 0 || row >= claim->rows || col < 0 || col >= claim->cols)
            return false;
        add(claim, list, row, k);
    }
    return true;
}

static bool slice_entries(const struct claim *claim, struct list *list) {
    int64_t minors = claim->format == SPRY_CSC ? claim->rows : claim->cols;
    if (major_at(claim, 0) != 0)
        return false;
    for (int64_t i = 0; i < claim->units; i++)
        if (major_at(claim, i + 1) < major_at(claim, i))
            return false;
    for (int64_t i = 0; i < claim->units; i++)
        for (int64_t k = major_at(claim, i); k < major_at(claim, i + 1); k++) {
            if (minor_at(claim, k) < 0 || minor_at(claim, k) >= minors)
                return false;
            add(claim, list, i, k);
        }
    return true;
}

static void check_products(spry_context *context, const struct list *list, const spry_matrix *matrix) {
    for (int op = 0; op < SPRY_OP_COUNT; op++) {
        struct vector x = vector_new(spry_matrix_type(matrix), op == SPRY_N ? list->cols : list->rows, NAN);
        struct vector y = vector_new(spry_matrix_type(matrix), op == SPRY_N ? list->rows : list->cols, NAN);
        vector_random(&x, 3);
        struct reference reference = reference_new(list, (spry_op)op, &x);
        MUST(!spry_spmv(context, (spry_op)op, 1, matrix, x.data, 0, y.data), "%s", spry_message(context));
        int64_t i = reference_differs(&reference, 1, 0, &y, &y);
        MUST(i < 0, "%s, operation %d: y[%d] = %g", spry_format_name(spry_matrix_format(matrix)), op, (int)i,
             vector_get(&y, i));
        reference_free(&reference);
        vector_free(&x);
        vector_free(&y);
    }
}

/* What a flag asks for, seen in the list, which goes along the storage. */
static bool satisfies(const struct list *list, spry_format format, unsigned flags) {
    const int64_t *major = format == SPRY_CSC ? list->col : list->row;
    const int64_t *minor = format == SPRY_CSC ? list->row : list->col;
    bool sorted = true, distinct = true, finite = true;
    for (int64_t k = 0; k < list->nnz; k++) {
        finite &= isfinite(list->val[k]) != 0;
        if (k) {
            bool same_major = major[k] == major[k - 1];
            sorted &= major[k] > major[k - 1] || (same_major && minor[k] >= minor[k - 1]);
            distinct &= !same_major || minor[k] != minor[k - 1];
        }
    }
    return (!(flags & SPRY_CHECK_FINITE) || finite) &&
           (!(flags & (SPRY_CHECK_SORTED | SPRY_CHECK_DISTINCT)) || sorted) &&
           (!(flags & SPRY_CHECK_DISTINCT) || distinct);
}

static void check_matrix(spry_context *context, const struct claim *claim, const struct list *list,
                         const spry_matrix *matrix) {
    MUST(spry_matrix_nnz(matrix) == list->nnz, "%d entries", (int)spry_matrix_nnz(matrix));
    for (unsigned flags = 0; flags < 8; flags++) {
        spry_status status = spry_validate(context, matrix, flags);
        MUST((status == SPRY_OK) == satisfies(list, claim->format, flags), "flags %u: %s", flags,
             status ? spry_message(context) : "fine");
    }
    check_products(context, list, matrix);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes bytes = {data, size};
    spry_context *context = fuzz_context(take_below(&bytes, 2) ? 3 : 1);
    struct claim claim = take_claim(&bytes);
    struct list list = list_new(claim.rows, claim.cols);
    bool sound = claim.format == SPRY_COO ? coo_entries(&claim, &list) : slice_entries(&claim, &list);
    struct list said = {.rows = claim.rows, .cols = claim.cols, .nnz = claim.entries};
    spry_matrix *matrix;
    spry_status status =
        wrap(context, &said, claim.format, claim.type, claim.index, claim.base, &claim.arrays, &matrix);
    MUST((status == SPRY_OK) == sound, "%s: %s", spry_status_string(status),
         status ? spry_message(context) : "accepted");
    MUST(!status || (status == SPRY_ERROR_INVALID && !matrix), "%s", spry_status_string(status));
    if (!status)
        check_matrix(context, &claim, &list, matrix);
    spry_matrix_destroy(matrix);
    arrays_free(&claim.arrays);
    list_free(&list);
    return 0;
}
