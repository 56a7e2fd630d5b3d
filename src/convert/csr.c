/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR to CSR: a copy with base 0 and sorted rows. */
#include <string.h>

#include "convert/renew.h"
#include "convert/sort_minor.h"
#include "core/table.h"
#include "core/team.h"

static spry_status copy(spry_context *context, const spry_matrix *from, const spry_convert_options *options,
                        spry_matrix *to) {
    (void)options;
    to->sorted = true;
    spry_status status = spry_matrix_csr_arrays(context, to);
    if (status)
        return status;
    compressed_t source = NAME(spry_compressed_of)(from), target = NAME(spry_compressed_of)(to);
    int base = source.base;
#pragma omp parallel num_threads(spry_team_over(context, source.nnz))
    {
#pragma omp for nowait
        for (int64_t i = 0; i <= source.major; i++)
            target.ptr[i] = source.ptr[i] - (ptr_t)base;
#pragma omp for
        for (int64_t k = 0; k < source.nnz; k++) {
            target.idx[k] = source.idx[k] - (idx_t)base;
            target.val[k] = source.val[k];
        }
    }
    return from->sorted ? SPRY_OK : NAME(spry_sort_minor)(context, &target);
}

/* ---- new values ---- */

/* The values of row i in the order of `target`, from sorted rows of `source`; taken[k] counts the entries that entry k
   of `source`, the first at its place, and its duplicates have been given to. False where the rows differ. */
static bool match_row(const compressed_t *target, const compressed_t *source, int64_t i, ptr_t *taken,
                      val_t *value) {
    int64_t begin = source->ptr[i] - source->base, end = source->ptr[i + 1] - source->base;
    for (int64_t k = begin; k < end; k++) {
        int64_t index = (int64_t)target->idx[k] - target->base + source->base,
                first = index_from(source->idx, begin, end, index);
        if (first == end)
            return false;
        int64_t at = first + taken[first]++;
        if (at >= end || source->idx[at] != index)
            return false;
        value[k] = source->val[at];
    }
    return true;
}

/* Rows whose entries are in other orders: those of `source` are sorted. Duplicates keep theirs. */
static spry_status match(spry_context *context, const compressed_t *target, const compressed_t *source) {
    size_t entries = (size_t)source->nnz;
    void *counters = NULL, *values = NULL;
    int differs = 0;
    spry_status status = spry_allocate(context, entries, sizeof(ptr_t), &counters);
    if (!status)
        status = spry_allocate(context, entries, sizeof(val_t), &values);
    if (!status) {
        ptr_t *taken = memset(counters, 0, entries * sizeof(ptr_t));
        val_t *value = values;
#pragma omp parallel for num_threads(spry_team_over(context, source->nnz)) reduction(| : differs)
        for (int64_t i = 0; i < source->major; i++)
            differs |= !match_row(target, source, i, taken, value);
        if (differs)
            status = SPRY_ERROR_PATTERN;
        else
            memcpy(target->val, value, entries * sizeof(val_t));
    }
    spry_release(&context->allocator, counters, entries, sizeof(ptr_t));
    spry_release(&context->allocator, values, entries, sizeof(val_t));
    return status;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const compressed_t target = NAME(spry_compressed_of)(matrix), source = NAME(spry_compressed_of)(csr);
    if (matrix->sorted || !csr->sorted)
        return NAME(spry_renew_compressed)(context, &source, &target);
    return NAME(spry_same_lengths)(context, &target, &source) ? match(context, &target, &source)
                                                              : SPRY_ERROR_PATTERN;
}

const struct spry_convert_code NAME(spry_csr_convert) = {
    .from_csr = copy,
    .to_csr = copy,
    .update = update,
};
