/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of one rank, taken apart into what is its own and what is others'. */
#include "spry/ranks.h"

#include <inttypes.h>
#include <string.h>

#include "convert/convert.h"
#include "core/integers.h"

struct spry_halo {
    int ranks;
    int64_t count;
    int64_t *column; /* count, rising */
    int64_t *begin;  /* ranks + 1 */
    spry_allocator allocator;
};

/* What is taken apart, and how. */
struct parting {
    const spry_matrix *csr; /* base 0, sorted */
    int64_t low, high;      /* columns of the rank: low to high - 1 */
    int64_t others;         /* entries in others */
    int64_t *found, *spare; /* their columns, and room for as many */
};

static int64_t column_of(const spry_matrix *csr, int64_t entry) {
    return load_integer(csr->csr.idx, spry_index_size(csr->index), entry);
}

static bool is_own(const struct parting *parting, int64_t column) {
    return column >= parting->low && column < parting->high;
}

/* ---- the halo ---- */

static void exchange(int64_t **a, int64_t **b) {
    int64_t *c = *a;
    *a = *b;
    *b = c;
}

/* Sort by one byte after the other, from the lowest, for as many as the largest has; equal columns stay. */
static void sort_found(struct parting *parting) {
    const int64_t n = parting->others, largest = parting->csr->cols - 1;
    for (int shift = 0; shift < 63 && largest >> shift > 0; shift += 8) {
        int64_t place[257] = {0};
        for (int64_t k = 0; k < n; k++)
            place[(parting->found[k] >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            place[b + 1] += place[b];
        for (int64_t k = 0; k < n; k++)
            parting->spare[place[parting->found[k] >> shift & 255]++] = parting->found[k];
        exchange(&parting->found, &parting->spare);
    }
}

/* The different columns of others' entries, in order, at the begin of `found`. Returns how many. */
static int64_t find_columns(struct parting *parting) {
    int64_t others = 0, count = 0;
    for (int64_t k = 0; k < parting->csr->nnz; k++) {
        int64_t column = column_of(parting->csr, k);
        if (!is_own(parting, column))
            parting->found[others++] = column;
    }
    sort_found(parting);
    for (int64_t k = 0; k < others; k++)
        if (count == 0 || parting->found[count - 1] != parting->found[k])
            parting->found[count++] = parting->found[k];
    return count;
}

/* How many columns of the halo come before this one: its place, if it is among them. */
static int64_t place_of(const spry_halo *halo, int64_t column) {
    int64_t low = 0, high = halo->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (halo->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static spry_status fill_halo(spry_context *context, struct parting *parting, const int64_t *first,
                             spry_halo *halo) {
    void *column, *begin;
    const int64_t count = find_columns(parting);
    spry_status status = spry_allocate(context, (size_t)count, sizeof(int64_t), &column);
    if (status)
        return status;
    halo->count = count;
    halo->column = memcpy(column, parting->found, (size_t)count * sizeof(int64_t));
    status = spry_allocate(context, (size_t)halo->ranks + 1, sizeof(int64_t), &begin);
    if (status)
        return status;
    halo->begin = begin;
    for (int r = 0; r <= halo->ranks; r++)
        halo->begin[r] = place_of(halo, first[r]);
    return SPRY_OK;
}

static spry_status make_halo(spry_context *context, struct parting *parting, int ranks, const int64_t *first,
                             spry_halo **result) {
    void *halo = NULL, *found = NULL, *spare = NULL;
    const size_t others = (size_t)parting->others;
    spry_status status = spry_allocate(context, 1, sizeof(spry_halo), &halo);
    if (status)
        return status;
    *result = halo;
    **result = (spry_halo){.ranks = ranks, .allocator = context->allocator};
    status = spry_allocate(context, others, sizeof(int64_t), &found);
    if (!status)
        status = spry_allocate(context, others, sizeof(int64_t), &spare);
    parting->found = found;
    parting->spare = spare;
    if (!status)
        status = fill_halo(context, parting, first, *result);
    spry_release(&context->allocator, found, others, sizeof(int64_t));
    spry_release(&context->allocator, spare, others, sizeof(int64_t));
    return status;
}

/* ---- the matrices ---- */

/* Without a halo: the entries in own columns. With one: the others. */
static void fill_matrix(const struct parting *parting, const spry_halo *halo, const spry_csr *to) {
    const spry_matrix *csr = parting->csr;
    const size_t ptr = spry_pointer_size(csr->index), idx = spry_index_size(csr->index),
                 val = spry_type_size(csr->type);
    int64_t filled = 0, k = 0;
    store_integer(to->ptr, ptr, 0, 0);
    for (int64_t row = 0; row < csr->rows; row++) {
        for (; k < load_integer(csr->csr.ptr, ptr, row + 1); k++) {
            int64_t column = column_of(csr, k);
            if (is_own(parting, column) == (halo != NULL))
                continue;
            store_integer(to->idx, idx, filled, halo ? place_of(halo, column) : column - parting->low);
            memcpy((char *)to->val + (size_t)filled * val, (const char *)csr->csr.val + (size_t)k * val, val);
            filled++;
        }
        store_integer(to->ptr, ptr, row + 1, filled);
    }
}

static spry_status make_matrix(spry_context *context, const struct parting *parting, const spry_halo *halo,
                               spry_matrix **result) {
    const spry_matrix *csr = parting->csr;
    const int64_t cols = halo ? halo->count : parting->high - parting->low,
                  nnz = halo ? parting->others : csr->nnz - parting->others;
    spry_status status =
        spry_matrix_new(context, SPRY_CSR, csr->type, csr->index, csr->rows, cols, nnz, result);
    if (status)
        return status;
    status = spry_matrix_csr_arrays(context, *result);
    if (status)
        return spry_matrix_abandon(result, status);
    fill_matrix(parting, halo, &(*result)->csr);
    (*result)->sorted = true;
    status = spry_matrix_finish(context, *result);
    return status ? spry_matrix_abandon(result, status) : SPRY_OK;
}

/* ---- both ---- */

static spry_status check_first(spry_context *context, int ranks, const int64_t *first, int64_t cols) {
    if (first[0] != 0 || first[ranks] != cols)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_halo_create: `first` goes from %" PRId64 " to %" PRId64
                         ", expected 0 to %" PRId64,
                         first[0], first[ranks], cols);
    for (int r = 0; r < ranks; r++)
        if (first[r] > first[r + 1])
            return spry_fail(context, SPRY_ERROR_ARGUMENT,
                             "spry_halo_create: rank %d owns x from %" PRId64 " to below %" PRId64, r,
                             first[r], first[r + 1]);
    return SPRY_OK;
}

static spry_status check(spry_context *context, const spry_matrix *rows, int ranks, const int64_t *first,
                         int rank) {
    if (!rows || !first)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_halo_create: %s is null",
                         rows ? "`first`" : "the matrix");
    if (rank < 0 || rank >= ranks)
        return spry_fail(context, SPRY_ERROR_ARGUMENT, "spry_halo_create: rank %d of %d ranks", rank, ranks);
    if (context->backend != SPRY_CPU)
        return spry_fail(context, SPRY_ERROR_ARGUMENT,
                         "spry_halo_create: rows are taken apart on the CPU; copy the results to the device");
    spry_status status = spry_check_place(context, rows, "spry_halo_create");
    return status ? status : check_first(context, ranks, first, rows->cols);
}

static int64_t count_others(const struct parting *parting) {
    int64_t others = 0;
    for (int64_t k = 0; k < parting->csr->nnz; k++)
        others += !is_own(parting, column_of(parting->csr, k));
    return others;
}

static spry_status take_apart(spry_context *context, const spry_matrix *rows, int ranks, const int64_t *first,
                              int rank, spry_matrix **inner, spry_matrix **outer, spry_halo **halo) {
    struct spry_hub hub;
    spry_status status = spry_hub_open(context, rows, &spry_any_fill, &hub);
    if (status)
        return status;
    struct parting parting = {.csr = hub.csr, .low = first[rank], .high = first[rank + 1]};
    parting.others = count_others(&parting);
    status = make_halo(context, &parting, ranks, first, halo);
    if (!status)
        status = make_matrix(context, &parting, NULL, inner);
    if (!status)
        status = make_matrix(context, &parting, *halo, outer);
    spry_hub_close(&hub);
    return status;
}

spry_status spry_halo_create(spry_context *context, const spry_matrix *rows, int ranks, const int64_t *first,
                             int rank, spry_matrix **inner, spry_matrix **outer, spry_halo **halo) {
    if (!context || !inner || !outer || !halo)
        return spry_no_result(context, "spry_halo_create");
    *inner = *outer = NULL;
    *halo = NULL;
    spry_status status = check(context, rows, ranks, first, rank);
    if (!status)
        status = take_apart(context, rows, ranks, first, rank, inner, outer, halo);
    if (!status)
        return SPRY_OK;
    spry_matrix_destroy(*inner);
    spry_halo_destroy(*halo);
    *inner = NULL;
    *halo = NULL;
    return status;
}

void spry_halo_destroy(spry_halo *halo) {
    if (!halo)
        return;
    spry_allocator allocator = halo->allocator;
    spry_release(&allocator, halo->column, (size_t)halo->count, sizeof(int64_t));
    spry_release(&allocator, halo->begin, (size_t)halo->ranks + 1, sizeof(int64_t));
    spry_release(&allocator, halo, 1, sizeof *halo);
}

int64_t spry_halo_count(const spry_halo *halo) {
    return halo ? halo->count : 0;
}

const int64_t *spry_halo_columns(const spry_halo *halo) {
    return halo ? halo->column : NULL;
}

const int64_t *spry_halo_begin(const spry_halo *halo) {
    return halo ? halo->begin : NULL;
}
