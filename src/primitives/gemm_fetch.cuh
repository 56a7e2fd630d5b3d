/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C = Vᵀ W as in gemm_inner.cuh, with chunks that the device's copying unit fetches (compute capability 9.0, “tensor
 * memory accelerator”): one lane of each block asks for them, and all warps but its own only multiply. A stage in shared
 * memory is 16 places of all lines of both factors, in rows of 128 bytes, whose packets the unit exchanges so that lanes
 * do not meet in a bank: packet k of row r is where k ^ (r % 8) would be. What is beyond a factor becomes zero.
 */
#ifndef SPRY_GEMM_FETCH_CUH
#define SPRY_GEMM_FETCH_CUH

#include "primitives/gemm_inner.cuh"

#if TMPL_IS == TMPL_IS_F64
#define SPRY_GEMM_FETCHES 1
#include <cuda.h>
#include <cudaTypedefs.h>

/* Bytes of a row in shared memory, and how stages are aligned, for packets to be exchanged. */
#define FETCHED_ROW 128
#define FETCHED_ALIGNMENT 1024

/* Teams of a block, each of which takes every `teams`th stage; stages; and how many of these a block has side by side in
   memory. */
template <class Team, int teams_, int stages_, int span_>
struct fetch_shape : Team {
    using Team::across, Team::down, Team::team, Team::values;
    static constexpr int teams = teams_, stages = stages_, span = span_;
    static constexpr int threads = (teams * team + 1) * WARP;
    static constexpr int piece_bytes = PIECE * FETCHED_ROW, stage_bytes = (down + across) * piece_bytes;
    static constexpr int copied = stages * stage_bytes, added = teams * values * (int)sizeof(double),
                         bytes = FETCHED_ALIGNMENT + (copied > added ? copied : added),
                         barriers = 2 * stages * (int)sizeof(uint64_t);
};

/* Lines and places of an instruction, for factors whose lines are contiguous or whose places are: two rows of neighbouring
   lanes have their packets exchanged by different numbers, or are different packets of one row. */
struct fetched_arrangement {
    bool along;

    __device__ int line(int k) const {
        return along ? k / 2 + k % 2 * 4 : 2 * k;
    }
    __device__ int second() const {
        return along ? 8 : 1;
    }
};

/* Packet k of a row of a piece. */
static __device__ inline packet<2> fetched_packet(const unsigned char *piece, int row, int k) {
    return *reinterpret_cast<const packet<2> *>(piece + row * FETCHED_ROW +
                                                (k ^ row % 8) * sizeof(packet<2>));
}

/* What this lane has of a piece. */
template <bool along>
static __device__ inline piece fetched_piece(const unsigned char *from) {
    const int quad = lane_number() % 4, k = lane_number() / 4;
    piece result;
    if (along) {
        const int line = fetched_arrangement{true}.line(k);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const packet<2> x = fetched_packet(from, line + i % 2 * 8, quad + i / 2 * 4);
            result.value[i / 2 * 4 + i % 2] = x.value[0];
            result.value[i / 2 * 4 + 2 + i % 2] = x.value[1];
        }
    } else {
#pragma unroll
        for (int s = 0; s < 4; s++) {
            const packet<2> x = fetched_packet(from, 2 * quad + s / 2 * 8 + s % 2, k);
            result.value[2 * s] = x.value[0];
            result.value[2 * s + 1] = x.value[1];
        }
    }
    return result;
}

/* ---- barriers in shared memory, which count arrivals and bytes ---- */

static __device__ inline unsigned shared_address(const void *at) {
    return (unsigned)__cvta_generic_to_shared(at);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __device__ inline void open_barrier(uint64_t *barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
                 : "memory");
}

