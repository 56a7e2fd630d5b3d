/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a warp that have one stencil, or a part of it: each entry is read once for all of them. */
#ifndef SPRY_STENCIL_COMMON_CUH
#define SPRY_STENCIL_COMMON_CUH

#include <algorithm>

#include "spmv/stencil_row.cuh"

/* Entries that are asked for before the first is used, of all rows of a thread together, and of each. */
#define SPRY_STENCIL_TOGETHER 16
#define SPRY_STENCIL_AT_ONCE 8

/* Warps of a block. */
#define SPRY_STENCIL_WARPS (SPRY_STENCIL_BLOCK / WARP)

/* ---- the rows of a warp ---- */

/* Lanes have `near` rows, 32 apart, in each of so many planes. */
template <int near_, int planes_>
struct shape {
    static constexpr int near = near_, planes = planes_, rows = near * planes;
};

/* Row r of a lane is so far behind its first one. */
template <class Shape>
static __device__ inline int64_t step_of(int r, int64_t plane) {
    return r % Shape::near * WARP + r / Shape::near * plane;
}

/* A warp's first row, rows of a plane, and how many there are beside each other from the first row to the end of its plane. */
struct warp_rows {
    int64_t first, plane, width;
};

template <class Shape>
static __device__ inline warp_rows rows_of_warp(int64_t plane, unsigned block, unsigned across) {
    const int64_t column =
        ((int64_t)(block % across) * SPRY_STENCIL_WARPS + threadIdx.x / WARP) * WARP * Shape::near;
    return {(int64_t)(block / across) * Shape::planes * plane + column, plane, plane - column};
}

/* Whether all of them exist. */
template <class Shape>
static __device__ inline bool is_whole(const stencils &a, const warp_rows &rows) {
    return rows.width >= Shape::near * WARP &&
           rows.first + step_of<Shape>(Shape::rows - 1, rows.plane) + WARP <= a.rows;
}

/* A bit for each row of this lane that exists. */
template <class Shape>
static __device__ inline unsigned existing(const stencils &a, const warp_rows &rows) {
    unsigned bits = 0;
#pragma unroll
    for (int r = 0; r < Shape::rows; r++) {
        const bool is_there = r % Shape::near * WARP + lane_number() < rows.width &&
                              rows.first + step_of<Shape>(r, rows.plane) + lane_number() < a.rows;
        bits |= is_there ? 1u << r : 0;
    }
    return bits;
}

/* ---- their stencil ---- */

/* The nearest place that there is in x. */
static __device__ inline int64_t clamped(int64_t at, int64_t cols) {
    return at < 0 ? 0 : at < cols ? at : cols - 1;
}

/* The stencil that most of a warp's rows have, and what it is multiplied with. */
template <class Shape, bool scaled>
struct common_stencil {
    entries e;
    input<scaled> x;
    int64_t cols, first, plane;      /* this lane's first row, rows of a plane */
    input<scaled> at[Shape::planes]; /* x at that row, and at the same one of each plane */
};

/* Which entries of it each row of a lane has: all of them, or those whose bits are set. */
struct all_entries {
    __device__ bool have(int, int) const {
        return true;
    }
};

template <class Shape>
struct some_entries {
    uint32_t part[Shape::rows];
    __device__ bool have(int r, int k) const {
        return part[r] >> k & 1;
    }
};

/* `count` entries, and what all rows multiply them by. */
template <class Shape, int count, bool scaled>
struct asked_entries {
    val_t value[count];
    factor<scaled> factors[count][Shape::rows];

    /* Unless the stencil stays `inside` x for all rows, what is not there is asked for at its end: those rows have another stencil. */
    template <bool inside>
    __device__ inline void ask_for(const common_stencil<Shape, scaled> &c, int k) {
        constexpr int near = Shape::near;
#pragma unroll
        for (int j = 0; j < count; j++) {
            const idx_t offset = __ldg(c.e.offset + k + j);
            value[j] = __ldg(c.e.val + k + j);
#pragma unroll
            for (int r = 0; r < Shape::rows; r++)
                factors[j][r] =
                    ask(inside ? c.at[r / near].at(offset + r % near * WARP)
                               : c.x.at(clamped(c.first + step_of<Shape>(r, c.plane) + offset, c.cols)));
        }
    }

    /* To the rows that have them. */
    template <class Rows>
    __device__ inline void add(const Rows &rows, int k, val_t (&sum)[Shape::rows]) const {
#pragma unroll
        for (int j = 0; j < count; j++)
#pragma unroll
            for (int r = 0; r < Shape::rows; r++)
                sum[r] = rows.have(r, k + j) ? sum[r] + value[j] * factors[j][r] : sum[r];
    }
};

template <class Shape, int count, bool inside, bool scaled, class Rows>
static __device__ inline void add_entries(const common_stencil<Shape, scaled> &c, const Rows &rows, int k,
                                          val_t (&sum)[Shape::rows]) {
    asked_entries<Shape, count, scaled> entries;
    entries.template ask_for<inside>(c, k);
    entries.add(rows, k, sum);
}

/* How many are asked for at once. */
template <class Shape, bool scaled>
static constexpr int at_once() {
    return std::min(SPRY_STENCIL_AT_ONCE, SPRY_STENCIL_TOGETHER / (scaled ? 2 : 1) / Shape::rows);
}

/* The last `left` entries, `most` of them at most. */
template <class Shape, int most, bool inside, bool scaled, class Rows>
static __device__ inline void add_rest(const common_stencil<Shape, scaled> &c, const Rows &rows, int k,
                                       int left, val_t (&sum)[Shape::rows]) {
    if constexpr (most > 0) {
        if (left == most)
            add_entries<Shape, most, inside>(c, rows, k, sum);
        else
            add_rest<Shape, most - 1, inside>(c, rows, k, left, sum);
    }
}

/* From entry k on. */
template <class Shape, bool inside, bool scaled, class Rows>
static __device__ inline void add_from(const common_stencil<Shape, scaled> &c, const Rows &rows, int k,
                                       val_t (&sum)[Shape::rows]) {
    constexpr int together = at_once<Shape, scaled>();
    const int count = (int)c.e.count;
#pragma unroll 1
    for (; k + together <= count; k += together)
        add_entries<Shape, together, inside>(c, rows, k, sum);
    add_rest<Shape, together - 1, inside>(c, rows, k, count - k, sum);
}

template <class Shape, bool scaled, class Rows>
static __device__ inline void add_all(const common_stencil<Shape, scaled> &c, const Rows &rows, bool inside,
                                      val_t (&sum)[Shape::rows]) {
    if (inside)
        add_from<Shape, true>(c, rows, 0, sum);
    else
        add_from<Shape, false>(c, rows, 0, sum);
}

#endif
