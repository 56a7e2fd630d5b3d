/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions on a device. What is added up for each is a record with `sums` sums, which neighbouring elements go into
   in turn, and which are joined over all threads. */
#include <algorithm>

#include "cuda/early.cuh"
#include "primitives/algorithm.cuh"
#include "primitives/pack.cuh"
#include "primitives/reduce.cuh"

#define BLOCK 512
/* Packs a thread has in flight. */
#define AHEAD 4
/* Blocks on a multiprocessor that hide what memory takes to answer, and those that it is given when there is much to
   do: several rounds of them even out what some finish earlier. */
#define BLOCKS_TO_FILL 2
#define BLOCKS_MOST 8

/* ---- what is added up ---- */

struct sum {
    static constexpr int sums = 1;
    static constexpr bool pairs = false; /* whether it takes y */
    using join = add;
    static __device__ void take(sum_t (&s)[sums], num_t x, num_t) {
        s[0] += (sum_t)x;
    }
    static __device__ sum_t result(const sum_t (&s)[sums]) {
        return s[0];
    }
};

struct dot : sum {
    static constexpr bool pairs = true;
    static __device__ void take(sum_t (&s)[sums], num_t x, num_t y) {
        s[0] += (sum_t)x * (sum_t)y;
    }
};

/* The least integer has no absolute value: the largest stands for it. */
static __device__ inline sum_t magnitude(sum_t x) {
    if (!TMPL_IS_FLOATING && x == (sum_t)INT64_MIN)
        return (sum_t)INT64_MAX;
    return x < 0 ? -x : x;
}

struct max_abs : sum {
    using join = larger;
    static __device__ void take(sum_t (&s)[sums], num_t x, num_t) {
        s[0] = larger()(s[0], magnitude(x));
    }
};

#if TMPL_IS == TMPL_IS_F32
/* No square of a float overflows or underflows a double. */
struct norm2 : sum {
    static __device__ void take(sum_t (&s)[sums], num_t x, num_t) {
        s[0] += (double)x * (double)x;
    }
    static __device__ sum_t result(const sum_t (&s)[sums]) {
        return sqrt(s[0]);
    }
};
#elif TMPL_IS == TMPL_IS_F64
/* Squares are added up in three sums, of large numbers scaled down, of small ones scaled up, and of all others
   (J. L. Blue, “A portable Fortran program to find the Euclidean norm of a vector”, ACM Transactions on Mathematical
   Software 4, 1978). The constants are those of LAPACK 3.10. Neither comparison holds for NaN. */
struct norm2 {
    static constexpr int sums = 3;
    static constexpr bool pairs = false;
    using join = add;
    static constexpr double small = 0x1p-511, large = 0x1p486, up = 0x1p537, down = 0x1p-538;

    static __device__ void take(double (&s)[sums], double x, double) {
        double size = fabs(x);
        if (size > large)
            s[2] += (size * down) * (size * down);
        else if (size < small)
            s[0] += (size * up) * (size * up);
        else
            s[1] += size * size;
    }
    /* Beside a sum of others, which is 2⁻¹⁰²² at least, what small ones lose when scaled back is a rounding. */
    static __device__ double result(const double (&s)[sums]) {
        if (s[2] != 0)
            return sqrt(s[2] + s[1] * down * down) / down;
        if (s[1] != 0)
            return sqrt(s[1] + s[0] / up / up);
        return sqrt(s[0]) / up;
    }
};
#endif

/* Run with the record for a reduction. */
template <class Run>
static spry_status run_with(enum spry_reduction reduction, Run run) {
    switch (reduction) {
    case SPRY_REDUCE_DOT:
        return run(dot{});
    case SPRY_REDUCE_MAX_ABS:
        return run(max_abs{});
#if TMPL_IS_FLOATING
    case SPRY_REDUCE_NORM2:
        return run(norm2{});
#endif
    default:
        return run(sum{});
    }
}

/* ---- a tree in shared memory ---- */

/* Half of the values are added to the other half, until thread 0 has the one that is left. */
template <class Reduction>
static __device__ void join_in_tree(sum_t (&s)[Reduction::sums]) {
    __shared__ sum_t tree[BLOCK];
    typename Reduction::join join;
    for (int k = 0; k < Reduction::sums; k++) {
        tree[threadIdx.x] = s[k];
        for (int half = BLOCK / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half)
                tree[threadIdx.x] = s[k] = join(s[k], tree[threadIdx.x + half]);
        }
        __syncthreads();
    }
}

template <class Reduction>
static __global__ void reduce_to_parts(int64_t n, const num_t *x, const num_t *y,
                                       spry_reduction_space *space) {
    sum_t s[Reduction::sums] = {};
    FOR_ALL(i, 0, n)
    Reduction::take(s, x[i], Reduction::pairs ? y[i] : x[i]);
    join_in_tree<Reduction>(s);
    for (int k = 0; k < Reduction::sums && threadIdx.x == 0; k++)
        reinterpret_cast<sum_t *>(space->partial[k])[blockIdx.x] = s[k];
}

