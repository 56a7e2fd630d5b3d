/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/formats.cuh"
#include "formats/order.cuh"
#include "primitives/device.cuh"

extern "C" {
#include "formats/bsr_blocks.h"
}

namespace formats_bsr {

static constexpr int BLOCK = 256;

/* What kernels find in the arrays. */
struct findings {
    unsigned long long nnz, faults;
};

/* ---- wrapped arrays do not say how many entries they have ---- */

static __global__ void count_entries(blocks a, int64_t count, findings *found) {
    long long total = 0;
    FOR_ALL(b, 0, count)
    total += count_bits(mask_at(&a, b));
    add_to_total(total, &found->nnz);
}

static spry_status complete(spry_context *context, spry_matrix *matrix) {
    const blocks a = blocks_of(matrix);
    const int64_t count = matrix->bsr.blocks;
    tally<findings> counters(context);
    findings found;
    matrix->nnz = count * a.places;
    if (!a.mask || count == 0)
        return SPRY_OK;
    spry_status status = counters.start();
    if (status)
        return status;
    count_entries<<<blocks_at_once(context, count, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, count, counters.place());
    status = launched(context, "counting entries of blocks");
    if (!status)
        status = counters.read(&found);
    if (!status)
        matrix->nnz = (int64_t)found.nnz;
    return status;
}

/* ---- checks ---- */

/* Whether row i of blocks, of `count` in all, is wrong. Blocks are looked at where their pointers are right. */
static __device__ bool is_wrong(const blocks &a, int64_t i, int64_t count) {
    const int64_t begin = a.ptr[i], end = a.ptr[i + 1], columns = spry_cover(a.cols, a.width);
    bool wrong = (i == 0 && begin != 0) || (i == a.count - 1 && end != count);
    if (begin < 0 || begin > end || end > count)
        return true;
    for (int64_t b = begin; b < end; b++)
        wrong = wrong || is_outside(a.idx[b], 0, columns) ||
                (mask_at(&a, b) & ~inside_mask(&a, i, a.idx[b])) != 0;
    return wrong;
}

static __global__ void check(blocks a, int64_t count, findings *found) {
    bool wrong = a.count == 0 && (a.ptr[0] != 0 || count != 0);
    FOR_ALL(i, 0, a.count)
    wrong = wrong || is_wrong(a, i, count);
    if (wrong)
        found->faults = 1;
}

/* The host has the words for a fault, and code for all that is checked seldom. How many places the masks have was counted
   where that is not known otherwise. */
static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const blocks a = blocks_of(matrix);
    tally<findings> counters(context);
    findings found;
    spry_status status = flags ? SPRY_OK : counters.start();
    if (status)
        return status;
    if (flags)
        return spry_cuda_validate_on_host(context, matrix, flags);
    cudaStream_t stream = context->device->stream;
    check<<<blocks_at_once(context, a.count > 0 ? a.count : 1, BLOCK), BLOCK, 0, stream>>>(
        a, matrix->bsr.blocks, counters.place());
    if (matrix->bsr.blocks > 0)
        count_entries<<<blocks_at_once(context, matrix->bsr.blocks, BLOCK), BLOCK, 0, stream>>>(
            a, matrix->bsr.blocks, counters.place());
    status = launched(context, "checking blocks");
    if (!status)
        status = counters.read(&found);
    return status || (!found.faults && (int64_t)found.nnz == matrix->nnz)
               ? status
               : spry_cuda_validate_on_host(context, matrix, flags);
}

/* ---- the plan ---- */

static __global__ void compare_neighbours(blocks a, unsigned long long *falls) {
    bool falling = false;
    FOR_ALL(i, 0, a.count)
    for (int64_t b = a.ptr[i] + 1; b < a.ptr[i + 1]; b++)
        falling |= a.idx[b] < a.idx[b - 1];
    if (falling)
        *falls = 1;
}

/* In the caller's arrays, columns of blocks may fall within a row. */
static spry_status plan(spry_context *context, spry_matrix *matrix) {
    const blocks a = blocks_of(matrix);
    spry_status status = find_order(context, matrix, matrix->bsr.blocks, [&](unsigned long long *falls) {
        compare_neighbours<<<blocks_at_once(context, a.count, BLOCK), BLOCK, 0, context->device->stream>>>(
            a, falls);
    });
    return status ? status : NAME(spry_bsr_plan)(context, matrix);
}

extern "C" {
extern const struct spry_format_code NAME(spry_bsr_code);
const struct spry_format_code NAME(spry_bsr_code) = {
    .validate = validate,
    .plan = plan,
    .complete = complete,
};
}

} // namespace formats_bsr
