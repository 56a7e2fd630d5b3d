/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of segments with many columns: segments.cuh tells how entries are dealt out to warps, and how sums that are open at
 * a block's end reach the block that ends them; here each column has a carry slot of its own.
 *
 * A warp cuts what it has of the entries once more: groups of as many lanes as there are columns at once take consecutive shares
 * of it, entry after entry, a column to a lane. So lanes beside each other read values of x that lie side by side, and what a
 * group needs of the matrix is loaded by its lanes together. Where X lies by columns, it is copied by rows first.
 */
#include <algorithm>

#include "cuda/early.cuh"
#include "spmv/segments.cuh"

extern "C" {
#include "core/saturate.h"
#include "cuda/arrays.h"
}

namespace spmv_segments_many {

/* Values of x that a lane has in flight before it uses the first. */
static constexpr int AHEAD = 8;

/* Where sums go: a column of y. */
struct outputs {
    const idx_t *row, *empty;
    int64_t empty_count, y_step;
    val_t alpha, beta, *y;
    bool is_there; /* lanes past the last column write nothing */

    __device__ void put(int64_t segment, val_t sum) const {
        if (!is_there)
            return;
        val_t *at = y + (row ? (int64_t)row[segment] : segment) * y_step;
        *at = blend(alpha, sum, beta, at);
    }
};

/* What a group of lanes finds in its share. */
struct segment_share {
    int64_t before; /* segments that end before the share */
    bool any;       /* one ends in it */
    val_t lead;     /* sum before the first that ends in it */
    val_t tail;     /* sum from where the last one ends; of the whole share if none does */
};

/* Segments that end before bit `end` of a warp's. */
static __device__ int ends_before(const uint32_t *ends, int end) {
    int count = __popc(ends[end / 32] & ((1u << end % 32) - 1));
    for (int w = 0; w < end / 32; w++)
        count += __popc(ends[w]);
    return count;
}

/* Sum up a share of the warp's range, from its entry number `bit` on, one or several chunks of as many entries as there are
   columns, or none. They are loaded a chunk ahead, one a lane; past the last one, loads repeat it, or any where a block begins
   with the first entry and has none. */
template <int columns>
static __device__ segment_share sum_share(const segment_entries &a, const segment_range &range,
                                          const uint32_t *ends, int bit, int64_t x_step, int64_t before,
                                          const outputs &out) {
    constexpr int ahead = columns < AHEAD ? columns : AHEAD;
    const int lane = threadIdx.x % columns;
    const int64_t begin = range.begin + bit, end = range.begin + range.left, last = end > 0 ? end - 1 : 0;
    const base_finder base(a.idx, range.left > 0 ? range.begin : last, last);
    int64_t k = begin + lane, at = k < end ? k : last;
    idx_t next_column = load_column(a.idx, at), next_base = base(at);
    stored_t next_value = load_stored(a.val, at);
    segment_share share = {before, false, 0, 0};
    for (int chunk = 0; chunk < a.words; chunk++, bit += columns) {
        const idx_t column = next_base + next_column;
        const val_t value = value_of(a.val, next_value);
        const uint32_t marks = ends[bit / 32] >> bit % 32;
        const int64_t left = end - (begin + chunk * columns);
        k += columns;
        at = k < end ? k : last;
        next_column = load_column(a.idx, at);
        next_value = load_stored(a.val, at);
        next_base = base(at);
#pragma unroll
        for (int first = 0; first < columns; first += ahead) {
            val_t factor[ahead];
#pragma unroll
            for (int j = 0; j < ahead; j++)
                factor[j] = __ldg(a.x + __shfl_sync(ALL_LANES, column, first + j, columns) * x_step);
#pragma unroll
            for (int j = 0; j < ahead; j++) {
                const val_t product = times(__shfl_sync(ALL_LANES, value, first + j, columns), factor[j]),
                            term = first + j < left ? product : 0;
                const bool ended = marks >> (first + j) & 1;
                if (ended && share.any)
                    out.put(before, share.tail);
                else if (ended)
                    share.lead = share.tail;
                before += ended;
                share.any |= ended;
                share.tail = ended ? term : share.tail + term;
            }
        }
    }
    return share;
}

/* Sums that are open at the ends of shares, since their segments began: `tail` becomes that, and `any` whether one ends in
   this share of the warp's or before it. */
template <int columns>
static __device__ void join_shares(val_t *tail, bool *any) {
#pragma unroll
    for (int d = columns; d < WARP; d *= 2) {
        const val_t other = __shfl_up_sync(ALL_LANES, *tail, d);
        const bool before = __shfl_up_sync(ALL_LANES, *any, d);
        if (lane_number() < d)
            continue;
        *tail = *any ? *tail : other + *tail;
        *any |= before;
    }
}

/* What the blocks first … end - 1 have published of the lane's column: all groups of lanes together. */
template <int columns>
static __device__ val_t take_column(carry_t *carry, int64_t first, int64_t end) {
    val_t sum = 0;
    for (int64_t b = first + lane_number() / columns; b < end; b += WARP / columns)
        sum += take(carry + b * columns);
#pragma unroll
    for (int d = columns; d < WARP; d *= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, d);
    return sum;
}

/* What the warps before this one have of the segment that is open at its begin; *whole if it began before the block. */
template <int columns>
static __device__ val_t sum_warps(const val_t (*tail)[columns], const bool *any, int warp, bool *whole) {
    val_t sum = 0;
    *whole = true;
    for (int w = warp - 1; w >= 0 && *whole; w--) {
        sum = tail[w][threadIdx.x % columns] + sum;
        *whole = !any[w];
    }
    return sum;
}

/* The segments that end in this block. `carry` is the lane's column of block 0's slots. */
template <int columns>
static __device__ void sum_segments_many(const segment_entries &a, int64_t x_step, carry_t *carry,
                                         const outputs &out) {
    __shared__ val_t tails[SPRY_SEGMENT_WARPS_MOST][columns];
    __shared__ bool any[SPRY_SEGMENT_WARPS_MOST];
    const int lane = lane_number(), warp = threadIdx.x / WARP, warps = blockDim.x / WARP,
              bit = lane / columns * (a.words * columns);
    const int64_t number = (int64_t)blockIdx.x * warps + warp;
    const segment_range range = find_range(a, a.words);
    const uint32_t *ends = a.ends + number * a.words;
    const segment_share share =
        sum_share<columns>(a, range, ends, bit, x_step, a.before[number] + ends_before(ends, bit), out);

    /* Across the warp. */
    val_t open = share.tail;
    bool began = share.any;
    join_shares<columns>(&open, &began);
    const val_t left = __shfl_up_sync(ALL_LANES, open, columns);
    const bool began_left = __shfl_up_sync(ALL_LANES, began, columns) && lane >= columns;
    const val_t ended = lane >= columns ? left + share.lead : share.lead;
    if (share.any && began_left)
        out.put(share.before, ended);
    if (lane >= WARP - columns) {
        tails[warp][lane % columns] = open;
        any[warp] = began;
    }
    __syncthreads();

    /* Across the warps, then the blocks. */
    bool whole;
    val_t earlier = sum_warps<columns>(tails, any, warp, &whole);
    if (warp == warps - 1 && lane >= WARP - columns && !range.closed)
        publish(carry + (int64_t)blockIdx.x * columns, began ? open : earlier + open);
    if (any[warp] && whole)
        earlier = take_column<columns>(carry, range.open, blockIdx.x) + earlier;
    if (share.any && !began_left)
        out.put(share.before, earlier + ended);
}

/* Blocks past those that sum up entries see to the rows that have none; blockIdx.y counts columns. */
template <int columns>
static __global__ void __launch_bounds__(SPRY_SEGMENT_WARPS_MOST *WARP)
    multiply(segment_entries a, int64_t blocks, carry_t *carry, outputs out, int64_t count, int64_t x_step,
             int64_t x_next, int64_t y_next) {
    await_earlier();
    const int64_t first = (int64_t)blockIdx.y * columns, column = first + threadIdx.x % columns;
    out.is_there = column < count;
    a.x += (out.is_there ? column : first) * x_next;
    out.y += (out.is_there ? column : first) * y_next;
    if (blockIdx.x < blocks) {
        sum_segments_many<columns>(a, x_step, carry + (first * blocks + threadIdx.x % columns), out);
        return;
    }
    const int64_t e = ((blockIdx.x - blocks) * blockDim.x + threadIdx.x) / columns;
    if (e < out.empty_count && out.is_there) {
        val_t *y = out.y + out.empty[e] * out.y_step;
        *y = out.beta == 0 ? 0 : out.beta * *y;
    }
}

/* Rows of X. */
static int64_t x_rows(const spry_matrix *matrix) {
    return matrix->format == SPRY_CSC ? matrix->rows : matrix->cols;
}

/* Entries that a row of X must serve for a copy of it to pay: that reads and writes a value of it for each column, and saves what
   an entry reads more than its value, of a sector, where columns lie apart. */
static constexpr int ENTRIES_IF_PACKED = 2;

static bool is_packed(const spry_matrix *matrix, const spry_product *product) {
    return product->x_next != 1 && matrix->nnz / ENTRIES_IF_PACKED >= x_rows(matrix);
}

/* So many columns are taken by 2 to the power of this lanes beside each other, or in turns by as many as a warp has. */
static int lane_bits(int64_t columns) {
    int bits = 1;
    while (1 << bits < columns && 1 << bits < WARP)
        bits++;
    return bits;
}

/* Have `product`, of no more columns than a warp has lanes, read a copy of X by rows. */
static spry_status pack(spry_context *context, int64_t rows, spry_product *product) {
    const int bits = lane_bits(product->columns);
    void *packed = nullptr;
    spry_status status =
        spry_cuda_scratch(context, spry_multiply_sizes((size_t)rows, sizeof(val_t) << bits), &packed);
    if (!status)
        status = spry_cuda_copy_by_rows(context, sizeof(val_t), rows, bits, (int)product->columns, product->x,
                                        product->x_step, product->x_next, packed);
    product->x = packed;
    product->x_step = (int64_t)1 << bits;
    product->x_next = 1;
    return status;
}

/* By as many lanes beside each other as there are columns, or nearly. */
template <int columns>
static spry_status multiply_by(spry_context *context, const spry_matrix *matrix,
                               const spry_product &product) {
    const spry_segments *segments = &matrix->cuda.segments;
    const spry_coo *coo = matrix->format == SPRY_COO ? &matrix->coo : nullptr;
    const int64_t groups = blocks_for(product.columns, columns);
    const size_t slots = spry_multiply_sizes((size_t)(groups * columns), (size_t)segments->blocks);
    spry_status status =
        spry_cuda_grow(context, &context->device->carry, spry_multiply_sizes(slots, sizeof(carry_t)));
    if (status)
        return status;
    segment_entries a = segment_entries_of(
        segments, column_array_of(matrix, coo ? coo->col : matrix->csr.idx),
        value_array_of(matrix, coo ? coo->val : matrix->csr.val), 0, matrix->nnz, product.x);
    a.x -= (coo ? coo->base : matrix->csr.base) * product.x_step;
    const outputs out = {
        as<idx_t>(segments->row), as<idx_t>(segments->empty), segments->empty_count,           product.y_step,
        (val_t)product.alpha,     (val_t)product.beta,        static_cast<val_t *>(product.y), true};
    const int block = segment_threads(segments);
    const dim3 blocks((unsigned)segments->blocks + blocks_for(segments->empty_count, block / columns),
                      (unsigned)groups);
    launch_product(context, matrix, blocks, block, multiply<columns>, a, segments->blocks,
                   static_cast<carry_t *>(spry_workspace(&context->device->carry)), out, product.columns,
                   product.x_step, product.x_next, product.y_next);
    return SPRY_OK;
}

static spry_status multiply_some(spry_context *context, const spry_matrix *matrix,
                                 const spry_product &product) {
    switch (lane_bits(product.columns)) {
    case 1:
        return multiply_by<2>(context, matrix, product);
    case 2:
        return multiply_by<4>(context, matrix, product);
    case 3:
        return multiply_by<8>(context, matrix, product);
    case 4:
        return multiply_by<16>(context, matrix, product);
    default:
        return multiply_by<WARP>(context, matrix, product);
    }
}

/* A copy of X at a time, of as many columns as a warp takes at once. */
static spry_status multiply_packed(spry_context *context, const spry_matrix *matrix,
                                   const spry_product &product) {
    spry_status status = SPRY_OK;
    for (int64_t first = 0; first < product.columns && !status; first += WARP) {
        spry_product some = product;
        some.x = static_cast<const val_t *>(product.x) + first * product.x_next;
        some.y = static_cast<val_t *>(product.y) + first * product.y_next;
        some.columns = std::min<int64_t>(WARP, product.columns - first);
        status = pack(context, x_rows(matrix), &some);
        if (!status)
            status = multiply_some(context, matrix, some);
    }
    return status;
}

extern "C" spry_status CODED(spry_segments_run_many)(spry_context *context, const spry_kernel *kernel,
                                                     const spry_matrix *matrix, const spry_product *product) {
    const spry_status status = is_packed(matrix, product) ? multiply_packed(context, matrix, *product)
                                                          : multiply_some(context, matrix, *product);
    return status ? status : launched(context, kernel->name);
}

} // namespace spmv_segments_many
