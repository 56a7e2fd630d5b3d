/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense products on a device. */
#include "primitives/algorithm.cuh"
#include "primitives/gemm_fetch.cuh"
#include "primitives/gemm_inner.cuh"
#include "primitives/gemm_outer.cuh"
#include "primitives/gemm_panel.cuh"
#include "primitives/gemm_rows.cuh"

/* ---- a tile of C for each block, in shared memory ---- */

#define TILE 32

/* Tiles of A and B are read along whichever of their sides is denser in memory. What is beyond the matrix is zero. */
static __device__ inline void read_tile(num_t (&tile)[TILE][TILE + 1], const factor &f, int64_t first,
                                        int64_t begin, int64_t depth) {
    const bool lengthwise = llabs(f.along) < llabs(f.across);
    const int line = lengthwise ? threadIdx.y : threadIdx.x, place = lengthwise ? threadIdx.x : threadIdx.y;
    const bool inside = first + line < f.lines && begin + place < depth;
    tile[line][place] = inside ? f.at[(first + line) * f.across + (begin + place) * f.along] : 0;
}

/* One thread for each value of C. */
static __global__ void __launch_bounds__(TILE *TILE) tile(product p) {
    __shared__ num_t a[TILE][TILE + 1], b[TILE][TILE + 1];
    const int64_t across = (p.b.lines + TILE - 1) / TILE, row = blockIdx.x / across * TILE,
                  col = blockIdx.x % across * TILE, i = row + threadIdx.y, j = col + threadIdx.x;
    num_t sum = 0;
    for (int64_t begin = 0; begin < p.depth; begin += TILE) {
        read_tile(a, p.a, row, begin, p.depth);
        read_tile(b, p.b, col, begin, p.depth);
        __syncthreads();
        for (int l = 0; l < TILE; l++)
            sum += a[threadIdx.y][l] * b[threadIdx.x][l];
        __syncthreads();
    }
    if (i < p.a.lines && j < p.b.lines)
        put(p, i, j, sum);
}

static spry_status run_tile(spry_context *context, const spry_gemm_call *call) {
    product p = product_of(call);
    if (llabs(p.c_row) < llabs(p.c_col))
        p = transposed(p);
    const int64_t tiles = (p.a.lines + TILE - 1) / TILE * ((p.b.lines + TILE - 1) / TILE);
    tile<<<blocks_for(tiles, 1), dim3(TILE, TILE), 0, context->device->stream>>>(p);
    return launched(context, "gemm_tile");
}

/* ---- a part of a tile in the registers of each warp ---- */

#if TMPL_IS == TMPL_IS_F64
using large_tiles = block_shape<128, 64, 64, 32, 16, 3, 2>;
using small_tiles = block_shape<64, 64, 32, 32, 16, 3, 2>;
using narrow_tiles = block_shape<64, 16, 32, 16, 16, 3, 6>;
#else
using large_tiles = block_shape<128, 128, 64, 32, 8, 4, 2>;
using small_tiles = block_shape<64, 64, 32, 32, 8, 4, 3>;
using narrow_tiles = block_shape<64, 16, 32, 16, 16, 4, 8>;
#endif

/* ---- panels in pieces for tensor cores ---- */

/* Whether tensor cores' f64 is the way for values of this type: in f32 that is where it is half as fast as f32 is. */
static bool has_pieces(const spry_context *context) {
    if (sizeof(num_t) == sizeof(double))
        return true;
    int ratio = 0;
    return cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio,
                                  context->device_number) == cudaSuccess &&
           ratio <= 2;
}

/* Eight warps a block, or four where it may not have so much shared memory. */
template <int down, int across, int warp_across, int stages>
static spry_status run_inner_in_room(spry_context *context, const product &p) {
    using team = team_shape<down, across, down, warp_across>;
    using large = inner_shape<team, 1, 8, stages, 1>;
    using small = inner_shape<team, 1, 4, stages, 2>;
    return large::bytes <= context->device->shared_bytes ? run_inner<large>(context, p)
                                                         : run_inner<small>(context, p);
}

