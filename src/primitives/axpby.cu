/* SPDX-License-Identifier: BSD-3-Clause */
/* y = alpha x + beta y on a device, with or without the sum of w y in the same pass. */
#include "cuda/early.cuh"
#include "primitives/algorithm.cuh"
#include "primitives/pack.cuh"
#include "primitives/reduce.cuh"

#define BLOCK 256
/* Packs of each array that a thread has in flight. */
#define AHEAD 2
/* Blocks on a multiprocessor, where all of them join for a sum. */
#define BLOCKS_MOST 8

constexpr int LENGTH = pack<num_t>::length;

/* What w is. Only the new y is known before it is stored; x is still in the cache. */
enum factor { NO_SUM, OTHER, NEW_Y };

struct vectors {
    num_t alpha, beta;
    const num_t *x;
    num_t *y;
    const num_t *w;
};

template <bool blends>
static __device__ inline num_t updated(const vectors &v, num_t x, num_t y) {
    return blends ? v.alpha * x + v.beta * y : v.alpha * x;
}

/* `packs` packs, `stride` apart. All are read before the first is written, whatever arrays are the same. */
template <bool aligned, bool blends, factor w, int packs>
static __device__ void update(const vectors &v, int64_t first, int64_t stride, double (&sum)[1]) {
    pack<num_t> x[packs], y[packs] = {}, other[packs] = {};
#pragma unroll
    for (int u = 0; u < packs; u++) {
        const int64_t at = (first + u * stride) * LENGTH;
        x[u] = load_pack<aligned>(v.x + at);
        if (blends)
            y[u] = load_pack<aligned>(v.y + at);
        if (w == OTHER)
            other[u] = load_pack<aligned>(v.w + at);
    }
#pragma unroll
    for (int u = 0; u < packs; u++) {
#pragma unroll
        for (int j = 0; j < LENGTH; j++) {
            y[u].v[j] = updated<blends>(v, x[u].v[j], y[u].v[j]);
            if (w != NO_SUM)
                sum[0] += (double)(w == NEW_Y ? y[u].v[j] : other[u].v[j]) * (double)y[u].v[j];
        }
        store_pack<aligned>(v.y + (first + u * stride) * LENGTH, y[u]);
    }
}

template <bool aligned, bool blends, factor w>
static __global__ void __launch_bounds__(BLOCK, BLOCKS_MOST / 2)
    axpby(int64_t n, vectors v, spry_reduction_space *space, double *result) {
    await_earlier();
    const int64_t packs = n / LENGTH, stride = (int64_t)gridDim.x * BLOCK;
    double sum[1] = {};
    int64_t p = thread_number();
    for (; p + (AHEAD - 1) * stride < packs; p += AHEAD * stride)
        update<aligned, blends, w, AHEAD>(v, p, stride, sum);
    for (; p < packs; p += stride)
        update<aligned, blends, w, 1>(v, p, stride, sum);
    const int64_t rest = packs * LENGTH + thread_number();
    if (rest < n) {
        const num_t other = w == OTHER ? v.w[rest] : 0;
        const num_t y = updated<blends>(v, v.x[rest], blends ? v.y[rest] : 0);
        v.y[rest] = y;
        if (w != NO_SUM)
            sum[0] += (double)(w == NEW_Y ? y : other) * (double)y;
    }
    if (w != NO_SUM && grid_sum<1, BLOCK>(sum, space) && threadIdx.x == 0)
        *result = sum[0];
}

template <bool aligned, bool blends>
static void launch(spry_context *context, const spry_axpby_call *call, unsigned blocks) {
    const vectors v = {(num_t)call->alpha, (num_t)call->beta, static_cast<const num_t *>(call->x),
                       static_cast<num_t *>(call->y), static_cast<const num_t *>(call->w)};
    auto *kernel = !v.w         ? axpby<aligned, blends, NO_SUM>
                   : v.w == v.y ? axpby<aligned, blends, NEW_Y>
                                : axpby<aligned, blends, OTHER>;
    launch_early(context, blocks, BLOCK, kernel, call->n, v, context->device->reduction, call->result);
}

/* Without a sum each thread has its packs and ends. */
static spry_status run(spry_context *context, const spry_axpby_call *call) {
    const bool aligned = is_aligned(call->x) && is_aligned(call->y) && is_aligned(call->w);
    const bool blends = call->beta != 0;
    if (call->n == 0 && !call->w)
        return SPRY_OK;
    const unsigned blocks = call->w ? reduction_blocks(context, call->n / LENGTH, BLOCK)
                                    : blocks_for(call->n, (int64_t)BLOCK * LENGTH * AHEAD);
    auto *launcher = aligned ? (blends ? launch<true, true> : launch<true, false>)
                             : (blends ? launch<false, true> : launch<false, false>);
    launcher(context, call, blocks);
    return launched(context, "axpby");
}

static const spry_algorithm algorithms[] = {{SPRY_CUDA_ALGORITHM("axpby", SPRY_AXPBY), .axpby = run}};

extern "C" {
extern const spry_algorithm_list NAME(spry_algorithms_axpby);
const spry_algorithm_list NAME(spry_algorithms_axpby) = {sizeof algorithms / sizeof *algorithms, algorithms};
}
