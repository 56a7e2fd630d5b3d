/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR on a device. The transpose of CSC is the same product. */
#include <algorithm>

#include "cuda/early.cuh"
#include "cuda/lanes.cuh"
#include "primitives/device.cuh"
#include "primitives/reduce.cuh"
#include "spmv/segments.cuh"
#include "spmv/scatter.cuh"

namespace spmv_csr {

static constexpr int BLOCK = 128;

/* Slices of the matrix, with arrays that are taken to begin so much earlier that its base fits them. */
struct rows {
    int64_t count;
    const ptr_t *ptr;
    column_array idx;
    value_array val;
    const val_t *x;
};

static rows rows_of(const spry_kernel *kernel, const spry_matrix *matrix, const void *x) {
    const spry_csr *csr = &matrix->csr;
    return {kernel->op == SPRY_N ? matrix->rows : matrix->cols, as<ptr_t>(csr->ptr),
            column_array_of(matrix, csr->idx) + -csr->base, value_array_of(matrix, csr->val) + -csr->base,
            static_cast<const val_t *>(x) - csr->base};
}

/* One thread a row: what a kernel does, and no more. */
static __global__ void scalar(rows a, val_t alpha, val_t beta, val_t *y) {
    int64_t i = thread_number();
    if (i >= a.count)
        return;
    const idx_t base = base_of_row(a.idx, i);
    val_t sum = 0;
    for (ptr_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
        sum = fma(value_at(a.val, k), a.x[base + column_at(a.idx, k)], sum);
    y[i] = blend(alpha, sum, beta, &y[i]);
}

static spry_status run_scalar(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    rows a = rows_of(kernel, matrix, product->x);
    scalar<<<blocks_for(a.count, BLOCK), BLOCK, 0, context->device->stream>>>(
        a, (val_t)product->alpha, (val_t)product->beta, static_cast<val_t *>(product->y));
    return launched(context, kernel->name);
}

/* Threads of a block whose rows are shared by `lanes` each. */
template <int lanes>
constexpr int block_of = lanes > BLOCK ? lanes : BLOCK;

/* Entries of a row that a lane asks for before it uses the first: rows that it has alone are short. */
template <int lanes>
constexpr int entries_of_round = lanes > 1 ? SPRY_ROUND_ENTRIES : 2;

/* Add up the sums of a row's lanes, in a fixed order. All lanes have it, or the first one where they are more than a
   warp. */
template <int lanes>
static __device__ val_t sum_shares(val_t sum) {
    sum = sum_lanes<std::min(lanes, WARP)>(sum);
    if constexpr (lanes > WARP) {
        __shared__ val_t sums[block_of<lanes> / WARP];
        sums[threadIdx.x / WARP] = sum;
        __syncthreads();
        const int first = threadIdx.x / lanes * (lanes / WARP);
        for (int w = 1; w < lanes / WARP && threadIdx.x % lanes == 0; w++)
            sum += sums[first + w];
    }
    return sum;
}

/* A group of lanes shares a row, each taking every lanes-th entry. Past the last entry, loads repeat it: see
   ell.cuh. */
template <int lanes, bool dots>
static __global__ void __launch_bounds__(block_of<lanes>)
    grouped(rows a, val_t alpha, val_t beta, val_t *y, const val_t *w, double *partial) {
    await_earlier();
    constexpr int entries = entries_of_round<lanes>;
    const int64_t i = ((int64_t)blockIdx.x * block_of<lanes> + threadIdx.x) / lanes;
    const int lane = threadIdx.x % lanes;
    const bool inside = i < a.count;
    ptr_t k = inside ? a.ptr[i] + lane : 0;
    const ptr_t end = inside ? a.ptr[i + 1] : 0;
    const idx_t base = inside ? base_of_row(a.idx, i) : 0;
    val_t sum = 0;
    for (; k < end; k += entries * lanes) {
        idx_t column[entries];
        stored_t stored[entries];
        val_t value[entries], factor[entries];
        load_entries(
            a.idx, a.val, [&](int s) { return end - k > s * lanes ? k + s * lanes : end - 1; }, column,
            stored);
#pragma unroll
        for (int s = 0; s < entries; s++)
            factor[s] = __ldg(a.x + (base + column[s]));
        values_of(a.val, stored, value);
#pragma unroll
        for (int s = 0; s < entries; s++)
            sum = end - k > s * lanes ? fma(value[s], factor[s], sum) : sum;
    }
    sum = sum_shares<lanes>(sum);
    const bool writes = inside && lane == 0;
    if (writes)
        y[i] = sum = blend(alpha, sum, beta, &y[i]);
    if constexpr (dots) {
        double dot[1] = {writes ? (double)w[i] * (double)sum : 0};
        block_join<block_of<lanes>>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

template <int lanes>
static int64_t grouped_partials(const spry_matrix *matrix) {
    return blocks_for(matrix->rows, block_of<lanes> / lanes);
}

template <int lanes>
static spry_status run_grouped(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                               const spry_product *product) {
    rows a = rows_of(kernel, matrix, product->x);
    const int block = block_of<lanes>;
    auto run = product->partial ? grouped<lanes, true> : grouped<lanes, false>;
    launch_product(context, matrix, blocks_for(a.count, block / lanes), block, run, a, (val_t)product->alpha,
                   (val_t)product->beta, static_cast<val_t *>(product->y),
                   static_cast<const val_t *>(product->w), product->partial);
    return launched(context, kernel->name);
}

/* ---- many columns ---- */

/* Entries that a thread has in flight before it uses the first. */
static constexpr int MANY_AHEAD = 4;

/* What one of `shares` adds to column c of the product of a row, which is at[0] of row 0 of x: every shares-th entry.
   Lanes beside each other read the same entries, and columns that lie side by side from the same lines of x. */
template <int shares>
static __device__ val_t share_of_row(const rows &a, int64_t i, int share, int64_t x_step, const val_t *at) {
    const int64_t end = a.ptr[i + 1];
    const idx_t base = base_of_row(a.idx, i);
    val_t sum = 0;
    int64_t k = a.ptr[i] + share;
    for (; k + (MANY_AHEAD - 1) * shares < end; k += MANY_AHEAD * shares) {
        val_t value[MANY_AHEAD], x[MANY_AHEAD];
#pragma unroll
        for (int s = 0; s < MANY_AHEAD; s++) {
            value[s] = value_at(a.val, k + s * shares);
            x[s] = at[(base + column_at(a.idx, k + s * shares)) * x_step];
        }
#pragma unroll
        for (int s = 0; s < MANY_AHEAD; s++)
            sum = fma(value[s], x[s], sum);
    }
    for (; k < end; k += shares)
        sum = fma(value_at(a.val, k), at[(base + column_at(a.idx, k)) * x_step], sum);
    return sum;
}

/* A lane for each of `columns` columns, and for each of the shares of a row. */
template <int columns, int shares>
static __global__ void __launch_bounds__(BLOCK) many(rows a, spry_product product) {
    await_earlier();
    const int64_t i = thread_number() / (columns * shares);
    const int lane = threadIdx.x % (columns * shares), share = lane / columns;
    for (int64_t first = 0; first < product.columns; first += columns) {
        const int64_t c = first + lane % columns;
        const bool is_here = i < a.count && c < product.columns;
        val_t sum = is_here ? share_of_row<shares>(a, i, share, product.x_step, a.x + c * product.x_next) : 0;
#pragma unroll
        for (int step = columns; step < columns * shares; step *= 2)
            sum += __shfl_xor_sync(ALL_LANES, sum, step);
        val_t *y = static_cast<val_t *>(product.y) + i * product.y_step + c * product.y_next;
        if (is_here && share == 0)
            *y = blend((val_t)product.alpha, sum, (val_t)product.beta, y);
    }
}

template <int columns, int shares>
static void launch_many(spry_context *context, const spry_matrix *matrix, const rows &a,
                        const spry_product *product) {
    launch_product(context, matrix, blocks_for(a.count, BLOCK / (columns * shares)), BLOCK,
                   many<columns, shares>, a, *product);
}

/* Lanes that share a row in products with one vector; 0: no fixed number of them, or there is no kernel. */
static int lanes_along(const spry_matrix *matrix) {
    const spry_kernel *kernel = matrix->kernel[matrix->format == SPRY_CSR ? SPRY_N : SPRY_T];
    return kernel ? kernel->lanes : 0;
}

/* As many shares as suit the rows, by the number of lanes that suits a product with one vector. */
template <int columns>
static void choose_shares(spry_context *context, const spry_matrix *matrix, const rows &a, int lanes,
                          const spry_product *product) {
    constexpr int most = WARP / columns;
    if (lanes <= 2 || most == 1)
        launch_many<columns, 1>(context, matrix, a, product);
    else if (lanes <= 4 || most == 2)
        launch_many<columns, std::min(most, 2)>(context, matrix, a, product);
    else
        launch_many < columns, most<4 ? most : 4>(context, matrix, a, product);
}

static spry_status run_many(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                            const spry_product *product) {
    rows a = rows_of(kernel, matrix, product->x);
    a.x = static_cast<const val_t *>(product->x) - matrix->csr.base * product->x_step;
    const int lanes = lanes_along(matrix);
    if (product->columns <= 2)
        choose_shares<2>(context, matrix, a, lanes, product);
    else if (product->columns <= 4)
        choose_shares<4>(context, matrix, a, lanes, product);
    else if (product->columns <= 8)
        choose_shares<8>(context, matrix, a, lanes, product);
    else if (product->columns <= 16)
        choose_shares<16>(context, matrix, a, lanes, product);
    else
        choose_shares<WARP>(context, matrix, a, lanes, product);
    return launched(context, kernel->name);
}

/* Rows that suit a few lanes: longer ones, and few long ones among short ones, are left to segments. */
static bool has_short_rows(const spry_matrix *matrix) {
    const int lanes = lanes_along(matrix);
    return lanes > 0 && lanes < WARP;
}

/* ---- the table ---- */

/* The share of the matrix that the nearest cache has lost when a row is gone on with: so many rows are under way at once that
   their cache lines do not all stay there from one time through the loop to the next. */
static double lost_share(const spry_candidate *candidate, int lanes_each) {
    const spry_context *context = candidate->context;
    const spry_features *features = candidate->features;
    const double length = (double)features->nnz / (double)features->rows,
                 bytes = candidate->bytes / (double)features->rows * context->device->threads / lanes_each,
                 held = (double)context->inner_bytes;
    return length > lanes_each * SPRY_ROUND_ENTRIES && bytes > held ? 1 - held / bytes : 0;
}

/* Times through the loop, of the warps of all rows. */
template <int lanes>
static double rounds_of_warps(const spry_features *features) {
    if (lanes > 1)
        return (double)features->rounds[spry_round_choice(lanes)];
    /* Half a round is wasted at the end of each. */
    const double warps = (double)features->rows / WARP;
    return spry_group_steps(features, WARP, features->longest) / entries_of_round<1> + warps / 2;
}

template <int lanes>
static spry_terms grouped_work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.critical = ceil((double)features->longest / (entries_of_round<lanes> * lanes));
    amounts.steps = rounds_of_warps<lanes>(features) / processors;
    amounts.units = (double)features->rows * lanes / WARP / processors;
    amounts.streams = lost_share(candidate, lanes) * (amounts.far + amounts.near * processors);
    return amounts;
}

/* Whether the places of one more round past the last entry, by pointers from 0 or 1, are numbers that pointers can be. */
template <int lanes>
static bool has_room(const spry_matrix *matrix) {
    return matrix->nnz < spry_pointer_max(matrix->index) - SPRY_ROUND_ENTRIES * lanes;
}

/* Known before they are planned: of CSR that is only compared with. */
static bool has_segments(const spry_matrix *matrix) {
    return matrix->nnz > 0;
}

/* CSR and the transpose of CSC. */
#define CSR_AND_CSC(name, ...)                                                                               \
    SPRY_CUDA_KERNELS("csr_" name, SPRY_CSR, SPRY_N, __VA_ARGS__),                                           \
        SPRY_CUDA_KERNELS("csc_" name, SPRY_CSC, SPRY_T, __VA_ARGS__)

#define GROUPED(number)                                                                                      \
    SPRY_CUDA_KERNELS("csr_lanes" #number, SPRY_CSR, SPRY_N, .lanes = number, .takes = has_room<number>,     \
                      .run = run_grouped<number>, .partials = grouped_partials<number>,                      \
                      .work = grouped_work<number>),                                                         \
        SPRY_CUDA_KERNELS("csc_lanes" #number, SPRY_CSC, SPRY_T, .lanes = number, .takes = has_room<number>, \
                          .run = run_grouped<number>, .work = grouped_work<number>,                          \
                          .priced_as = "csr_lanes" #number)

static const spry_kernel kernels[] = {
    CSR_AND_CSC("scalar", .lanes = 1, .run = run_scalar),
    GROUPED(1),
    GROUPED(2),
    GROUPED(4),
    GROUPED(8),
    GROUPED(16),
    GROUPED(32),
    GROUPED(128),
    GROUPED(512),
    CSR_AND_CSC("many_segments", .many = true, .takes = has_segments, .run = CODED(spry_segments_run_many)),
    CSR_AND_CSC("many", .many = true, .takes = has_short_rows, .run = run_many),
    CSR_AND_CSC("segments", .takes = has_segments, .run = CODED(spry_segments_run),
                .work = NAME(spry_segments_work), .priced_as = "csr_segments"),
};

extern "C" {
extern const spry_kernel_list CODED(spry_kernels_csr);
const spry_kernel_list CODED(spry_kernels_csr) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_csr
