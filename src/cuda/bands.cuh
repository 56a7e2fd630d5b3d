/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a slice walked side by side, diagonal by diagonal: a row to a lane of a warp. */
#ifndef SPRY_CUDA_BANDS_CUH
#define SPRY_CUDA_BANDS_CUH

#include "cuda/lanes.cuh"

/* This lane's row: the entries that are left of it, and the offset of the first of them; `none` where there is none, which no offset
   is. idx[next] - number is an offset. */
template <class Index>
struct band {
    const Index *idx;
    int64_t next, end;
    Index number, offset;

    static constexpr Index none = (Index)(((uint64_t)1 << (8 * sizeof(Index) - 1)) - 1);

    __device__ void find_offset() {
        offset = next < end ? idx[next] - number : none;
    }

    /* The diagonal that comes next, and the lanes that have an entry on it; 0: none is left. */
    __device__ unsigned next_diagonal(Index *least) const {
        *least = least_of_lanes(offset);
        const unsigned mask = __ballot_sync(ALL_LANES, offset == *least);
        return *least == none ? 0 : mask;
    }

    /* Where this lane has one, take the entry that is on it. */
    __device__ void pass(Index least) {
        if (offset == least) {
            next++;
            find_offset();
        }
    }
};

template <class Index>
static __device__ inline band<Index> band_at(const Index *idx, int64_t begin, int64_t end, int64_t number) {
    band<Index> lane = {idx, begin, end, (Index)number, 0};
    lane.find_offset();
    return lane;
}

#endif
