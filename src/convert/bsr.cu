/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR to CSR, a thread for each row; and new values. */
#include "convert/bsr.cuh"
#include "convert/places.cuh"
#include "convert/sorted.cuh"
#include "formats/formats.cuh"
#include "primitives/device.cuh"
extern "C" {
#include "formats/bsr_blocks.h"
#include "formats/index_from.h"
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

/* Of several entries at one place the first is in the first block that has an entry there, and so on. */
struct places_in_blocks {
    blocks a;

    __device__ int64_t of(const spry_csr &rows, int64_t k, int64_t i) const {
        const idx_t *idx = as<idx_t>(rows.idx);
        const int64_t col = (int64_t)idx[k] - rows.base, column = col / a.width,
                      end = a.ptr[i / a.height + 1];
        const int place = (int)(i % a.height * a.width + col % a.width);
        int64_t before = repeats_before(idx, (int64_t)as<ptr_t>(rows.ptr)[i] - rows.base, k);
        for (int64_t b = index_from(a.idx, a.ptr[i / a.height], end, column); b < end && a.idx[b] == column;
             b++)
            if ((mask_at(&a, b) >> place & 1) && before-- == 0)
                return b * a.places + place;
        return -1;
    }
};

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    const blocks a = blocks_of(matrix);
    return matrix->sorted ? put_values(context, csr, places_in_blocks{a}, a.val)
                          : spry_refuse_bsr_update(context);
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
