/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Iterations of a system that stays on the chip, in one launch of one cluster: its blocks read each other's shared
 * memory and wait for each other by a barrier of the hardware. Each has some slices of the matrix, and its rows of all
 * vectors. Scalars are in all of them: each takes every step for itself, with the same sums, and so with the same bits.
 */
#include "primitives/reduce.cuh"
#include "solve/cluster.cuh"

extern "C" {
#include "solve/resident_device.h"
}
#include "solve/updates.h"

#define THREADS SPRY_RESIDENT_THREADS
#define BLOCKS 16
#define ROUND SPRY_RESIDENT_ROUND

static_assert(SPRY_RESIDENT_WARP == WARP, "slices are dealt out to warps");

/* An array of whole numbers, as wide as they are. */
struct integers {
    const void *array;
    int size;
    __device__ int64_t operator[](int64_t i) const {
        return size == 4 ? static_cast<const int32_t *>(array)[i] : static_cast<const int64_t *>(array)[i];
    }
};

/* What a launch needs. A block has `slices` slices, and rows of each array as many places apart. */
struct resident_system {
    int n, height, slices, rows, slots, repeat, arrays, operations;
    int64_t unit;
    integers ptr, len, idx;
    const num_t *number, *values;
    spry_state *state;
    num_t *array[SPRY_RESIDENT_COUNT];
    bool written[SPRY_RESIDENT_COUNT];
    spry_operation operation[SPRY_OPERATIONS_MOST];
};

/* A block's memory, as spry_resident_bytes has it: arrays first, so that these are at the same place in all blocks. */
struct chip {
    num_t *arrays, *value;
    uint32_t *address, *begin;
};

static __device__ inline chip chip_of(const resident_system &a, unsigned char *memory) {
    num_t *arrays = reinterpret_cast<num_t *>(memory), *value = arrays + a.arrays * a.rows;
    uint32_t *address = reinterpret_cast<uint32_t *>(value + a.slots);
    return {arrays, value, address, address + a.slots};
}

/* Rows that the block has. */
static __device__ inline int count_rows(const resident_system &a) {
    const int left = a.n - (int)blockIdx.x * a.rows;
    return left < 0 ? 0 : left < a.rows ? left : a.rows;
}

static __device__ inline int count_slices(const resident_system &a) {
    return (count_rows(a) + a.height - 1) / a.height;
}

/* ---- to the chip and back ---- */

static __device__ inline void load_arrays(const resident_system &a, const chip &c) {
    const int rows = count_rows(a);
    const int64_t first = (int64_t)blockIdx.x * a.rows;
    for (int k = 0; k < a.arrays; k++)
        for (int i = threadIdx.x; i < a.rows; i += blockDim.x)
            c.arrays[k * a.rows + i] = i < rows ? a.array[k][first + i] : 0;
}

static __device__ inline void store_arrays(const resident_system &a, const chip &c) {
    const int rows = count_rows(a);
    const int64_t first = (int64_t)blockIdx.x * a.rows;
    for (int k = 0; k < a.arrays; k++)
        for (int i = threadIdx.x; i < rows && a.written[k]; i += blockDim.x)
            a.array[k][first + i] = c.arrays[k * a.rows + i];
}

/* Where each slice begins. */
static __device__ inline void load_begins(const resident_system &a, const chip &c) {
    const int slices = count_slices(a);
    const int64_t first = (int64_t)blockIdx.x * a.slices;
    for (int s = threadIdx.x; s <= slices && slices > 0; s += blockDim.x)
        c.begin[s] = (uint32_t)((a.ptr[first + s] - a.ptr[first]) * a.unit);
}

/* A slot becomes the address of what it multiplies, in the first array of some block, and a value. Padding has a zero
   and its own row: what is not finite there shows in the sums anyway. */
static __device__ inline void load_slot(const resident_system &a, const chip &c, int row, int k, int64_t slot,
                                        uint32_t to) {
    const int64_t place = (int64_t)blockIdx.x * a.rows + row;
    const bool entry = place < a.n && k < a.len[place];
    const int column = entry ? (int)a.idx[slot] : (int)blockIdx.x * a.rows + row;
    const int block = column / a.rows;
    c.address[to] = address_in((unsigned)block, c.arrays + (column - block * a.rows));
    c.value[to] = entry ? a.values[(int64_t)a.number[slot]] : 0;
}