/* More than 32 lines of both factors. */
static spry_status run_large_inner(spry_context *context, const product &p) {
#ifdef SPRY_GEMM_FETCHES
    using fetched = fetch_shape<team_shape<4, 4, 2, 2>, 2, 12, 4>;
    bool begun = false;
    spry_status status = is_fetched<fetched>(context, p) ? run_fetched<fetched>(context, p, &begun) : SPRY_OK;
    if (status || begun)
        return status;
#endif
    return run_inner<inner_shape<team_shape<4, 4, 4, 1>, 1, 8, 3, 2>>(context, p);
}

/* A has as many lines as B or more. */
static spry_status run_inner_by_size(spry_context *context, const product &p) {
    const int64_t down = pieces_of(p.a.lines), across = pieces_of(p.b.lines);
    if (across > 2)
        return run_large_inner(context, p);
    return down > 2     ? across > 1 ? run_inner_in_room<4, 2, 2, 2>(context, p)
                                     : run_inner_in_room<4, 1, 1, 2>(context, p)
               : across > 1 ? run_inner<inner_shape<team_shape<2, 2, 2, 2>, 1, 4, 3, 2>>(context, p)
           : down > 1   ? run_inner_in_room<2, 1, 1, 4>(context, p)
                        : run_inner<inner_shape<team_shape<1, 1, 1, 1>, 1, 8, 3, 2>>(context, p);
}

static spry_status run_outer_by_size(spry_context *context, const product &p) {
#if TMPL_IS == TMPL_IS_F64
    using wide = outer_shape<4, 8, 4, 1>;
    using narrow = outer_shape<2, 8, 4, 1>;
#else
    using wide = outer_shape<4, 4, 6, 2>;
    using narrow = outer_shape<2, 4, 4, 3>;
#endif
    const int64_t across = outer_across(p);
    return across > 2   ? run_outer<wide>(context, p)
           : across > 1 ? run_outer<narrow>(context, p)
                        : run_outer<outer_shape<1, 8, 4, 2>>(context, p);
}

/* Few columns are B's, and otherwise C's rows are denser in memory than its columns. */
static product arranged(const product &p) {
    const int64_t m = p.a.lines, n = p.b.lines;
    const bool narrow = m <= narrow_tiles::cols || n <= narrow_tiles::cols;
    return (narrow ? m < n : llabs(p.c_row) < llabs(p.c_col)) ? transposed(p) : p;
}

static spry_status run_register(spry_context *context, const spry_gemm_call *call) {
    const product p = arranged(product_of(call));
    if (is_dots(p))
        return p.b.lines == 1   ? run_dots<1>(context, p)
               : p.b.lines == 2 ? run_dots<2>(context, p)
                                : run_dots<PANEL_COLS>(context, p);
    if (is_linear(p))
        return p.b.lines == 1   ? run_linear<1>(context, p)
               : p.b.lines == 2 ? run_linear<2>(context, p)
                                : run_linear<PANEL_COLS>(context, p);
    if (is_row_dots(p))
        return p.b.lines == 1 ? run_row_dots<1>(context, p) : run_row_dots<PANEL_COLS>(context, p);
    if (is_row_linear(p))
        return run_row_linear(context, p);
    if (has_pieces(context)) {
        const product turned = p.a.lines < p.b.lines ? transposed(p) : p;
        if (is_inner(turned))
            return run_inner_by_size(context, turned);
        if (is_outer(turned))
            return run_outer_by_size(context, turned);
    }
    if (p.b.lines <= narrow_tiles::cols)
        return multiply_in_blocks<narrow_tiles>(context, p);
    const bool thin = p.a.lines <= small_tiles::rows || p.b.lines <= small_tiles::cols;
    if (thin || tiles_of<large_tiles>(p) < context->device->multiprocessors)
        return multiply_in_blocks<small_tiles>(context, p);
    return multiply_in_blocks<large_tiles>(context, p);
}

static const spry_algorithm algorithms[] = {
    {SPRY_CUDA_ALGORITHM("gemm_tile", SPRY_GEMM), .gemm = run_tile},
    {SPRY_CUDA_ALGORITHM("gemm_register", SPRY_GEMM), .gemm = run_register},
};

extern "C" {
extern const spry_algorithm_list NAME(spry_algorithms_gemm);
const spry_algorithm_list NAME(spry_algorithms_gemm) = {sizeof algorithms / sizeof *algorithms, algorithms};
}
