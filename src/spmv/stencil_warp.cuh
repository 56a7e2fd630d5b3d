/* SPDX-License-Identifier: BSD-3-Clause */
/* All rows of a warp: those with the stencil that most have together, and then others, a lane each. */
#ifndef SPRY_STENCIL_WARP_CUH
#define SPRY_STENCIL_WARP_CUH

#include "spmv/stencil_common.cuh"

/* ---- which rows have the stencil that most have ---- */

/* Numbers of the rows of a lane. Unless all of them exist, that of the last stands for what does not. */
template <class Number, class Shape, bool whole>
static __device__ inline void load_numbers(const stencils &a, const warp_rows &rows,
                                           uint32_t (&number)[Shape::rows]) {
#pragma unroll
    for (int r = 0; r < Shape::rows; r++) {
        const int64_t row = rows.first + lane_number() + step_of<Shape>(r, rows.plane);
        number[r] = __ldg(as<Number>(a.number) + (whole || row < a.rows ? row : a.rows - 1));
    }
}

/* A bit for each row of this lane that has another stencil. */
template <int rows>
static __device__ inline unsigned others(const uint32_t (&number)[rows], uint32_t common) {
    unsigned bits = 0;
#pragma unroll
    for (int r = 0; r < rows; r++)
        bits |= number[r] != common ? 1u << r : 0;
    return bits;
}

template <class Shape, bool whole>
static __device__ inline void load_any_numbers(const stencils &a, const warp_rows &rows,
                                               uint32_t (&number)[Shape::rows]) {
    if (a.number_size == 1)
        load_numbers<uint8_t, Shape, whole>(a, rows, number);
    else if (a.number_size == 2)
        load_numbers<uint16_t, Shape, whole>(a, rows, number);
    else
        load_numbers<uint32_t, Shape, whole>(a, rows, number);
}

/* Whether at least half of a warp's rows are none of those whose bits are set. */
template <class Shape>
static __device__ inline bool are_few(unsigned bits) {
    return 2 * __reduce_add_sync(ALL_LANES, __popc(bits)) <= Shape::rows * WARP;
}

/* Find a stencil that at least half of the rows have, by trying those of two of them; if neither is, all have another one. */
template <class Shape>
static __device__ inline unsigned find_common(const uint32_t (&number)[Shape::rows], uint32_t *common) {
    constexpr int count = Shape::rows;
    *common = __shfl_sync(ALL_LANES, number[count / 2], WARP / 2);
    unsigned other = others(number, *common);
    if (are_few<Shape>(other))
        return other;
    *common = __shfl_sync(ALL_LANES, number[count / 2 - 1], WARP / 4 + 1);
    other = others(number, *common);
    return are_few<Shape>(other) ? other : (1u << count) - 1;
}

/* ---- sums of a warp ---- */

/* Whether the stencil stays inside x for all rows of the warp, even for those that have another one. Its offsets rise. */
template <class Shape>
static __device__ inline bool is_inside(const entries &e, const warp_rows &rows, int64_t cols) {
    const int64_t end = rows.first + step_of<Shape>(Shape::rows - 1, rows.plane) + WARP;
    return e.count == 0 || (rows.first + __ldg(e.offset) >= 0 && end + __ldg(e.offset + e.count - 1) <= cols);
}

/* Which entries each row has of the stencil that most rows of the matrix have. */
template <class Shape>
static __device__ inline some_entries<Shape> parts_of(const uint32_t *part,
                                                      const uint32_t (&number)[Shape::rows]) {
    some_entries<Shape> rows;
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        rows.part[r] = __ldg(part + number[r]);
    return rows;
}

/* A bit for each row of this lane that has no part of the stencil. */
template <class Shape>
static __device__ inline unsigned without_part(const some_entries<Shape> &rows) {
    unsigned bits = 0;
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        bits |= rows.part[r] == 0 ? 1u << r : 0;
    return bits;
}

/* Whether all rows of the warp have the same entries as its first one. */
template <class Shape>
static __device__ inline bool are_alike(const some_entries<Shape> &rows) {
    const uint32_t first = __shfl_sync(ALL_LANES, rows.part[0], 0);
    bool alike = true;
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        alike = alike && rows.part[r] == first;
    return __all_sync(ALL_LANES, alike);
}

