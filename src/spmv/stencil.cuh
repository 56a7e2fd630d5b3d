/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils on a device: what their kernels and their plan share. */
#ifndef SPRY_STENCIL_CUH
#define SPRY_STENCIL_CUH

#include "formats/stencil.cuh"

/* Threads of a block, and on a multiprocessor: few enough for their registers to hold what is in flight. */
#define SPRY_STENCIL_BLOCK 256
#define SPRY_STENCIL_RESIDENT 1024

/* Rows of a thread where not all run at once with one each, and where x and y are more than the second-level cache holds: then beside
   each other or in so many planes. */
#define SPRY_STENCIL_FEW 4
#define SPRY_STENCIL_ROWS 8
#define SPRY_STENCIL_PLANES 4

/* Rows of more entries are a block's each: of those that a thread would take longer for than all threads take for an equal
   share of all rows. */
extern "C" int64_t NAME(spry_stencil_longest)(const spry_context *context, int64_t nnz);

/* Entries of a stencil that others may be parts of, at most: a bit each. */
#define SPRY_PART_MOST 32

/* The stencil that most rows have, where a product finds it without looking for its number first. */
struct typical_stencil {
    uint32_t number;
    int32_t count;                /* of its entries; 0 where these are more than SPRY_PART_MOST */
    int32_t is_of_most;           /* whether it, or a part of it, is what most rows have */
    idx_t offset[SPRY_PART_MOST]; /* behind its entries the last one's, so that x is there, and 0 as values */
    val_t val[SPRY_PART_MOST];
};

/* What a matrix of stencils has in `cuda.typical`: the typical one, and a number a stencil with a bit for each entry that it has of that. */
struct stencil_parts {
    typical_stencil *typical;
    uint32_t *part;
};

static inline stencil_parts stencil_parts_of(const spry_matrix *matrix) {
    typical_stencil *typical = as<typical_stencil>(matrix->cuda.typical);
    return {typical, typical ? reinterpret_cast<uint32_t *>(typical + 1) : nullptr};
}

/* A number's bits, mixed so that numbers in a row are as good as random (Appleby, MurmurHash3, the last steps for 32 bits). */
static __device__ inline uint32_t mixed(uint32_t bits) {
    bits = (bits ^ bits >> 16) * 0x85ebca6bu;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
    return bits ^ bits >> 16;
}

/* Stencils of 32 rows, a lane each, the same ones each time, in no pattern that the borders of a grid could have too. For all lanes of a
   warp; there are rows. */
static __device__ inline uint32_t spread_stencil(const stencils &a) {
    const uint64_t part = (uint64_t)mixed((uint32_t)lane_number() + 1) << 32;
    return number_of(a, (int64_t)__umul64hi(part, (uint64_t)a.rows));
}

/* The one that most of these have. */
static __device__ inline uint32_t most_frequent(uint32_t number) {
    const uint32_t votes = __popc(__match_any_sync(ALL_LANES, number)),
                   best = __reduce_max_sync(ALL_LANES, votes * WARP + lane_number());
    return __shfl_sync(ALL_LANES, number, best % WARP);
}

#endif
