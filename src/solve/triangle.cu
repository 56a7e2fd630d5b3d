/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangles on a device. */
#include "cuda/early.cuh"
#include "cuda/lanes.cuh"
#include "primitives/temporary.cuh"
#include "solve/wait.cuh"

extern "C" {
#include "solve/factor.h"
#include "solve/fsai.h"
#include "solve/inverse.h"
}

namespace solve_triangle {

static constexpr int BLOCK = 256;

static __device__ void report(unsigned long long *fault, int64_t row) {
    atomicMin(fault, (unsigned long long)row);
}

/* ---- the diagonal ---- */

struct square {
    int64_t n;
    const ptr_t *ptr;
    const idx_t *idx;
    const val_t *val;
    ptr_t *diagonal;
};

static square square_of(const struct spry_square *square) {
    return {square->n, as<ptr_t>(square->csr.ptr), as<idx_t>(square->csr.idx), as<val_t>(square->csr.val),
            as<ptr_t>(square->diagonal)};
}

/* A warp a row: how many of its entries are left of the diagonal says where that is. */
static __global__ void __launch_bounds__(BLOCK)
    locate_diagonals(square a, unsigned long long *missing, unsigned long long *repeated) {
    const int64_t i = thread_number() / WARP;
    if (i >= a.n)
        return;
    const int64_t begin = a.ptr[i], end = a.ptr[i + 1];
    long long left = 0;
    bool repeats = false;
    for (int64_t k = begin + lane_number(); k < end; k += WARP) {
        left += a.idx[k] < i;
        repeats |= k > begin && a.idx[k] == a.idx[k - 1];
    }
    left = sum_lanes<WARP>(left);
    repeats = __any_sync(ALL_LANES, repeats);
    if (lane_number() > 0)
        return;
    a.diagonal[i] = (ptr_t)(begin + left);
    if (begin + left == end || a.idx[begin + left] != i)
        report(missing, i);
    if (repeats)
        report(repeated, i);
}

static spry_status locate(spry_context *context, const struct spry_square *square,
                          struct spry_square_faults *faults) {
    *faults = {-1, -1};
    if (square->n == 0)
        return SPRY_OK;
    first_fault missing(context), repeated(context);
    spry_status status = missing.start();
    if (!status)
        status = repeated.start();
    if (status)
        return status;
    locate_diagonals<<<blocks_for(square->n, BLOCK / WARP), BLOCK, 0, context->device->stream>>>(
        square_of(square), missing.place(), repeated.place());
    status = launched(context, "locating the diagonal");
    if (!status)
        status = missing.read(&faults->missing);
    return status ? status : repeated.read(&faults->repeated);
}

/* The sum of a row's entries on the diagonal: one, unless it occurs more than once. */
static __device__ val_t diagonal_of(const square &a, int64_t i) {
    const int64_t end = a.ptr[i + 1];
    val_t sum = 0;
    for (int64_t k = a.diagonal[i]; k < end && a.idx[k] == i; k++)
        sum += a.val[k];
    return sum;
}

/* ---- values ---- */

struct triangle {
    int64_t n;
    const idx_t *row, *from;
    const ptr_t *ptr;
    const idx_t *idx;
    const val_t *val, *inverse;
    volatile word_t *z;
};

static triangle triangle_of(const struct spry_substitution *s) {
    return {s->order.n,
            as<idx_t>(s->order.row),
            as<idx_t>(s->from ? s->from : s->order.row),
            as<ptr_t>(s->ptr),
            as<idx_t>(s->idx),
            as<val_t>(s->val),
            as<val_t>(s->inverse),
            as<word_t>(s->z)};
}

static __global__ void __launch_bounds__(BLOCK)
    take_values(square a, triangle t, const ptr_t *source, spry_scaling scaling, val_t *val, val_t *inverse,
                val_t *entry, unsigned long long *fault) {
    const bool divides = scaling.inverse != 0 || scaling.divide_rows;
    FOR_ALL(p, 0, t.n) {
        const val_t diagonal = divides ? diagonal_of(a, t.row[p]) : 1;
        if (!has_inverse(diagonal)) {
            entry[t.row[p]] = diagonal;
            report(fault, t.row[p]);
        }
        const val_t weight = (val_t)scaling.weight / (scaling.divide_rows ? diagonal : 1);
        const int64_t end = t.ptr[p + 1];
        for (int64_t k = t.ptr[p]; k < end; k++)
            val[k] = weight * a.val[source[k]];
        if (scaling.inverse != 0)
            inverse[p] = (val_t)scaling.inverse / diagonal;
    }
}

static spry_status fill(spry_context *context, const struct spry_square *square, const spry_scaling *scaling,
                        const struct spry_substitution *s, int64_t *fault) {
    *fault = -1;
    if (square->n == 0)
        return SPRY_OK;
    first_fault found(context);
    spry_status status = found.start();
    if (status)
        return status;
    take_values<<<blocks_at_once(context, square->n, BLOCK), BLOCK, 0, context->device->stream>>>(
        square_of(square), triangle_of(s), as<ptr_t>(s->source), *scaling, as<val_t>(s->val),
        as<val_t>(s->inverse), as<val_t>(s->z), found.place());
    status = launched(context, "filling a triangle");
    return status ? status : found.read(fault);
}

/* ---- substitution ---- */

/* Entries of a row that a lane waits for at once. */
static constexpr int AHEAD = 4;

/* Subtract from `sum` what the entries k, k + lanes, … give whose z is there, up to the first whose z is not. Returns
   that entry. */
template <int lanes>
static __device__ int64_t take_ready(const triangle &t, int64_t k, int64_t end, val_t *sum) {
    idx_t position[AHEAD];
    val_t value[AHEAD];
    word_t word[AHEAD];
#pragma unroll
    for (int s = 0; s < AHEAD; s++)
        if (k + s * lanes < end) {
            position[s] = t.idx[k + s * lanes];
            value[s] = t.val[k + s * lanes];
        }
#pragma unroll
    for (int s = 0; s < AHEAD; s++)
        word[s] = k + s * lanes < end ? t.z[position[s]] : NOT_YET;
    bool ready = true;
#pragma unroll
    for (int s = 0; s < AHEAD; s++) {
        ready = ready && word[s] != NOT_YET;
        if (ready) {
            *sum -= value[s] * from_word(word[s]);
            k += lanes;
        }
    }
    return k;
}

template <int lanes>
static __device__ unsigned lanes_of_row() {
    if constexpr (lanes == WARP)
        return ALL_LANES;
    else
        return ((1u << lanes) - 1) << (lane_number() / lanes * lanes);
}

/* `lanes` lanes a row. A row may wait for another one of its own warp: all rows of a warp take what is ready in turn,
   and none is waited for alone. */
template <int lanes>
static __global__ void __launch_bounds__(BLOCK) substitute(triangle t, const val_t *b, val_t *x) {
    await_earlier();
    const int64_t p = thread_number() / lanes;
    const bool inside = p < t.n, first = threadIdx.x % lanes == 0;
    const unsigned row_lanes = lanes_of_row<lanes>();
    const int64_t end = inside ? t.ptr[p + 1] : 0;
    int64_t k = inside ? t.ptr[p] + (int64_t)(threadIdx.x % lanes) : 0;
    val_t sum = inside && first ? b[t.from[p]] : 0;
    const val_t inverse = inside && first && t.inverse ? t.inverse[p] : 1;
    bool open = inside;
    while (__any_sync(ALL_LANES, open)) {
        k = take_ready<lanes>(t, k, end, &sum);
        const unsigned waiting = __ballot_sync(ALL_LANES, k < end);
        if (open && !(waiting & row_lanes)) {
#pragma unroll
            for (int step = lanes / 2; step > 0; step /= 2)
                sum += __shfl_xor_sync(row_lanes, sum, step);
            if (first) {
                publish(t.z + p, sum * inverse);
                if (x)
                    x[t.row[p]] = sum * inverse;
            }
            open = false;
        }
    }
}

template <int lanes>
static void launch(spry_context *context, const struct spry_substitution *s, const void *b, void *x) {
    launch_early(context, blocks_for(s->order.n, BLOCK / lanes), BLOCK, substitute<lanes>, triangle_of(s),
                 static_cast<const val_t *>(b), static_cast<val_t *>(x));
}

/* Microseconds on an H200, those of products: see spmv/csr.cu. */
static constexpr double ROUND = 0.36;        /* of the longest row: loads one after the other */
static constexpr double WARP_START = 0.0081; /* of a warp, on one multiprocessor */

/* A row is shared until a lane has two entries, or more where the longest row would still take longer than it takes
   to begin all the others. */
static int lanes_for(const spry_context *context, const struct spry_substitution *s) {
    const double rows = (double)s->order.n, longest = (double)s->longest * ROUND / AHEAD,
                 all = rows / WARP * WARP_START / context->device->multiprocessors;
    int lanes = 1;
    while (lanes < WARP && ((double)s->nnz > 2 * lanes * rows || longest / lanes > all * lanes))
        lanes *= 2;
    return lanes;
}

static spry_status substitute_with(spry_context *context, int lanes, const struct spry_substitution *s,
                                   const void *b, void *x) {
    switch (lanes) {
    case 1:
        launch<1>(context, s, b, x);
        break;
    case 2:
        launch<2>(context, s, b, x);
        break;
    case 4:
        launch<4>(context, s, b, x);
        break;
    case 8:
        launch<8>(context, s, b, x);
        break;
    case 16:
        launch<16>(context, s, b, x);
        break;
    default:
        launch<WARP>(context, s, b, x);
    }
    return launched(context, "solving with a triangle");
}

static spry_status solve(spry_context *context, const struct spry_substitution *s, const void *b, void *x) {
    if (s->order.n == 0)
        return SPRY_OK;
    spry_status status = clear_words(context, s->z, s->order.n);
    return status ? status : substitute_with(context, lanes_for(context, s), s, b, x);
}

extern "C" {
extern const struct spry_triangle_code NAME(spry_triangle_code);
const struct spry_triangle_code NAME(spry_triangle_code) = {
    .locate = locate,
    .fill = fill,
    .solve = solve,
    .factor_ilu0 = NAME(spry_factor_ilu0),
    .factor_ic0 = NAME(spry_factor_ic0),
    .fsai_fill = NAME(spry_fsai_fill),
};
}

} // namespace solve_triangle
