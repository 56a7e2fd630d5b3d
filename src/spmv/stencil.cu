/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stencils on a device: there is hardly more to read than x and y. Of few rows, time goes by how many loads wait for each other; of
 * many, by how often x passes between the caches, and by what there is to be done besides reading it. So a thread has a row while all
 * run at once, else several.
 *
 * The stencil that most rows have is kept where it can be read at once, so that x is on its way before the rows' numbers are there: what
 * each row has of it is looked up meanwhile. Rows with a part of it, as at the borders of a grid, leave out what they do not have. In
 * a warp where that is not so of most rows, or whose threads have too many rows for it, another stencil that most of them have is
 * looked for first, and each of its entries is read once for all of them. Rows with yet another one are multiplied along too, which
 * costs less than to leave them out; they are listed, and then the lanes take one each.
 *
 * Blocks have rows that share what they read of x in the nearest cache: neighbours and, where stencils reach farther than those
 * go, what lies so far behind them. In a grid, that is the next plane: where the last offset of a stencil is n, row i, row i + n
 * and row i + 2 n all ask for x[i + n].
 *
 * Rows much longer than others are a block's each; those blocks come first.
 */
#include <algorithm>

#include "cuda/early.cuh"
#include "primitives/reduce.cuh"
#include "spmv/stencil_warp.cuh"

extern "C" {
#include "analysis/work.h"
}

namespace spmv_stencil {

static constexpr int BLOCK = SPRY_STENCIL_BLOCK;

/* ---- the kernel ---- */

/* What becomes of a product: y is set, or added to; or set, and a part of its product with w is wanted too; or it is multiplied by
   a diagonal, if there is one, and set or added to y; or y is set or added to, and then added to z with x. */
enum outcome { SET, ADD, DOT, SCALE, FOLLOW };

/* What a thread does with the sum of a row. Before, it may ask for all that it needs besides: sums are stored one after the other,
   and no load can overtake a store. */
template <outcome does>
struct task {
    val_t alpha, beta;
    const val_t *x, *w, *left;
    val_t *y;
    val_t of_y, of_x, of_z;
    val_t *z;
    double dot;

    /* More than one value a row besides its sum. */
    static constexpr bool asks_much = does == SCALE || does == FOLLOW;

    struct beside {
        val_t y, z, x, w, left;
    };

    __device__ inline beside ask(int64_t row) const {
        beside found = {};
        if ((does == ADD || does == SCALE || does == FOLLOW) && beta != 0)
            found.y = y[row];
        if (does == FOLLOW) {
            found.x = __ldg(x + row);
            if (of_z != 0)
                found.z = z[row];
        }
        if (does == DOT)
            found.w = w[row];
        if (does == SCALE && left)
            found.left = left[row];
        return found;
    }

    __device__ inline void put(int64_t row, val_t sum, const beside &found) {
        val_t result;
        if constexpr (does == SCALE)
            result = left ? blend(1, times(found.left, alpha * sum), beta, &found.y)
                          : blend(alpha, sum, beta, &found.y);
        else if constexpr (does == SET || does == DOT)
            result = alpha * sum;
        else
            result = blend(alpha, sum, beta, &found.y);
        __stcs(y + row, result);
        if constexpr (does == DOT)
            dot += (double)found.w * (double)result;
        if constexpr (does == FOLLOW)
            z[row] = blend(1, of_y * result + of_x * found.x, of_z, &found.z);
    }
};

/* Blocks of long rows come first. */
template <class Shape, outcome does, bool scaled>
static __global__ void __launch_bounds__(BLOCK, SPRY_STENCIL_RESIDENT / BLOCK)
    multiply(stencils a, stencil_parts parts, spry_groups groups, int64_t plane, unsigned across,
             task<does> todo, const val_t *right, double *partial) {
    await_earlier();
    const input<scaled> from = {todo.x, right};
    const unsigned long_rows = (unsigned)groups.long_count;
    if (blockIdx.x < long_rows) {
        const int64_t row = as<idx_t>(groups.long_group)[blockIdx.x];
        const val_t sum = sum_long(entries_of(a, number_of(a, row)), from.at(row));
        if (threadIdx.x == 0)
            todo.put(row, sum, todo.ask(row));
    } else {
        sum_rows<Shape>(a, parts, groups.longest, rows_of_warp<Shape>(plane, blockIdx.x - long_rows, across),
                        from, todo);
    }
    if constexpr (does == DOT) {
        double dot[1] = {todo.dot};
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

template <class Shape, outcome does, bool scaled = false>
static void launch(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    const spry_addition &added = product->addition;
    const task<does> todo = {(val_t)product->alpha,
                             (val_t)product->beta,
                             static_cast<const val_t *>(product->x),
                             static_cast<const val_t *>(product->w),
                             static_cast<const val_t *>(product->left),
                             static_cast<val_t *>(product->y),
                             (val_t)added.a,
                             (val_t)added.b,
                             (val_t)added.c,
                             static_cast<val_t *>(added.z),
                             0};
    launch_early(context, blocks_of<Shape>(matrix), BLOCK, multiply<Shape, does, scaled>, stencils_of(matrix),
                 stencil_parts_of(matrix), matrix->cuda.groups, matrix->cuda.planes.rows,
                 blocks_across<Shape>(matrix), todo, static_cast<const val_t *>(product->right),
                 product->partial);
}

template <class Shape>
static void launch_for(spry_context *context, const spry_matrix *matrix, const spry_product *product) {
    if (product->right)
        launch<Shape, SCALE, true>(context, matrix, product);
    else if (product->left)
        launch<Shape, SCALE>(context, matrix, product);
    else if (product->partial)
        launch<Shape, DOT>(context, matrix, product);
    else if (product->addition.z)
        launch<Shape, FOLLOW>(context, matrix, product);
    else if (product->beta == 0)
        launch<Shape, SET>(context, matrix, product);
    else
        launch<Shape, ADD>(context, matrix, product);
}

static spry_status run(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                       const spry_product *product) {
    with_shape(matrix, [=](auto of) { launch_for<decltype(of)>(context, matrix, product); });
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
    amounts.critical = std::max(ceil(std::min(longest, alone) / SPRY_STENCIL_ALONE),
                                ceil(longest / (SPRY_STENCIL_LONG * BLOCK)));
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
    {SPRY_CUDA_KERNEL("stencil_rows", SPRY_STENCIL, SPRY_N), .scales = true, .adds = true, .run = run,
     .partials = partials, .work = work},
};

extern "C" {
extern const spry_kernel_list NAME(spry_kernels_stencil);
const spry_kernel_list NAME(spry_kernels_stencil) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_stencil
