/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stencils on a device: there is hardly more to read than x and y, so that time goes by how often x passes between the caches, and
 * by what there is to be done besides reading it. So a thread has several rows.
 *
 * Where most rows of a warp have one stencil, each of its entries is read once for all of them. Rows with a part of it, as at the
 * borders of a grid, leave out what they do not have. Rows with yet another one are multiplied along too, which costs less than to
 * leave them out; they are listed, and then the lanes take one each.
 *
 * Blocks have rows that share what they read of x in the nearest cache: neighbours and, where stencils reach farther than those
 * go, what lies so far behind them. In a grid, that is the next plane: where the last offset of a stencil is n, row i, row i + n
 * and row i + 2 n all ask for x[i + n].
 *
 * Rows much longer than others are a block's each; those blocks come first.
 */
#include <algorithm>

#include "primitives/reduce.cuh"
#include "spmv/stencil.cuh"

extern "C" {
#include "analysis/work.h"
}

#define BLOCK SPRY_STENCIL_BLOCK
#define WARPS (BLOCK / WARP)

/* Entries that are asked for before the first is used: of all rows of a thread together, of one row, and of one that a block
   shares. */
#define TOGETHER 16
#define ALONE 8
#define LONG 4

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
    const int64_t column = ((int64_t)(block % across) * WARPS + threadIdx.x / WARP) * WARP * Shape::near;
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

/* ---- what entries are multiplied by ---- */

/* x from some place on and, where it is `scaled`, the diagonal from there on. */
template <bool scaled>
struct input {
    const val_t *x, *right;

    __device__ inline input at(int64_t place) const {
        return {x + place, scaled ? right + place : nullptr};
    }
};

/* What is asked for of it. */
template <bool scaled>
struct factor {
    val_t x, right;

    __device__ inline operator val_t() const {
        return scaled ? times(right, x) : x;
    }
};

template <bool scaled>
static __device__ inline factor<scaled> ask(const input<scaled> &place) {
    if constexpr (scaled)
        return {__ldg(place.x), __ldg(place.right)};
    else
        return {__ldg(place.x), 0};
}

/* ---- one stencil ---- */

/* An address that the compiler takes as it is. It would put it together again from its parts at each use, in several steps, where
   one is enough to go on from it. */
template <class T>
static __device__ inline const T *kept(const T *pointer) {
    asm("" : "+l"(pointer));
    return pointer;
}

struct entries {
    const idx_t *offset;
    const val_t *val;
    int64_t count;
};

static __device__ inline entries entries_of(const stencils &a, uint32_t number) {
    const ptr_t begin = __ldg(a.ptr + number), end = __ldg(a.ptr + number + 1);
    return {kept(a.offset + begin), kept(a.val + begin), end - begin};
}

/* The nearest place that there is in x. */
static __device__ inline int64_t clamped(int64_t at, int64_t cols) {
    return at < 0 ? 0 : at < cols ? at : cols - 1;
}

