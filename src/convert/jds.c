/* SPDX-License-Identifier: BSD-3-Clause */
/* JDS (Saad, "Krylov subspace methods on supercomputers", SIAM J. Sci. Stat. Comput. 10, 1989): rows are
   sorted by falling length with a counting sort, then written a diagonal at a time. */
#include "convert/buckets.h"
#include "convert/fill_limit.h"
#include "convert/renew.h"
#include "core/split.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/major.h"
#include "primitives/pointers.h"

/* Neighbours in the sorted order that one thread takes at a time, so that it fills whole cache lines. */
#define BLOCK 128

/* Sort the rows by `falling`, longest - length; start[f] becomes the first sorted position with it. */
static spry_status sort_rows(spry_context *context, const idx_t *falling, int64_t rows, int64_t longest,
                             ptr_t *start, idx_t *perm) {
    buckets_t buckets;
    spry_status status = NAME(spry_buckets_open)(context, falling, 0, rows, longest + 1, start, &buckets);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team(buckets.threads)) schedule(static, 1)
    for (int p = 0; p < buckets.parts; p++) {
        ptr_t *position = buckets.position + p * buckets.keys;
        for (int64_t i = spry_share(rows, p, buckets.parts); i < spry_share(rows, p + 1, buckets.parts); i++)
            perm[position[falling[i]]++] = (idx_t)i;
    }
    NAME(spry_buckets_close)(context, &buckets);
    return SPRY_OK;
}

/* Permutation and diagonal pointers, with the caller's workspace. */
static spry_status lay_out(spry_context *context, const compressed_t *rows, idx_t *falling, ptr_t *start,
                           const spry_jds *jds) {
    int64_t longest = jds->diagonals;
    ptr_t *ptr = jds->ptr;
#pragma omp parallel for num_threads(spry_team_over(context, rows->major))
    for (int64_t i = 0; i < rows->major; i++)
        falling[i] = (idx_t)(longest - major_length(rows, i));
    spry_status status = sort_rows(context, falling, rows->major, longest, start, jds->perm);
    if (status)
        return status;
    /* Diagonal d has an entry of every row longer than d: those with falling < longest - d. */
    for (int64_t d = 0; d < longest; d++)
        ptr[d] = start[longest - d];
    NAME(spry_scan)(context, ptr, longest);
    return SPRY_OK;
}

static spry_status arrange(spry_context *context, const compressed_t *rows, const spry_jds *jds) {
    size_t starts = (size_t)jds->diagonals + 2, count = (size_t)rows->major;
    void *falling = NULL, *start = NULL;
    spry_status status = spry_allocate(context, count, sizeof(idx_t), &falling);
    if (!status)
        status = spry_allocate(context, starts, sizeof(ptr_t), &start);
    if (!status)
        status = lay_out(context, rows, falling, start, jds);
    spry_release(&context->allocator, falling, count, sizeof(idx_t));
    spry_release(&context->allocator, start, starts, sizeof(ptr_t));
    return status;
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    (void)options;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    spry_jds *jds = &matrix->jds;
    jds->diagonals = NAME(spry_longest)(context, &rows);
    spry_status status = spry_check_longest(context, csr->index, jds->diagonals);
    if (!status)
        status = spry_matrix_array(context, matrix, matrix->rows, sizeof(idx_t), &jds->perm);
    if (!status)
        status = spry_matrix_array(context, matrix, jds->diagonals + 1, sizeof(ptr_t), &jds->ptr);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &jds->idx, &jds->val, matrix->nnz);
    if (!status)
        status = arrange(context, &rows, jds);
    if (status)
        return status;
    const ptr_t *ptr = jds->ptr;
    const idx_t *perm = jds->perm;
    idx_t *idx = jds->idx;
    val_t *val = jds->val;
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, BLOCK)
    for (int64_t i = 0; i < rows.major; i++) {
        ptr_t first = rows.ptr[perm[i]];
        for (int64_t d = 0; d < major_length(&rows, perm[i]); d++) {
            idx[ptr[d] + i] = rows.idx[first + d];
            val[ptr[d] + i] = rows.val[first + d];
        }
    }
    return SPRY_OK;
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    const spry_jds *jds = &matrix->jds;
    const ptr_t *ptr = jds->ptr;
    const idx_t *perm = jds->perm, *idx = jds->idx;
    const val_t *val = jds->val;
    for (int64_t i = rows.major - 1, d = 0; i >= 0; i--) {
        while (d < jds->diagonals && ptr[d + 1] - ptr[d] > i)
            d++;
        rows.ptr[perm[i]] = (ptr_t)d;
    }
    NAME(spry_scan)(context, rows.ptr, rows.major);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, BLOCK)
    for (int64_t i = 0; i < rows.major; i++) {
        ptr_t first = rows.ptr[perm[i]];
        for (int64_t d = 0; d < major_length(&rows, perm[i]); d++) {
            rows.idx[first + d] = idx[ptr[d] + i];
            rows.val[first + d] = val[ptr[d] + i];
        }
    }
    return SPRY_OK;
}

/* ---- new values ---- */

/* Whether the diagonals that reach position i are as many as its row has entries. */
static bool is_reached(const spry_jds *jds, int64_t i, int64_t count) {
    const ptr_t *ptr = jds->ptr;
    return count <= jds->diagonals && (count == 0 || ptr[count] - ptr[count - 1] > i) &&
           (count == jds->diagonals || ptr[count + 1] - ptr[count] <= i);
}

static bool is_same(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const spry_jds *jds = &matrix->jds;
    const ptr_t *ptr = jds->ptr;
    const idx_t *perm = jds->perm, *idx = jds->idx;
    for (int64_t i = renew_row(rows, unit); i < renew_row(rows, unit + 1); i++) {
        const int64_t first = rows->ptr[perm[i]] - rows->base, count = major_length(rows, perm[i]);
        if (!is_reached(jds, i, count))
            return false;
        for (int64_t d = 0; d < count; d++)
            if (idx[ptr[d] + i] != rows->idx[first + d] - rows->base)
                return false;
    }
    return true;
}

static void take(const compressed_t *rows, const spry_matrix *matrix, int64_t unit) {
    const spry_jds *jds = &matrix->jds;
    const ptr_t *ptr = jds->ptr;
    const idx_t *perm = jds->perm;
    val_t *val = jds->val;
    for (int64_t i = renew_row(rows, unit); i < renew_row(rows, unit + 1); i++) {
        const int64_t first = rows->ptr[perm[i]] - rows->base;
        for (int64_t d = 0; d < major_length(rows, perm[i]); d++)
            val[ptr[d] + i] = rows->val[first + d];
    }
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal) renewal = {renew_units(rows.major), is_same, take};
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_jds_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
