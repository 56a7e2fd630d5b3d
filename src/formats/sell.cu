/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/order.cuh"
#include "formats/sell.cuh"
#include "primitives/device.cuh"

namespace formats_sell {

static constexpr int BLOCK = 256;

/* What kernels find in the caller's arrays. */
struct findings {
    unsigned long long nnz, faults;
};

/* Whether a slice's pointers are as they should be, so that its slots may be read. */
static __device__ bool is_slice(const slices &a, int64_t slots, int64_t s) {
    const int64_t begin = a.ptr[s], end = a.ptr[s + 1];
    return begin >= 0 && begin <= end && end <= slots / a.unit && (end - begin) * a.unit % a.height == 0;
}

/* ---- lengths that the caller leaves out ---- */

/* Entries up to the first column below zero. Slices whose pointers are wrong have none: checks find that afterwards. */
static __device__ int64_t count_columns(const slices &a, int64_t slots, int64_t p) {
    const int64_t s = p / a.height;
    if (p >= a.rows || !is_slice(a, slots, s))
        return 0;
    const idx_t *column = a.idx + slice_begin(a, s) + p % a.height;
    const int64_t width = slice_width(a, s);
    int64_t k = 0;
    while (k < width && column[k * a.height] >= 0)
        k++;
    return k;
}

static __global__ void complete_lengths(slices a, int64_t slots, bool given, findings *found) {
    long long total = 0;
    FOR_ALL(p, 0, a.count * a.height) {
        const int64_t length = given ? a.len[p] : count_columns(a, slots, p);
        if (!given)
            a.len[p] = (idx_t)length;
        total += length;
    }
    add_to_total(total, &found->nnz);
}

static spry_status complete(spry_context *context, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    const int64_t places = spry_sell_slices(matrix->rows, sell->height) * sell->height;
    const bool given = sell->len != nullptr;
    tally<findings> counters(context);
    findings found;
    spry_status status =
        given ? SPRY_OK : spry_matrix_array(context, matrix, places, sizeof(idx_t), &sell->len);
    if (!status)
        status = counters.start();
    if (status || places == 0)
        return status;
    complete_lengths<<<blocks_at_once(context, places, BLOCK), BLOCK, 0, context->device->stream>>>(
        slices_of(matrix), sell->slots, given, counters.place());
    status = launched(context, "counting entries of rows");
    if (!status)
        status = counters.read(&found);
    if (!status)
        matrix->nnz = (int64_t)found.nnz;
    return status;
}

/* ---- checks ---- */

/* Whether the row at a position is wrong: its slice is right. */
static __device__ bool is_wrong(const slices &a, int64_t cols, int64_t p) {
    const int64_t s = p / a.height, length = a.len[p], most = p < a.rows ? slice_width(a, s) : 0;
    if (length < 0 || length > most)
        return true;
    const idx_t *column = a.idx + slice_begin(a, s) + p % a.height;
    bool wrong = false;
    for (int64_t k = 0; k < length; k++)
        wrong |= is_outside(column[k * a.height], 0, cols);
    return wrong;
}

static __global__ void check(slices a, int64_t cols, int64_t slots, findings *found) {
    bool wrong = thread_number() == 0 && (a.ptr[0] != 0 || slice_begin(a, a.count) != slots);
    long long total = 0;
    FOR_ALL(p, 0, a.count * a.height) {
        wrong = wrong || !is_slice(a, slots, p / a.height) || is_wrong(a, cols, p);
        total += a.len[p];
    }
    add_to_total(total, &found->nnz);
    if (wrong)
        found->faults = 1;
}

/* The host has the words for a fault, and code for all that is checked seldom. */
static spry_status validate(spry_context *context, const spry_matrix *matrix, unsigned flags) {
    const slices a = slices_of(matrix);
    tally<findings> counters(context);
    findings found;
    if (flags || a.perm)
        return spry_cuda_validate_on_host(context, matrix, flags);
    spry_status status = counters.start();
    if (status)
        return status;
    const int64_t places = a.count * a.height;
    check<<<blocks_at_once(context, places > 0 ? places : 1, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, matrix->cols, matrix->sell.slots, counters.place());
    status = launched(context, "checking slices");
    if (!status)
        status = counters.read(&found);
    return status || (!found.faults && (int64_t)found.nnz == matrix->nnz)
               ? status
               : spry_cuda_validate_on_host(context, matrix, flags);
}

/* ---- the plan ---- */

static __global__ void compare_neighbours(slices a, unsigned long long *falls) {
    bool falling = false;
    FOR_ALL(p, 0, a.rows) {
        const idx_t *column = a.idx + slice_begin(a, p / a.height) + p % a.height;
        for (int64_t k = 1; k < a.len[p]; k++)
            falling |= column[k * a.height] < column[(k - 1) * a.height];
    }
    if (falling)
        *falls = 1;
}

/* In the caller's arrays, columns may fall within a row. */
static spry_status plan(spry_context *context, spry_matrix *matrix) {
    spry_status status = find_order(context, matrix, matrix->nnz, [&](unsigned long long *falls) {
        compare_neighbours<<<blocks_at_once(context, matrix->rows, BLOCK), BLOCK, 0,
                             context->device->stream>>>(slices_of(matrix), falls);
    });
    return status ? status : NAME(spry_sell_plan)(context, matrix);
}

extern "C" {
extern const struct spry_format_code NAME(spry_sell_code);
const struct spry_format_code NAME(spry_sell_code) = {
    .validate = validate,
    .plan = plan,
    .complete = complete,
};
}

} // namespace formats_sell