static __device__ inline void arrive(uint64_t *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

static __device__ inline void arrive_before(uint64_t *barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* Until the barrier's phase of that parity has ended. */
static __device__ inline void await(uint64_t *barrier, int parity) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

static __device__ inline void fetch(unsigned char *to, const CUtensorMap &map, int first, int second,
                                    uint64_t *barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
                 "l"(&map), "r"(first), "r"(second), "r"(shared_address(barrier))
                 : "memory");
}

/* ---- stages ---- */

/* Full when all bytes are there, free when all warps of a team have read them. */
template <class Shape>
struct fetched_stages {
    unsigned char *at;
    uint64_t *full, *free;

    /* Where stage number i of this block begins. */
    static __device__ int64_t place(int64_t i) {
        return ((i / Shape::span * gridDim.x + blockIdx.x) * Shape::span + i % Shape::span) * PIECE;
    }
    __device__ void open() const {
        for (int k = 0; k < Shape::stages; k++) {
            open_barrier(full + k, 1);
            open_barrier(free + k, Shape::team);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
};

/* By one lane. */
template <class Shape, bool along>
static __device__ inline void fetch_all(const fetched_stages<Shape> &stages, int64_t depth,
                                        const CUtensorMap &a, const CUtensorMap &b) {
    int stage = 0, parity = 1; /* of a barrier that has not had a phase yet, the one before it has ended */
    for (int64_t i = 0, place; (place = stages.place(i)) < depth; i++) {
        unsigned char *to = stages.at + stage * Shape::stage_bytes;
        uint64_t *full = stages.full + stage;
        await(stages.free + stage, parity);
        arrive_before(full, Shape::stage_bytes);
        if (along) {
            fetch(to, a, (int)place, 0, full);
            fetch(to + Shape::down * Shape::piece_bytes, b, (int)place, 0, full);
        } else
#pragma unroll
            for (int k = 0; k < Shape::down + Shape::across; k++)
                fetch(to + k * Shape::piece_bytes, k < Shape::down ? a : b,
                      (k < Shape::down ? k : k - Shape::down) * PIECE, (int)place, full);
        if (++stage == Shape::stages) {
            stage = 0;
            parity ^= 1;
        }
    }
}

/* Add the product of a stage, of which a warp has these pieces. */
template <bool along, class Shape>
static __device__ inline void add_fetched(const unsigned char *a, const unsigned char *b,
                                          inner_sums<Shape> &sums) {
    piece y[Shape::warp_across];
#pragma unroll
    for (int j = 0; j < Shape::warp_across; j++)
        y[j] = fetched_piece<along>(b + j * Shape::piece_bytes);
#pragma unroll
    for (int i = 0; i < Shape::warp_down; i++) {
        const piece x = fetched_piece<along>(a + i * Shape::piece_bytes);
#pragma unroll
        for (int j = 0; j < Shape::warp_across; j++)
            sums.sum[i][j].add(x, y[j]);
    }
}

/* By the warps of a team. */
template <class Shape, bool along>
static __device__ inline void add_all(const fetched_stages<Shape> &stages, int64_t depth,
                                      inner_sums<Shape> &sums) {
    static_assert(Shape::teams <= Shape::stages, "a team's next stage is in the next phase at most");
    const int warp = (int)threadIdx.x / WARP, team = warp / Shape::team, member = warp % Shape::team;
    int stage = team, parity = 0;
    for (int64_t i = team; stages.place(i) < depth; i += Shape::teams) {
        const unsigned char *a = stages.at + stage * Shape::stage_bytes +
                                 first_down<Shape>(member) * Shape::piece_bytes,
                            *b = stages.at + stage * Shape::stage_bytes +
                                 (Shape::down + first_across<Shape>(member)) * Shape::piece_bytes;
        await(stages.full + stage, parity);
        add_fetched<along>(a, b, sums);
        __syncwarp();
        if (lane_number() == 0)
            arrive(stages.free + stage);
        stage += Shape::teams;
        if (stage >= Shape::stages) {
            stage -= Shape::stages;
            parity ^= 1;
        }
    }
}
#endif

/* Each block leaves a slice. The last warp fetches. */
template <class Shape, bool along>
static __global__ void __launch_bounds__(Shape::threads, 1)
    fetched_inner(int64_t depth, const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                  num_t *part) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    extern __shared__ __align__(16) unsigned char shared[];
    __shared__ uint64_t full[Shape::stages], free[Shape::stages];
    const unsigned beyond = shared_address(shared) % FETCHED_ALIGNMENT;
    unsigned char *const at = shared + (beyond == 0 ? 0 : FETCHED_ALIGNMENT - beyond);
    const fetched_stages<Shape> stages = {at, full, free};
    inner_sums<Shape> sums;
    if (threadIdx.x == 0)
        stages.open();
    __syncthreads();
    if (threadIdx.x / WARP < Shape::teams * Shape::team)
        add_all<Shape, along>(stages, depth, sums);
    else if (lane_number() == 0)
        fetch_all<Shape, along>(stages, depth, a, b);
    __syncwarp();
    leave_slice(sums, reinterpret_cast<double *>(at), part);
#endif
}

/* ---- which products, and their launch ---- */

/* The driver's function that describes a matrix to the unit, or null where it has none. */
static inline PFN_cuTensorMapEncodeTiled_v12000 find_describing() {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                         &found) == cudaSuccess &&
        found == cudaDriverEntryPointSuccess)
        return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
    (void)cudaGetLastError();
    return nullptr;
}

