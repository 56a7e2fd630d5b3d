/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of several vectors by rows, so that those who read a value of each find them side by side. */
#include "cuda/early.cuh"

extern "C" {
#include "cuda/arrays.h"
}

static constexpr int BLOCK = 256;

/* Values that a block has of all columns together, as a power of two. */
static constexpr int TILE_BITS = 10, TILE = 1 << TILE_BITS;

/* A block takes as many rows of the 2^bits columns as fit its tile. */
template <class T>
static __global__ void __launch_bounds__(BLOCK)
    copy_by_rows(int64_t rows, int bits, int count, const T *x, int64_t x_step, int64_t x_next, T *packed) {
    /* With a gap after each column: lanes that read across columns meet different banks. */
    __shared__ T tile[TILE + WARP];
    const int columns = 1 << bits, depth = TILE >> bits, pitch = depth + (WARP >> bits);
    await_earlier();
    const int64_t first = (int64_t)blockIdx.x * depth;
    for (int e = threadIdx.x; e < TILE; e += BLOCK) {
        const int r = e & (depth - 1), c = e >> (TILE_BITS - bits);
        if (first + r < rows && c < count)
            tile[c * pitch + r] = x[(first + r) * x_step + c * x_next];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < TILE; e += BLOCK) {
        const int r = e >> bits, c = e & (columns - 1);
        if (first + r < rows && c < count)
            packed[(first + r) * columns + c] = tile[c * pitch + r];
    }
}

template <class T>
static void launch_copy(spry_context *context, int64_t rows, int bits, int count, const void *x,
                        int64_t x_step, int64_t x_next, void *packed) {
    launch_early(context, blocks_for(rows, TILE >> bits), BLOCK, copy_by_rows<T>, rows, bits, count,
                 static_cast<const T *>(x), x_step, x_next, static_cast<T *>(packed));
}

extern "C" spry_status spry_cuda_copy_by_rows(spry_context *context, size_t size, int64_t rows, int bits,
                                              int count, const void *x, int64_t x_step, int64_t x_next,
                                              void *packed) {
    if (rows == 0)
        return SPRY_OK;
    if (size == sizeof(float))
        launch_copy<float>(context, rows, bits, count, x, x_step, x_next, packed);
    else
        launch_copy<double>(context, rows, bits, count, x, x_step, x_next, packed);
    return launched(context, "copying vectors by rows");
}