template <bool scaled>
static __device__ inline input<scaled> kept(const input<scaled> &place) {
    return {kept(place.x), scaled ? kept(place.right) : nullptr};
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

/* Add what `count` entries give to the rows that have them. Unless the stencil stays `inside` x for all of them, what is not there is asked for
   at its end: those rows have another stencil. */
template <class Shape, int count, bool inside, bool scaled, class Rows>
static __device__ inline void add_entries(const common_stencil<Shape, scaled> &c, const Rows &rows, int k,
                                          val_t (&sum)[Shape::rows]) {
    constexpr int near = Shape::near;
    val_t value[count];
    factor<scaled> factors[count][Shape::rows];
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
#pragma unroll
    for (int j = 0; j < count; j++)
#pragma unroll
        for (int r = 0; r < Shape::rows; r++)
            sum[r] = rows.have(r, k + j) ? sum[r] + value[j] * factors[j][r] : sum[r];
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

template <class Shape, bool inside, bool scaled, class Rows>
static __device__ inline void add_each(const common_stencil<Shape, scaled> &c, const Rows &rows,
                                       val_t (&sum)[Shape::rows]) {
    constexpr int together = TOGETHER / (scaled ? 2 : 1) / Shape::rows;
    const int count = (int)c.e.count;
    int k = 0;
#pragma unroll 1
    for (; k + together <= count; k += together)
        add_entries<Shape, together, inside>(c, rows, k, sum);
    add_rest<Shape, together - 1, inside>(c, rows, k, count - k, sum);
}

template <class Shape, bool scaled, class Rows>
static __device__ inline void add_all(const common_stencil<Shape, scaled> &c, const Rows &rows, bool inside,
                                      val_t (&sum)[Shape::rows]) {
    if (inside)
        add_each<Shape, true>(c, rows, sum);
    else
        add_each<Shape, false>(c, rows, sum);
}

/* The next `count` entries, for one row. Where there are fewer, the last one is asked for instead of those that are missing:
   conditions would leave fewer in flight. */
template <int count, bool scaled>
static __device__ inline val_t sum_entries(const idx_t *offset, const val_t *val, int left,
                                           const input<scaled> &x, val_t sum) {
    val_t value[count];
    factor<scaled> factors[count];
#pragma unroll
    for (int j = 0; j < count; j++) {
        const int at = min(j, left - 1);
        factors[j] = ask(x.at(__ldg(offset + at)));
        value[j] = __ldg(val + at);
    }
#pragma unroll
    for (int j = 0; j < count; j++)
        sum = j < left ? sum + value[j] * factors[j] : sum;
    return sum;
}

/* x is where the row has its diagonal. */
template <bool scaled>
static __device__ inline val_t sum_row(const entries &e, const input<scaled> &x) {
    const int count = (int)e.count;
    val_t sum = 0;
    int k = 0;
    for (; count - k > ALONE / 2; k += ALONE)
        sum = sum_entries<ALONE>(e.offset + k, e.val + k, count - k, x, sum);
    return count > k ? sum_entries<ALONE / 2>(e.offset + k, e.val + k, count - k, x, sum) : sum;
}

/* ---- which rows have the stencil that most have ---- */

/* Numbers of the rows of a lane. Unless all of them exist, that of the last stands for what does not. */
template <class Number, class Shape, bool whole>
static __device__ inline void load_numbers(const stencils &a, const warp_rows &rows,
                                           uint32_t (&number)[Shape::rows]) {
#pragma unroll
    for (int r = 0; r < Shape::rows; r++) {
        const int64_t row = rows.first + lane_number() + step_of<Shape>(r, rows.plane);
        number[r] = stream(as<Number>(a.number) + (whole || row < a.rows ? row : a.rows - 1));
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

/* Find a stencil that at least half of the rows have, by trying those of two of them; if neither is, all have another one. */
template <class Shape, bool whole>
static __device__ inline unsigned find_common(const stencils &a, const warp_rows &rows,
                                              uint32_t (&number)[Shape::rows], uint32_t *common) {
    constexpr int count = Shape::rows;
    if (a.number_size == 1)
        load_numbers<uint8_t, Shape, whole>(a, rows, number);
    else if (a.number_size == 2)
        load_numbers<uint16_t, Shape, whole>(a, rows, number);
    else
        load_numbers<uint32_t, Shape, whole>(a, rows, number);
    *common = __shfl_sync(ALL_LANES, number[count / 2], WARP / 2);
    unsigned other = others(number, *common);
    if (2 * __reduce_add_sync(ALL_LANES, __popc(other)) <= count * WARP)
        return other;
    *common = __shfl_sync(ALL_LANES, number[count / 2 - 1], WARP / 4 + 1);
    other = others(number, *common);
    return 2 * __reduce_add_sync(ALL_LANES, __popc(other)) <= count * WARP ? other : (1u << count) - 1;
}

/* ---- sums of a warp ---- */

/* Whether the stencil stays inside x for all rows of the warp, even for those that have another one. Its offsets rise. */
template <class Shape>
static __device__ inline bool is_inside(const entries &e, const warp_rows &rows, int64_t cols) {
    const int64_t end = rows.first + step_of<Shape>(Shape::rows - 1, rows.plane) + WARP;
    return e.count == 0 || (rows.first + __ldg(e.offset) >= 0 && end + __ldg(e.offset + e.count - 1) <= cols);
}

/* Which entries of a stencil the rows have whose bits are set; all other rows have all. */
template <class Shape>
static __device__ inline some_entries<Shape> parts_of(const uint32_t *part,
                                                      const uint32_t (&number)[Shape::rows], unsigned other) {
    some_entries<Shape> rows;
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        rows.part[r] = other >> r & 1 ? __ldg(part + number[r]) : ~0u;
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

/* put(row, sum) for the rows that have the stencil which most have, or a part of it, unless it is too long. Bit r of `there`: row r
   of this lane exists; all of them do if the warp is `whole`. What is returned has a bit for each that is still to be done. */
template <class Shape, bool whole, bool scaled, class Put>
static __device__ inline unsigned sum_common(const stencils &a, const uint32_t *part, int64_t longest,
                                             const warp_rows &rows, unsigned there, const input<scaled> &x,
                                             Put put) {
    uint32_t number[Shape::rows], common;
    unsigned other = find_common<Shape, whole>(a, rows, number, &common);
    const int64_t first = rows.first + lane_number();
    common_stencil<Shape, scaled> c = {entries_of(a, common), x, a.cols, first, rows.plane, {}};
    if (__all_sync(ALL_LANES, other == (1u << Shape::rows) - 1) || c.e.count > longest)
        return there;
#pragma unroll
    for (int p = 0; p < Shape::planes; p++)
        c.at[p] = kept(x.at(first + p * rows.plane));
    const bool inside = whole && is_inside<Shape>(c.e, rows, a.cols);
    val_t sum[Shape::rows] = {};
    if (__any_sync(ALL_LANES, other) && __ldg(part + a.count) == common) {
        const some_entries<Shape> some = parts_of<Shape>(part, number, other);
        other = without_part(some);
        add_all(c, some, inside, sum);
    } else {
        add_all(c, all_entries(), inside, sum);
    }
    const unsigned done = there & ~other;
#pragma unroll
    for (int r = 0; r < Shape::rows; r++)
        if (done >> r & 1)
            put(first + step_of<Shape>(r, rows.plane), sum[r]);
    return there & other;
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

/* put(row, sum) for all rows of a warp, but for long ones. */
template <class Shape, bool scaled, class Put>
static __device__ inline void sum_rows(const stencils &a, const uint32_t *part, int64_t longest,
                                       const warp_rows &rows, const input<scaled> &x, Put put) {
    __shared__ uint16_t lists[WARPS][Shape::rows * WARP];
    constexpr unsigned all = (1u << Shape::rows) - 1;
    unsigned left;
    if (Shape::rows > 1 && is_whole<Shape>(a, rows)) {
        left = sum_common<Shape, true>(a, part, longest, rows, all, x, put);
    } else {
        left = existing<Shape>(a, rows);
        if (Shape::rows > 1 && __any_sync(ALL_LANES, left))
            left = sum_common<Shape, false>(a, part, longest, rows, left, x, put);
    }
    if (!__any_sync(ALL_LANES, left))
        return;
    uint16_t(&list)[Shape::rows * WARP] = lists[threadIdx.x / WARP];
    const int count = list_rows<Shape::rows>(left, list);
    for (int at = lane_number(); at < count; at += WARP) {
        const int64_t row = rows.first + step_of<Shape>(list[at] / WARP, rows.plane) + list[at] % WARP;
        const entries e = entries_of(a, number_of(a, row));
        if (e.count <= longest)
            put(row, sum_row(e, x.at(row)));
    }
}

/* ---- one row by a block ---- */

/* Its sum, in thread 0. */
template <bool scaled>
static __device__ inline val_t sum_long(const entries &e, const input<scaled> &x) {
    val_t sum[1] = {0};
    int64_t k = threadIdx.x;
    for (; k + (LONG - 1) * BLOCK < e.count; k += LONG * BLOCK) {
        val_t value[LONG];
        factor<scaled> factors[LONG];
#pragma unroll
        for (int j = 0; j < LONG; j++) {
            factors[j] = ask(x.at(__ldg(e.offset + k + j * BLOCK)));
            value[j] = __ldg(e.val + k + j * BLOCK);
        }
#pragma unroll
        for (int j = 0; j < LONG; j++)
            sum[0] += value[j] * factors[j];
    }
    for (; k < e.count; k += BLOCK)
        sum[0] += __ldg(e.val + k) * ask(x.at(__ldg(e.offset + k)));
    block_join<BLOCK>(sum);
    return sum[0];
}

/* ---- the kernel ---- */

/* What becomes of a product: y is set, or added to; or set, and a part of its product with w is wanted too; or it is multiplied by
   a diagonal, if there is one, and set or added to y. */
enum outcome { SET, ADD, DOT, SCALE };

/* Blocks of long rows come first. */
template <class Shape, outcome does, bool scaled>
static __global__ void __launch_bounds__(BLOCK, SPRY_STENCIL_RESIDENT / BLOCK)
    multiply(stencils a, const uint32_t *part, spry_groups groups, int64_t plane, unsigned across,
             val_t alpha, const val_t *x, val_t beta, val_t *y, const val_t *w, double *partial,
             const val_t *left, const val_t *right) {
    const input<scaled> from = {x, right};
    double dot[1] = {0};
    const auto put = [&](int64_t row, val_t sum) {
        val_t result;
        if constexpr (does == SCALE)
            result = left ? blend(1, times(left[row], alpha * sum), beta, y + row)
                          : blend(alpha, sum, beta, y + row);
        else
            result = does == ADD ? fma(alpha, sum, times(beta, y[row])) : alpha * sum;
        __stcs(y + row, result);
        if constexpr (does == DOT)
            dot[0] += (double)w[row] * (double)result;
    };
    const unsigned long_rows = (unsigned)groups.long_count;
    if (blockIdx.x < long_rows) {
        const int64_t row = as<idx_t>(groups.long_group)[blockIdx.x];
        const val_t sum = sum_long(entries_of(a, number_of(a, row)), from.at(row));
        if (threadIdx.x == 0)
            put(row, sum);
    } else {
        sum_rows<Shape>(a, part, groups.longest, rows_of_warp<Shape>(plane, blockIdx.x - long_rows, across),
                        from, put);
    }
    if constexpr (does == DOT) {
        block_join<BLOCK>(dot);
        if (threadIdx.x == 0)
            partial[blockIdx.x] = dot[0];
    }
}

/* ---- the choice among shapes ---- */

/* Blocks for as many planes as a thread has rows in, and all blocks. */
template <class Shape>
static unsigned blocks_across(const spry_matrix *matrix) {
    return blocks_for(matrix->cuda.planes.rows, BLOCK * Shape::near);
}

template <class Shape>
static unsigned blocks_of(const spry_matrix *matrix) {
    const int64_t across = blocks_across<Shape>(matrix),
                  along = blocks_for(matrix->rows, Shape::planes * matrix->cuda.planes.rows);
    return blocks_for(matrix->cuda.groups.long_count + across * along, 1);
}

/* Call with the shape that the plan says. */
template <class Function>
static auto with_shape(const spry_matrix *matrix, Function function) {
    const spry_planes &planes = matrix->cuda.planes;
    if (planes.count > 1)
        return function(shape<SPRY_STENCIL_ROWS / SPRY_STENCIL_PLANES, SPRY_STENCIL_PLANES>());
    if (planes.near == SPRY_STENCIL_ROWS)
        return function(shape<SPRY_STENCIL_ROWS, 1>());
    return planes.near > 1 ? function(shape<SPRY_STENCIL_FEW, 1>()) : function(shape<1, 1>());
}

static int64_t partials(const spry_matrix *matrix) {
    return with_shape(matrix, [=](auto of) -> int64_t { return blocks_of<decltype(of)>(matrix); });
}

template <class Shape>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    auto *kernel = product->right       ? multiply<Shape, SCALE, true>
                   : product->left      ? multiply<Shape, SCALE, false>
                   : product->partial   ? multiply<Shape, DOT, false>
                   : product->beta == 0 ? multiply<Shape, SET, false>
                                        : multiply<Shape, ADD, false>;
    kernel<<<blocks_of<Shape>(matrix), BLOCK, 0, context->device->stream>>>(
        stencils_of(matrix), matrix->cuda.part, matrix->cuda.groups, matrix->cuda.planes.rows,
        blocks_across<Shape>(matrix), (val_t)product->alpha, static_cast<const val_t *>(product->x),
        (val_t)product->beta, static_cast<val_t *>(product->y), static_cast<const val_t *>(product->w),
        product->partial, static_cast<const val_t *>(product->left),
        static_cast<const val_t *>(product->right));
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    with_shape(matrix, [=](auto of) { launch<decltype(of)>(context, matrix, product); });
    return launched(context, kernel->name);
}

/* ---- the selector ---- */

static spry_terms work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const spry_context *context = candidate->context;
    const int processors = context->device->multiprocessors;
    const double rows = (double)features->rows, nnz = (double)features->nnz, warps = rows / WARP,
                 longest = (double)features->longest,
                 alone = (double)NAME(spry_stencil_longest)(context, features->nnz);
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.critical = std::max(ceil(std::min(longest, alone) / ALONE), ceil(longest / (LONG * BLOCK)));
    amounts.steps = nnz / WARP / processors;
    amounts.units = warps / processors;
    /* Warps go once more through the rows between runs of one stencil, and through all where stencils alternate. */
    const double runs = features->stencils.period > 1
                            ? warps
                            : std::min(spry_expected_runs(features, &features->stencils), warps);
    amounts.entries = runs * nnz / rows / processors;
    /* The lanes of a warp whose rows have stencils of their own read each from another place. */
    double kinds, entries;
    spry_expected_kinds(features, &features->stencils, &kinds, &entries);
    amounts.streams = entries * (double)(sizeof(idx_t) + sizeof(val_t));
    return amounts;
}

static const spry_kernel kernels[] = {
    {SPRY_CUDA_KERNEL("stencil_rows", SPRY_STENCIL, SPRY_N), .scales = true, .run = run, .partials = partials,
     .work = work},
};

extern "C" {
extern const spry_kernel_list NAME(spry_kernels_stencil);
const spry_kernel_list NAME(spry_kernels_stencil) = {sizeof kernels / sizeof *kernels, kernels};
}
