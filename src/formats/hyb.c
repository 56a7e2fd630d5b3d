/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB is its two parts: what they check, it checks, and what they need, it needs. */
#include <inttypes.h>

#include "analysis/work.h"
#include "core/split.h"
#include "core/table.h"
#include "core/tmpl.h"
#include "formats/check.h"
#include "formats/ell.h"
#include "formats/hyb.h"

/* Whether entries of the COO part belong to a row whose ELL part is full, and follow on what is there. */
static spry_status check_seam(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_ell *ell = &matrix->hyb.ell->ell;
    const spry_coo *coo = &matrix->hyb.coo->coo;
    const idx_t *len = ell->len, *idx = ell->idx, *row = coo->row, *col = coo->col;
    for (int64_t k = 0; k < matrix->hyb.coo->nnz; k++) {
        int64_t i = row[k];
        if (k > 0 && row[k - 1] == i)
            continue;
        if (len[i] != ell->width)
            return spry_fail(context, SPRY_ERROR_INVALID,
                             "row %" PRId64 " has entries past the width, but only %" PRId64 " of %" PRId64
                             " before",
                             i, (int64_t)len[i], ell->width);
        idx_t last = ell->width > 0 ? idx[(ell->width - 1) * ell->stride + i] : -1;
        if (last > col[k] || (last == col[k] && (flags & SPRY_CHECK_DISTINCT)))
            return NAME(spry_fail_order)(context, "row", i, "column", col[k], last);
    }
    return SPRY_OK;
}

static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const spry_matrix *ell = matrix->hyb.ell, *coo = matrix->hyb.coo;
    if (ell->nnz + coo->nnz != matrix->nnz)
        return spry_fail(context, SPRY_ERROR_INVALID,
                         "the parts have %" PRId64 " + %" PRId64 " entries, expected %" PRId64, ell->nnz,
                         coo->nnz, matrix->nnz);
    spry_status status = spry_format_code(ell)->validate(context, ell, flags);
    if (!status)
        status = spry_format_code(coo)->validate(context, coo, flags | SPRY_CHECK_SORTED);
    return status ? status : check_seam(context, matrix, flags);
}

/* ---- the plan ---- */

/* What threads have to do: rows and entries of the ELL part, and entries of the COO part, which cost more the shorter their rows are. */
struct work {
    int64_t within, spilled;
};

static int64_t cost(struct work work, int64_t of_spilled) {
    return work.within + of_spilled * work.spilled;
}

/* What the part that costs most costs, by the least and by the most that an entry of the COO part may cost. */
struct peak {
    int64_t by_least, by_most;
};

static void raise_peak(struct peak *peak, struct work part) {
    const int64_t by_least = cost(part, SPRY_HYB_SPILLED_LEAST), by_most = cost(part, SPRY_HYB_SPILLED_MOST);
    peak->by_least = by_least > peak->by_least ? by_least : peak->by_least;
    peak->by_most = by_most > peak->by_most ? by_most : peak->by_most;
}

/* Equal shares of both parts together, cut between blocks of rows; none where that leaves parts uneven, as a row is too long: the COO
   part has cuts of its own, within rows. */
static void cut(const spry_matrix *matrix, struct spry_split *split) {
    const spry_matrix *ell = matrix->hyb.ell, *coo = matrix->hyb.coo;
    const idx_t *len = ell->ell.len, *row = coo->coo.row;
    const struct work all = {matrix->rows + ell->nnz, coo->nnz};
    const double parts = split->parts;
    struct work part = {0, 0};
    struct peak peak = {0, 0};
    int64_t done = 0, k = 0;
    int p = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        while (i % SPRY_ELL_BLOCK == 0 && p < split->parts &&
               done >= spry_share(cost(all, SPRY_HYB_SPILLED), p, split->parts)) {
            split->cut[p++] = (struct spry_cut){i, k};
            raise_peak(&peak, part);
            part = (struct work){0, 0};
        }
        struct work here = {len[i] + 1, 0};
        for (; k < coo->nnz && row[k] == i; k++)
            here.spilled++;
        part.within += here.within;
        part.spilled += here.spilled;
        done += cost(here, SPRY_HYB_SPILLED);
    }
    raise_peak(&peak, part);
    while (p <= split->parts)
        split->cut[p++] = (struct spry_cut){matrix->rows, coo->nnz};
    if (!spry_hyb_is_even((double)peak.by_least, (double)cost(all, SPRY_HYB_SPILLED_LEAST) / parts) ||
        !spry_hyb_is_even((double)peak.by_most, (double)cost(all, SPRY_HYB_SPILLED_MOST) / parts))
        split->parts = 0;
}

static spry_status plan(spry_context *context, spry_matrix *matrix) {
    return matrix->rows > 0 ? spry_plan_gather(context, matrix, SPRY_N, cut) : SPRY_OK;
}

/* ---- traits ---- */

static int64_t slots(const spry_matrix *matrix) {
    return spry_matrix_slots(matrix->hyb.ell) + spry_matrix_slots(matrix->hyb.coo);
}

/* All are those of the two parts. */
static int arrays(spry_matrix *matrix, struct spry_array array[SPRY_MAX_ARRAYS]) {
    (void)matrix;
    (void)array;
    return 0;
}

static void estimate(struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    double stride = (double)spry_ell_stride(features->rows), entry = sizeof(idx_t) + sizeof(val_t);
    if (features->rows > 0)
        candidate->width = spry_bin_least(
            spry_bin_at_rank(features->by_row, spry_hyb_rank(candidate->options, features->rows)));
    double within = spry_sum_within(features->by_row, candidate->width);
    candidate->spilled = within < (double)features->nnz ? (double)features->nnz - within : 0;
    candidate->slots = (double)candidate->width * stride + candidate->spilled;
    candidate->bytes = stride * sizeof(idx_t) + candidate->slots * entry + candidate->spilled * sizeof(idx_t);
}

const struct spry_format_code NAME(spry_hyb_code) = {
    .validate = validate,
    .plan = plan,
    .slots = slots,
    .pads = true,
    .arrays = arrays,
    .estimate = estimate,
};
