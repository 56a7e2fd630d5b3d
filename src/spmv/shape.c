/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes in plain C: rows of one shape that follow each other in a slice read x one value after the other, at each of its
   offsets. */
#include "formats/shape.h"

#include "spmv/stencil.h"

_Static_assert(SPRY_DOT_ROWS % SPRY_SHAPE_HEIGHT_MOST == 0, "pieces that are added up are whole slices");

/* Rows that are summed side by side. */
#define GROUP 16

/* `count` rows of a slice that all have these offsets, of which this is the first. */
static void sum_group(const struct shape_row *row, int64_t height, int64_t count, const val_t *x,
                      val_t *sum) {
    const val_t *val = row->val;
    for (int64_t k = 0; k < row->entries.length; k++, val += height) {
        const val_t *from = x + row->entries.offset[k];
        for (int64_t r = 0; r < count; r++)
            sum[r] += val[r] * from[r];
    }
}

/* Where a group ends that begins with row i: with its slice, too. */
static int64_t group_end(const spry_shape *shape, int64_t i, int64_t end) {
    const int64_t number = stencil_number(&shape->rows, i), most = shape_slice_end(shape, i, end);
    int64_t last = i + 1;
    while (last < most && last < i + GROUP && stencil_number(&shape->rows, last) == number)
        last++;
    return last;
}

static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const spry_shape *shape = &matrix->shape;
    for (int64_t i = begin, last; i < end; i = last) {
        const struct shape_row row = shape_row(shape, i);
        val_t sum[GROUP] = {0};
        last = group_end(shape, i, end);
        sum_group(&row, shape->height, last - i, x + i, sum);
        for (int64_t r = i; r < last; r++)
            y[r] = spry_blend(alpha, sum[r - i], beta, &y[r]);
    }
}

static union spry_terms work(const struct spry_candidate *candidate) {
    return NAME(spry_runs_work)(candidate, &candidate->features->shapes, candidate->storage.parameter[0],
                                GROUP);
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *part, val_t alpha, const val_t *x,
                    val_t *out) {
    const spry_shape *shape = &matrix->shape;
    for (int64_t i = part[0].unit; i < part[1].unit; i++) {
        const struct shape_row row = shape_row(shape, i);
        for (int64_t k = 0; k < row.entries.length; k++)
            out[i + row.entries.offset[k]] += alpha * (row.val[k * shape->height] * x[i]);
    }
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("shape", SPRY_SHAPE, SPRY_N), .run = SHARED(spry_rows_run),
     .partials = SHARED(spry_partials), .work = work, .part = (void (*)(void))rows},
    {SPRY_KERNEL("shape", SPRY_SHAPE, SPRY_T), .run = SHARED(spry_scatter_run),
     .part = (void (*)(void))scatter},
};

const struct spry_kernel_list NAME(spry_kernels_shape) = {sizeof kernels / sizeof *kernels, kernels};