/* What is needed besides the sums of a lane's rows, of those that exist. */
template <class Shape, bool whole, class Task>
static __device__ inline void ask_all(const Task &todo, const warp_rows &rows, unsigned there,
                                      typename Task::beside (&beside)[Shape::rows]) {
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        if (whole || there >> r & 1)
            beside[r] = todo.ask(rows.first + lane_number() + step_of<Shape>(r, rows.plane));
}

/* A stencil that the rows of a warp are to be multiplied with. */
template <class Shape, bool scaled>
static __device__ inline common_stencil<Shape, scaled>
common_of(const stencils &a, const entries &e, const warp_rows &rows, const input<scaled> &x) {
    common_stencil<Shape, scaled> c = {e, x, a.cols, rows.first + lane_number(), rows.plane, {}};
#pragma unroll
    for (int p = 0; p < Shape::planes; p++)
        c.at[p] = kept(x.at(c.first + p * rows.plane));
    return c;
}

/* Do what there is to do with the sums of rows whose bits are set. */
template <class Shape, class Task>
static __device__ inline void put_all(Task &todo, int64_t first, int64_t plane, unsigned bits,
                                      const val_t (&sum)[Shape::rows],
                                      const typename Task::beside (&beside)[Shape::rows]) {
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        if (bits >> r & 1)
            todo.put(first + step_of<Shape>(r, plane), sum[r], beside[r]);
}

static __device__ inline entries entries_of(const typical_stencil *typical) {
    return {kept(&typical->offset[0]), kept(&typical->val[0]), typical->count};
}

/* The sums of rows that have the typical stencil or a part of it, and the parts. Before it is known which rows these are, what they
   multiply is under way. */
template <class Shape, bool inside, bool scaled>
static __device__ inline some_entries<Shape>
sum_parts(const common_stencil<Shape, scaled> &c, const uint32_t *part, const uint32_t (&number)[Shape::rows],
          val_t (&sum)[Shape::rows]) {
    constexpr int together = at_once<Shape, scaled>();
    asked_entries<Shape, together, scaled> entries;
    entries.template ask_for<inside>(c, 0);
    const some_entries<Shape> some = parts_of<Shape>(part, number);
    entries.add(some, 0, sum);
    if constexpr (Shape::rows > 1)
        add_from<Shape, inside>(c, some, together, sum);
    else /* which takes less code, and so less of it to wait for */
        for (int k = together; k < c.e.count; k += together)
            add_entries<Shape, together, inside>(c, some, k, sum);
    return some;
}

/* Do what there is to do with the sums of rows that have the typical stencil or a part of it, where a lane has so few rows that waiting is
   what takes time. Bit r of `there`: row r of this lane exists; all of them do if the warp is `whole`. What is returned has a bit for
   each that is still to be done. */
template <class Shape, bool whole, bool scaled, class Task>
static __device__ inline unsigned sum_early(const stencils &a, const stencil_parts &parts,
                                            const warp_rows &rows, unsigned there, const input<scaled> &x,
                                            Task &todo) {
    typename Task::beside beside[Shape::rows];
    uint32_t number[Shape::rows];
    load_any_numbers<Shape, whole>(a, rows, number);
    ask_all<Shape, whole>(todo, rows, there, beside);
    if (!parts.typical->is_of_most)
        return there;
    const common_stencil<Shape, scaled> c = common_of<Shape>(a, entries_of(parts.typical), rows, x);
    val_t sum[Shape::rows] = {};
    const some_entries<Shape> some = whole && is_inside<Shape>(c.e, rows, a.cols)
                                         ? sum_parts<Shape, true>(c, parts.part, number, sum)
                                         : sum_parts<Shape, false>(c, parts.part, number, sum);
    const unsigned other = without_part(some);
    put_all<Shape>(todo, c.first, rows.plane, there & ~other, sum, beside);
    return there & other;
}

