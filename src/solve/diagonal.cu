/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagonals, blocks along them and what polynomials take on a device. */
#include "core/hash.h"
#include "cuda/early.cuh"
#include "formats/csr.cuh"
#include "primitives/device.cuh"

extern "C" {
#include "formats/index_from.h"
#include "solve/diagonal.h"
#include "solve/inverse.h"
}

namespace solve_diagonal {

static constexpr int BLOCK = 256;

/* The first entry of a row at this column or a later one. */
static __device__ int64_t entry_from(const csr_arrays &a, int64_t row, int64_t col) {
    return index_from(a.idx, a.ptr[row], a.ptr[row + 1], col);
}

/* ---- the diagonal ---- */

static __global__ void invert_rows(int64_t n, csr_arrays a, bool positive, val_t *inverse,
                                   unsigned long long *fault) {
    const int64_t i = thread_number();
    if (i >= n)
        return;
    const int64_t end = a.ptr[i + 1];
    val_t sum = 0;
    for (int64_t k = entry_from(a, i, i); k < end && a.idx[k] == i; k++)
        sum += a.val[k];
    const bool right = has_inverse(sum) && (!positive || sum > 0);
    inverse[i] = right ? 1 / sum : sum;
    if (!right)
        atomicMin(fault, (unsigned long long)i);
}

static spry_status invert(spry_context *context, const spry_matrix *csr, bool positive, void *inverse,
                          int64_t *fault) {
    first_fault found(context);
    *fault = -1;
    if (csr->rows == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    invert_rows<<<blocks_for(csr->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        csr->rows, csr_arrays_of(csr), positive, as<val_t>(inverse), found.place());
    status = launched(context, "inverting the diagonal");
    return status ? status : found.read(fault);
}

static __global__ void multiply(int64_t n, val_t scale, const val_t *diagonal, const val_t *x, val_t beta,
                                val_t *y) {
    await_earlier();
    const int64_t i = thread_number();
    if (i < n)
        y[i] = blend(scale, diagonal[i] * x[i], beta, &y[i]);
}

static spry_status apply(spry_context *context, int64_t n, double scale, const void *diagonal, const void *x,
                         double beta, void *y) {
    if (n == 0)
        return SPRY_OK;
    launch_early(context, blocks_for(n, BLOCK), BLOCK, multiply, n, (val_t)scale,
                 static_cast<const val_t *>(diagonal), static_cast<const val_t *>(x), (val_t)beta,
                 static_cast<val_t *>(y));
    return launched(context, "multiplying by a diagonal");
}

/* ---- blocks along it: the value of row r in column j of its block is at j * n + r, so that neighbouring threads,
   which take neighbouring rows, read neighbouring values ---- */

/* A block, a row for each lane; rows are longer by one so that lanes read a column without bank conflicts. */
typedef val_t square[SPRY_MAX_BLOCK][SPRY_MAX_BLOCK + 1];

/* Each lane reads its row of the block of `size` rows from row `first` on. */
static __device__ void read_block(const csr_arrays &a, int64_t first, int size, square block) {
    const int lane = lane_number();
    if (lane < size) {
        const int64_t row = first + lane, end = a.ptr[row + 1];
        for (int j = 0; j < size; j++)
            block[lane][j] = 0;
        for (int64_t k = entry_from(a, row, first); k < end && a.idx[k] < first + size; k++)
            block[lane][a.idx[k] - first] += a.val[k];
    }
    __syncwarp();
}

/* The row with the largest entry of column k, from row k on: the same for all lanes. */
static __device__ int pivot_row(const square block, int size, int k) {
    const int lane = lane_number();
    double best = lane >= k && lane < size ? fabs((double)block[lane][k]) : -1;
    int row = lane;
    for (int step = WARP / 2; step > 0; step /= 2) {
        const double other = __shfl_xor_sync(ALL_LANES, best, step);
        const int other_row = __shfl_xor_sync(ALL_LANES, row, step);
        if (other > best || (other == best && other_row < row)) {
            best = other;
            row = other_row;
        }
    }
    /* NaN compares with nothing, so lanes may disagree about it, and even name a row outside. */
    row = __shfl_sync(ALL_LANES, row, 0);
    return row >= k && row < size ? row : k;
}

/* Step k of the elimination: column k becomes that of the unit matrix, and its place takes the inverse's. Before, rows
   k and `pivot` change places. */
static __device__ void eliminate(square block, int size, int k, int pivot) {
    const int lane = lane_number();
    const val_t reciprocal = 1 / block[pivot][k];
    __syncwarp();
    if (lane < size) { /* a column */
        const val_t above = block[k][lane], scaled = block[pivot][lane];
        block[pivot][lane] = above;
        block[k][lane] = (lane == k ? 1 : scaled) * reciprocal;
    }
    __syncwarp();
    if (lane < size && lane != k) { /* a row */
        const val_t factor = block[lane][k];
        block[lane][k] = 0;
        for (int j = 0; j < size; j++)
            block[lane][j] -= factor * block[k][j];
    }
    __syncwarp();
}

/* Gauss-Jordan elimination in place, with rows exchanged for the largest pivot. Lane k then knows which row was
   exchanged in step k. Whether all pivots were finite. */
static __device__ bool invert_block(square block, int size, int *exchanged) {
    bool finite = true;
    for (int k = 0; k < size; k++) {
        const int pivot = pivot_row(block, size, k);
        if (lane_number() == k)
            *exchanged = pivot;
        finite &= isfinite(block[pivot][k]);
        eliminate(block, size, k, pivot);
    }
    return finite;
}

/* Each lane exchanges the columns of its row back, from the last to the first, and writes it out. Whether all of it is
   finite: what was divided by zero stays infinite, or NaN, to the end. */
static __device__ bool write_block(square block, int64_t first, int size, int exchanged, int64_t n,
                                   val_t *inverse) {
    const int lane = lane_number();
    bool finite = true;
    for (int k = size - 1; k >= 0; k--) {
        const int with = __shfl_sync(ALL_LANES, exchanged, k);
        if (lane < size) {
            const val_t kept = block[lane][k];
            block[lane][k] = block[lane][with];
            block[lane][with] = kept;
        }
    }
    for (int j = 0; j < size && lane < size; j++) {
        finite &= isfinite(block[lane][j]);
        inverse[j * n + first + lane] = block[lane][j];
    }
    return finite;
}

/* A warp a block. */
static __global__ void __launch_bounds__(WARP)
    invert_along(int64_t n, int rows, csr_arrays a, val_t *inverse, unsigned long long *fault) {
    __shared__ square block;
    for (int64_t first = (int64_t)blockIdx.x * rows; first < n; first += (int64_t)gridDim.x * rows) {
        const int size = n - first < rows ? (int)(n - first) : rows;
        int exchanged = 0;
        read_block(a, first, size, block);
        bool finite = invert_block(block, size, &exchanged);
        finite &= write_block(block, first, size, exchanged, n, inverse);
        if (!finite)
            atomicMin(fault, (unsigned long long)first);
        __syncwarp();
    }
}

static spry_status invert_blocks(spry_context *context, const spry_matrix *csr, int block, void *inverse,
                                 int64_t *fault) {
    const int64_t n = csr->rows, blocks = (n + block - 1) / block;
    first_fault found(context);
    *fault = -1;
    if (n == 0)
        return SPRY_OK;
    spry_status status = found.start();
    if (status)
        return status;
    invert_along<<<blocks_at_once(context, blocks * WARP, WARP), WARP, 0, context->device->stream>>>(
        n, block, csr_arrays_of(csr), as<val_t>(inverse), found.place());
    status = launched(context, "inverting blocks");
    return status ? status : found.read(fault);
}

static __global__ void multiply_blocks(int64_t n, int block, const val_t *inverse, const val_t *x, val_t *y) {
    await_earlier();
    const int64_t i = thread_number();
    if (i >= n)
        return;
    const int64_t first = i - (idx_t)i % block;
    const int size = n - first < block ? (int)(n - first) : block;
    val_t sum = 0;
#pragma unroll 4
    for (int j = 0; j < size; j++)
        sum += __ldg(&inverse[j * n + i]) * x[first + j];
    y[i] = sum;
}

static spry_status apply_blocks(spry_context *context, int64_t n, int block, const void *inverse,
                                const void *x, void *y) {
    if (n == 0)
        return SPRY_OK;
    launch_early(context, blocks_for(n, BLOCK), BLOCK, multiply_blocks, n, block,
                 static_cast<const val_t *>(inverse), static_cast<const val_t *>(x), static_cast<val_t *>(y));
    return launched(context, "multiplying by blocks");
}

/* ---- polynomials ---- */

static __global__ void add_vectors(int64_t n, val_t a, const val_t *u, val_t b, const val_t *v, val_t c,
                                   val_t *y) {
    await_earlier();
    const int64_t i = thread_number();
    if (i < n)
        y[i] = blend(1, v ? a * u[i] + b * v[i] : a * u[i], c, &y[i]);
}

static spry_status combine(spry_context *context, const spry_combination *combination) {
    const int64_t n = combination->n;
    if (n == 0)
        return SPRY_OK;
    launch_early(context, blocks_for(n, BLOCK), BLOCK, add_vectors, n, (val_t)combination->a,
                 static_cast<const val_t *>(combination->u), (val_t)combination->b,
                 static_cast<const val_t *>(combination->v), (val_t)combination->c,
                 static_cast<val_t *>(combination->y));
    return launched(context, "adding vectors");
}

static __global__ void shift_each(int64_t n, csr_arrays a, val_t shift, const val_t *scale, val_t *val) {
    const int64_t i = thread_number();
    if (i >= n)
        return;
    for (int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
        val[k] *= -scale[i];
    if (shift != 0)
        val[entry_from(a, i, i)] += shift;
}

static spry_status shift_rows(spry_context *context, spry_matrix *csr, double shift, const void *scale) {
    if (csr->rows == 0)
        return SPRY_OK;
    shift_each<<<blocks_for(csr->rows, BLOCK), BLOCK, 0, context->device->stream>>>(
        csr->rows, csr_arrays_of(csr), (val_t)shift, static_cast<const val_t *>(scale),
        as<val_t>(csr->csr.val));
    return launched(context, "shifting a matrix");
}

static __global__ void set_all(int64_t n, val_t value, val_t *x) {
    await_earlier();
    const int64_t i = thread_number();
    if (i < n)
        x[i] = value;
}

static spry_status fill(spry_context *context, int64_t n, double value, void *x) {
    if (n == 0)
        return SPRY_OK;
    launch_early(context, blocks_for(n, BLOCK), BLOCK, set_all, n, (val_t)value, as<val_t>(x));
    return launched(context, "filling a vector");
}

/* The same numbers as in diagonal.c. */
static __global__ void fill_noise(int64_t n, const val_t *inverse, val_t *x) {
    const int64_t i = thread_number();
    if (i < n)
        x[i] = (val_t)(((double)(spry_hash(i) >> 11) * 0x1p-52 - 1) / sqrt((double)inverse[i]));
}

static spry_status noise(spry_context *context, int64_t n, const void *inverse, void *x) {
    if (n == 0)
        return SPRY_OK;
    fill_noise<<<blocks_for(n, BLOCK), BLOCK, 0, context->device->stream>>>(
        n, static_cast<const val_t *>(inverse), as<val_t>(x));
    return launched(context, "making noise");
}

extern "C" {
extern const spry_diagonal_code NAME(spry_diagonal_code);
const spry_diagonal_code NAME(spry_diagonal_code) = {
    .invert = invert,
    .invert_blocks = invert_blocks,
    .apply = apply,
    .apply_blocks = apply_blocks,
    .combine = combine,
    .shift_rows = shift_rows,
    .fill = fill,
    .noise = noise,
};
}

} // namespace solve_diagonal
