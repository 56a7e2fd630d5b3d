/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR to CSR, a thread for each row; and new values. */
#include "convert/bsr.cuh"
#include "convert/sorted.cuh"
#include "formats/formats.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "formats/bsr_blocks.h"
}

namespace convert_bsr {

/* Few threads to a block, as rows are of any length. */
static constexpr int BLOCK = 64;

/* ---- to CSR ---- */

static __global__ void list_lengths(blocks a, ptr_t *length) {
    const int64_t row = thread_number();
    if (row < a.rows)
        length[row] = (ptr_t)row_entries(&a, row);
}

static __global__ void collect(blocks a, const ptr_t *ptr, idx_t *idx, val_t *val) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    row_walk walk = walk_row(&a, row);
    for (int64_t k = ptr[row]; next_entry(&a, &walk); k++) {
        idx[k] = (idx_t)walk.col;
        val[k] = a.val[walk.slot];
    }
}

static spry_status to_csr(spry_context *context, const spry_matrix *matrix, const spry_convert_options *,
                          spry_matrix *csr) {
    const blocks a = blocks_of(matrix);
    cudaStream_t stream = context->device->stream;
    spry_status status = take_csr_arrays(context, matrix, csr);
    if (status)
        return status;
    ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    if (a.rows > 0)
        list_lengths<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr);
    status = launched(context, "row lengths of BSR to CSR");
    if (!status)
        status = NAME(spry_cuda_scan)(context, ptr, a.rows);
    if (status || matrix->nnz == 0)
        return status;
    if (!matrix->sorted)
        return collect_sorted(context, csr, "BSR to COO", [&](idx_t *idx, val_t *val) {
            collect<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, idx, val);
        });
    collect<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<idx_t>(csr->csr.idx),
                                                             as<val_t>(csr->csr.val));
    return launched(context, "BSR to CSR");
}

/* ---- new values ---- */

/* The arrays of CSR are taken to begin so much earlier that their base fits. */
static __global__ void compare(blocks a, const ptr_t *ptr, const idx_t *idx, int base,
                               unsigned long long *differs) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    row_walk walk = walk_row(&a, row);
    int64_t k = ptr[row];
    const int64_t end = ptr[row + 1];
    bool same = true;
    for (; same && next_entry(&a, &walk); k++)
        same = k < end && idx[k] - base == walk.col;
    if (!same || k != end)
        *differs = 1;
}

static __global__ void replace(blocks a, const ptr_t *ptr, const val_t *val) {
    const int64_t row = thread_number();
    if (row >= a.rows)
        return;
    row_walk walk = walk_row(&a, row);
    for (int64_t k = ptr[row]; next_entry(&a, &walk); k++)
        a.val[walk.slot] = val[k];
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const blocks a = blocks_of(matrix);
    const int base = csr->csr.base;
    const ptr_t *ptr = as<ptr_t>(csr->csr.ptr);
    cudaStream_t stream = context->device->stream;
    counter differs(context);
    if (!matrix->sorted)
        return spry_refuse_bsr_update(context);
    spry_status status = differs.start();
    if (status || a.rows == 0)
        return status;
    compare<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<idx_t>(csr->csr.idx) - base, base,
                                                             differs.place());
    status = launched(context, "comparing CSR with BSR");
    if (!status)
        status = differs.same_pattern();
    if (status)
        return status;
    replace<<<blocks_for(a.rows, BLOCK), BLOCK, 0, stream>>>(a, ptr, as<val_t>(csr->csr.val) - base);
    return launched(context, "values of CSR to BSR");
}

extern "C" {
extern const struct spry_convert_code NAME(spry_bsr_convert);
const struct spry_convert_code NAME(spry_bsr_convert) = {
    .from_csr = NAME(spry_bsr_from_csr),
    .to_csr = to_csr,
    .update = update,
};
}

} // namespace convert_bsr
