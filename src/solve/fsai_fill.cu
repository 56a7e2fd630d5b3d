/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of a factorised sparse approximate inverse on a device: the same row by row as on the CPU
   (solve/fsai_fill.c), a warp a row, with the row's system in shared memory. */
#include "formats/csr.cuh"
#include "primitives/device.cuh"

extern "C" {
#include "formats/index_from.h"
#include "solve/fsai.h"
}

namespace solve_fsai_fill {

static constexpr int BLOCK = 64;

/* Entries of a lower triangle, row by row. */
static __host__ __device__ int triangle(int size) {
    return size * (size + 1) / 2;
}

/* A row's system, and a vector beside it. */
struct small_system {
    int size;
    double *entry; /* triangle(size) */
    double *g;     /* size: first what was on the diagonal, in the end the solution */

    __device__ double &at(int r, int c) const {
        return entry[triangle(r) + c];
    }
};

/* The row that entry t of a triangle is in. */
static __device__ int row_of(int t) {
    int r = (int)((sqrtf(8.0f * t + 1) - 1) / 2);
    while (triangle(r + 1) <= t)
        r++;
    while (triangle(r) > t)
        r--;
    return r;
}

/* The sum of a row's entries in one column. */
static __device__ double entry_of(const csr_arrays &a, idx_t row, idx_t column) {
    const int64_t end = a.ptr[row + 1];
    double sum = 0;
    for (int64_t k = index_from(a.idx, a.ptr[row], end, column); k < end && a.idx[k] == column; k++)
        sum += (double)a.val[k];
    return sum;
}

/* An entry to a lane. */
static __device__ void read(const csr_arrays &a, const idx_t *column, double shift, const small_system &s) {
    for (int t = lane_number(); t < triangle(s.size); t += WARP) {
        const int r = row_of(t), c = t - triangle(r);
        const double entry = entry_of(a, column[r], column[c]) * (r == c ? 1 + shift : 1);
        s.entry[t] = entry;
        if (r == c)
            s.g[r] = entry;
    }
    __syncwarp();
}

/* Cholesky's factor in the system's place, with the reciprocals of its diagonal. Whether there is one; lanes agree. */
static __device__ bool factor(const small_system &s) {
    for (int k = 0; k < s.size; k++) {
        const double pivot = s.at(k, k);
        if (!(pivot > s.size * NO_PIVOT * s.g[k]))
            return false;
        const double reciprocal = 1 / sqrt(pivot);
        __syncwarp();
        for (int r = k + lane_number(); r < s.size; r += WARP)
            s.at(r, k) = r == k ? reciprocal : s.at(r, k) * reciprocal;
        __syncwarp();
        for (int r = k + 1 + lane_number(); r < s.size; r += WARP)
            for (int c = k + 1; c <= r; c++)
                s.at(r, c) -= s.at(r, k) * s.at(c, k);
        __syncwarp();
    }
    return true;
}

/* The solution of Lᵀ g = e, with e the last unit vector. */
static __device__ void substitute(const small_system &s) {
    for (int r = lane_number(); r < s.size; r += WARP)
        s.g[r] = r == s.size - 1;
    __syncwarp();
    for (int r = s.size - 1; r >= 0; r--) {
        const double value = s.g[r] * s.at(r, r);
        __syncwarp();
        for (int c = lane_number(); c <= r; c += WARP)
            s.g[c] = c == r ? value : s.g[c] - s.at(r, c) * value;
        __syncwarp();
    }
}

/* Whether all of it is finite: all lanes agree. */
static __device__ bool write(const small_system &s, val_t *row) {
    bool finite = true;
    for (int r = lane_number(); r < s.size; r += WARP) {
        row[r] = (val_t)s.g[r];
        finite &= isfinite(row[r]);
    }
    return __all_sync(ALL_LANES, finite);
}

static __device__ void fill_row(const csr_arrays &a, double shift, const csr_arrays &g, int64_t i,
                                small_system s) {
    const idx_t *column = &g.idx[g.ptr[i]];
    val_t *row = &g.val[g.ptr[i]];
    s.size = (int)(g.ptr[i + 1] - g.ptr[i]);
    read(a, column, shift, s);
    const double diagonal = s.g[s.size - 1];
    bool solved = factor(s);
    if (solved) {
        substitute(s);
        solved = write(s, row);
    }
    for (int r = lane_number(); r < s.size && !solved; r += WARP)
        row[r] = r == s.size - 1 ? (val_t)(1 / sqrt(diagonal)) : 0;
    __syncwarp();
}

static __global__ void __launch_bounds__(BLOCK)
    fill_rows(int64_t n, csr_arrays a, double shift, int most, csr_arrays g) {
    extern __shared__ double memory[];
    const int each = triangle(most) + most, warp = threadIdx.x / WARP;
    double *own = memory + warp * each;
    for (int64_t i = thread_number() / WARP; i < n; i += (int64_t)gridDim.x * (BLOCK / WARP))
        fill_row(a, shift, g, i, {0, own, own + triangle(most)});
}

extern "C" spry_status NAME(spry_fsai_fill)(spry_context *context, const spry_matrix *csr, double shift,
                                            int most, const spry_matrix *factor) {
    const int64_t n = csr->rows;
    if (n == 0)
        return SPRY_OK;
    const size_t shared = (size_t)(triangle(most) + most) * (BLOCK / WARP) * sizeof(double);
    fill_rows<<<blocks_at_once(context, n * WARP, BLOCK), BLOCK, shared, context->device->stream>>>(
        n, csr_arrays_of(csr), shift, most, csr_arrays_of(factor));
    return launched(context, "filling an approximate inverse");
}

} // namespace solve_fsai_fill