/* One block. */
template <class Reduction>
static __global__ void reduce_parts(unsigned parts, const spry_reduction_space *space, sum_t *result) {
    sum_t s[Reduction::sums] = {};
    typename Reduction::join join;
    for (int k = 0; k < Reduction::sums; k++)
        for (unsigned p = threadIdx.x; p < parts; p += BLOCK)
            s[k] = join(s[k], reinterpret_cast<const sum_t *>(space->partial[k])[p]);
    join_in_tree<Reduction>(s);
    if (threadIdx.x == 0)
        *result = Reduction::result(s);
}

static spry_status reduce_tree(spry_context *context, const spry_reduce_call *call) {
    const num_t *x = static_cast<const num_t *>(call->x), *y = static_cast<const num_t *>(call->y);
    spry_reduction_space *space = context->device->reduction;
    cudaStream_t stream = context->device->stream;
    const unsigned blocks = reduction_blocks(context, call->n, BLOCK);
    return run_with(call->reduction, [&](auto reduction) {
        using Reduction = decltype(reduction);
        reduce_to_parts<Reduction><<<blocks, BLOCK, 0, stream>>>(call->n, x, y, space);
        reduce_parts<Reduction><<<1, BLOCK, 0, stream>>>(blocks, space, static_cast<sum_t *>(call->result));
        return launched(context, "reduce_tree");
    });
}

/* ---- registers and shuffles, in one launch ---- */

/* `packs` packs, `stride` apart. */
template <class Reduction, bool aligned, int packs>
static __device__ void take_packs(sum_t (&s)[Reduction::sums], int64_t first, int64_t stride, const num_t *x,
                                  const num_t *y) {
    pack<num_t> a[packs], b[packs] = {};
#pragma unroll
    for (int u = 0; u < packs; u++) {
        const int64_t at = (first + u * stride) * pack<num_t>::length;
        a[u] = load_pack<aligned>(x + at);
        if (Reduction::pairs)
            b[u] = load_pack<aligned>(y + at);
    }
#pragma unroll
    for (int u = 0; u < packs; u++)
#pragma unroll
        for (int j = 0; j < pack<num_t>::length; j++)
            Reduction::take(s, a[u].v[j], b[u].v[j]);
}

template <class Reduction, bool aligned>
static __global__ void __launch_bounds__(BLOCK, BLOCKS_TO_FILL)
    reduce_all(int64_t n, const num_t *x, const num_t *y, spry_reduction_space *space, sum_t *result) {
    await_earlier();
    sum_t s[Reduction::sums] = {};
    const int64_t packs = n / pack<num_t>::length, stride = (int64_t)gridDim.x * BLOCK;
    int64_t p = thread_number();
    for (; p + (AHEAD - 1) * stride < packs; p += AHEAD * stride)
        take_packs<Reduction, aligned, AHEAD>(s, p, stride, x, y);
    for (; p < packs; p += stride)
        take_packs<Reduction, aligned, 1>(s, p, stride, x, y);
    const int64_t rest = packs * pack<num_t>::length + thread_number();
    if (rest < n)
        Reduction::take(s, x[rest], Reduction::pairs ? y[rest] : x[rest]);
    if (grid_join<BLOCK>(s, space, typename Reduction::join{}) && threadIdx.x == 0)
        *result = Reduction::result(s);
}

/* A pack a thread fills the device first; then threads get AHEAD of them; then blocks become more. */
static unsigned blocks_to_reduce(const spry_context *context, int64_t n) {
    const int64_t multiprocessors = context->device->multiprocessors;
    const int64_t all = n / (BLOCK * pack<num_t>::length) + 1, busy = all / AHEAD + 1;
    const int64_t few = std::min(all, multiprocessors * BLOCKS_TO_FILL);
    return (unsigned)std::min(
        {std::max(few, busy), multiprocessors * BLOCKS_MOST, (int64_t)SPRY_REDUCTION_BLOCKS});
}

static spry_status reduce_shuffle(spry_context *context, const spry_reduce_call *call) {
    const num_t *x = static_cast<const num_t *>(call->x), *y = static_cast<const num_t *>(call->y);
    const unsigned blocks = blocks_to_reduce(context, call->n);
    const bool aligned = is_aligned(x) && (call->reduction != SPRY_REDUCE_DOT || is_aligned(y));
    return run_with(call->reduction, [&](auto reduction) {
        using Reduction = decltype(reduction);
        auto *kernel = aligned ? reduce_all<Reduction, true> : reduce_all<Reduction, false>;
        launch_early(context, blocks, BLOCK, kernel, call->n, x, y, context->device->reduction,
                     static_cast<sum_t *>(call->result));
        return launched(context, "reduce_shuffle");
    });
}

static const spry_algorithm algorithms[] = {
    {SPRY_CUDA_ALGORITHM("reduce_tree", SPRY_REDUCE), .reduce = reduce_tree},
    {SPRY_CUDA_ALGORITHM("reduce_shuffle", SPRY_REDUCE), .reduce = reduce_shuffle},
};

extern "C" {
extern const spry_algorithm_list NAME(spry_algorithms_reduce);
const spry_algorithm_list NAME(spry_algorithms_reduce) = {sizeof algorithms / sizeof *algorithms, algorithms};
}