static __device__ inline void load_slots(const resident_system &a, const chip &c) {
    const int slices = count_slices(a), warps = blockDim.x / WARP;
    const int64_t first = (int64_t)blockIdx.x * a.slices;
    for (int s = threadIdx.x / WARP; s < slices; s += warps) {
        const int64_t before = a.ptr[first + s] * a.unit;
        const int count = (int)(c.begin[s + 1] - c.begin[s]);
        for (int j = lane_number(); j < count; j += WARP)
            load_slot(a, c, s * a.height + j % a.height, j / a.height, before + j, c.begin[s] + j);
    }
}

/* The arrays of an operation's vectors. */
static __device__ inline vectors place_vectors(const resident_system &a, const chip &c,
                                               const spry_operation &operation) {
    spry_vectors v = {};
#define PLACE(name)                                                                                          \
    if (operation.vector[SPRY_RESIDENT_##name] >= 0)                                                         \
        v.name = c.arrays + operation.vector[SPRY_RESIDENT_##name] * a.rows;
    SPRY_RESIDENT_VECTORS(PLACE)
#undef PLACE
    return typed_vectors(&v);
}

/* ---- products ---- */

/* Slots j, j + 32, … of a slice, several at a time. */
static __device__ inline num_t sum_slots(const chip &c, uint32_t j, uint32_t end, uint32_t offset) {
    num_t sum = 0;
    for (; j < end; j += ROUND * WARP) {
        num_t value[ROUND], factor[ROUND];
        uint32_t address[ROUND];
#pragma unroll
        for (int k = 0; k < ROUND; k++) {
            const uint32_t at = j + k * WARP < end ? j + k * WARP : j;
            address[k] = c.address[at];
            value[k] = c.value[at];
        }
#pragma unroll
        for (int k = 0; k < ROUND; k++)
            cluster_read(address[k] + offset, &factor[k]);
#pragma unroll
        for (int k = 0; k < ROUND; k++)
            if (j + k * WARP < end)
                sum += value[k] * factor[k];
    }
    return sum;
}

/* Array `to` = A array `from`, once all blocks have it. A warp has a slice: a lane every 32nd slot, and then those that
   have one row add up. */
static __device__ inline void multiply(const resident_system &a, const chip &c, int from, int to) {
    const int rows = count_rows(a), slices = count_slices(a), warps = blockDim.x / WARP, lane = lane_number();
    const uint32_t offset = (uint32_t)(from * a.rows * (int)sizeof(num_t));
    cluster_barrier();
    for (int s = threadIdx.x / WARP; s < slices; s += warps) {
        num_t sum = sum_slots(c, c.begin[s] + lane, c.begin[s + 1], offset);
        for (int step = WARP / 2; step >= a.height; step /= 2)
            sum += __shfl_down_sync(ALL_LANES, sum, step);
        const int row = s * a.height + lane;
        if (lane < a.height && row < rows)
            c.arrays[to * a.rows + row] = sum;
    }
    if (a.height < WARP) /* else threads have the rows that they go on with */
        __syncthreads();
}

/* ---- updates ---- */

/* Parts of sums: of the warps of a block, and of the blocks, of two sums in turn, so that a block may go on while others
   still add up. Zero where there is no such warp or block. */
struct sum_parts {
    double of_warp[SPRY_UPDATE_SUMS][THREADS / WARP];
    double of_block[2][SPRY_UPDATE_SUMS][BLOCKS];
};

/* What the threads of a block have in common. */
struct team {
    spry_state *state;
    sum_parts *parts;
    int turn;
};

/* The sum of n values, a power of two, by halves. */
template <int n>
static __device__ inline double sum_halves(const double *value) {
    if constexpr (n == 1)
        return *value;
    else
        return sum_halves<n / 2>(value) + sum_halves<n / 2>(value + n / 2);
}

/* Sums over the cluster; thread 0 has them. Each block writes its part to all blocks. */
template <int sums>
static __device__ inline void cluster_sum(double (&sum)[sums], team &team) {
    const int lane = lane_number();
#pragma unroll
    for (int s = 0; s < sums; s++) {
        sum[s] = warp_join(sum[s]);
        if (lane == 0)
            team.parts->of_warp[s][threadIdx.x / WARP] = sum[s];
    }
    __syncthreads();
    double(*part)[BLOCKS] = team.parts->of_block[team.turn];
#pragma unroll
    for (int s = 0; s < sums; s++)
        if (threadIdx.x < gridDim.x)
            cluster_store(address_in(threadIdx.x, &part[s][blockIdx.x]),
                          sum_halves<THREADS / WARP>(team.parts->of_warp[s]));
    cluster_barrier();
    if (threadIdx.x == 0)
#pragma unroll
        for (int s = 0; s < sums; s++)
            sum[s] = sum_halves<BLOCKS>(part[s]);
    team.turn ^= 1;
}

/* What stands for the step of an update without sums. */
static __device__ inline void no_step(spry_state *, const double *) {
}

/* A step has what an earlier one has kept behind its sums. */
template <auto step, int sums>
static __device__ inline void take_step(const double (&sum)[sums], spry_state *state) {
    double value[SPRY_UPDATE_VALUES];
    for (int s = 0; s < sums; s++)
        value[s] = sum[s];
    value[sums] = state->kept;
    step(state, value);
}

template <auto at, auto step, int sums>
static __device__ inline void perform(const vectors &v, int rows, team &team) {
    const spry_scalars c = team.state->scalars;
    double sum[SPRY_UPDATE_SUMS] = {};
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
        const struct sums here = at(v, c, i);
        sum[0] += here.first;
        sum[1] += here.second;
    }
    if constexpr (sums > 0) {
        double only[sums];
        for (int s = 0; s < sums; s++)
            only[s] = sum[s];
        cluster_sum(only, team);
        if (threadIdx.x == 0)
            take_step<step>(only, team.state);
        __syncthreads();
    }
}

#define STEP_0(name) no_step
#define STEP_1(name) step_##name
#define STEP_2(name) step_##name
#define CASE(name, sums, hold, shared)                                                                       \
    case SPRY_UPDATE_##name:                                                                                 \
        perform<at_##name, STEP_##sums(name), sums>(v, rows, team);                                          \
        break;

static __device__ inline void perform_one(int update, const vectors &v, int rows, team &team) {
    switch (update) { SPRY_UPDATE_LIST(CASE) }
}

/* ---- the launch ---- */

static __device__ inline void copy_state(spry_state *to, const spry_state *from) {
    static_assert(sizeof(spry_state) % sizeof(uint64_t) == 0, "whole words");
    for (unsigned i = threadIdx.x; i < sizeof *to / sizeof(uint64_t); i += blockDim.x)
        reinterpret_cast<uint64_t *>(to)[i] = reinterpret_cast<const uint64_t *>(from)[i];
    __syncthreads();
}

static __device__ inline void clear(sum_parts *parts) {
    for (unsigned i = threadIdx.x; i < sizeof *parts / sizeof(double); i += blockDim.x)
        reinterpret_cast<double *>(parts)[i] = 0;
}

static __device__ inline void iterate(const resident_system &a, const chip &c, team team) {
    __shared__ vectors placed[SPRY_OPERATIONS_MOST];
    const int rows = count_rows(a);
    if (threadIdx.x < a.operations)
        placed[threadIdx.x] = place_vectors(a, c, a.operation[threadIdx.x]);
    __syncthreads();
    for (int i = 0; i < a.repeat; i++)
        for (int k = 0; k < a.operations; k++) {
            const spry_operation &operation = a.operation[k];
            if (operation.update == SPRY_UPDATE_COUNT)
                multiply(a, c, operation.from, operation.to);
            else
                perform_one(operation.update, placed[k], rows, team);
            if (team.state->outcome != SPRY_RUNNING)
                return;
        }
}

static __global__ void __launch_bounds__(THREADS) solve(const __grid_constant__ resident_system a) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ spry_state state;
    __shared__ sum_parts parts;
    const chip c = chip_of(a, memory);
    copy_state(&state, a.state);
    if (state.outcome != SPRY_RUNNING)
        return;
    clear(&parts);
    load_arrays(a, c);
    load_begins(a, c);
    __syncthreads();
    load_slots(a, c);
    cluster_barrier(); /* all blocks are there */
    iterate(a, c, {&state, &parts, 0});
    cluster_barrier(); /* no block ends while others may read what it has */
    store_arrays(a, c);
    if (blockIdx.x == 0)
        copy_state(a.state, &state);
}

/* ---- from the host ---- */

static cudaLaunchConfig_t configure(spry_context *context, int blocks, int threads, size_t bytes,
                                    cudaLaunchAttribute *cluster) {
    cudaLaunchConfig_t launch = {};
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = (unsigned)blocks;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    launch.gridDim = dim3((unsigned)blocks);
    launch.blockDim = dim3((unsigned)threads);
    launch.dynamicSmemBytes = bytes;
    launch.stream = context->device->stream;
    launch.attrs = cluster;
    launch.numAttrs = 1;
    return launch;
}

/* The largest cluster that the device can run, with all the memory that its blocks may have. */
static int largest_cluster(spry_context *context, size_t bytes) {
    for (int blocks = BLOCKS; blocks > 1; blocks /= 2) {
        cudaLaunchAttribute cluster;
        const cudaLaunchConfig_t launch = configure(context, blocks, THREADS, bytes, &cluster);
        int clusters = 0;
        if (cudaOccupancyMaxActiveClusters(&clusters, solve, &launch) == cudaSuccess && clusters > 0)
            return blocks;
        (void)cudaGetLastError();
    }
    return 0;
}

/* Clusters are there from compute capability 9.0 on; code that was compiled for less has none of their instructions. */
static bool has_clusters(spry_context *context, const cudaFuncAttributes &kernel) {
    int there = 0;
    if (cudaDeviceGetAttribute(&there, cudaDevAttrClusterLaunch, context->device_number) != cudaSuccess)
        (void)cudaGetLastError();
    return there && kernel.ptxVersion >= 90;
}

extern "C" spry_status NAME(spry_resident_room)(spry_context *context, struct spry_room *room) {
    cudaFuncAttributes kernel;
    spry_status status =
        spry_cuda_check(context, cudaFuncGetAttributes(&kernel, solve), "asking for a kernel");
    if (status || !has_clusters(context, kernel))
        return status;
    const int shared = context->device->shared_bytes - (int)kernel.sharedSizeBytes;
    status = allow_shared(context, solve, shared);
    if (!status)
        status = spry_cuda_check(
            context, cudaFuncSetAttribute(solve, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
            "letting clusters be large");
    if (status)
        return status;
    room->bytes = (size_t)shared;
    room->threads = THREADS;
    room->blocks = largest_cluster(context, room->bytes);
    return SPRY_OK;
}

static resident_system system_of(const struct spry_resident *resident, const void *values,
                                 const struct spry_vectors *vectors, struct spry_state *state, int repeat) {
    const spry_matrix *image = resident->image;
    const spry_sell *sell = &image->sell;
    const int pointer = (int)spry_pointer_size(image->index), index = (int)spry_index_size(image->index);
    resident_system a = {};
    a.n = (int)image->rows;
    a.height = (int)resident->height;
    a.slices = (int)resident->slices;
    a.rows = a.slices * a.height;
    a.slots = (int)resident->slots;
    a.repeat = repeat;
    a.unit = sell->unit;
    a.ptr = {sell->ptr, pointer};
    a.len = {sell->len, index};
    a.idx = {sell->idx, index};
    a.number = static_cast<const num_t *>(sell->val);
    a.values = static_cast<const num_t *>(values);
    a.state = state;
    a.arrays = resident->arrays;
    a.operations = resident->operations;
    for (int k = 0; k < a.arrays; k++) {
        a.array[k] = static_cast<num_t *>(spry_resident_vector_of(vectors, resident->home[k]));
        a.written[k] = resident->home[k] != SPRY_RESIDENT_d;
    }
    for (int k = 0; k < a.operations; k++)
        a.operation[k] = resident->operation[k];
    return a;
}

extern "C" spry_status NAME(spry_resident_play)(spry_context *context, const struct spry_resident *resident,
                                                const void *values, const struct spry_vectors *vectors,
                                                struct spry_state *state, int repeat) {
    cudaLaunchAttribute cluster;
    const cudaLaunchConfig_t launch = configure(context, resident->blocks, resident->threads,
                                                spry_resident_bytes(resident, sizeof(num_t)), &cluster);
    return spry_cuda_check(
        context, cudaLaunchKernelEx(&launch, solve, system_of(resident, values, vectors, state, repeat)),
        "iterations on the chip");
}
