/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices cut into tiles, a warp each: which positions and slots it takes. However long a row is, no warp has more than a tile of
   it. */
#ifndef SPRY_SLICE_TILES_CUH
#define SPRY_SLICE_TILES_CUH

#include "convert/tiles.cuh"
#include "cuda/find.cuh"
#include "primitives/device.cuh"

/* Slices lower than a group of 32 positions, where they fill it, are a unit together, and others one each, of one group or several;
   a unit's tiles go as far as the widest of its slices does. */
struct slice_tiles {
    int64_t slices, height, units, unit_slices, unit_groups;
};

static inline slice_tiles slice_tiles_of(int64_t slices, int64_t height) {
    const int64_t together = WARP % height == 0 ? WARP / height : 1;
    return {slices, height, (slices + together - 1) / together, together,
            (height * together + WARP - 1) / WARP};
}

/* The number of a unit's first tile; begin(s) is the first slot of slice s. The widths of a unit's slices together leave room for its
   tiles, and some numbers to spare: they need not be counted. */
template <class Begin>
static __device__ inline int64_t first_tile(const slice_tiles &t, int64_t unit, Begin begin) {
    return t.unit_groups * (begin(unit * t.unit_slices) / (t.height * TILE_SLOTS) + unit);
}

/* Blocks that have a warp for each tile of so many slots, and each number that is spared: one at least. */
static inline unsigned blocks_of_tiles(const slice_tiles &t, int64_t slots) {
    return blocks_for(t.unit_groups * (slots / t.height / TILE_SLOTS + t.units) + 1, TILE_WARPS);
}

/* Where a lane is: a position, the first slot of its row, how wide that is, and the tile's first column of slots. Past the last
   slice there are no slots. */
struct slice_place {
    int64_t position, slot, width, column;
};

/* False, for the whole warp, where there is no unit. begin(s) is asked for s up to the number of slices. */
template <class Begin>
static __device__ inline bool find_slice_place(const slice_tiles &t, Begin begin, slice_place *at) {
    const int64_t tile = tile_number();
    if (t.units == 0)
        return false;
    const int64_t unit = find_unit(t.units, tile, [&](int64_t u) { return first_tile(t, u, begin); }),
                  in_unit = tile - first_tile(t, unit, begin),
                  row = in_unit % t.unit_groups * WARP + lane_number(),
                  s = unit * t.unit_slices + row / t.height;
    *at = {t.slices * t.height, 0, 0, in_unit / t.unit_groups * TILE_SLOTS};
    if (row < t.unit_slices * t.height && s < t.slices) {
        at->position = s * t.height + row % t.height;
        at->slot = begin(s) + row % t.height;
        at->width = (begin(s + 1) - begin(s)) / t.height;
    }
    return true;
}

/* A slot of a lane's row, the k-th that the tile has of it. */
static __device__ inline int64_t slot_at(const slice_tiles &t, const slice_place &at, int k) {
    return at.slot + (at.column + k) * t.height;
}

/* Lanes that share a slice when slices are measured: one, or a warp. */
static inline int lanes_to_measure(int64_t height) {
    return height < WARP ? 1 : WARP;
}

/* How many slots each slice has, kept only where all of them fit, and the widths of all together. length(p) is that of the row at
   position p, and 0 past the last one. */
template <class Length>
static __device__ inline void measure_slices(int64_t count, int64_t height, int lanes, ptr_t *slots,
                                             unsigned long long *widths, Length length) {
    const int64_t s = thread_number() / lanes;
    const int lane = (int)(thread_number() % lanes);
    long long width = 0;
    for (int64_t r = lane; s < count && r < height; r += lanes) {
        const long long here = length(s * height + r);
        width = here > width ? here : width;
    }
    for (int step = 1; step < lanes; step *= 2) {
        const long long other = __shfl_xor_sync(ALL_LANES, width, step);
        width = other > width ? other : width;
    }
    if (s < count && lane == 0)
        slots[s] = (ptr_t)(width * height);
    add_to_total(lane == 0 ? width : 0, widths);
}

#endif