static inline PFN_cuTensorMapEncodeTiled_v12000 describing() {
    static const PFN_cuTensorMapEncodeTiled_v12000 function = find_describing();
    return function;
}

/* Describe a factor, whose contiguous values come first. */
static inline bool describe(const factor &f, int64_t depth, pairing pairs, CUtensorMap *map) {
    const bool along = pairs == ALONG_LINES;
    const auto encode = describing();
    const cuuint64_t size[] = {(cuuint64_t)(along ? depth : f.lines), (cuuint64_t)(along ? f.lines : depth)},
                     apart[] = {(cuuint64_t)(along ? f.across : f.along) * sizeof(num_t)};
    const cuuint32_t box[] = {PIECE, (cuuint32_t)(along ? INNER_LINES : PIECE)}, steps[] = {1, 1};
    return encode &&
           encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 2, const_cast<num_t *>(f.at), size, apart, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

/* Whether rows as far apart as that can be described. */
static inline bool is_describable(int64_t apart, int64_t row, int64_t rows) {
    return apart >= row && apart < INT64_C(1) << 36 && row < INT32_MAX && rows < INT32_MAX;
}

static inline bool is_describable(const factor &f, int64_t depth, pairing pairs) {
    return pairs == ALONG_LINES ? is_describable(f.across, depth, f.lines)
                                : is_describable(f.along, f.lines, depth);
}

/* Places of both factors are arranged alike, the code at hand is of 9.0, as starts_early says it is, and a block may have the
   shared memory. */
template <class Shape>
static bool is_fetched(const spry_context *context, const product &p) {
    const pairing pairs = pairing_of(p.a);
    return context->device->starts_early && pairs != NO_PAIRS && pairs == pairing_of(p.b) &&
           is_describable(p.a, p.depth, pairs) && is_describable(p.b, p.depth, pairs) &&
           Shape::bytes + Shape::barriers <= context->device->shared_bytes && describing();
}

/* Where the driver cannot describe the factors, *begun is false. It is asked after calls that make the context of this thread. */
template <class Shape>
static spry_status run_fetched(spry_context *context, const product &p, bool *begun) {
    const pairing pairs = pairing_of(p.a);
    const bool along = pairs == ALONG_LINES;
    static_assert(Shape::down * PIECE == INNER_LINES && Shape::across * PIECE == INNER_LINES,
                  "a box has all lines");
    auto *kernel = along ? fetched_inner<Shape, true> : fetched_inner<Shape, false>;
    const unsigned shares = blocks_for(p.depth, Shape::span * PIECE),
                   most = (unsigned)context->device->multiprocessors;
    slicing slices = {0, shares < most ? shares : most, nullptr};
    CUtensorMap a, b;
    spry_status status = take_parts(context, &slices.part);
    if (!status)
        status = allow_shared(context, kernel, Shape::bytes);
    *begun = !status && describe(p.a, p.depth, pairs, &a) && describe(p.b, p.depth, pairs, &b);
    if (!*begun)
        return status;
    kernel<<<slices.count, Shape::threads, Shape::bytes, context->device->stream>>>(p.depth, a, b,
                                                                                    slices.part);
    return add_up_inner<Shape>(context, p, fetched_arrangement{along}, slices);
}

#endif
#endif
