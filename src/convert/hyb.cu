/* SPDX-License-Identifier: BSD-3-Clause */
/* HYB: what fits the width goes to ELL, the rest of each row to COO. */
#include "convert/ell.cuh"
#include "convert/known.cuh"
#include "primitives/expand.cuh"
extern "C" {
#include "convert/fill_limit.h"
}

namespace convert_hyb {

static constexpr int BLOCK = 256;

/* The COO part beside the rows of CSR that it is spilled from. A thread takes an entry, so that one long row
   is no slower than many short ones. place[i] is where the entries of row i begin in COO. */
struct spill {
    int64_t rows, width, count;
    const ptr_t *ptr, *place;
    int base;
    idx_t *row, *col;
    val_t *val;
};

static spill spill_of(const spry_matrix *csr, const temporary &place, const spry_matrix *ell,
                      const spry_matrix *coo) {
    return {csr->rows,
            ell->ell.width,
            coo->nnz,
            as<ptr_t>(csr->csr.ptr),
            as<ptr_t>(place.pointer),
            csr->csr.base,
            as<idx_t>(coo->coo.row),
            as<idx_t>(coo->coo.col),
            as<val_t>(coo->coo.val)};
}

/* Where entry k of COO, one of row i, is in CSR: in CSR's base. */
static __device__ int64_t source_of(const spill &a, int64_t i, int64_t k) {
    return a.ptr[i] + a.width + (k - a.place[i]);
}

static __global__ void measure_spill(int64_t rows, const ptr_t *ptr, int64_t width, ptr_t *count) {
    int64_t i = thread_number();
    if (i >= rows)
        return;
    int64_t over = ptr[i + 1] - ptr[i] - width;
    count[i] = (ptr_t)(over > 0 ? over : 0);
}

/* Where the spilled entries of each row begin and, last, how many there are. */
static spry_status place_spilled(spry_context *context, const spry_matrix *csr, int64_t width,
                                 temporary *place) {
    spry_status status = place->take(csr->rows + 1, sizeof(ptr_t));
    if (status)
        return status;
    if (csr->rows > 0)
        measure_spill<<<blocks_for(csr->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
            csr->rows, as<ptr_t>(csr->csr.ptr), width, as<ptr_t>(place->pointer));
    status = launched(context, "counting what rows spill");
    return status ? status : NAME(spry_cuda_scan)(context, as<ptr_t>(place->pointer), csr->rows);
}

/* ---- from CSR ---- */

/* Entry k of COO, one of row i. */
struct spiller {
    spill a;
    const idx_t *idx;
    const val_t *val;
    __device__ void operator()(int64_t k, idx_t i) const {
        const int64_t source = source_of(a, i, k);
        a.row[k] = i;
        a.col[k] = idx[source];
        a.val[k] = val[source];
    }
};

static spry_status make_ell(spry_context *context, const spry_matrix *csr, int64_t width, int64_t spilled,
                            spry_matrix **ell) {
    spry_status status = spry_matrix_new(context, SPRY_ELL, csr->type, csr->index, csr->rows, csr->cols,
                                         csr->nnz - spilled, ell);
    return status ? status : NAME(spry_ell_fill)(context, csr, width, *ell);
}

static spry_status make_coo(spry_context *context, const spry_matrix *csr, const temporary &place,
                            int64_t spilled, const spry_matrix *ell, spry_matrix **coo) {
    spry_status status =
        spry_matrix_new_coo(context, csr->type, csr->index, csr->rows, csr->cols, spilled, coo);
    if (status)
        return status;
    (*coo)->row_sorted = (*coo)->sorted = true;
    (*coo)->cuda.segments.row = place.pointer; /* for the plan, as is what is known of rows that spill */
    tell_segments(csr, ell->ell.width, &(*coo)->cuda.segments);
    const spill a = spill_of(csr, place, ell, *coo);
    return expand_with(context, "spilled entries of CSR to COO", a.place, 0, a.rows, spilled,
                       spiller{a, as<idx_t>(csr->csr.idx), as<val_t>(csr->csr.val)});
}

/* Waits where the matrix does not tell. */
static spry_status count_spilled(spry_context *context, const spry_matrix *csr, int64_t width,
                                 const temporary &place, int64_t *spilled) {
    ptr_t count;
    if (knows_spilled(csr, width, spilled))
        return SPRY_OK;
    spry_status status = spry_cuda_fetch(context, &count, as<ptr_t>(place.pointer) + csr->rows, sizeof count);
    *spilled = count;
    return status;
}

static spry_status make_parts(spry_context *context, const spry_matrix *csr,
                              const spry_convert_options *options, int64_t width, const temporary &place,
                              spry_matrix *matrix) {
    spry_matrix **part = matrix->owned_parts;
    int64_t spilled;
    spry_status status = count_spilled(context, csr, width, place, &spilled);
    if (!status)
        status = spry_check_fill(context, csr, options, SPRY_HYB, width, spilled);
    if (!status)
        status = make_ell(context, csr, width, spilled, &part[0]);
    if (!status)
        status = make_coo(context, csr, place, spilled, part[0], &part[1]);
    for (int p = 0; p < 2 && !status; p++)
        status = spry_matrix_plan(context, part[p]);
    matrix->hyb = {part[0], part[1]};
    return status;
}

/* Entries of the longest row, where there are so many that it may not fit; otherwise what no row can exceed.
   */
static spry_status bound_longest(spry_context *context, const spry_matrix *csr, int64_t *longest) {
    *longest = csr->nnz;
    if (csr->nnz <= spry_index_max(csr->index))
        return SPRY_OK;
    spry_status status = find_longest_row(context, csr, longest);
    return status ? status : spry_check_longest(context, csr->index, *longest);
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    temporary place(context);
    int64_t longest, width;
    spry_status status = bound_longest(context, csr, &longest);
    if (!status)
        status = spry_hyb_width(context, csr, options, longest, &width);
    if (!status)
        status = place_spilled(context, csr, width, &place);
    return status ? status : make_parts(context, csr, options, width, place, matrix);
}

/* ---- to CSR ---- */

static __global__ void add_lengths(int64_t rows, const idx_t *len, const ptr_t *place, ptr_t *length) {
    int64_t i = thread_number();
    if (i < rows)
        length[i] = len[i] + (place[i + 1] - place[i]);
}

/* Spilled entries follow on what their row has in ELL: all of the width. */
static __global__ void append(spill a, idx_t *idx, val_t *val) {
    int64_t k = thread_number();
    if (k >= a.count)
        return;
    int64_t to = source_of(a, a.row[k], k);
    idx[to] = a.col[k];
    val[to] = a.val[k];
}

static spry_status make_pointers(spry_context *context, const spry_matrix *matrix, ptr_t *place, ptr_t *ptr) {
    const spry_matrix *ell = matrix->hyb.ell, *coo = matrix->hyb.coo;
    int64_t rows = matrix->rows;
    spry_status status = NAME(spry_cuda_compress)(context, as<idx_t>(coo->coo.row), 0, coo->nnz, rows, place);
    if (status)
        return status;
    if (rows > 0)
        add_lengths<<<blocks_for(rows, BLOCK), BLOCK, 0, context->device->stream>>>(
            rows, as<idx_t>(ell->ell.len), place, ptr);
    status = launched(context, "row lengths of HYB to CSR");
    return status ? status : NAME(spry_cuda_scan)(context, ptr, rows);
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    temporary place(context);
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (!status)
        status = place.take(csr->rows + 1, sizeof(ptr_t));
    if (!status)
        status = make_pointers(context, matrix, as<ptr_t>(place.pointer), as<ptr_t>(csr->csr.ptr));
    if (!status)
        status = NAME(spry_ell_copy_out)(context, matrix->hyb.ell, csr);
    if (status || matrix->hyb.coo->nnz == 0)
        return status;
    spill a = spill_of(csr, place, matrix->hyb.ell, matrix->hyb.coo);
    append<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(a, as<idx_t>(csr->csr.idx),
                                                                              as<val_t>(csr->csr.val));
    return launched(context, "spilled entries of HYB to CSR");
}

/* ---- new values ---- */

/* Whether entry k of COO is spilled from the same place of CSR, whose arrays are taken to begin so much
   earlier that its base fits. As both matrices have as many entries, no row spills more once the ELL parts
   match. */
static __global__ void compare(spill a, const idx_t *idx, unsigned long long *differs) {
    int64_t k = thread_number();
    if (k >= a.count)
        return;
    int64_t i = a.row[k];
    bool same = a.place[i] <= k && k < a.place[i + 1];
    if (!same || a.col[k] != idx[source_of(a, i, k)] - a.base)
        *differs = 1;
}

static __global__ void take_values(spill a, const val_t *val) {
    int64_t k = thread_number();
    if (k < a.count)
        a.val[k] = val[source_of(a, a.row[k], k)];
}

static spry_status compare_parts(spry_context *context, const spry_matrix *csr, const spry_matrix *ell,
                                 const spill &a) {
    counter differs(context);
    spry_status status = differs.start();
    if (!status)
        status = NAME(spry_ell_compare)(context, csr, ell, differs.place());
    if (status)
        return status;
    if (a.count > 0)
        compare<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(
            a, as<idx_t>(csr->csr.idx) - a.base, differs.place());
    status = launched(context, "comparing what CSR spills with COO");
    if (!status)
        status = differs.same_pattern();
    return status;
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    temporary place(context);
    spry_matrix *ell = matrix->owned_parts[0];
    spry_status status = place_spilled(context, csr, ell->ell.width, &place);
    spill a = spill_of(csr, place, ell, matrix->hyb.coo);
    if (!status)
        status = compare_parts(context, csr, ell, a);
    if (!status)
        status = NAME(spry_ell_take_values)(context, csr, ell);
    if (status || a.count == 0)
        return status;
    take_values<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, as<val_t>(csr->csr.val) - a.base);
    return launched(context, "spilled values of CSR to COO");
}

extern "C" {
extern const struct spry_convert_code NAME(spry_hyb_convert);
const struct spry_convert_code NAME(spry_hyb_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_hyb