/* The same with the stencil that at least half of the rows have in common, the typical one or another one, unless it is too long. */
template <class Shape, bool whole, bool scaled, class Task>
static __device__ inline unsigned sum_common(const stencils &a, const stencil_parts &parts, int64_t longest,
                                             const warp_rows &rows, unsigned there, const input<scaled> &x,
                                             Task &todo) {
    /* With many rows, a second place to read entries from costs more than it saves. */
    constexpr bool few = Shape::rows <= SPRY_STENCIL_FEW;
    /* From here on, as taking it from what is made later makes registers of rows in planes spill. */
    const int64_t first = rows.first + lane_number();
    typename Task::beside beside[Shape::rows];
    uint32_t number[Shape::rows], common = __ldg(&parts.typical->number);
    load_any_numbers<Shape, whole>(a, rows, number);
    const some_entries<Shape> some = parts_of<Shape>(parts.part, number);
    unsigned other = without_part(some);
    const bool of_most = !__any_sync(ALL_LANES, other) || are_few<Shape>(other);
    if (!of_most)
        other = find_common<Shape>(number, &common);
    const entries e = few && of_most ? entries_of(parts.typical) : entries_of(a, common);
    if (__all_sync(ALL_LANES, other == (1u << Shape::rows) - 1) || e.count > longest)
        return there;
    const common_stencil<Shape, scaled> c = common_of<Shape>(a, e, rows, x);
    const bool inside = whole && is_inside<Shape>(c.e, rows, a.cols);
    val_t sum[Shape::rows] = {};
    if (of_most && !(are_alike(some) && some.part[0] == __ldg(parts.part + common)))
        add_all(c, some, inside, sum);
    else
        add_all(c, all_entries(), inside, sum);
    ask_all<Shape, whole>(todo, rows, there, beside);
    put_all<Shape>(todo, first, rows.plane, there & ~other, sum, beside);
    return there & other;
}

/* First by the typical stencil, while there are registers for it; then, if that has not done half of the rows, by what these have in
   common. */
template <class Shape, bool whole, bool scaled, class Task>
static __device__ inline unsigned sum_together(const stencils &a, const stencil_parts &parts, int64_t longest,
                                               const warp_rows &rows, unsigned there, const input<scaled> &x,
                                               Task &todo) {
    constexpr bool early = Shape::rows == 1 || (Shape::rows <= SPRY_STENCIL_FEW && !Task::asks_much);
    if constexpr (early)
        there = sum_early<Shape, whole>(a, parts, rows, there, x, todo);
    if constexpr (Shape::rows > 1)
        if (!early || !are_few<Shape>(there))
            there = sum_common<Shape, whole>(a, parts, longest, rows, there, x, todo);
    return there;
}

/* List the rows whose bits are set, by r * 32 + lane. Returns how many there are. */
template <int rows>
static __device__ inline int list_rows(unsigned bits, uint16_t (&list)[rows * WARP]) {
    const unsigned below = (1u << lane_number()) - 1;
    int count = 0;
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const unsigned lanes = __ballot_sync(ALL_LANES, bits >> r & 1);
        if (bits >> r & 1)
            list[count + __popc(lanes & below)] = (uint16_t)(r * WARP + lane_number());
        count += __popc(lanes);
    }
    __syncwarp();
    return count;
}

/* Do what there is to do with the sums of all rows of a warp, but for long ones. */
template <class Shape, bool scaled, class Task>
static __device__ inline void sum_rows(const stencils &a, const stencil_parts &parts, int64_t longest,
                                       const warp_rows &rows, const input<scaled> &x, Task &todo) {
    __shared__ uint16_t lists[SPRY_STENCIL_WARPS][Shape::rows * WARP];
    constexpr unsigned all = (1u << Shape::rows) - 1;
    unsigned left;
    if (is_whole<Shape>(a, rows)) {
        left = sum_together<Shape, true>(a, parts, longest, rows, all, x, todo);
    } else {
        left = existing<Shape>(a, rows);
        if (__any_sync(ALL_LANES, left))
            left = sum_together<Shape, false>(a, parts, longest, rows, left, x, todo);
    }
    if (!__any_sync(ALL_LANES, left))
        return;
    uint16_t(&list)[Shape::rows * WARP] = lists[threadIdx.x / WARP];
    const int count = list_rows<Shape::rows>(left, list);
    for (int at = lane_number(); at < count; at += WARP) {
        const int64_t row = rows.first + step_of<Shape>(list[at] / WARP, rows.plane) + list[at] % WARP;
        const entries e = entries_of(a, number_of(a, row));
        if (e.count <= longest)
            todo.put(row, sum_row(e, x.at(row)), todo.ask(row));
    }
}

#endif
